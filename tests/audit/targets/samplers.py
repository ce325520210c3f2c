"""Targets for statistical audits: correct ones, and planted faults. Everything is seeded."""

import random
from collections.abc import Callable, Hashable, Mapping, Sequence
from math import exp

import numpy as np

from dp_audit.observation.findings import TargetHung
from dp_audit.observation.samples import Reports, SamplerError
from dp_spec.vocabulary.items import Item


class Counted:
    """Draws the counts of all outputs at once (multinomial): the target is simulated by count, not report by report."""

    def __init__(self, laws: Mapping[Item, Mapping[Hashable, float]], seed: int) -> None:
        self._laws = laws
        self._generator = np.random.default_rng(seed)

    def sample(self, item: Item, count: int) -> Reports:
        law = self._laws[item]
        counts = self._generator.multinomial(count, list(law.values()))
        return {y: int(k) for y, k in zip(law, counts, strict=True)}


def grr_laws(d: int, p: float) -> dict[Item, dict[Hashable, float]]:
    """The true item with probability p, each other one with (1 - p) / (d - 1)."""
    return {x: {y: p if y == x else (1 - p) / (d - 1) for y in range(d)} for x in range(d)}


class Reporter:
    """Draws report by report, in order."""

    def __init__(self, report: Callable[[random.Random, Item], Hashable], seed: int) -> None:
        self._report = report
        self._random = random.Random(seed)

    def sample(self, item: Item, count: int) -> Sequence[Hashable]:
        return [self._report(self._random, item) for _ in range(count)]


def grr_report(d: int, p: float) -> Callable[[random.Random, Item], Hashable]:
    def report(source: random.Random, item: Item) -> Hashable:
        return item if source.random() < p else source.choice([y for y in range(d) if y != item])

    return report


def oue_report(d: int, p: float, q: float) -> Callable[[random.Random, Item], Hashable]:
    def report(source: random.Random, item: Item) -> Hashable:
        return tuple(int(source.random() < (p if x == item else q)) for x in range(d))

    return report


def shared_coin(d: int, p: float, q: float) -> Callable[[random.Random, Item], Hashable]:
    """Unary encoding with one coin for all bits: every bit has its right law, together they do not."""

    def report(source: random.Random, item: Item) -> Hashable:
        u = source.random()
        return tuple(int(u < (p if x == item else q)) for x in range(d))

    return report


class Repeating:
    """Every report is given out twice in a row: right laws, dependent reports."""

    def __init__(self, report: Callable[[random.Random, Item], Hashable], seed: int) -> None:
        self._inner = Reporter(report, seed)

    def sample(self, item: Item, count: int) -> Sequence[Hashable]:
        single = self._inner.sample(item, (count + 1) // 2)
        return [y for y in single for _ in range(2)][:count]


class Hangs:
    """Hangs at the n-th request, after some more reports."""

    def __init__(self, inner: Reporter, requests: int) -> None:
        self._inner, self._left = inner, requests

    def sample(self, item: Item, count: int) -> Sequence[Hashable]:
        self._left -= 1
        if self._left < 0:
            raise SamplerError(TargetHung("killed after 1 s"), self._inner.sample(item, 7))
        return self._inner.sample(item, count)


class Answers:
    """Whatever this function of (item, count) answers."""

    def __init__(self, answer: Callable[[Item, int], Reports]) -> None:
        self._answer = answer

    def sample(self, item: Item, count: int) -> Reports:
        return self._answer(item, count)


def grr_p(d: int, epsilon: float) -> float:
    return exp(epsilon) / (exp(epsilon) + d - 1)
