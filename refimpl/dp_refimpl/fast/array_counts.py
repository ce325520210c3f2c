"""Exact random counts for large numbers of users: binomials, categories and items thrown uniformly into cells.

Probabilities that are real numbers are rounded to multiples of 2^-128 and tables of binomial laws to multiples of
2^-128 per entry; `ROUNDING` is what that can change in the probability of any event that 2^60 draws decide. Apart from
it every law is exact, provided that the generator's words are independent and uniform.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from flint import arb, fmpq, fmpz

from dp_refimpl.coins import as_fraction
from dp_refimpl.fast.array_coins import ArrayCoins, Indices, Words
from dp_spec.vocabulary.exceptions import DomainError, UndecidedError
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.scalar import Ordering, compare

RESOLUTION = 128
"""Bits after the point of a rounded probability."""

ROUNDING = Fraction(1, 10**12)
"""Allowed for: 2^60 draws, each from a law less than 2^-100 away in total variation."""

_STEP = 64
_BLOCK = 1 << 18


def rational(p: Any) -> Fraction:
    """An exact probability as it is; a ball as a multiple of 2^-128 less than 2^-126 away from its number.

    Raises `UndecidedError` for a ball that is too wide, `DomainError` for what is no number.
    """
    if not isinstance(p, arb):
        return as_fraction(p)
    with precision(4 * RESOLUTION):
        scaled = p * 2**RESOLUTION
        if compare(scaled.rad(), 1) is not Ordering.LESS:
            raise UndecidedError(f"the ball {p} is wider than 2^-{RESOLUTION}")
        return Fraction(max(0, int(_floor(scaled))), 2**RESOLUTION)


def _floor(ball: arb) -> fmpz:
    """The integer part of a ball's midpoint."""
    integer = ball.mid().floor().unique_fmpz()
    assert integer is not None
    return integer


@dataclass(frozen=True)
class Cells:
    """A law on first, first + 1, ...: outcome j has the words between edge j - 1 and edge j of 0 .. 2^(2 half) - 1."""

    first: int
    edges: tuple[int, ...]
    half: int = 64

    def __post_init__(self) -> None:
        if sorted(ends := [0, *self.edges, 4**self.half]) != ends:
            raise DomainError("edges", self.edges, f"non-decreasing integers in 0..4^{self.half}")

    @property
    def reached(self) -> tuple[int, ...]:
        """The edges that words can pass."""
        return self.edges[: bisect_left(self.edges, 4**self.half)]


def cells(probabilities: Sequence[Any]) -> Cells:
    """The law that gives j the j-th probability, the last outcome whatever the others leave."""
    edges, edge = [], Fraction(0)
    for p in probabilities[:-1]:
        edge += rational(p)
        edges.append(int(edge * 2**RESOLUTION))
    return Cells(0, tuple(edges))


@lru_cache(maxsize=64)
def binomial_cells(trials: int, p: Fraction) -> Cells:
    """Binomial(trials, p): the values whose probability is at least 2^-150, the tails beyond them cut off."""
    if p in (0, 1):
        return Cells(trials * int(p), ())
    with precision(320):
        q, mode = arb(fmpq(p.numerator, p.denominator)), int((trials + 1) * p)
        odds, least = q / (1 - q), arb(2) ** -150
        top = _log_factorial(trials) - _log_factorial(mode) - _log_factorial(trials - mode)
        peak = (top + mode * q.log() + (trials - mode) * (1 - q).log()).exp()
        below, above = [], [peak]
        value, k = peak, mode
        while k > 0 and compare(value, least) is Ordering.GREATER:
            value = value * k / ((trials - k + 1) * odds)
            k -= 1
            below.append(value)
        first, value, k = k, peak, mode
        while k < trials and compare(value, least) is Ordering.GREATER:
            value = value * (trials - k) * odds / (k + 1)
            k += 1
            above.append(value)
        edges, total = [], arb(0)
        for value in [*reversed(below), *above][:-1]:
            total += value
            edges.append(min(4**64, int(_floor(total * 4**64))))
    return Cells(first, tuple(edges))


def _log_factorial(k: int) -> arb:
    return arb(k + 1).lgamma()


class Draws(ArrayCoins):
    """Array coins with counts. `below_word` is how items are thrown into cells; see `ArrayCoins` about auditing."""

    below_word = 16

    def categories(self, law: Cells, count: int) -> Indices:
        """Independent outcomes of a law. A word that an edge begins with is decided by the word's second half."""
        if not law.edges:
            return np.full(count, law.first, np.int64)
        high = np.array([edge >> law.half for edge in law.reached], np.uint64)
        outcomes = np.empty(count, np.int64)
        for start in range(0, count, _BLOCK):
            words = self.words(min(_BLOCK, count - start), law.half).astype(np.uint64, copy=False)
            index = np.searchsorted(high, words, side="right")
            tied = np.flatnonzero(np.searchsorted(high, words, side="left") != index)
            for i, low in zip(tied, self.words(tied.size, law.half), strict=True):
                word = (int(words[i]) << law.half) + int(low)
                index[i] = sum(edge <= word for edge in law.edges)
            outcomes[start : start + words.size] = index
        return outcomes + law.first

    def indices(self, probabilities: Sequence[Any], count: int) -> Indices:
        """Independent indices with the given probabilities; the last one has whatever the others leave."""
        return self.categories(cells(probabilities), count)

    def binomials(self, trials: Indices, p: Any) -> Indices:
        """Independent Binomial(trials, p), one for each entry: what all share from a table, the rest bit by bit.

        Raises `DomainError` for negative numbers of trials and for p outside [0, 1].
        """
        if not trials.size:
            return np.zeros(0, np.int64)
        least = int(trials.min())
        if least < 0:
            raise DomainError("trials", least, "integers >= 0")
        exact = rational(p)
        shared = least - least % _STEP
        successes = self.categories(binomial_cells(shared, exact), trials.size)
        ends = np.cumsum(trials - shared)
        ones = np.concatenate([[0], np.cumsum(self.bernoulli(exact, int(ends[-1])), dtype=np.int64)])
        rest: Indices = ones[ends] - ones[ends - (trials - shared)]
        return successes + rest

    def thrown(self, items: int, into: int) -> Indices:
        """How many of `items` items fall into each of some cells, every item uniformly and independently.

        Raises `DomainError` unless 1 <= into <= 2^below_word.
        """
        size = 1 << self.below_word
        if not 1 <= into <= size:
            raise DomainError("into", into, f"an integer in 1..{size}")
        tally = np.zeros(size, np.int64)
        for start in range(0, items, _BLOCK):
            words: Words = self.words(min(_BLOCK, items - start), self.below_word)
            tally += np.bincount(words.astype(np.int64), minlength=size)
        whole = size - size % into
        counts: Indices = tally[:whole].reshape(-1, into).sum(axis=0)
        again = int(tally[whole:].sum())
        return counts + self.rethrown(again, into) if again else counts

    def rethrown(self, items: int, into: int) -> Indices:
        """Where items go whose word was beyond the largest multiple of the number of cells."""
        return self.thrown(items, into)
