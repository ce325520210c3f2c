"""Does what is left beside reports tell more of the item than the report? A bet on the item of every report.

The items of these reports were drawn at random. What is left beside a report and does not depend on the item may depend
on anything else: the report, the reports before it, the time. Given all that, the item is x with probability
q(x) = P(y|x) / sum of P(y|x') for the report y. A gambler who sees the text, but not the item, bets in proportion to
q(x) r(x), with any r that the past suggests; the wealth is multiplied by r(x) / sum q(x') r(x') for the true x. It is a
martingale, so that it ever exceeds 1 / level with probability at most the level (Ville). Where the law of reports is
not listed, all that is used of it is that P(y|x) / P(y|x') <= e^epsilon; the sum is then the largest one possible.

The r are the relative frequencies of the items beside the word of the text (alone, or given the report) with which a
gambler would have won most so far. Floats choose the bets; balls decide.
"""

import math
import re
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from flint import arb, fmpq

from dp_audit.exact_numbers import PRECISIONS
from dp_audit.judge.events import Observation
from dp_audit.observation.unmodified_run import TextsBeside
from dp_audit.oracles.base import Number
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.scalar import Ordering, compare

WORDS = re.compile(r"[^\W\d_]+|[0-9]+(?:\.[0-9]+)?")
MOST_WORDS = 24
"""Words of one text that are bet on."""
PRIOR = 0.5
"""Items that are thought to have been seen beside every word, divided as the reports say."""
MARGIN = 1.0
"""Nats by which the wealth in floats may be off before balls are asked."""


def words_of(text: str) -> list[str]:
    """Return the text, its lines, its words, and "" for any text at all."""
    return list(dict.fromkeys([text, "", *text.splitlines(), *WORDS.findall(text)]))[: MOST_WORDS + 2]


@dataclass(frozen=True)
class Leak:
    """What tells the item: a word ("": any text), an example, the items where it is seen most and least for what the
    reports say, how often it was seen on the first and in all, how often that was expected; the report, or None."""

    word: str
    text: str
    most: int
    least: int
    count: int
    number: int
    expected: float
    code: int | None


@dataclass
class _Word:
    """What was seen beside a word: how often every item, what was expected, and what bets on it would have won."""

    counts: list[float]
    expected: list[float]
    wealth: float = 0.0

    @property
    def ratios(self) -> list[float]:
        """Return how much more often than expected each item was seen; 1 where it could not be (items that are not
        hidden)."""
        total = sum(self.counts)
        return [(n + PRIOR * e / total) / (e + PRIOR * e / total) if total and e else 1.0 for n, e in self._pairs]

    @property
    def _pairs(self) -> Iterable[tuple[float, float]]:
        return zip(self.counts, self.expected, strict=True)


def leak(
    observation: Observation, watched: TextsBeside, level: fmpq, listed: bool, without: Collection[int] = frozenset()
) -> Leak | None:
    """Return what refutes, at this level, that nothing tells the item. `listed`: the law given an item is the oracle's.
    Reports with the codes `without` are left out."""
    chances = _Chances(observation, listed)
    words: dict[tuple[str, int | None], _Word] = {}
    bets: list[tuple[list[float], int, int]] = []
    wealth, enough = 0.0, -math.log(float(arb(level))) + MARGIN
    inputs = range(len(observation.inputs))
    for item, code, text in watched.texts:
        posterior = None if code in without else chances.posterior(code)
        if posterior is None:
            continue
        keys = [(word, c) for word in words_of(text) for c in ((None, code) if listed else (None,))]
        own = [words.setdefault(key, _Word([0.0 for _ in inputs], [0.0 for _ in inputs])) for key in keys]
        best = max(own, key=lambda word: word.wealth)
        if best.wealth > 0:
            ratios = best.ratios
            bets.append((ratios, item, code))
            wealth += math.log(chances.factor(ratios, item, posterior))
            if wealth > enough and compare(chances.won(bets), 1 / level) is Ordering.GREATER:
                return _leak(words, best, watched, chances)
        for word in own:
            if any(word.counts):
                word.wealth += math.log(chances.factor(word.ratios, item, posterior))
            word.counts[item] += 1
            for x in inputs:
                word.expected[x] += posterior[x]
    return None


class _Chances:
    """The probabilities of items given a report, and what bets win."""

    def __init__(self, observation: Observation, listed: bool) -> None:
        self._observation, self._listed = observation, listed
        with precision(PRECISIONS[0]):
            self._laws = [observation.oracle.law(x) for x in observation.inputs] if listed else []
            self._bound: Number = observation.oracle.privacy()
        self._known: dict[int, list[float] | None] = {}

    def posterior(self, code: int) -> list[float] | None:
        """Return the probabilities of the items given a report; None where the mechanism gives no such report."""
        if code not in self._known:
            self._known[code] = self._posterior(code)
        return self._known[code]

    def _posterior(self, code: int) -> list[float] | None:
        size = len(self._observation.inputs)
        if not self._listed:
            return [1 / size] * size if self._observation.possible(code) else None
        chances = [float(arb(p)) for p in self._exact(code)]
        total = sum(chances)
        return [p / total for p in chances] if total > 0 else None

    def _exact(self, code: int) -> list[Number]:
        report: Hashable = self._observation.run.reports[code]
        return [law.get(report, fmpq(0)) for law in self._laws]

    def factor(self, ratios: Sequence[float], item: int, posterior: Sequence[float]) -> float:
        """Return what a bet multiplies the wealth by, in floats."""
        if self._listed:
            return max(ratios[item], 1e-300) / sum(q * r for q, r in zip(posterior, ratios, strict=True))
        return max(ratios[item], 1e-300) / float(max(_means(ratios, float(arb(self._bound)))))

    def won(self, bets: Sequence[tuple[list[float], int, int]]) -> Number:
        """Return the wealth after some bets, as a ball."""
        with precision(PRECISIONS[0]):
            total = arb(1)
            for ratios, item, code in bets:
                own = [arb(r) for r in ratios]
                if self._listed:
                    exact = [arb(p) for p in self._exact(code)]
                    bet = sum((p * r for p, r in zip(exact, own, strict=True)), arb(0))
                    total *= own[item] * sum(exact, arb(0)) / bet
                else:
                    total *= own[item] / _largest(_means(ratios, arb(self._bound)))
            return total


def _means(ratios: Sequence[float], bound: Any) -> list[Any]:
    """Return the means of r for items whose probabilities are in the ratio `bound`: the k largest r are of the
    likelier."""
    ordered = sorted(ratios, reverse=True)
    return [
        (bound * sum(ordered[:k]) + sum(ordered[k:])) / (bound * k + (len(ordered) - k)) for k in range(len(ordered))
    ]


def _largest(balls: Sequence[arb]) -> arb:
    largest = balls[0]
    for ball in balls[1:]:
        largest = largest.max(ball)
    return largest


def _leak(words: dict[tuple[str, int | None], _Word], best: _Word, watched: TextsBeside, chances: _Chances) -> Leak:
    """Return the word with which most was won, a whole text rather than a part of it where that tells as much."""
    (word, code), _ = next(pair for pair in words.items() if pair[1] is best)
    for (other, c), each in words.items():
        if len(other) > len(word) and word in other and each.wealth > best.wealth - MARGIN:
            word, code, best = other, c, each
    beside = [(x, c, text) for x, c, text in watched.texts if code in (None, c) and word in words_of(text)]
    counts, expected = [0] * len(best.counts), [0.0] * len(best.counts)
    for item, c, _ in beside:
        posterior = chances.posterior(c)
        if posterior is not None:
            counts[item] += 1
            expected = [e + q for e, q in zip(expected, posterior, strict=True)]
    share = [n / e if e else 0.0 for n, e in zip(counts, expected, strict=True)]
    most, least = (share.index(pick(share)) for pick in (max, min))
    text = next((text for item, _, text in beside if item == most), word)
    return Leak(word, text, most, least, counts[most], sum(counts), expected[most], code)
