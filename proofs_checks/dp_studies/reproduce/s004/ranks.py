"""Ranks of words by their numbers (source 004, M8), and how far they can be from the true ones.

Ties are ranked by one of three rules. A rank is off by so many places at most, and a small expectation beyond them.

A rank deviation is at most the number of words whose order with d is not the true one. Some words are called near: at
most `places` of them are on one side of d. The probabilities that one of the others changes sides add up to the
expectation of the rest, whatever the dependence. So

    E min(deviation, places) <= E deviation <= E min(deviation, places) + rest.

For f(d) > f(e) and u > 0, P(F_e >= F_d) <= E exp(u (F_e - F_d)). Given the functions, the records are independent and
every one contributes the average over the rows of a number that depends on which of d and e its word shares the column
with: 1 where d and e share one, else A, B or C (with d, with e, with neither). As log x <= log M + (x - M) / M, for M
the average over the functions too, the product over the records is at most the product of the M and of the exponentials
of sums over rows; these are independent and alike, and so are the words in a row in which d and e do not share.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import log
from typing import Literal, get_args

from flint import arb, fmpq

from dp_refimpl.fast.array_coins import Indices
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.scalar import Ordering, compare
from dp_studies.reproduce.s004.sign_counts import Law, signs

_BITS = 128
_TILTS = tuple(fmpq(z, 2) for z in range(1, 40))
"""u times the standard deviation of F_e - F_d, about: any u gives a valid bound."""
_ALONE, _EVERY = 48, 16
"""The u is chosen for each of the first words, then for so many numbers of records at once."""
_CUTS = tuple(0.25**j for j in range(16))
"""Words whose bound is above are near: any cut is valid, the most useful is taken."""


@dataclass(frozen=True)
class Reach:
    """See above."""

    places: int
    rest: arb


def anywhere(words: int) -> Reach:
    """What holds of every deviation."""
    return Reach(words - 1, arb(0))


@dataclass(frozen=True, eq=False)
class Exchanges:
    """Bounds of the probability that two words exchange ranks, for a law with random functions."""

    law: Law

    @cached_property
    def _noise(self) -> float:
        """About the standard deviation of F_e - F_d."""
        series = self.law.cumulants(0)
        return float((4 * series[2]).sqrt())

    @cached_property
    def _tilted(self) -> "list[Tilted]":
        law = self.law
        with precision(_BITS):
            return [Tilted(law.counts, law.k, law.m, law.epsilon, arb(z) / arb(self._noise)) for z in _TILTS]

    def bounds(self, own: int, others: Collection[int]) -> dict[int, arb]:
        """P(the order with a word of `own` records changes) is at most this, for words of other numbers of records."""
        bounds, tilt = {}, 0
        with precision(_BITS):
            for position, f in enumerate(sorted(others, key=lambda f: abs(f - own))):
                pair = max(f, own), min(f, own)
                if position < _ALONE or position % _EVERY == 0:
                    tilt = self._best(tilt, pair)
                bounds[f] = arb(1) if f == own else self._tilted[tilt].bound(*pair)
        return bounds

    def _best(self, tilt: int, pair: tuple[int, int]) -> int:
        """The u, from a given one up or down, after which bounds get worse."""
        for step in (1, -1):
            best = self._tilted[tilt].logarithm(*pair)
            while 0 <= tilt + step < len(_TILTS):
                bound = self._tilted[tilt + step].logarithm(*pair)
                if compare(bound, best) is not Ordering.LESS:
                    break
                tilt, best = tilt + step, bound
        return tilt


@dataclass(frozen=True, eq=False)
class Tilted:
    """E exp(u (F_e - F_d)) for one u: what all pairs of words share."""

    counts: tuple[int, ...]
    k: int
    m: int
    epsilon: str
    u: arb

    @cached_property
    def _numbers(self) -> tuple[arb, arb, arb, arb]:
        """A, B, C, and M of the words that are neither d nor e."""
        bits, m = signs(self.epsilon), self.m
        p, q, up = bits.own, bits.other, self.u.exp()
        a, b, c = (q + p / up) * (p + q * up), (q + p * up) * (p + q / up), (p + q * up) * (p + q / up)
        return a, b, c, self._average((a + b + (m - 2) * c) / m)

    def _average(self, apart: arb) -> arb:
        return (1 + (self.m - 1) * apart) / self.m

    def _row(self, records: int) -> arb:
        """The logarithm of a word's factor in a row in which d and e do not share."""
        a, b, c, mean = self._numbers
        scale = arb(records) / (self.k * mean)
        parts = (((x - mean) * scale).exp() for x in (a, b, c))
        return (
            sum((part * weight for part, weight in zip(parts, (1, 1, self.m - 2), strict=True)), arb(0)).log()
            - arb(self.m).log()
        )

    @cached_property
    def _rows(self) -> Mapping[int, arb]:
        return {records: self._row(records) for records in set(self.counts)}

    @cached_property
    def _all(self) -> arb:
        return sum((self._rows[f] * times for f, times in Counter(self.counts).items()), arb(0))

    def bound(self, more: int, fewer: int) -> arb:
        """P(F_e >= F_d) is at most this for words of so many records, more > fewer."""
        bound = self.logarithm(more, fewer).exp()
        return bound if compare(bound, 1) is Ordering.LESS else arb(1)

    def logarithm(self, more: int, fewer: int) -> arb:
        """Of E exp(u (F_e - F_d)), at most."""
        a, b, _, mean = self._numbers
        of_d, of_e = self._average(a), self._average(b)
        others = sum(self.counts) - more - fewer
        product = others * mean.log() + more * of_d.log() + fewer * of_e.log()
        shared = others * (1 - mean) / mean + more * (1 - of_d) / of_d + fewer * (1 - of_e) / of_e
        own = more * (a - of_d) / of_d + fewer * (b - of_e) / of_e
        apart = self._all - self._rows[more] - self._rows[fewer] + own / self.k
        row = ((shared / self.k).exp() + (self.m - 1) * apart.exp()) / self.m
        return product + self.k * row.log()


def reach(counts: tuple[int, ...], word: int, exchanges: Exchanges, runs: int, level: float) -> Reach:
    """The places and the rest that make intervals of so many runs narrow, about."""
    own = counts[word]
    others = Counter(f for e, f in enumerate(counts) if e != word)
    bounds = exchanges.bounds(own, others)
    about = {f: float(bound) for f, bound in bounds.items()}
    best, least = frozenset(others), float(len(counts))
    for cut in _CUTS:
        near = frozenset(f for f in others if about[f] >= cut)
        cost = _places(own, others, near) * -log(level) / runs + sum(about[f] * others[f] for f in others.keys() - near)
        if cost < least:
            best, least = near, cost
    with precision(_BITS):
        rest = sum((bounds[f] * times for f, times in others.items() if f not in best), arb(0))
    return Reach(_places(own, others, best), rest)


def _places(own: int, others: Mapping[int, int], near: Collection[int]) -> int:
    """The larger number of near words on one side, equal ones on both."""
    up = sum(others[f] for f in near if f >= own)
    return max(up, sum(others[f] for f in near if f <= own))


# --- ranks ------------------------------------------------------------------------------------------------------------

Ties = Literal["ordinal", "competition", "average"]
TIES: tuple[Ties, ...] = get_args(Ties)
"""By the order of words; the smallest rank of those that are equal; the average of their ranks."""


@dataclass(frozen=True)
class Place:
    """Where a word is among all: how many are above it, equal to it (itself not counted), and equal and before it."""

    above: int
    equal: int
    before: int

    def rank(self, ties: Ties) -> Fraction:
        """The rank, from 1. Raises `DomainError` for another rule."""
        if ties == "ordinal":
            return Fraction(1 + self.above + self.before)
        if ties == "competition":
            return Fraction(1 + self.above)
        if ties == "average":
            return 1 + self.above + Fraction(self.equal, 2)
        raise DomainError("ties", ties, ", ".join(TIES))


def places(values: Indices, of: Sequence[int]) -> list[Place]:
    """Where some words (positions) are among the numbers of all words."""
    ranks = []
    for x in of:
        same = values == values[x]
        ranks.append(Place(int((values > values[x]).sum()), int(same.sum()) - 1, int(same[:x].sum())))
    return ranks


def rank_deviation(true: Place, estimated: Place, ties: Ties) -> Fraction:
    """|er(d) - ar(d)| of one repetition, both ranks by the same rule."""
    return abs(estimated.rank(ties) - true.rank(ties))
