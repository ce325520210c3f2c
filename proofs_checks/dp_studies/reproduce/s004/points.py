"""One repetition of a sketch, and what all repetitions of a point say: simulated values beside exact ones."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from flint import arb, fmpq

from dp_refimpl.fast.array_coins import Indices
from dp_refimpl.fast.frequency.count_sketch import Labels, Signs, estimates, random_labels, sample_ones
from dp_refimpl.fast.joint_binomials import BinomialCoins
from dp_spec.frequency import count_sketch
from dp_spec.frequency.collisions import shares
from dp_spec.vocabulary.budget import real_budget
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.scalar import Ordering, compare
from dp_studies.reproduce import intervals
from dp_studies.reproduce.numbers import ball, beside, outwards, signed
from dp_studies.reproduce.s004.data import as_array
from dp_studies.reproduce.s004.ranks import TIES, Exchanges, Place, Reach, Ties, anywhere, places, rank_deviation, reach
from dp_studies.reproduce.s004.settings import Plan, Point, Sketch
from dp_studies.reproduce.s004.sign_counts import BITS, FixedLaw, Law
from dp_studies.reproduce.streams import generator, number_of

_ROWS = 256
"""Rows whose collisions are counted at once."""

Repetition = dict[str, list[int]]
"""Of one repetition, by evaluated word: F_d, and how many words are above, equal, equal and before it."""


@lru_cache(maxsize=1)
def _signs(epsilons: tuple[str, ...]) -> Signs:
    with precision(BITS):
        return Signs([real_budget(epsilon, 2 * BITS) for epsilon in epsilons])


def functions(plan: Plan, sketch: Sketch) -> Labels:
    """The labels of the functions that all repetitions of a fixed sketch share."""
    coins = BinomialCoins(generator(plan.seed, number_of(f"functions:{sketch.key}")))
    return random_labels(plan.words, sketch.m, coins)


def repetition(plan: Plan, sketch: Sketch, run: int) -> dict[str, dict[str, Repetition]]:
    """What one repetition shows, by data set and epsilon: it depends on the plan's seed, data, budgets and sizes."""
    coins = BinomialCoins(generator(plan.seed, run, number_of(sketch.key)))
    labels = functions(plan, sketch) if sketch.reading == "fixed" else random_labels(plan.words, sketch.m, coins)
    data = [as_array(plan.counts(name)) for name in plan.data]
    ones = sample_ones(data, sketch.k, sketch.m, _signs(plan.epsilons), labels, coins)
    return {
        name: {epsilon: _repetition(ones[i, j], plan.top) for j, epsilon in enumerate(plan.epsilons)}
        for i, name in enumerate(plan.data)
    }


def _repetition(ones: Indices, top: int) -> Repetition:
    """Estimates grow with F_d, so that its ranks are theirs."""
    ranks = places(ones, range(top))
    return {
        "ones": [int(f) for f in ones[:top]],
        **{name: [getattr(place, name) for place in ranks] for name in ("above", "equal", "before")},
    }


@lru_cache(maxsize=4)
def collisions(plan: Plan, sketch: Sketch) -> tuple[tuple[int, ...], ...]:
    """For every evaluated word and every word: the number of functions of a fixed sketch that give both one column."""
    labels, counts = functions(plan, sketch), np.zeros((plan.top, plan.words), np.int64)
    for start in range(0, sketch.k, _ROWS):
        block = labels(start, min(sketch.k, start + _ROWS)).astype(np.int16 if sketch.m < 2**15 else np.int64)
        for word in range(plan.top):
            counts[word] += (block == block[:, word : word + 1]).sum(axis=0)
    return tuple([tuple([int(x) for x in row]) for row in counts])


@dataclass(frozen=True, eq=False)
class Evaluation:
    """A point and what its repetitions show, with the levels of the bounds that are tested and of those of ranks."""

    plan: Plan
    point: Point
    repetitions: Sequence[Repetition]
    level: Fraction
    rank_level: Fraction

    @classmethod
    def without_runs(cls, plan: Plan, point: Point) -> "Evaluation":
        """What is exact of a point."""
        return cls(plan, point, (), Fraction(1), Fraction(1))

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """Numbers of records by word."""
        return self.plan.counts(self.point.data)

    @cached_property
    def law(self) -> Law | FixedLaw:
        """The laws of F_d."""
        k, m, epsilon = self.point.sketch.k, self.point.sketch.m, self.point.epsilon
        if self.point.sketch.reading == "random":
            return Law(self.counts, k, m, epsilon)
        return FixedLaw(self.counts, k, m, epsilon, collisions(self.plan, self.point.sketch))

    @cached_property
    def slope(self) -> arb:
        """By how much f'(d) grows with F_d: c m / (m - 1)."""
        m = self.point.sketch.m
        with precision(BITS):
            return self.law.signs.constant * m / (m - 1)

    def estimate(self, ones: Any) -> arb:
        """f'(d) of a (mean) number F_d."""
        (at_zero,) = estimates(np.zeros(1, np.int64), self.plan.records, self.point.sketch.m, self.law.signs.constant)
        with precision(BITS):
            return at_zero + self.slope * fmpq(ones.numerator, ones.denominator)

    def exact(self, word: int) -> tuple[arb, arb]:
        """E f'(d) and E D(d), by the formulas."""
        k, m, n, own = self.point.sketch.k, self.point.sketch.m, self.plan.records, self.counts[word]
        with precision(BITS):
            c = self.law.signs.constant
            if isinstance(self.law, Law):
                squares = sum(f * f for f in self.counts) - own * own
                return arb(own), n**2 * count_sketch.shared_variance(c, m, k, n, fmpq(own, n), fmpq(squares, n**2))
            pairs = zip(self.counts, self.law.collisions[word], strict=True)
            _, kappa1, kappa2 = shares([(f, fmpq(s, k)) for f, s in pairs], fmpq(0))
            mean = n * count_sketch.mean(m, 0, kappa1)
            return arb(mean), n**2 * count_sketch.variance(c, m, n, kappa1, kappa2) + (mean - own) ** 2

    def result(self) -> dict[str, Any]:
        """The JSON of a point."""
        return {
            "data": self.point.data,
            "k": self.point.sketch.k,
            "m": self.point.sketch.m,
            "functions": self.point.sketch.reading,
            "epsilon": self.point.epsilon,
            "words": [self.word(word) for word in range(self.plan.top)],
            "groups": [
                {
                    "ranks": list(group),
                    "deviation": {ties: self.rank_mean(range(group[0] - 1, group[1]), ties) for ties in TIES},
                }
                for group in self.plan.groups()
            ],
            "runs": {name: [one[name] for one in self.repetitions] for name in ("ones", "above", "equal", "before")},
        }

    def word(self, word: int) -> dict[str, Any]:
        """What is found about a word: see the schema."""
        own, runs = self.counts[word], len(self.repetitions)
        ones = [one["ones"][word] for one in self.repetitions]
        mean, square = self.exact(word)
        with precision(BITS):
            series = self.law.cumulants(word)
            errors = [self.estimate(f) - own for f in ones]
            estimate = self.estimate(Fraction(sum(ones), runs))
            # at F = center f'(d) is the true count
            center = (own - self.estimate(0)) / self.slope
            squares = sum((e * e for e in errors), arb(0)) / runs
            absolute = sum((abs(e) for e in errors), arb(0)) / runs
            about = intervals.centered(series, center)
            width = intervals.deviation(intervals.centered(series, series[1]), runs, self.level) * self.slope
            low, high = intervals.mean_square(about, squares / self.slope**2, runs, self.level)
            square_ends = (low * self.slope**2, None if high is None else high * self.slope**2)
            spread = intervals.absolute_deviation(series, runs, self.level) * self.slope
            least, most = (end * self.slope / own for end in intervals.absolute_mean(about))
            bias, off = abs(mean - own) / own, abs(estimate - own)
            mean_ends = (estimate - width, estimate + width)
            first_ends = (_not_negative(off - width) / own, (off + width) / own)
            each_ends = (_not_negative(absolute - spread) / own, (absolute + spread) / own)
            overlap = not _beyond(each_ends[0], most) and not _beyond(least, each_ends[1])
        return {
            "position": word + 1,
            "count": own,
            "estimate": beside(mean, estimate, mean_ends),
            "variance": beside(square, squares, square_ends),
            "meanfirst": beside(bias, off / own, first_ends),
            "absfirst": {
                "exact": outwards((least, most)),
                "simulated": signed(absolute / own),
                "interval": outwards(each_ends),
                "inside": overlap,
            },
            "rank": {ties: self.rank_mean([word], ties) for ties in TIES},
        }

    @cached_property
    def _true(self) -> list[Place]:
        return places(as_array(self.counts), range(self.plan.top))

    @cached_property
    def _reaches(self) -> list[Reach]:
        if not isinstance(self.law, Law):
            return [anywhere(len(self.counts))] * self.plan.top
        exchanges, runs, level = Exchanges(self.law), len(self.repetitions), float(self.rank_level)
        return [reach(self.counts, word, exchanges, runs, level) for word in range(self.plan.top)]

    def deviations(self, word: int, ties: Ties) -> list[Fraction]:
        """|er(d) - ar(d)| of every repetition."""
        deviations = []
        for one in self.repetitions:
            place = Place(*(one[name][word] for name in ("above", "equal", "before")))
            deviations.append(rank_deviation(self._true[word], place, ties))
        return deviations

    def rank_mean(self, words: Sequence[int], ties: Ties) -> dict[str, Any]:
        """The mean rank deviation of some words, and where its expectation is."""
        listed = [self.deviations(word, ties) for word in words]
        reaches = [self._reaches[word] for word in words]
        runs = [sum(row, Fraction(0)) / len(words) for row in zip(*listed, strict=True)]
        cut = [
            sum((min(x, r.places) for x, r in zip(row, reaches, strict=True)), Fraction(0)) / len(words)
            for row in zip(*listed, strict=True)
        ]
        most = Fraction(sum(r.places for r in reaches), len(words))
        low = intervals.lower_mean(runs, self.rank_level)
        high = intervals.upper_mean(cut, most, self.rank_level)
        with precision(BITS):
            rest = sum((r.rest for r in reaches), arb(0)) / len(words)
            mean = sum(runs, Fraction(0)) / len(runs)
            return {"simulated": signed(ball(mean)), "interval": outwards((ball(low), ball(high) + rest))}


def _not_negative(number: arb) -> arb:
    return number if compare(number, 0) is Ordering.GREATER else arb(0)


def _beyond(low: arb, high: arb) -> bool:
    return compare(low, high) is Ordering.GREATER


def repetitions_of(results: Mapping[str, Any], plan: Plan, point: Point) -> list[Repetition]:
    """What the repetitions of a point show, from the results by key."""
    return [results[task_key(point.sketch, run)][point.data][point.epsilon] for run in range(plan.runs)]


def task_key(sketch: Sketch, run: int) -> str:
    """A repetition of a sketch in one word."""
    return f"{sketch.key},run={run}"
