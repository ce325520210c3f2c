"""One perturbed coordinate of a Hadamard transform: Hadamard response, and the Hadamard count-mean sketch (source 004,
reference [1]).

H is the matrix of Sylvester, of a size that is a power of two: H[i, j] is -1 to the number of ones that i and j have in
common in binary. It is symmetric, its columns are orthogonal, and all but column 0 have as many 1 as -1.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, Protocol, Self, TypeVar

from dp_refimpl.coins import Coins, bernoulli, uniform
from dp_refimpl.frequency.count_sketch import (
    Matrix,
    SketchParameters,
    require_index,
    require_sign,
    server_constant,
)
from dp_refimpl.frequency.parameters import ItemParameters
from dp_refimpl.requirements import require_integer
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.scalar import S


class Additive(Protocol):
    """What a Hadamard transform is made of: integers, or numbers of a field."""

    def __add__(self, other: Self, /) -> Self: ...
    def __sub__(self, other: Self, /) -> Self: ...


A = TypeVar("A", bound=Additive)
Coordinate = tuple[int, int]
"""(the coordinate in 0..D-1; its sign, 1 or -1)."""
SignReport = tuple[int, int, int]
"""(the sign, 1 or -1; the row in 0..k-1; the coordinate in 0..m-1)."""


def hadamard_entry(i: int, j: int) -> int:
    """H[i, j] for i, j >= 0, the same in all matrices that are large enough."""
    return -1 if (i & j).bit_count() % 2 else 1


def walsh_hadamard(values: Sequence[A]) -> tuple[A, ...]:
    """H v for D values v, exactly, with D log2 D additions. Raises `DomainError` unless D is a power of two."""
    if not is_power_of_two(len(values)):
        raise DomainError("values", values, "a power of two of values")
    sums, step = list(values), 1
    while step < len(sums):
        for start in range(0, len(sums), 2 * step):
            for i in range(start, start + step):
                sums[i], sums[i + step] = sums[i] + sums[i + step], sums[i] - sums[i + step]
        step *= 2
    return tuple(sums)


def is_power_of_two(number: int) -> bool:
    """1, 2, 4, 8, ..."""
    return number >= 1 and number & (number - 1) == 0


@dataclass(frozen=True)
class HadamardResponse(ItemParameters[S], Generic[S]):
    """A uniformly drawn coordinate of the item's column of H; its sign is kept with e^eps / (e^eps + 1).

    The item at position x has column first + x: with `first` = 0 the size D is the smallest power of two >= d, and one
    item has the constant column; with `first` = 1 that is left out, and D is the smallest power of two > d. Raises
    `DomainError` for another `first`. The bound e^eps is attained by any two items (Nguyen et al. 2016; Bassily,
    Nissim, Stemmer, Thakurta 2017; a response drawn from the coordinates and signs that agree with the item, as in
    Acharya, Sun, Zhang 2019 with one block, is the same law).
    """

    first: int = 0

    def _require_fields(self) -> None:
        super()._require_fields()
        require_integer("first", self.first, 0, 1, note=", the column of the first item")

    @property
    def size(self) -> int:
        """D."""
        return 1 << (len(self.domain.items) + self.first - 1).bit_length()

    @cached_property
    def p(self) -> S:
        """Probability that the sign is that of the item held, so that the report supports it."""
        return self.budget.exp() / (self.budget.exp() + 1)

    @property
    def q(self) -> S:
        """Probability that the report supports another item, as columns are orthogonal: 1/2."""
        return self.one / 2

    def randomize(self, item: Item, coins: Coins) -> Coordinate:
        """A report: a coordinate and a sign. Raises `DomainError` for an unknown item."""
        self.require_item(item)
        column = self.first + self.domain.items.index(item)
        coordinate = uniform(coins, range(self.size), self.one)
        return coordinate, _kept(hadamard_entry(coordinate, column), self.p, coins)

    def estimate(self, reports: Sequence[Coordinate]) -> dict[Item, S]:
        """Estimated frequency of every item: the transform of the sums of signs at its column, times c/n,
        c = (e^eps + 1) / (e^eps - 1).

        Raises `DomainError` for reports that are not a coordinate below D and a sign, without any, and at epsilon = 0.
        """
        if not reports:
            raise DomainError("reports", reports, "at least one report")
        c, totals = server_constant(self.budget.exp()), [0] * self.size
        for report in reports:
            coordinate, sign = _entries(report, 2)
            totals[require_index("coordinate", coordinate, self.size, report)] += require_sign(sign, report)
        spectrum = walsh_hadamard(totals)
        return {x: c * spectrum[self.first + j] / len(reports) for j, x in enumerate(self.domain.items)}


@dataclass(frozen=True)
class HCMS(SketchParameters[S], Generic[S]):
    """Hadamard count-mean sketch: a uniform row, a uniform coordinate of the column of the item's label, one sign.

    Raises `DomainError` unless the number m of labels is a power of two; see `SketchParameters` for the functions.
    """

    def _require_fields(self) -> None:
        super()._require_fields()
        if not is_power_of_two(self.m):
            raise DomainError("m", self.m, "a power of two: the number of labels is the size of the matrix")

    @cached_property
    def p(self) -> S:
        """Probability that the sign is the true one."""
        return self.budget.exp() / (self.budget.exp() + 1)

    def randomize(self, item: Item, coins: Coins) -> SignReport:
        """A report: a sign, a row and a coordinate. Raises `DomainError` for an unknown item."""
        self.require_item(item)
        row = self.rows.draw_row(coins, self.one)
        coordinate = uniform(coins, range(self.m), self.one)
        true = hadamard_entry(coordinate, self.functions[row](item))
        return _kept(true, self.p, coins), row, coordinate

    def estimate(self, reports: Sequence[SignReport]) -> dict[Item, S]:
        """Estimated frequency of every item, f'(d) / n. Raises as `server_hcms`, `aggregate`, and without reports."""
        return self.frequencies(server_hcms(reports, self.k, self.m, self.budget), len(reports))


def server_hcms(reports: Sequence[SignReport], k: int, m: int, budget: Budget[S]) -> Matrix[S]:
    """M: a report (w, j, l) adds k c w to M[j, l], c = (e^eps + 1) / (e^eps - 1); then every row is transformed.

    The signs of a cell are added and transformed before they are scaled. Raises `DomainError` for reports that are not
    a sign, a row below k and a coordinate below m, for an m that is no power of two, and at epsilon = 0.
    """
    c = server_constant(budget.exp())
    totals = [[0] * m for _ in range(k)]
    for report in reports:
        sign, row, coordinate = _entries(report, 3)
        cells = totals[require_index("row", row, k, report)]
        cells[require_index("coordinate", coordinate, m, report)] += require_sign(sign, report)
    return tuple(tuple(k * c * total for total in walsh_hadamard(row)) for row in totals)


def _kept(sign: int, chance: S, coins: Coins) -> int:
    return sign if bernoulli(coins, chance) else -sign


def _entries(report: object, length: int) -> tuple[Any, ...]:
    if not isinstance(report, tuple) or len(report) != length:
        raise DomainError("reports", report, f"tuples of {length} integers")
    return report
