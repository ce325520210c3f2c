"""Small sketches and hash functions, exact moments of additive estimates, and programs beside the kernel's enumeration.

Items are 0..d-1. Functions are tables of the labels of the items; up to the names of the labels there are few.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

from dp_refimpl import enumeration
from dp_refimpl.frequency.hash_families import LabelFunction
from dp_spec.vocabulary.table import ratio_maximum
from independent.numbers import fraction

Table = tuple[int, ...]
PlainLaw = dict[Any, Fraction]
Estimate = Callable[[list[Any]], Mapping[Any, Any]]
Moments = dict[tuple[int, int], tuple[Fraction, Fraction]]
"""(held item, estimated item) -> mean and variance of the estimate from one report."""


def patterns(d: int, m: int) -> list[Table]:
    """The functions from d items to m labels, each label first used after all smaller ones."""
    listed = product(range(m), repeat=d)
    return [v for v in listed if all(v[i] <= max(v[:i], default=-1) + 1 for i in range(d))]


def sketches(d: int, m: int, k_max: int = 3) -> Iterator[tuple[Table, ...]]:
    """The lists of at most k_max functions, up to order and names; and two with other names in another order."""
    for k in range(1, k_max + 1):
        yield from combinations_with_replacement(patterns(d, m), k)
    if m > 1:
        last = tuple((m - 1 - x) % m for x in range(d))
        yield (last, (m - 1,) * d)
        yield (tuple(x % m for x in range(d)), last)


def functions(tables: Sequence[Table], m: int) -> tuple[LabelFunction, ...]:
    return tuple(LabelFunction(tuple(range(len(table))), table, m) for table in tables)


def collisions(tables: Sequence[Table], x: int, y: int) -> Fraction:
    """kappa: the share of the functions that map both items to one label."""
    return Fraction(sum(table[x] == table[y] for table in tables), len(tables))


def rows_of(mechanism: Any) -> dict[Any, PlainLaw]:
    """The enumerated program at a rational budget, as plain fractions."""
    rows = enumeration.exact_channel(mechanism).rows
    return {x: {y: fraction(p) for y, p in row.items()} for x, row in rows.items()}


def largest_ratio(mechanism: Any) -> Any:
    """Of the enumerated program, over all inputs; 1 for one input."""
    if len(mechanism.inputs) == 1:
        return mechanism.one
    maximum = ratio_maximum(enumeration.exact_channel(mechanism))
    assert maximum is not None
    assert maximum.ratio is not None
    return maximum.ratio


# --- moments ----------------------------------------------------------------------------------------------------------


def contributions(laws: Mapping[int, PlainLaw], estimate: Estimate) -> Moments:
    """Of the estimate from one report."""
    moments: Moments = {}
    scores = {y: {x: fraction(v) for x, v in estimate([y]).items()} for y in dict.fromkeys(_reports(laws))}
    for held, law in laws.items():
        for x in laws:
            mean = sum((p * scores[y][x] for y, p in law.items()), Fraction(0))
            square = sum((p * scores[y][x] ** 2 for y, p in law.items()), Fraction(0))
            moments[held, x] = mean, square - mean**2
    return moments


def summed(moments: Moments, data: Sequence[int], x: int) -> tuple[Fraction, Fraction]:
    """Mean and variance of a sum of independent contributions, one of every user."""
    return (
        sum((moments[held, x][0] for held in data), Fraction(0)),
        sum((moments[held, x][1] for held in data), Fraction(0)),
    )


def jointly(
    laws: Mapping[int, PlainLaw], data: Sequence[int], estimate: Estimate
) -> dict[int, tuple[Fraction, Fraction]]:
    """Mean and variance of the estimates over the joint law of all reports: nothing is taken for granted."""
    mean, square = dict.fromkeys(laws, Fraction(0)), dict.fromkeys(laws, Fraction(0))
    for listed in product(*(laws[held].items() for held in data)):
        chance = Fraction(1)
        for _, p in listed:
            chance *= p
        for x, value in estimate([y for y, _ in listed]).items():
            mean[x] += chance * fraction(value)
            square[x] += chance * fraction(value) ** 2
    return {x: (mean[x], square[x] - mean[x] ** 2) for x in laws}


def data_sets(d: int, n_max: int = 3) -> list[Table]:
    """What n <= n_max users hold, up to their order."""
    return [data for n in range(1, n_max + 1) for data in combinations_with_replacement(range(d), n)]


def _reports(laws: Mapping[int, PlainLaw]) -> Iterator[Any]:
    for law in laws.values():
        yield from law
