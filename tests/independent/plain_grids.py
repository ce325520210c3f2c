"""The maximal information coefficient by its definition, point by point, in 50 digits."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import mpmath

Points = list[tuple[int, int]]


def cut_sets(values: list[int], groups: int) -> Iterator[tuple[int, ...]]:
    """The upper ends of so many groups of consecutive values."""
    for cuts in combinations(values[:-1], groups - 1):
        yield (*cuts, values[-1])


def group_of(value: int, ends: tuple[int, ...]) -> int:
    return min(i for i, end in enumerate(ends) if value <= end)


def grid_information(points: Points, columns: tuple[int, ...], rows: tuple[int, ...]) -> mpmath.mpf:
    """I in bits of (column, row)."""
    n = len(points)
    cells = Counter((group_of(x, columns), group_of(y, rows)) for x, y in points)
    across, down = Counter(x for x, _ in cells.elements()), Counter(y for _, y in cells.elements())
    with mpmath.workdps(50):
        return mpmath.fsum(
            mpmath.mpf(count) / n * mpmath.log(mpmath.mpf(count * n) / (across[x] * down[y]), 2)
            for (x, y), count in cells.items()
        )


def coefficient(points: Points, xs: list[int], ys: list[int], sizes: set[tuple[int, int]]) -> mpmath.mpf | None:
    """The maximum over grids of the sizes whose groups are groups of these values; None if there is no grid."""
    with mpmath.workdps(50):
        found = [
            grid_information(points, columns, rows) / mpmath.log(min(a, b), 2)
            for a, b in sizes
            for columns in cut_sets(xs, a)
            for rows in cut_sets(ys, b)
        ]
    return max(found) if found else None
