"""How far the rank of a word can be from its true rank: so many places, and a small expectation beyond them.

A rank deviation is at most the number of words whose order with d is not the true one. Words with nearly as many
records as d are near: at most so many of them are on one side of d. For the others, F_d and F_e would have to cross
half the distance of their expectations, (p - q)(1 - 1/m)(f(d) - f(e)) apart, which Markov's inequality for even
moments bounds; these probabilities add up to the expectation of the rest, whatever the dependence. So

    E min(deviation, places) <= E deviation <= E min(deviation, places) + rest.

That is for random functions; for fixed ones nothing is near or far here, and places is the number of other words.
"""

from bisect import bisect_right
from dataclasses import dataclass
from math import log

from flint import arb, ctx

from dp_checks.reproduce.s004.intervals import centered, moments
from dp_checks.reproduce.s004.laws import Law
from dp_checks.reproduce.squares import PRECISION
from dp_spec.vocabulary.scalar import Ordering, compare

_THRESHOLDS = tuple(range(4, 40))
"""Distances that are tried, in half standard deviations: any one gives valid bounds, the most useful is taken."""


@dataclass(frozen=True)
class Reach:
    """See above."""

    places: int
    rest: arb


def anywhere(words: int) -> Reach:
    """What holds of every deviation."""
    return Reach(words - 1, arb(0))


@dataclass(frozen=True, eq=False)
class Crossings:
    """Differences of numbers of records, and bounds of the probability that words so different exchange ranks."""

    differences: list[int]
    bounds: list[arb]


def crossings(law: Law) -> Crossings:
    """For the laws of all words."""
    with ctx.workprec(PRECISION):
        series = law.envelope()
        even = moments(centered(series, series[1]))
        step = (law.signs.own - law.signs.other) * (law.m - 1) / law.m
        unit = float(even[1].sqrt() / step) / 2
        found = Crossings([], [])
        for difference in sorted({int(t * unit) + 1 for t in _THRESHOLDS}):
            found.differences.append(difference)
            found.bounds.append(2 * _tail(even, step * difference / 2))
        return found


def reach(counts: tuple[int, ...], word: int, known: Crossings, runs: int, level: float) -> Reach:
    """The places and the rest that make intervals of so many runs narrow, about."""
    others = [(abs(f - counts[word]), f > counts[word]) for e, f in enumerate(counts) if e != word]
    bins = [bisect_right(known.differences, distance) - 1 for distance, _ in others]
    best, least = anywhere(len(counts)), float(len(counts))
    with ctx.workprec(PRECISION):
        for i, difference in enumerate(known.differences):
            near = [(distance, higher) for distance, higher in others if distance < difference]
            up = sum(higher or not distance for distance, higher in near)
            down = sum(not higher for _, higher in near)
            rest = sum((known.bounds[b] * bins.count(b) for b in range(i, len(known.differences))), arb(0))
            cost = max(up, down) * -log(level) / runs + float(rest)
            if cost < least:
                best, least = Reach(max(up, down), rest), cost
    return best


def _tail(even: list[arb], distance: arb) -> arb:
    """P(|D| >= distance) from E D^2j."""
    best = arb(1)
    for j, moment in enumerate(even[1:], start=1):
        found = moment / distance ** (2 * j)
        if compare(found, best) is Ordering.LESS:
            best = found
    return best
