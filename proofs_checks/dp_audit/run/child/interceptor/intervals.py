"""What a draw can still be: an interval of integers, which questions about monotone functions of it make smaller."""

from __future__ import annotations

import math
import operator
from typing import Any, Callable, List

from ..refusals import TooManyPaths
from .coins import Coins, Source

GRID = 1 << 53
"""A uniform double is a multiple of 1 / GRID."""
SINGLES = 1 << 24
"""A uniform single of a numpy Generator is a multiple of 1 / SINGLES."""
MAX_INTEGER_CELLS = 4096


class LazyDraw:
    """An undetermined integer or bytes, which may seed a generator."""

    __slots__ = ()

    def spent(self) -> bool:
        """Return whether nothing depends on the draw yet and it is wide enough for a seed. If so, it cannot be used
        again."""
        raise NotImplementedError


class Cell:
    """The integers k that a draw can still be: low <= k < high. The draw itself is k / 2^53, or offset + scale k."""

    def __init__(self, source: Source, coins: Coins, low: int = 0, high: int = GRID) -> None:
        self.source, self.coins = source, coins
        self.low, self.high = low, high

    def require_current(self) -> None:
        """Refuse a draw of another run."""
        if self.source.coins is not self.coins:
            self.source.refuse(
                "a uniform draw of an earlier run (or one that seeds a generator) was kept and used again"
            )

    def decide(self, value: Callable[[int], Any]) -> Any:
        """Return the value of a monotone function of k; branch if it is not constant on the cell."""
        coins = self.coins
        coins.questions += 1
        guesses, question = self.source.guesses, (coins.questions, self.low, self.high)
        cuts = guesses.get(question, [])
        if not _are_changes(cuts, self.low, self.high, value):
            cuts = guesses[question] = changes(coins, self.low, self.high, value)
        if cuts or self.source.coins is not coins:
            self.restrict(cuts)
        return value(self.low)

    def below(self, cut: int) -> bool:
        """Return whether k < cut; branch if both are possible."""
        self.coins.questions += 1
        if self.low < cut < self.high or self.source.coins is not self.coins:
            return self.restrict([cut]) == 0
        return cut >= self.high

    def only(self, k: int) -> bool:
        """Return whether the draw equals `k`. If its cell still contains other integers, branch: the path continues
        below `k`, at `k`, above `k`."""
        self.coins.questions += 1
        cuts = [cut for cut in (k, k + 1) if self.low < cut < self.high]
        if cuts or self.source.coins is not self.coins:
            self.restrict(cuts)
        return self.low == k == self.high - 1

    def restrict(self, cuts: List[int]) -> int:
        """Branch on the pieces low..cuts[0]..cuts[1]..high, each with its exact conditional probability."""
        self.require_current()
        edges = [self.low, *cuts, self.high]
        piece = self.coins.choose([edges[i + 1] - edges[i] for i in range(len(edges) - 1)])
        self.low, self.high = edges[piece], edges[piece + 1]
        return piece


def _first_change(low: int, high: int, value: Callable[[int], Any]) -> int:
    """Return the smallest k in (low, high) with value(k) != value(low), for a monotone `value` that does change."""
    start, left, right = value(low), low, high - 1
    while right - left > 1:
        middle = (left + right) // 2
        if value(middle) == start:
            left = middle
        else:
            right = middle
    return right


def changes(coins: Coins, low: int, high: int, value: Callable[[int], Any]) -> List[int]:
    """Return all k in low < k < high with value(k) != value(k - 1), for a monotone `value`."""
    cuts: List[int] = []
    while value(low) != value(high - 1):
        if len(cuts) >= MAX_INTEGER_CELLS:
            coins.refuse(TooManyPaths(f"a lazy draw is rounded to more than {MAX_INTEGER_CELLS} integers"))
        low = _first_change(low, high, value)
        cuts.append(low)
    return cuts


def _are_changes(cuts: List[int], low: int, high: int, value: Callable[[int], Any]) -> bool:
    """Return whether these are all of them: `value` is monotone, so the ends of the pieces decide."""
    if len(cuts) == 1:  # nearly always
        first, last = value(low), value(high - 1)
        return bool(first != last and value(cuts[0] - 1) == first and value(cuts[0]) == last)
    ends = [(value(a), value(b - 1)) for a, b in zip([low, *cuts], [*cuts, high])]
    return all(a == b for a, b in ends) and all(ends[i][1] != ends[i + 1][0] for i in range(len(cuts)))


def uniform_double(k: int) -> float:
    """Return the first step of a uniform double."""
    return k / GRID


def first_not(function: Any, constant: float) -> int:
    """Return the first k at which k / 2^53 is not < (<=) a constant between 0 and 1: its multiple is exact."""
    return math.ceil(constant * GRID) if function is operator.lt else math.floor(constant * GRID) + 1
