"""What an integer draw can still be: an interval, residue classes of one, or members of a table."""

from __future__ import annotations

import bisect
import operator
from typing import Any, Callable, List, Optional, Sequence

from .coins import Coins, Source
from .intervals import Cell


class IntegerCell(Cell):
    """A uniform integer: offset + fine * (k % grain) + scale * (k // grain) for uniform k, which is at first the draw.

    The first two summands are always less than `scale`, so that the integer rises with k. With a `table` of rising
    integers it is the k-th of them; such a cell is split by comparisons only. With `ends`, it is member i of the table
    for all k in ends[i - 1] .. ends[i] - 1.
    """

    def __init__(
        self,
        source: Source,
        coins: Coins,
        size: int,
        table: Optional[Sequence[int]] = None,
        ends: Optional[Sequence[int]] = None,
    ) -> None:
        super().__init__(source, coins, 0, size)
        self.ends = ends
        self.offset, self.fine, self.grain, self.scale = 0, 1, 1, 1
        self.fresh = True
        self.table = table

    def number(self, k: int) -> int:
        """Return the integer that k stands for."""
        if self.table is not None:
            return self.table[k if self.ends is None else bisect.bisect_right(self.ends, k)]
        return self.offset + self.fine * (k % self.grain) + self.scale * (k // self.grain)

    def residue(self, modulus: int) -> None:
        """Branch on k modulo `modulus`. The grain must be 1."""
        self.require_few(modulus)
        counts = [(self.high - 1 - r) // modulus - (self.low - 1 - r) // modulus for r in range(modulus)]
        r = self.chosen(counts)
        self.low, self.high = -((r - self.low) // modulus), (self.high - 1 - r) // modulus + 1
        self.offset, self.scale = self.offset + self.scale * r, self.scale * modulus

    def bits(self, width: int, modulus: int) -> bool:
        """Branch on (k // width) modulo `modulus` if the cell consists of whole periods; return whether it does."""
        whole = self.low % (width * modulus) == 0 == self.high % (width * modulus)
        if not whole or self.grain not in (1, width) or self.table is not None:
            return False
        self.require_few(modulus)
        self.require_current()
        if self.grain == 1:
            self.fine, self.grain, self.scale = self.scale, width, self.scale * width
        self.offset += self.scale * self.coins.uniform(modulus)
        self.low, self.high, self.scale = self.low // modulus, self.high // modulus, self.scale * modulus
        return True

    def pieces(self) -> List[int]:
        """Return rising k that split the cell into pieces; all k of a piece stand for the same member."""
        ends = self.ends or ()
        first, last = bisect.bisect_right(ends, self.low), bisect.bisect_left(ends, self.high)
        self.require_few(last - first + 1)
        inside = [ends[i] for i in range(first, last)]
        return list(dict.fromkeys((self.low, *inside, self.high)))

    def values(self) -> Sequence[int]:
        """Return rising k that split the cell into pieces of different integers."""
        if self.ends is not None:
            return self.pieces()
        self.require_few(self.high - self.low)
        return range(self.low, self.high + 1)

    def split(self, value: Callable[[int], Any]) -> Any:
        """Return the value of any function of k; branch if it is not constant on the cell."""
        edges = self.values()
        values = [value(k) for k in edges[:-1]]
        cuts = [edges[i] for i in range(1, len(values)) if values[i] != values[i - 1]]
        if cuts or self.source.coins is not self.coins:
            self.restrict(cuts)
        return value(self.low)

    def block(self, width: int) -> None:
        """Branch on k // width; in a table with `ends`, on the member."""
        if self.ends is not None:
            edges = self.pieces()
            self.require_few(len(edges) - 1)
            self.restrict(edges[1:-1])
            return
        first, last = self.low // width, (self.high - 1) // width
        self.require_few(last - first + 1)
        if self.low % width == 0 == self.high % width:
            self.require_current()
            self.low = width * (first + self.coins.uniform(last - first + 1))
            self.high = self.low + width
            return
        edges = [self.low, *(width * b for b in range(first + 1, last + 1)), self.high]
        b = self.chosen([edges[i + 1] - edges[i] for i in range(len(edges) - 1)])
        self.low, self.high = edges[b], edges[b + 1]

    def chosen(self, weights: List[int]) -> int:
        """Branch with these weights and return the index."""
        self.require_current()
        return self.coins.choose(weights)

    def require_few(self, outcomes: int) -> None:
        """Refuse more outcomes than the limits allow paths."""
        if outcomes > self.coins.limits.paths:
            self.coins.refuse_many(outcomes)


class _Residues(Sequence[int]):
    """For every i below the modulus, how many of 0 .. size - 1 have a remainder of at most i."""

    def __init__(self, size: int, modulus: int) -> None:
        self._each, self._more = divmod(size, modulus)
        self._modulus = modulus

    def __len__(self) -> int:
        return self._modulus

    def __getitem__(self, i: Any) -> Any:
        return (i + 1) * self._each + min(i + 1, self._more)


def residue_cell(cell: IntegerCell, modulus: int) -> IntegerCell:
    """Return the cell of the remainder of a draw in 0 .. high - 1; the draw itself cannot be used again."""
    cell.require_current()
    made = IntegerCell(cell.source, cell.coins, cell.high, range(modulus), _Residues(cell.high, modulus))
    cell.coins = cell.source.outside
    return made


def are_ordered(members: Sequence[int]) -> bool:
    """Return whether these are integers that rise, or fall."""
    rest = members[1:]
    return set(map(type, members)) == {int} and (
        all(map(operator.lt, members, rest)) or all(map(operator.gt, members, rest))
    )
