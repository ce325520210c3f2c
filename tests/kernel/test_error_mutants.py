"""Faults planted in the kernel's checks about errors: each accepts a false certificate or rejects a real one."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from corpus.certificates import accepted_about, planted
from dp_kernel import Rejected
from dp_kernel.formulas import definitions, domains, relations, terms
from dp_kernel.formulas.terms import Interval
from dp_kernel.laws import error_terms, moments, sizes
from dp_kernel.numbers import polynomial
from dp_kernel.numbers.polynomial import lift, substituted, variable
from mutants import kernel
from mutants.kernel import always, unless

F_ = Fraction


SLOW, EMPTY = "a_table_of_degree_300", "empty_domain"


@cache
def genuine() -> list[Any]:
    return [*accepted_about("errors").values()]


@cache
def false() -> dict[str, Any]:
    mutants = planted("errors", "relations", "orders") | {EMPTY: planted("formulas")[EMPTY]}
    return {name: false for name, false in mutants.items() if name != SLOW}


def misjudged() -> Iterator[str]:
    error_terms._tree_of.cache_clear()  # type: ignore[attr-defined]
    yield from kernel.misjudged(false(), genuine())


prove, decided, limits, exponentials = (
    domains.prove,
    relations.decided,
    error_terms.limits,
    definitions._with_exponential,
)
enclosed, coefficients, total = terms.exp, polynomial._coefficients, error_terms.tree_of


def crossed(error: Any) -> Any:
    """|X_sen| and |X_non| exchanged."""
    return terms.put(total(error), {"K": "N", "N": "K"})


def all_sensitive(error: Any) -> Any:
    """f(X_sen) = m, whatever g is."""
    formula = total(error)
    return terms.put(formula, {"m": ["add", "m", "g"]}) if "type" not in error else formula


def without_frequencies(error: Any) -> Any:
    return terms.put(total(error), {"g": 0})


def weakly(op: str, *rest: Any) -> None:
    prove("le" if op == "lt" else op, *rest)


def first_part_only(op: str, left: Any, right: Any, region: Any, step: Any) -> None:
    if "ends" in step:
        prove(op, 0, substituted(lift(right) - left, {step["ends"][0]: lift(0)}), region, {})
    else:
        prove(op, left, right, region, step)


def at_the_middle(region: Any, name: str, exponent: Any) -> Any:
    """e^x is 1 + x + x^2 / 2."""
    box = exponentials(region, name, exponent)
    half = {x: lift(0) for x, bound in box.ranges.items() if bound == definitions.UNIT}
    return replace(box, values={x: substituted(value, half) for x, value in box.values.items()})


def small_for_every_x(value: Any, bounds: Any, *, strictly: bool = False) -> bool:
    """x <= 1 is not asked."""
    return value == 1 - variable("eps") or polynomial.is_nonnegative(value, bounds, strictly=strictly)


def closed_as_open(poly: Any, bounds: Any, strictly: bool) -> bool:
    return coefficients(poly, {name: b._replace(closed=False) for name, b in bounds.items()}, strictly)


def nothing_is_possible(*args: Any) -> None:
    raise Rejected("no data")


def undecided_is_false(op: str, left: Any, right: Any) -> Any:
    verdict = decided(op, left, right)
    return False if verdict is None else verdict


def undecided_is_true(op: str, left: Any, right: Any) -> Any:
    verdict = decided(op, left, right)
    return True if verdict is None else verdict


def middles(x: Any, bits: int) -> Any:
    interval = enclosed(x, bits)
    middle = (interval.low + interval.high) / 2 + F_(1, 9)
    return Interval(middle, middle)


X = "dp_kernel."
FAULTS: dict[str, kernel.Fault] = {
    "totals: X_sen and X_non exchanged": ([X + "laws.error_terms.tree_of"], crossed),
    "totals: all items are sensitive": ([X + "laws.error_terms.tree_of"], all_sensitive),
    "totals: f(X_non) is left out": ([X + "laws.error_terms.tree_of"], without_frequencies),
    "totals: any formula is the MSE": ([X + "laws.error_terms.established"], lambda spec: _formula(spec)),
    "totals: everything is affine": (
        [X + "laws.error_terms.affine", X + "formulas.domains.affine"],
        always(None),
    ),
    "totals: any data": (
        [X + "laws.error_terms.require_possible", X + "formulas.relations.require_possible"],
        always(None),
    ),
    "totals: any family": ([X + "formulas.relations.require_possible"], always(None)),
    "totals: any domain": ([X + "laws.error_terms.require_inside"], always(None)),
    "domains: no data": ([X + "laws.error_terms.require_possible"], nothing_is_possible),
    "domains: fractions of users": (
        [X + "laws.error_terms.limits"],
        lambda *data: (limits(*data)[0], []),
    ),
    "domains: frequencies without limits": (
        [X + "laws.error_terms.limits"],
        lambda *data: (limits(*data)[0][:4], limits(*data)[1]),
    ),
    "domains: poles": ([X + "formulas.terms._require_defined"], always(None)),
    "proving: > as >=": ([X + "formulas.definitions.prove", X + "formulas.relations.prove"], weakly),
    "proving: one part is enough": ([X + "formulas.relations.prove"], first_part_only),
    "proving: e^x is a polynomial": ([X + "formulas.definitions._with_exponential"], at_the_middle),
    "proving: e^x is below its polynomial for every x": (
        [X + "formulas.definitions.is_nonnegative"],
        small_for_every_x,
    ),
    "proving: halves are integers": (
        [X + "laws.error_terms.require_integer", X + "formulas.domains.require_integer"],
        always(None),
    ),
    "polynomials: closed ranges are open": ([X + "numbers.polynomial._coefficients"], closed_as_open),
    "formulas: the pieces cover anything": ([X + "formulas.relations.pairwise"], lambda ends: iter(())),
    "formulas: undecided is false": ([X + "formulas.relations.decided"], undecided_is_false),
    "formulas: undecided is true": ([X + "formulas.relations.decided"], undecided_is_true),
    "formulas: a number beside e^x": ([X + "formulas.terms.exp"], middles),
    "bounded: constants depend on anything": ([X + "formulas.relations.symbols"], always(set())),
    "bounded: any inequality": ([X + "formulas.relations.prove"], always(None)),
    "steps: any multiplier": ([X + "formulas.domains.require"], unless("a multiplier")),
    "costs: no reports": ([X + "finite.models.output_law"], always({})),
    "laws: the other is any": ([X + "finite.models.require_law"], always(None)),
    "steps: any end": ([X + "formulas.domains.require"], unless("the end is not stated")),
}


def _formula(spec: Any) -> Any:
    return lift(terms.evaluate(spec["formula"], sizes.variables(spec["law"]) | {x: variable(x) for x in moments.NAMES}))


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_planted_faults_are_caught(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    genuine(), false()  # certificates are made before the kernel is broken
    kernel.plant(FAULTS[fault], monkeypatch)
    try:
        assert next(misjudged(), None) is not None
    finally:
        error_terms._tree_of.cache_clear()  # type: ignore[attr-defined]
