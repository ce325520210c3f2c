"""Variances of hashed reports for fixed functions and over their draw, against the enumerated programs."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from flint import fmpq

from dp_refimpl.frequency.count_sketch import ClientCMS
from dp_refimpl.frequency.hadamard import HCMS
from dp_refimpl.frequency.hash_families import PublicFunctions
from dp_refimpl.frequency.local_hashing import FLH
from dp_spec.frequency import count_sketch, hadamard, local_hashing
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.items import ItemDomain
from independent.cases import fraction
from independent.sketch_cases import (
    Moments,
    Table,
    collisions,
    contributions,
    data_sets,
    exact,
    functions,
    rows_of,
    sketches,
    summed,
)

HALF = fmpq(2)
"""e^(eps/2)."""
W = HALF**2
C_HALF, C_WHOLE = (HALF + 1) / (HALF - 1), (W + 1) / (W - 1)
DRAWS = ((2, 2, 1), (2, 2, 2), (3, 2, 1), (3, 2, 2), (2, 4, 1), (3, 4, 1))
"""(items, labels, functions): all lists of so many functions are enumerated."""
Records = list[tuple[int, fmpq]]
Fixed = Callable[[int, Records], fmpq]
Drawn = Callable[[int, int, int, list[int]], fmpq]
"""Of (labels, functions, records of the item, records of the others)."""


def mechanism(name: str, m: int, tables: tuple[Table, ...]) -> Any:
    domain, budget, listed = ItemDomain.of_sizes(len(tables[0])), Budget.of_root(HALF, 2), functions(tables, m)
    if name == "FLH":
        return FLH(domain, budget, PublicFunctions(listed))
    return {"CMS": ClientCMS, "HCMS": HCMS}[name](domain, budget, listed)


def chances(g: int) -> tuple[fmpq, fmpq, fmpq]:
    return W / (W + g - 1), 1 / (W + g - 1), fmpq(1, g)


FIXED: dict[str, tuple[Fixed, Fixed]] = {
    "FLH": (
        lambda g, found: local_hashing.fixed_mean(*chances(g), found),
        lambda g, found: local_hashing.fixed_variance(*chances(g), found),
    ),
    "CMS": (
        lambda m, found: count_sketch.fixed_mean(m, found, fmpq(0)),
        lambda m, found: count_sketch.fixed_variance(C_HALF, m, found),
    ),
    "HCMS": (
        lambda m, found: count_sketch.fixed_mean(m, found, fmpq(0)),
        lambda m, found: hadamard.fixed_variance(C_WHOLE, m, found),
    ),
}
DRAWN: dict[str, Drawn] = {
    "FLH": lambda g, k, held, others: local_hashing.drawn_variance(*chances(g)[:2], g, k, held, others),
    "CMS": lambda m, k, held, others: count_sketch.drawn_variance(C_HALF, m, k, held, others),
    "HCMS": lambda m, k, held, others: hadamard.drawn_variance(C_WHOLE, m, k, held, others),
}


def moments(name: str, m: int, tables: tuple[Table, ...]) -> Moments:
    target = mechanism(name, m, tables)
    return contributions(rows_of(target), target.estimate)


def wrong_fixed(name: str, mean: Fixed, variance: Fixed) -> Iterator[str]:
    for d, m in product((1, 2, 3), (2, 4)):
        for tables in sketches(d, m, 2):
            found = moments(name, m, tables)
            for data in data_sets(d):
                n = len(data)
                for x in range(d):
                    records = [(data.count(held), exact(collisions(tables, held, x))) for held in range(d)]
                    total, spread = summed(found, data, x)
                    if fraction(mean(m, records)) != total / n:
                        yield f"mean: m = {m}, {tables}, {data}, item {x}"
                    if fraction(variance(m, records)) != spread / n**2:
                        yield f"variance: m = {m}, {tables}, {data}, item {x}"


_AVERAGES: dict[Any, dict[Table, tuple[Fraction, Fraction]]] = {}


def averaged(name: str, d: int, m: int, k: int) -> dict[Table, tuple[Fraction, Fraction]]:
    """Data set -> mean and variance of the estimate of item 0 over reports and all lists of k functions."""
    if (name, d, m, k) not in _AVERAGES:
        whole = list(product(product(range(m), repeat=d), repeat=k))
        total = {data: (Fraction(0), Fraction(0)) for data in data_sets(d)}
        for tables in whole:
            found = moments(name, m, tables)
            for data, (first, second) in total.items():
                mean, variance = (v / len(data) ** i for i, v in enumerate(summed(found, data, 0), 1))
                total[data] = first + mean / len(whole), second + (variance + mean**2) / len(whole)
        _AVERAGES[name, d, m, k] = {data: (a, b - a**2) for data, (a, b) in total.items()}
    return _AVERAGES[name, d, m, k]


def wrong_drawn(name: str, variance: Drawn) -> Iterator[str]:
    for d, m, k in DRAWS:
        for data, (mean, spread) in averaged(name, d, m, k).items():
            held, others = data.count(0), [data.count(x) for x in range(1, d)]
            if mean != Fraction(held, len(data)):
                yield f"mean: d = {d}, m = {m}, k = {k}, {data}"
            if fraction(variance(m, k, held, others)) != spread:
                yield f"variance: d = {d}, m = {m}, k = {k}, {data}"


@pytest.mark.parametrize("name", FIXED)
def test_mean_and_variance_for_fixed_functions(name: str) -> None:
    assert list(wrong_fixed(name, *FIXED[name])) == []


@pytest.mark.parametrize("name", DRAWN)
def test_unbiased_with_this_variance_over_the_draw_of_the_functions(name: str) -> None:
    assert list(wrong_drawn(name, DRAWN[name])) == []


FAULTS: dict[str, Callable[[Drawn], Drawn]] = {
    "collisions average out": lambda f: lambda m, k, held, others: f(m, 10**9, held, others),
    "one function": lambda f: lambda m, k, held, others: f(m, 1, held, others),
    "a function too many": lambda f: lambda m, k, held, others: f(m, k + 1, held, others),
    "a label too many": lambda f: lambda m, k, held, others: f(m + 1, k, held, others),
    "the item is one of the others": lambda f: lambda m, k, held, others: f(m, k, 0, [held, *others]),
    "the others are one item": lambda f: lambda m, k, held, others: f(m, k, held, [sum(others)]),
    "every record is an item": lambda f: lambda m, k, held, others: f(m, k, held, [1] * sum(others)),
    "the variance of the sum": lambda f: lambda m, k, held, others: f(m, k, held, others) * (held + sum(others)) ** 2,
}
FIXED_FAULTS: dict[str, Callable[[Fixed], Fixed]] = {
    "nothing collides": lambda f: (
        lambda m, found: f(m, [(n, kappa if kappa == 1 else kappa * 0) for n, kappa in found])
    ),
    "everything collides": lambda f: lambda m, found: f(m, [(n, fmpq(1)) for n, _ in found]),
    "collisions of chance": lambda f: (
        lambda m, found: f(m, [(n, kappa if kappa == 1 else fmpq(1, m)) for n, kappa in found])
    ),
    "kappa is its square": lambda f: lambda m, found: f(m, [(n, kappa**2) for n, kappa in found]),
    "a label too many": lambda f: lambda m, found: f(m + 1, found),
    "the variance of the sum": lambda f: lambda m, found: f(m, found) * sum(n for n, _ in found) ** 2,
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("name", DRAWN)
def test_a_fault_of_the_variance_over_the_draw_is_caught(name: str, fault: str) -> None:
    assert any(wrong_drawn(name, FAULTS[fault](DRAWN[name])))


@pytest.mark.parametrize("fault", FIXED_FAULTS)
@pytest.mark.parametrize("name", FIXED)
def test_a_fault_of_the_variance_for_fixed_functions_is_caught(name: str, fault: str) -> None:
    mean, variance = FIXED[name]
    assert any(wrong_fixed(name, mean, FIXED_FAULTS[fault](variance)))
    assert any(wrong_fixed(name, FIXED_FAULTS[fault](mean), variance))


@pytest.mark.parametrize("m", [2, 4])
def test_many_functions_have_the_variance_of_a_function_for_every_report(m: int) -> None:
    """Up to 1/k: the terms of the literature, where collisions have the chance 1/m."""
    at = {"w": W, "t": HALF, "b": fmpq(m), "n": fmpq(5), "f": fmpq(2, 5)}
    terms = {"FLH": local_hashing.VARIANCE, "CMS": count_sketch.VARIANCE, "HCMS": hadamard.HCMS_VARIANCE}
    for name, term in terms.items():
        stated = fraction(term.evaluate(at))
        for k in (10, 1000):
            found = fraction(DRAWN[name](m, k, 2, [2, 1]))
            assert (found - stated) * k == (fraction(DRAWN[name](m, 1, 2, [2, 1])) - stated)
