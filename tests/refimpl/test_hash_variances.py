"""Variances of hashed reports for fixed functions and over their draw, against the enumerated programs."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from math import prod
from typing import Any

import pytest
from flint import fmpq

from dp_refimpl.frequency.count_sketch import ClientCMS
from dp_refimpl.frequency.hadamard import HCMS
from dp_refimpl.frequency.hash_families import AllFunctions, CarterWegman, ExplicitFamily, PublicFunctions
from dp_refimpl.frequency.local_hashing import FLH
from dp_spec.frequency import count_sketch, hadamard, local_hashing
from dp_spec.frequency.collisions import Shared
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.items import ItemDomain
from independent.numbers import fraction
from independent.sketch_cases import (
    Moments,
    Table,
    contributions,
    data_sets,
    functions,
    rows_of,
    summed,
)

HALF = fmpq(2)
"""e^(eps/2)."""
W = HALF**2
C_HALF, C_WHOLE = (HALF + 1) / (HALF - 1), (W + 1) / (W - 1)
Drawn = Callable[[int, int, int, list[int]], fmpq]
"""Of (labels, functions, records of the item, records of the others)."""


def mechanism(name: str, m: int, tables: tuple[Table, ...]) -> Any:
    domain, budget, listed = ItemDomain.of_sizes(len(tables[0])), Budget.of_root(HALF, 2), functions(tables, m)
    if name == "FLH":
        return FLH(domain, budget, PublicFunctions(listed))
    return {"CMS": ClientCMS, "HCMS": HCMS}[name](domain, budget, listed)


def chances(g: int) -> tuple[fmpq, fmpq, fmpq]:
    return W / (W + g - 1), 1 / (W + g - 1), fmpq(1, g)


DRAWN: dict[str, Drawn] = {
    "FLH": lambda g, k, held, others: local_hashing.drawn_variance(*chances(g)[:2], g, k, held, others),
    "CMS": lambda m, k, held, others: count_sketch.drawn_variance(C_HALF, m, k, held, others),
    "HCMS": lambda m, k, held, others: hadamard.drawn_variance(C_WHOLE, m, k, held, others),
}


def moments(name: str, m: int, tables: tuple[Table, ...]) -> Moments:
    target = mechanism(name, m, tables)
    return contributions(rows_of(target), target.estimate)


def lists(family: Any, k: int, distinct: bool) -> list[tuple[tuple[Table, ...], Fraction]]:
    """All lists of k functions with their chances: independent ones, or different ones of equally likely ones."""
    drawn = [(h.values, fraction(weight)) for h, weight in family.law().items()]
    if distinct:
        chosen = list(permutations([values for values, _ in drawn], k))
        return [(tables, Fraction(1, len(chosen))) for tables in chosen]
    choices = product(drawn, repeat=k)
    return [(tuple(v for v, _ in chosen), prod((w for _, w in chosen), start=Fraction(1))) for chosen in choices]


@cache
def totals(
    name: str, family: Any, k: int, distinct: bool = False
) -> dict[tuple[Table, int], tuple[Fraction, Fraction]]:
    """(Data set, item) -> mean and variance of its estimate over the reports and the draw of the functions."""
    total = {(data, x): (Fraction(0), Fraction(0)) for data in data_sets(len(family.items)) for x in family.items}
    for tables, chance in lists(family, k, distinct):
        sums = moments(name, family.labels, tables)
        for (data, x), (first, second) in total.items():
            mean, variance = (v / len(data) ** i for i, v in enumerate(summed(sums, data, x), 1))
            total[data, x] = first + mean * chance, second + (variance + mean**2) * chance
    return {at: (a, b - a**2) for at, (a, b) in total.items()}


def joint_collisions(family: Any, x: int) -> tuple[tuple[fmpq, ...], tuple[tuple[fmpq, ...], ...]]:
    """The chances that an item shares the label of x, and that two items both do."""
    shared = [(weight, [h(y) == h(x) for y in family.items]) for h, weight in family.law().items()]
    items = range(len(family.items))
    triples = [[sum((w for w, hit in shared if hit[i] and hit[j]), fmpq(0)) for j in items] for i in items]
    return tuple(triples[i][i] for i in items), tuple(map(tuple, triples))


ITEMS = (0, 1, 2)
SKEWED = ExplicitFamily(functions(((0, 0, 1), (0, 1, 1), (1, 1, 1)), 2), (fmpq(1, 2), fmpq(1, 3), fmpq(1, 6)))
FAMILIES: dict[str, tuple[Any, int]] = {
    "cw1": (CarterWegman(ITEMS, 3, 2, False), 2),
    "cw0": (CarterWegman(ITEMS, 3, 2, True), 2),
    "skewed": (SKEWED, 2),
    "pairwise": (PublicFunctions(functions(((0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 0)), 2)), 2),
    "all": (AllFunctions(ITEMS, 2), 2),
    "one of all": (AllFunctions(ITEMS, 4), 1),
}
"""Families with different collision chances, and the number of functions that are drawn from them."""
Family = Callable[[int, list[int], Shared[fmpq]], fmpq]
OF_FAMILIES: dict[str, tuple[Family, Family]] = {
    "FLH": (
        lambda g, counts, shared: local_hashing.family_mean(*chances(g), counts, shared),
        lambda g, counts, shared: local_hashing.family_variance(*chances(g), counts, shared),
    ),
    "CMS": (
        count_sketch.family_mean,
        lambda m, counts, shared: count_sketch.family_variance(C_HALF, m, counts, shared),
    ),
    "HCMS": (count_sketch.family_mean, lambda m, counts, shared: hadamard.family_variance(C_WHOLE, m, counts, shared)),
}


@pytest.mark.parametrize("name", OF_FAMILIES)
def test_mean_and_variance_over_the_draw_from_any_family(name: str) -> None:
    mean, variance = OF_FAMILIES[name]
    for kind, (family, k) in FAMILIES.items():
        size = len(family.law())
        for distinct in (False, True) if kind in ("pairwise", "all") else (False,):
            weight = fmpq(size - k, k * (size - 1)) if distinct else fmpq(1, k)
            for (data, x), (first, second) in totals(name, family, k, distinct).items():
                shared = Shared(*joint_collisions(family, x), weight)
                numbers = [data.count(y) for y in ITEMS]
                assert fraction(mean(family.labels, numbers, shared)) == first
                assert fraction(variance(family.labels, numbers, shared)) == second


@pytest.mark.parametrize("name", DRAWN)
def test_with_threefold_independence_it_is_the_short_formula(name: str) -> None:
    for m, k in ((2, 3), (3, 5)) if name != "HCMS" else ((2, 3), (4, 5)):
        shared = Shared(*joint_collisions(AllFunctions(ITEMS, m), 1), fmpq(1, k))
        variance = OF_FAMILIES[name][1](m, [4, 2, 1], shared)
        assert variance == DRAWN[name](m, k, 2, [4, 1])


def test_joint_collisions_are_those_of_the_law() -> None:
    pairs, triples = joint_collisions(SKEWED, 1)
    assert pairs == (fmpq(2, 3), fmpq(1), fmpq(1, 2))
    assert triples[0][2] == triples[2][0] == fmpq(1, 6)
    assert [triples[i][i] for i in range(3)] == list(pairs)


@pytest.mark.parametrize("m", [2, 4])
def test_many_functions_have_the_variance_of_a_function_for_every_report(m: int) -> None:
    """Up to 1/k: the terms of the literature, where collisions have the chance 1/m."""
    at = {"w": W, "t": HALF, "b": fmpq(m), "n": fmpq(5), "f": fmpq(2, 5)}
    terms = {"FLH": local_hashing.VARIANCE, "CMS": count_sketch.VARIANCE, "HCMS": hadamard.HCMS_VARIANCE}
    for name, term in terms.items():
        stated = fraction(term.evaluate(at))
        for k in (10, 1000):
            variance = fraction(DRAWN[name](m, k, 2, [2, 1]))
            assert (variance - stated) * k == (fraction(DRAWN[name](m, 1, 2, [2, 1])) - stated)
