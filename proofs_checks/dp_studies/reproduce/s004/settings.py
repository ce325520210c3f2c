"""What the parameter study of source 004 varies: data, k, m, and eps, which the source does not give."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

from dp_spec.vocabulary.budget import read_epsilon
from dp_spec.vocabulary.exceptions import DomainError
from dp_studies.reproduce.s004.data import WEIGHTS, counts
from dp_studies.reproduce.study import at_least, require_each, require_integers, require_known, require_some

Reading = Literal["random", "fixed"]
READINGS: tuple[Reading, ...] = get_args(Reading)
"""Independent uniform functions: drawn anew in every repetition, or once for all of them."""

SEED = 20230420
"""The default random state."""
RUNS = 100
DATA = ("harmonic", "exponential")
EPSILONS = ("1", "2", "4", "8")
KS, MS = (256, 65535), (32, 1024)
RECORDS, WORDS, TOP = 1_000_000, 2000, 20
GROUPS = ((1, 5), (6, 10), (11, 15), (16, 20))
"""Ranks over which rank deviations are averaged (004.exp.rank-trend@groups)."""


@dataclass(frozen=True)
class Sketch:
    """k functions to m columns, in a reading."""

    k: int
    m: int
    reading: Reading

    @property
    def key(self) -> str:
        """The sketch in one word."""
        return f"k={self.k},m={self.m},functions={self.reading}"


@dataclass(frozen=True)
class Point:
    """A data set, a sketch and a budget (text)."""

    data: str
    sketch: Sketch
    epsilon: str

    @property
    def key(self) -> str:
        """The point in one word."""
        return f"{self.data}:{self.sketch.key}:epsilon={self.epsilon}"


@dataclass(frozen=True)
class Plan:
    """What to reproduce. Raises `DomainError` for bad numbers, unknown names, repetitions, and epsilon = 0.

    m >= 2 and k >= 1; `records` records of `words` words, of which the first `top` are evaluated.
    """

    data: tuple[str, ...] = DATA
    ks: tuple[int, ...] = KS
    ms: tuple[int, ...] = MS
    epsilons: tuple[str, ...] = EPSILONS
    readings: tuple[Reading, ...] = ("random",)
    runs: int = RUNS
    seed: int = SEED
    records: int = RECORDS
    words: int = WORDS
    top: int = TOP

    def __post_init__(self) -> None:
        for name, allowed in (("data", tuple(WEIGHTS)), ("readings", READINGS)):
            require_some(name, getattr(self, name))
            require_known(name, getattr(self, name), allowed)
        for name, least in (("ks", 1), ("ms", 2)):
            require_some(name, getattr(self, name))
            require_each(name, getattr(self, name), at_least(least), f"integers >= {least}")
        require_some("epsilons", self.epsilons)
        words = "numbers > 0 as text, for which the server's c_eps is defined"
        require_each("epsilons", self.epsilons, _positive, words)
        require_integers({"runs": 1, "seed": 0, "records": 1, "words": 1, "top": 1}, self)
        if self.top > self.words:
            raise DomainError("top", self.top, f"at most the {self.words} words")
        for name in self.data:
            if not all(self.counts(name)[: self.top]):
                raise DomainError("top", self.top, f"words that occur in the {name} data")

    def counts(self, data: str) -> tuple[int, ...]:
        """The numbers of records of all words."""
        return counts(data, self.words, self.records)

    def sketches(self) -> Iterator[Sketch]:
        """All sketches."""
        for reading in self.readings:
            for k in self.ks:
                for m in self.ms:
                    yield Sketch(k, m, reading)

    def points(self) -> Iterator[Point]:
        """All points."""
        for sketch in self.sketches():
            for data in self.data:
                for epsilon in self.epsilons:
                    yield Point(data, sketch, epsilon)

    def groups(self) -> tuple[tuple[int, int], ...]:
        """The groups of ranks that are evaluated."""
        return tuple([group for group in GROUPS if group[1] <= self.top])


def _positive(epsilon: object) -> bool:
    if not isinstance(epsilon, str):
        return False
    base, exponent = read_epsilon(epsilon)
    return exponent > 0 and (base is None or base > 1)
