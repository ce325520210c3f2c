"""Totals of exact errors: the kernel's, the checker's, and those of the enumerated programs, which share no line."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

import pytest
from flint import fmpq

from dp_checks.check.formulas import value_at
from dp_checks.programs import Instance, law_channel
from dp_kernel.formulas.terms import evaluate
from dp_kernel.judgements import error_terms as kernel
from dp_refimpl.coins import Coins
from dp_refimpl.enumeration import output_law
from dp_refimpl.frequency.hashing import HashFunction, RandomFunctions
from dp_refimpl.frequency.suwheel import SuWheel
from dp_refimpl.frequency.wheel import Wheel
from dp_spec.frequency import total_errors
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.error_statements import Total, Value, errors
from dp_spec.vocabulary.estimation import Counting
from dp_spec.vocabulary.items import ItemDomain
from dp_spec.vocabulary.statement import Domain, Range
from dp_spec.vocabulary.table import Channel
from dp_spec.vocabulary.term import var
from independent.numbers import fraction

EVERY = {**total_errors.FIVE, **total_errors.EXISTING, "urr": total_errors.URR_SPLIT, "urap": total_errors.URAP_SPLIT}
SIZES = ((1, 0, 1), (2, 0, 1), (3, 0, 2), (1, 2, 1), (2, 1, 1), (1, 1, 2), (2, 1, 2), (1, 2, 2))
"""(K, N, m)."""
ROOT = fmpq(2)
CONTRIBUTIONS: dict[tuple[str, str], Callable[[Any, int], int]] = {
    ("items", "all"): lambda y0, x: y0.count(x),
    ("items", "one"): lambda y0, x: y0 == x,
    ("bits", "all"): lambda y0, x: y0[x],
    ("bits", "one"): lambda y0, x: y0[x],
    ("bits", "each"): lambda y0, x: sum(vector[x] for vector in y0),
    ("arcs", "all"): lambda y0, x: y0[x],
}
"""How often a sensitive item is counted in y0 (of arcs: the items whose arcs the point hits)."""


@cache
def channel(name: str, k: int, n: int, m: int) -> Any:
    """The law of reports (y0, I) on all m-sets; of Wheel and suWheel for a hash function drawn from all functions to
    the multiples of p, z0 given by the items whose arcs it hits."""
    law = EVERY[name].law
    domain = ItemDomain.of_sizes(k, n)
    if law.unit != "arcs":
        view = EVERY[name].part("sensitive").view
        table = law_channel(law, view, range(m, m + 1), Instance(m, domain, ROOT))
        return Channel(
            {s: _summed((((y.protected, y.invertible), p) for y, p in row.items())) for s, row in table.rows.items()}
        )
    mechanism: Any = (SuWheel if law.r is not None else Wheel)(domain, Budget.of_root(ROOT), m)
    family = RandomFunctions(domain.items, int(1 / fraction(mechanism.p)))
    sets = [frozenset(s) for s in combinations(domain.items, m)]
    rows: dict[Any, Any] = {}
    for s in sets:
        weighted = []
        for h, weight in family.law().items():

            def program(coins: Coins, s: Any = s, h: HashFunction = h) -> Any:
                report = mechanism.randomize(s, h, coins)
                z0, z1 = (report.protected, report.invertible) if law.r is not None else (report, frozenset())
                return tuple(mechanism.hit(x, h, z0) for x in domain.sensitive), z1

            weighted += [(y, p * weight) for y, p in output_law(program, fmpq(1)).items()]
        rows[s] = _summed(weighted)
    return Channel(rows)


def _summed(weighted: Any) -> dict[Any, fmpq]:
    law: dict[Any, fmpq] = {}
    for y, p in weighted:
        law[y] = law.get(y, fmpq(0)) + p
    return law


def by_enumeration(name: str, k: int, n: int, m: int, users: Sequence[Any]) -> fmpq:
    """The sum over X of the MSE of every item's estimate for these users."""
    total, law = EVERY[name], EVERY[name].law
    items = ItemDomain.of_sizes(k, n)
    counted = CONTRIBUTIONS[law.unit, law.draw]
    result = fmpq(0)
    for x in items.items:
        sensitive = x in items.sensitive
        estimator = total.part("sensitive" if sensitive else "nonsensitive").estimator
        at = {law.base: ROOT, "m": m, "K": k, "N": n}
        slope, offset = (fmpq(1) * part.evaluate(at) for part in (estimator.slope, estimator.offset))
        estimate: Any = Counting(
            channel(name, k, n, m),
            lambda y, x=x, sensitive=sensitive: int(counted(y[0], x) if sensitive else x in y[1]),  # type: ignore[misc]
            lambda s, x=x: int(x in s),  # type: ignore[misc]
            slope,
            offset,
        )
        result += estimate.mse(users)
    return result


def by_kernel(total: Total, at: dict[str, fmpq]) -> Fraction:
    statement = errors(
        Domain({total.law.base: Range(1, strict=True)}),
        {"a": Value(total, total.law.root)},
        (("eq", var("a"), var("a")),),
    )
    tree = kernel.tree_of(statement.json()["values"]["a"]["error"])
    return Fraction(evaluate(tree, {name: fraction(x) for name, x in at.items()}))


def data_sets(k: int, n: int, m: int) -> list[tuple[Any, ...]]:
    """One user, every set; two users with the first and the last, and three with the first twice."""
    sets = [frozenset(s) for s in combinations(ItemDomain.of_sizes(k, n).items, m)]
    return [*((s,) for s in sets), (sets[0], sets[-1]), (sets[0], sets[-1], sets[0])]


@pytest.mark.parametrize("name", EVERY)
def test_totals_are_those_of_the_programs(name: str) -> None:
    total, compared = EVERY[name], 0
    for k, n, m in SIZES:
        if total.law.r is None and n > 0:
            continue
        for users in data_sets(k, n, m):
            held = sum(x >= k for s in users for x in s)
            at = {"m": fmpq(m), "K": fmpq(k), "N": fmpq(n), "n": fmpq(len(users)), "g": fmpq(held, len(users))}
            exact = by_enumeration(name, k, n, m, users)
            assert fraction(exact) == by_kernel(total, at | {total.law.base: ROOT}), (k, n, m, users)
            assert exact == value_at(Value(total, total.law.root), at | {total.law.base: ROOT}), (k, n, m, users)
            compared += 1
    assert compared >= (11 if total.law.r is None else 30)


@pytest.mark.parametrize("name", total_errors.FIVE)
def test_other_parameters_have_other_totals(name: str) -> None:
    """The comparison above tells them apart."""
    total = total_errors.FIVE[name]
    at = {"m": fmpq(2), "K": fmpq(2), "N": fmpq(1), "n": fmpq(1), "g": fmpq(1), total.law.base: ROOT}
    changes: tuple[dict[str, fmpq], ...] = ({}, {"g": fmpq(0)}, {"K": fmpq(3)}, {"n": fmpq(2)}, {"m": fmpq(3)})
    values = [by_kernel(total, at | change) for change in changes]
    different = {"surap": 4}.get(name, 5)
    assert len(set(values)) == different, values
