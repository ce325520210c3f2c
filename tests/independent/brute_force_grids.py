"""The maximal information coefficient by its definition, grid by grid, in 50 digits."""

from collections.abc import Iterator, Sequence
from itertools import combinations

import mpmath

from independent.brute_force_synthesis import dependence

Points = Sequence[tuple[int, int]]


def cut_sets(values: Sequence[int], groups: int) -> Iterator[tuple[int, ...]]:
    """The upper ends of so many groups of consecutive values."""
    for cuts in combinations(values[:-1], groups - 1):
        yield (*cuts, values[-1])


def group_of(value: int, ends: tuple[int, ...]) -> int:
    return min(i for i, end in enumerate(ends) if value <= end)


def grid_information(points: Points, columns: tuple[int, ...], rows: tuple[int, ...]) -> mpmath.mpf:
    """I in bits of (column, row)."""
    power = dependence([(group_of(x, columns), group_of(y, rows)) for x, y in points], 0, (1,))
    return mpmath.log(mpmath.mpf(power.numerator) / power.denominator, 2) / len(points)


def coefficient(points: Points, xs: Sequence[int], ys: Sequence[int], sizes: set[tuple[int, int]]) -> mpmath.mpf | None:
    """The maximum over grids of the sizes whose groups are groups of these values; None if there is no grid."""
    with mpmath.workdps(50):
        informations = [
            grid_information(points, columns, rows) / mpmath.log(min(a, b), 2)
            for a, b in sizes
            for columns in cut_sets(xs, a)
            for rows in cut_sets(ys, b)
        ]
    return max(informations) if informations else None
