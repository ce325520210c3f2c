"""Is something seen too often or too seldom? Many counts at once, at one small error level, rigorously.

The number K of n independent events that happen, with probabilities of mean p, satisfies P(K >= k) <= exp(-n D) for
k >= n p and P(K <= k) <= exp(-n D) for k <= n p, D = (k/n) ln((k/n) / p) + (1 - k/n) ln((1 - k/n) / (1 - p))
(Hoeffding 1963, Theorem 1). With T counts, n D > ln(2 T / level) for one of them has probability <= level. Floats
choose the counts that are looked at; balls decide.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import arb, fmpq

from dp_audit.exact_numbers import PRECISIONS
from dp_audit.judge.bets.power import tail
from dp_audit.oracles.base import Number
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.scalar import Ordering, compare

Integers = np.ndarray[tuple[int], np.dtype[np.int64]]
Booleans = np.ndarray[tuple[int], np.dtype[np.bool_]]
NEAR = 1.0
"""How far floats may be off before balls are asked."""


@dataclass(frozen=True)
class Surprise:
    """A count that is not what it should be: `count` of `number`; `expected` is the sum of their probabilities."""

    name: str
    count: int
    number: int
    expected: Number


class Counts:
    """Collects counts with their probabilities, and says which one refutes them at an error level."""

    def __init__(self, level: fmpq) -> None:
        self._level = level
        self._tests = 0
        self._size, self._found = -1.0, Surprise("", 0, 0, fmpq(0))

    def add(
        self,
        name: Callable[[int], str],
        labels: Integers,
        held: Booleans,
        items: Integers,
        chances: Sequence[Number],
    ) -> None:
        """Add an event in every group of independent draws (`labels`; -1 is in none): whether it happened, and on which
        items; `chances` are its probabilities on them. Only the most surprising group of all is kept."""
        inside = labels >= 0
        if not inside.any():
            return
        labels, held, items = labels[inside], held[inside], items[inside]
        floats = np.array([float(arb(chance)) for chance in chances])
        number = np.bincount(labels).astype(float)
        counts = np.bincount(labels, weights=held)
        expected = np.bincount(labels, weights=floats[items])
        self._tests += int(np.count_nonzero(number))
        sizes = _surprise(number, counts, expected)
        best = int(np.argmax(sizes))
        if sizes[best] <= self._size:
            return
        times = np.bincount(items[labels == best], minlength=len(chances))
        with precision(PRECISIONS[0]):
            exact = sum((arb(chance) * int(n) for chance, n in zip(chances, times, strict=True)), arb(0))
        self._size, self._found = float(sizes[best]), Surprise(name(best), int(counts[best]), int(number[best]), exact)

    def worst(self) -> Surprise | None:
        """Return the most surprising count, if it refutes its probabilities."""
        if not self._tests:
            return None
        with precision(PRECISIONS[0]):
            threshold = arb(2 * self._tests / self._level).log()
            if self._size < float(threshold) - NEAR:
                return None
            return self._found if compare(_bound(self._found), threshold) is Ordering.GREATER else None


def _surprise(number: Any, counts: Any, expected: Any) -> Any:
    """Return n D of every group, as floats; groups without draws give 0."""
    with np.errstate(all="ignore"):
        rate, chance = counts / number, np.minimum(expected / number, 1.0)
        up = np.where(rate > 0, rate * np.log(rate / chance), 0.0)
        down = np.where(rate < 1, (1 - rate) * np.log((1 - rate) / (1 - chance)), 0.0)
    return np.nan_to_num(np.where(number > 0, number * (up + down), 0.0), posinf=1e300)


def _bound(surprise: Surprise) -> arb:
    """Return n D as a ball; what has probability 0 or 1 is infinitely surprising."""
    rate, chance = fmpq(surprise.count, surprise.number), arb(surprise.expected) / surprise.number
    total = arb(0)
    for share, p in ((rate, chance), (1 - rate, 1 - chance)):
        if share != 0:
            if compare(p, 0) is not Ordering.GREATER:
                return arb(10) ** 12
            total += arb(share) * (arb(share) / p).log()
    return total * surprise.number


def proves_larger(more: tuple[int, int], less: tuple[int, int], level: fmpq, factor: Number | None = None) -> bool:
    """Return whether two (seen, number) prove that the first probability exceeds `factor` (None: 1) times the second.

    Each of the two exact binomial tests has half of the level.
    """
    factor = fmpq(1) if factor is None else factor
    (count, number), (few, other) = more, less
    if not number or not other:
        return False
    first, second = fmpq(count, number), fmpq(few, other)
    for step in range(1, 16):
        with precision(PRECISIONS[0]):
            low = second + (first - second) * fmpq(step, 16)  # above the second one, and `factor` of it below the first
            high = arb(factor) * low
            if compare(high, first) is not Ordering.LESS:
                continue
            too_many = compare(tail(high, number, count), level / 2) is Ordering.LESS
            if too_many and compare(1 - tail(low, other, few + 1), level / 2) is Ordering.LESS:
                return True
    return False
