"""Variances of hashed reports over the draw of the public functions: the stated terms, against enumerated programs."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from flint import fmpq

from dp_refimpl.frequency.count_sketch import ClientCMS
from dp_refimpl.frequency.hash_families import PublicFunctions
from dp_refimpl.frequency.local_hashing import FLH
from dp_spec.frequency import count_sketch, local_hashing
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.items import ItemDomain
from dp_spec.vocabulary.term import Term
from independent.numbers import fraction
from independent.sketch_cases import Table, contributions, data_sets, functions, rows_of, summed

HALF = fmpq(2)
"""e^(eps/2)."""
ITEMS = 3
DRAWN: dict[str, Term] = {"FLH": local_hashing.DRAWN_VARIANCE, "CMS": count_sketch.DRAWN_VARIANCE}
Totals = dict[tuple[Table, int], tuple[Fraction, Fraction]]
"""(Data set, item) -> mean and variance of its estimate over the reports and the draw of the functions."""


def mechanism(name: str, m: int, tables: tuple[Table, ...]) -> Any:
    domain, budget, listed = ItemDomain.of_sizes(ITEMS), Budget.of_root(HALF, 2), functions(tables, m)
    return FLH(domain, budget, PublicFunctions(listed)) if name == "FLH" else ClientCMS(domain, budget, listed)


def totals(name: str, m: int, k: int) -> Totals:
    """Over all lists of k functions."""
    total: Totals = {(data, x): (Fraction(0), Fraction(0)) for data in data_sets(ITEMS) for x in range(ITEMS)}
    lists = list(product(product(range(m), repeat=ITEMS), repeat=k))
    for tables in lists:
        target = mechanism(name, m, tables)
        sums = contributions(rows_of(target), target.estimate)
        for (data, x), (first, second) in total.items():
            mean, variance = (v / len(data) ** i for i, v in enumerate(summed(sums, data, x), 1))
            total[data, x] = first + mean / len(lists), second + (variance + mean**2) / len(lists)
    return {at: (mean, square - mean**2) for at, (mean, square) in total.items()}


@pytest.mark.parametrize("name", DRAWN)
@pytest.mark.parametrize(("m", "k"), [(2, 1), (2, 2), (4, 1)])
def test_mean_and_variance_over_the_draw(name: str, m: int, k: int) -> None:
    for (data, x), (mean, variance) in totals(name, m, k).items():
        n, held = len(data), data.count(x)
        squares = sum(data.count(y) ** 2 for y in range(ITEMS) if y != x)
        at = {"t": HALF, "w": HALF**2, "b": m, "k": k, "n": n, "f": fmpq(held, n), "squared": fmpq(squares, n**2)}
        assert (mean, variance) == (Fraction(held, n), fraction(fmpq(1) * DRAWN[name].evaluate(at)))
