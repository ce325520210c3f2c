"""Maps with the number that is right, and with one that is wrong: a line each. Sizes are those of the bounds b and of
the number of records n; numbers that are declared are per unit of distance, and attained, if nothing else is said."""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from operator import mul
from typing import Any

Rows = tuple[Any, ...]
HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Map:
    """A target as `audit_map` takes it. `per_unit` (a number) times the distance is declared."""

    name: str
    function: Callable[[Any], Any]
    per_unit: Any
    members: tuple[Any, ...]
    d_in: str
    d_out: str
    exhaustive: bool = True
    attained: bool = True

    def declared(self, distance: Any) -> Any:
        return self.per_unit * distance


def tables(values: Iterable[Any], most: int, least: int = 0) -> tuple[Rows, ...]:
    """All lists of records with so many of them."""
    listed = tuple(values)
    return tuple(rows for n in range(least, most + 1) for rows in product(listed, repeat=n))


def clamp(value: Any, low: Any, high: Any) -> Any:
    return min(max(value, low), high)


def clamped_sum(low: Any, high: Any) -> Callable[[Rows], Any]:
    return lambda rows: sum(clamp(value, low, high) for value in rows)


def mean_of_three(low: Any, high: Any) -> Callable[[Rows], Any]:
    return lambda rows: Fraction(sum(clamp(value, low, high) for value in rows), 3)


def histogram(categories: int) -> Callable[[Rows], list[int]]:
    return lambda rows: [rows.count(k) for k in range(categories)]


def prefix_counts(categories: int) -> Callable[[Rows], list[int]]:
    return lambda rows: [sum(value <= k for value in rows) for k in range(categories)]


def median(rows: Rows) -> Any:
    return sorted(rows)[len(rows) // 2]


def once_each(rows: Rows) -> Rows:
    """Each value once: what a bound on contributions keeps."""
    return tuple(dict.fromkeys(rows))


def twice(rows: Rows) -> list[Any]:
    return [value for value in rows for _ in range(2)]


def response(domain: int, top: int) -> Callable[[int], dict[int, Fraction]]:
    """Randomized response: the truth with weight `top`, another item with weight 1."""
    return lambda item: {y: Fraction(top if y == item else 1, top + domain - 1) for y in range(domain)}


def noisy_count(ratio: Fraction, most: int) -> Callable[[Rows], dict[int, Fraction]]:
    """A count with geometric noise, cut at 0 and at `most`."""

    def law(rows: Rows) -> dict[int, Fraction]:
        count, end = len(rows), 1 / (1 + ratio)
        inside = {y: (1 - ratio) * end * ratio ** abs(y - count) for y in range(1, most)}
        return {0: end * ratio**count, **inside, most: end * ratio ** (most - count)}

    return law


BITS, SMALL = tables((0, 1), 4), tables((0, 1, 2), 3)


BOUNDS: tuple[tuple[Any, Any], ...] = (
    *((0, 1), (0, 10), (-3, 3), (-7, 2), (2, 5), (-6, -4)),
    *((0, Fraction(1, 3)), (Fraction(-5, 2), 1)),
)


def _sums() -> Iterator[Map]:
    for low, high in BOUNDS:
        largest, width = max(abs(low), abs(high)), high - low
        members = tables((low - 1, low, high, high + 2), 3)
        rounded = f"{low} to {high}"
        for metric in ("symmetric", "insert-delete"):
            yield Map(
                f"sum of values {rounded}, {metric}", clamped_sum(low, high), largest, members, metric, "absolute"
            )
        for metric in ("change-one", "Hamming"):
            yield Map(f"sum of values {rounded}, {metric}", clamped_sum(low, high), width, members, metric, "absolute")
        fixed, mean = tables((low - 1, low, high), 3, 3), mean_of_three(low, high)
        yield Map(f"mean of three {rounded}", mean, Fraction(width, 3), fixed, "change-one", "absolute")


def _counts() -> Iterator[Map]:
    for metric in ("symmetric", "insert-delete"):
        yield Map(f"count, {metric}", len, 1, BITS, metric, "absolute")
        yield Map(f"distinct values, {metric}", lambda rows: len(set(rows)), 1, SMALL, metric, "absolute")
        yield Map(f"parity, {metric}", lambda rows: len(rows) % 2, 1, BITS, metric, "absolute")
        yield Map(f"any one, {metric}", lambda rows: int(1 in rows), 1, BITS, metric, "absolute")
        yield Map(f"constant, {metric}", lambda rows: 7, 0, BITS, metric, "absolute")
        for categories in (1, 2, 3):
            members = tables(range(categories), 3)
            for d_out in ("L1", "L2", "Linf"):
                yield Map(
                    f"histogram of {categories}, {metric}, {d_out}", histogram(categories), 1, members, metric, d_out
                )
            yield Map(
                f"prefix counts of {categories}, {metric}", prefix_counts(categories), categories, members, metric, "L1"
            )
    for categories in (2, 3, 4):
        members = tables(range(categories), 3)
        for metric in ("change-one", "Hamming"):
            yield Map(f"histogram of {categories}, {metric}, L1", histogram(categories), 2, members, metric, "L1")
            yield Map(f"histogram of {categories}, {metric}, Linf", histogram(categories), 1, members, metric, "Linf")
            counts = prefix_counts(categories)
            yield Map(f"prefix counts of {categories}, {metric}", counts, categories - 1, members, metric, "L1")


def _rows_to_rows() -> Iterator[Map]:
    for metric in ("symmetric", "insert-delete", "Hamming"):
        yield Map(f"identity, {metric}", lambda rows: rows, 1, SMALL, metric, metric)
        yield Map(f"other names, {metric}", lambda rows: [value + 5 for value in rows], 1, SMALL, metric, metric)
        yield Map(f"every record twice, {metric}", twice, 2, BITS, metric, metric)
    for metric in ("symmetric", "insert-delete"):
        yield Map(f"without twos, {metric}", lambda rows: [v for v in rows if v != 2], 1, SMALL, metric, metric)
    yield Map("sorted", lambda rows: sorted(rows), 1, SMALL, "symmetric", "insert-delete")
    yield Map("each value once", once_each, 1, SMALL, "symmetric", "symmetric")
    yield Map("multiset of a list", lambda rows: rows, 1, SMALL, "insert-delete", "symmetric")
    yield Map("clamped records", lambda rows: [clamp(v, 0, 1) for v in rows], 1, SMALL, "change-one", "change-one")
    yield Map("first record", lambda rows: rows[0], 2, tables((0, 1, 2), 3, 1), "Hamming", "absolute")
    yield Map("is it even", lambda number: number % 2, 1, tuple(range(6)), "discrete", "absolute")


def _numbers() -> Iterator[Map]:
    grid = tuple(Fraction(k, 4) for k in range(-8, 9))
    for slope in (0, 1, 3, Fraction(-2, 7)):
        yield Map(f"{slope} times a number", partial(mul, slope), abs(slope), grid, "absolute", "absolute")
    yield Map("modulus", abs, 1, grid, "absolute", "absolute")
    yield Map("square up to 2", lambda x: x * x, Fraction(15, 4), grid, "absolute", "absolute")
    yield Map("rounded down to halves", lambda x: Fraction(x * 2 // 1, 2), 2, grid, "absolute", "absolute")
    pairs = tuple(product(range(3), repeat=2))
    yield Map("sum of a vector", sum, 1, pairs, "L1", "absolute")
    yield Map("maximum of a vector", max, 1, pairs, "Linf", "absolute")
    yield Map("same vector, L1 to L2", list, 1, pairs, "L1", "L2")
    yield Map("same vector, Linf to L1", list, 2, pairs, "Linf", "L1")
    yield Map("turned by 90 degrees", lambda v: [-v[1], v[0]], 1, pairs, "L1", "L1")
    yield Map("same vector, Linf to L2", list, Fraction(3, 2), pairs, "Linf", "L2", attained=False)


def _laws() -> Iterator[Map]:
    for domain, top in ((2, 2), (2, 3), (3, 2), (4, 5)):
        name, items = f"response of {domain}, weight {top}", tuple(range(domain))
        law, epsilon = response(domain, top), math.log(top) * (1 + 2**-42)
        yield Map(name, law, epsilon, items, "discrete", "max-divergence")
        yield Map(f"{name}, delta at 0", law, Fraction(top - 1, top + domain - 1), items, "discrete", "hockey-stick 0")
        yield Map(f"{name}, delta at 2", law, 0, items, "discrete", "hockey-stick 2")
    for ratio in (Fraction(1, 2), Fraction(1, 3)):
        counted, epsilon = noisy_count(ratio, 5), -math.log(ratio) * (1 + 2**-42)
        yield Map(f"count with noise {ratio}", counted, epsilon, BITS, "symmetric", "max-divergence")
    yield Map("no data at all", lambda rows: {0: HALF, 1: HALF}, 0, BITS, "symmetric", "max-divergence")


RIGHT: tuple[Map, ...] = (*_sums(), *_counts(), *_rows_to_rows(), *_numbers(), *_laws())
"""Maps whose declared number is never too small."""


# --- wrong ones -------------------------------------------------------------------------------------------------------


def overflowing(rows: Rows) -> int:
    """A sum in eight bits with a sign, which wraps around."""
    return (sum(rows) + 128) % 256 - 128


def running_sum(rows: Rows) -> float:
    """A sum of doubles in the order of the rows."""
    total = 0.0
    for value in rows:
        total += value
    return total


def mean(rows: Rows) -> Any:
    return Fraction(sum(rows), len(rows)) if rows else math.nan


def runs(rows: Rows) -> int:
    """Values that differ from the one before: distinct ones only where the rows are sorted."""
    return sum(i == 0 or rows[i - 1] != value for i, value in enumerate(rows))


def forgetful_response(item: int) -> dict[int, Fraction]:
    return {0: Fraction(3, 4), 1: Fraction(1, 4)} if item else {0: Fraction(1)}


def cut_noise(rows: Rows) -> dict[int, Fraction]:
    """Noise on two values about the count, with nothing beyond."""
    return {len(rows) + k: Fraction(1, 2) for k in (0, 1)}


def _wrong_numbers() -> Iterator[Map]:
    three, pairs = tables((0, 1, 2), 3), tuple(product(range(3), repeat=2))
    sums = tables((-3, 0, 1), 3)
    yield Map("width where records are added", clamped_sum(2, 5), 3, tables((2, 5), 3), "symmetric", "absolute")
    yield Map("upper bound only", clamped_sum(-3, 1), 1, sums, "symmetric", "absolute")
    yield Map("magnitude where records change", clamped_sum(-3, 1), 3, sums, "change-one", "absolute")
    yield Map("histogram by changes: 1", histogram(3), 1, three, "change-one", "L1")
    yield Map("Euclidean number for L1", histogram(3), 2**0.5, three, "change-one", "L1")
    yield Map("number of L-infinity for L2", histogram(3), 1, three, "Hamming", "L2")
    yield Map("prefix counts: 1", prefix_counts(3), 1, three, "symmetric", "L1")
    yield Map("prefix counts by changes: 1", prefix_counts(3), 1, three, "Hamming", "L1")
    yield Map("every record twice: 1", twice, 1, BITS, "insert-delete", "insert-delete")
    yield Map(
        "mean of three: one more record", mean_of_three(0, 1), 0.25, tables((0, 1), 3, 3), "change-one", "absolute"
    )
    yield Map("mean of any number", mean, Fraction(1, 3), tables((0, 1), 3, 1), "symmetric", "absolute")
    yield Map("median: 1", median, 1, tables((0, 9), 3, 3), "change-one", "absolute")
    yield Map("difference of a vector", lambda v: v[0] - v[1], 1, pairs, "Linf", "absolute")
    yield Map("slope too small by 2^-30", lambda x: x, 1 - 2**-30, tuple(range(4)), "absolute", "absolute")
    yield Map("large integers: 1 less", lambda x: x * 2**70, 2**70 - 1, tuple(range(4)), "absolute", "absolute")
    yield Map("doubles far from 0", lambda rows: 1e15 + sum(rows), 1, tables((0.0, 500.0), 2), "symmetric", "absolute")
    yield Map("negative number", len, -1, BITS, "symmetric", "absolute")
    yield Map("text for a number", len, "1", BITS, "symmetric", "absolute")
    yield Map("logarithm to base 10", response(3, 4), math.log10(4), (0, 1, 2), "discrete", "max-divergence")
    yield Map("epsilon of two for three", response(3, 2), math.log(1.5), (0, 1, 2), "discrete", "max-divergence")
    yield Map("half of epsilon", noisy_count(HALF, 5), math.log(2) / 2, BITS, "symmetric", "max-divergence")
    yield Map("epsilon by changes", noisy_count(HALF, 5), math.log(2), tables((0,), 4), "discrete", "max-divergence")
    yield Map("delta 0 below epsilon", response(2, 3), 0, (0, 1), "discrete", "hockey-stick 1")
    yield Map("delta too small", response(2, 3), Fraction(1, 3), (0, 1), "discrete", "hockey-stick 0")


def _wrong_functions() -> Iterator[Map]:
    three, wide = tables((0, 1, 2), 3), tables((-5, 0, 1), 3)
    yield Map("no clamp", sum, 1, wide, "symmetric", "absolute")
    yield Map("no lower clamp", lambda rows: sum(min(v, 1) for v in rows), 1, wide, "symmetric", "absolute")
    yield Map("clamp after the sum of squares", lambda rows: sum(v * v for v in rows), 1, wide, "symmetric", "absolute")
    yield Map("sum that wraps around", overflowing, 100, tables((0, 100), 3), "symmetric", "absolute")
    yield Map("sum of doubles, by order", running_sum, 1e16, tables((1.0, 1e16, -1e16), 3), "symmetric", "absolute")
    yield Map("distinct values, unsorted", runs, 1, three, "symmetric", "absolute")
    yield Map("list instead of a multiset", lambda rows: rows, 1, three, "symmetric", "insert-delete")
    yield Map("not a number without data", mean, 1, tables((0, 1), 2), "symmetric", "absolute")
    yield Map("other length of a vector", lambda rows: sorted(set(rows)), 3, three, "symmetric", "L1")
    yield Map("cut off noise", cut_noise, 1, BITS, "symmetric", "max-divergence")
    yield Map("an item that never lies", forgetful_response, 5, (0, 1), "discrete", "max-divergence")
    yield Map("maximum of records", lambda rows: max(rows, default=0), 1, three, "symmetric", "absolute")
    yield Map(
        "last record decides", lambda rows: len(rows) if 2 in rows[-1:] else 0, 1, three, "insert-delete", "absolute"
    )


WRONG: tuple[Map, ...] = (*_wrong_numbers(), *_wrong_functions())
"""Maps that declare too small a number somewhere, or none."""
