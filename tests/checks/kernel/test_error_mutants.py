"""Faults planted in the kernel's checks about errors: each accepts a false certificate or rejects a real one."""

import importlib
import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

import false_errors
import false_orders
import false_relations
from certificates import certified, real
from dp_checks.kernel import (
    Rejected,
    domains,
    errors,
    formulas,
    moments,
    polynomial,
    proving,
    slotwise,
    terms,
    totals,
    verify,
)
from dp_checks.kernel.polynomial import lift, substituted, variable
from dp_spec.frequency import totals as stated
from dp_spec.frequency.claims.comparison import data
from dp_spec.vocabulary.error_statements import Errors, Value
from dp_spec.vocabulary.law import USERS, G, K, M
from dp_spec.vocabulary.statement import Range
from dp_spec.vocabulary.term import var
from error_certificates import REPRESENTATIVE
from planted import FALSE

MODULES = (false_errors, false_relations, false_orders)
OURS = {
    name: FALSE[name]
    for module in MODULES
    for name in vars(module)
    if name in FALSE and name != "a_table_of_degree_300"
}
"""All but the one that takes a second."""
F_ = Fraction

_T, _E0 = var("t"), var("e0")
_ABOVE = Range(1, strict=True)


def kept_totals() -> Iterator[tuple[str, Any]]:
    """Totals as plain formulas in the frequencies, by hand: K, N, m, g, n and the root."""
    d = (_T - 1) ** 2
    yield (
        "surap",
        Errors(
            data(t=_ABOVE),
            {"a": Value(stated.SURAP, _T)},
            (("eq", var("a"), K * _T / (USERS * d) + G / (USERS * (_T - 1))),),
        ),
    )
    grr = (_E0 + K - 2) / (USERS * (_E0 - 1) ** 2)
    yield (
        "sugrr",
        Errors(
            data(e0=_ABOVE),
            {"a": Value(stated.SUGRR, _E0)},
            (
                (
                    "eq",
                    var("a"),
                    K * M * grr + (M - G) * (K - 2) / (USERS * (_E0 - 1)) + G * K / (USERS * (_E0 - 1)),
                ),
            ),
        ),
    )


@cache
def genuine() -> list[Any]:
    found = [real(name) for name in REPRESENTATIVE]
    found += [certified(statement, "proved", {"steps": [{}]}, name) for name, statement in kept_totals()]
    return found


@cache
def false() -> dict[str, Any]:
    return {name: build() for name, (build, _) in OURS.items()}


def misjudged() -> Iterator[str]:
    totals._item_error.cache_clear()
    errors._expanded.cache_clear()
    for name, certificate in false().items():
        try:
            verify(certificate)
        except Rejected:
            continue
        yield f"accepted: {name}"
    for certificate in genuine():
        try:
            verify(certificate)
        except Rejected as error:
            yield f"rejected: {certificate['id']}: {error}"


def test_nothing_is_misjudged() -> None:
    assert list(misjudged()) == []


def always(value: Any) -> Callable[..., Any]:
    return lambda *args, **options: value


prove, is_possible, decided, limits, exponential = (
    formulas.prove,
    domains.is_possible,
    errors._decided,
    proving.data_constraints,
    proving.exponential,
)
interval, coefficients, total_error, table = errors._polynomial, polynomial._coefficients, totals.error, slotwise.table


def crossed(value: Any) -> Any:
    """|X_sen| and |X_non| exchanged."""
    law, found = total_error(value)
    return law, substituted(found, {"K": variable("N"), "N": variable("K")})


def all_sensitive(value: Any) -> Any:
    """f(X_sen) = m, whatever g is."""
    law, found = total_error(value)
    return law, substituted(found, {"m": variable("m") + variable("g")}) if "type" not in value else found


def without_frequencies(value: Any) -> Any:
    law, found = total_error(value)
    return law, substituted(found, {"g": lift(0)})


def weakly(op: str, *rest: Any) -> None:
    prove("le" if op == "lt" else op, *rest)


def first_end_only(op: str, gain: Any, domain: Any, step: Any) -> None:
    if "ends" in step:
        prove(op, lift(0), substituted(gain, {step["ends"]: lift(0)}), domain, step["steps"][0])
    else:
        prove(op, lift(0), gain, domain, step)


def at_the_middle(x: Any, number: int, domain: Any) -> Any:
    return 1 + x + x * x / 2, domain


def of_any_exponent(x: Any, number: int, domain: Any) -> Any:
    name = f"[u{number}]"
    wider = {**domain, "variables": {**domain["variables"], name: proving.UNIT}}
    return 1 + x + x * x * (F_(1, 2) + F_(1, 4) * variable(name)), wider


def closed_as_open(poly: Any, bounds: Any, strictly: bool) -> bool:
    return coefficients(poly, {name: b._replace(closed=False) for name, b in bounds.items()}, strictly)


def undecided_is_false(op: str, left: Any, right: Any) -> Any:
    found = decided(op, left, right)
    return False if found is None else found


def undecided_is_true(op: str, left: Any, right: Any) -> Any:
    found = decided(op, left, right)
    return True if found is None else found


def middles(p: Any, y: Any) -> Any:
    middle = (y[0] + y[1]) / 2
    return interval(p, (middle, middle))


X = "dp_checks.kernel."
FAULTS: dict[str, tuple[list[str], Any]] = {
    "totals: X_sen and X_non exchanged": ([X + "errors.error"], crossed),
    "totals: all items are sensitive": ([X + "errors.error"], all_sensitive),
    "totals: f(X_non) is left out": ([X + "errors.error"], without_frequencies),
    "totals: any formula is the MSE": ([X + "totals.exact_mse"], lambda spec, ranges: _formula(spec)),
    "totals: parameters of laws": ([X + "totals.error", X + "errors.error"], lambda v: _without_parameters(v)),
    "totals: everything is affine": ([X + "totals.affine", X + "proving.affine"], always(None)),
    "proving: > as >=": ([X + "proving.prove"], weakly),
    "proving: one end is enough": ([X + "errors.prove_affinely"], first_end_only),
    "proving: e^x is its quadratic polynomial": ([X + "proving.exponential", X + "orders.exponential"], at_the_middle),
    "proving: e^x for every x": ([X + "proving.exponential"], of_any_exponent),
    "proving: eps <= 1 is not needed": (
        [X + "orders.for_small_epsilon", X + "errors.for_small_epsilon"],
        lambda domain: {**domain, "variables": {**domain["variables"], "eps": proving.UP_TO_ONE}},
    ),
    "proving: any size": ([X + "errors.require_sizes", X + "orders.require_sizes"], always(None)),
    "proving: any data": ([X + "errors.require_data", X + "orders.require_data"], always(None)),
    "proving: no limits of data": (
        [X + "proving.data_constraints", X + "errors.data_constraints", X + "orders.data_constraints"],
        always([]),
    ),
    "polynomials: closed ranges are open": ([X + "polynomial._coefficients"], closed_as_open),
    "errors: any budget": ([X + "errors._require_one_budget"], always(None)),
    "errors: poles": ([X + "errors.require_defined"], always(None)),
    "errors: the pieces cover anything": ([X + "errors._require_within"], always(None)),
    "errors: bounds are affine": ([X + "errors._is_affine"], always(True)),
    "errors: undecided is false": ([X + "errors._decided"], undecided_is_false),
    "errors: undecided is true": ([X + "errors._decided"], undecided_is_true),
    "errors: the middle of an interval": ([X + "errors._polynomial"], middles),
    "errors: sizes of any kind": ([X + "errors.speaks_of_data"], always(True)),
    "errors: all frequencies are possible": ([X + "errors.is_possible"], always(True)),
    "errors: values of any size": ([X + "errors._require_numbers"], always(None)),
    "errors: parameters without a value": ([X + "errors._variables"], always(set())),
    "orders: constants of any sign": ([X + "orders.rational"], lambda x: abs(Fraction(x)) or Fraction(1, 2**20)),
    "orders: any inequality": ([X + "orders.prove"], always(None)),
    "orders: poles of the entry": ([X + "orders.require_defined"], always(None)),
    "costs: any number of symbols": ([X + "costs._require_enough"], always(None)),
    "costs: any bound": ([X + "costs.prove"], always(None)),
    "costs: r is not compared": ([X + "costs.table"], lambda law, values: (*table(law, values)[:2], lift(1))),
    "costs: only r is compared": (
        [X + "costs.table"],
        lambda law, values: (lift(1), lift(1), table(law, values)[2]),
    ),
}


def _formula(spec: Any) -> Any:
    return lift(
        terms.evaluate(spec["formula"], slotwise.variables(spec["law"]) | {x: variable(x) for x in moments.NAMES})
    )


def _without_parameters(value: Any) -> Any:
    if "type" in value:
        return value["law"], totals._item_error(json.dumps(value, sort_keys=True))
    return total_error(value)


@pytest.mark.parametrize("fault", FAULTS)
def test_planted_faults_are_caught(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    genuine(), false()  # certificates are made before the kernel is broken
    paths, replacement = FAULTS[fault]
    for path in paths:
        module, name = path.rsplit(".", 1)
        monkeypatch.setattr(importlib.import_module(module), name, replacement)
    try:
        assert next(misjudged(), None) is not None
    finally:
        totals._item_error.cache_clear()
        errors._expanded.cache_clear()
