"""The maximal information coefficient MIC over all grids (source 003, Definition 5), with its readings of grid sizes.

The N points are given as counts, `counts[x][y]` of them with values x and y. A grid of a columns and b rows cuts the
ordered values 0..size-1 of either attribute into contiguous groups of at least one value; a group of values that no
point has is allowed. (If every group had to hold a point, the maximum would be the same wherever it exists, but a
constant column would have no grid, where it has the coefficient 0 here.)
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Literal

from flint import fmpq

from dp_refimpl.requirements import is_integer, require_word
from dp_refimpl.synthesis.log_quotients import Exact, compare_quotients, log_quotient
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.scalar import Ordering, at_most

Grids = Literal["strict.a1", "strict.a2", "mine"]
Counts = Sequence[Sequence[int]]


class UndefinedError(DomainError):
    """The coefficient has no value: the maximum runs over no grid, or over a quotient 0 / 0."""


@dataclass(frozen=True)
class GridSizes:
    """The numbers of columns a and rows b of a grid, a bound on a b for N points.

    `strict.a1`: a, b >= 1 and a b < N^alpha; `strict.a2`: a, b >= 2 and a b < N^alpha; `mine`: a, b >= 2 and
    a b <= max(N^alpha, 4). The source has alpha = 0.6 or 0.55. Raises `DomainError` for another reading, or unless
    alpha is a fraction above 0 and at most 1.
    """

    reading: Grids = "mine"
    alpha: Fraction = Fraction(3, 5)

    def __post_init__(self) -> None:
        require_word("reading", self.reading, Grids)
        if not isinstance(self.alpha, Fraction) or not 0 < self.alpha <= 1:
            raise DomainError("alpha", self.alpha, "a fraction above 0 and at most 1")

    def allows(self, a: int, b: int, points: int) -> bool:
        """Whether a x b is a grid size for so many points: with alpha = p / q, a comparison of (a b)^q and N^p."""
        cells: int = (a * b) ** self.alpha.denominator
        bound: int = points**self.alpha.numerator
        if self.reading == "mine":
            return min(a, b) >= 2 and (a * b <= 4 or cells <= bound)
        return min(a, b) >= (1 if self.reading == "strict.a1" else 2) and cells < bound


def information_power(counts: Counts) -> fmpq:
    """e^(N I) for the mutual information I in nats: N^N prod c_xy^c_xy / (prod c_x^c_x prod c_y^c_y), with 0^0 = 1."""
    rows = [sum(row) for row in counts]
    columns = [sum(column) for column in zip(*counts, strict=True)]
    joint = [cell for row in counts for cell in row]
    return fmpq(_powers(joint) * _powers([sum(rows)]), _powers(rows) * _powers(columns))


def maximal_information(counts: Counts, sizes: GridSizes = GridSizes()) -> Exact:
    """MIC = the maximum of I / log2 min(a, b) over all grids of the allowed sizes, I in bits.

    With A = e^(N I) that is the maximum of ln A / (N ln min(a, b)): for one min(a, b) the largest rational A. Raises
    `UndefinedError` where there is no grid, or where a grid has one column or row (I = 0 over log2 1 = 0), and
    `DomainError` for counts that are no table of at least one point.
    """
    points = _require_counts(counts)
    best: dict[int, fmpq] = {}
    for a in range(1, len(counts) + 1):
        for b in range(1, len(counts[0]) + 1):
            if sizes.allows(a, b, points):
                if min(a, b) == 1:
                    raise UndefinedError("grid", (a, b), f"two columns and rows or more, but {sizes.reading} has 0 / 0")
                for cells in placements(counts, a, b):
                    power = information_power(cells)
                    if not at_most(power, best.setdefault(min(a, b), fmpq(1))):
                        best[min(a, b)] = power
    if not best:
        raise UndefinedError(
            "points", points, f"enough points and values for one grid ({sizes.reading}, {sizes.alpha})"
        )
    values = [log_quotient(power, fmpq(short), points) for short, power in best.items()]
    largest = values[0]
    for value in values[1:]:
        if compare_quotients(value, largest) is Ordering.GREATER:
            largest = value
    return largest


def placements(counts: Counts, a: int, b: int) -> Iterator[list[list[int]]]:
    """The counts of the cells of every grid of a columns and b rows."""
    for columns in _groups(len(counts), a):
        narrow = [[sum(cells) for cells in zip(*counts[low:high], strict=True)] for low, high in columns]
        for rows in _groups(len(counts[0]), b):
            yield [[sum(column[low:high]) for low, high in rows] for column in narrow]


def _groups(size: int, number: int) -> Iterator[list[tuple[int, int]]]:
    """All ways to cut 0..size-1 into so many non-empty contiguous groups, each as (first, last + 1)."""
    for cuts in combinations(range(1, size), number - 1):
        yield list(pairwise((0, *cuts, size)))


def _powers(numbers: Sequence[int]) -> int:
    """The product of c^c."""
    product = 1
    for number in numbers:
        product *= number**number
    return product


def _require_counts(counts: Counts) -> int:
    """The number of points. Raises `DomainError` unless the counts are a table of integers >= 0 with a positive sum."""
    width = len(counts[0]) if counts else 0
    cells = [cell for row in counts for cell in row]
    if not width or any(len(row) != width for row in counts):
        raise DomainError("counts", counts, "rows of one length, at least one value of either attribute")
    if any(not is_integer(cell, 0) for cell in cells) or not sum(cells):
        raise DomainError("counts", counts, "integers >= 0, at least one point")
    return sum(cells)
