"""What Tables 1 and 2 of source 001 vary (section 5): random ranges of one size, all ranges of several sizes.

The source does not say how its ranges are drawn: here uniformly from all ranges, each on its own.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

from dp_refimpl.fast.array_coins import ArrayCoins
from dp_refimpl.fast.matrix.range_arrays import range_ends
from dp_refimpl.matrix.parameters import tree_height
from dp_spec.vocabulary.exceptions import DomainError
from dp_studies.reproduce.streams import generator, number_of
from dp_studies.reproduce.study import rational, require_each, require_integers, require_known, require_some

Kind = Literal["laplace", "discrete"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""Laplace noise, or discrete Laplace noise (two-sided geometric) with alpha = e^(-epsilon / Delta)."""

SEED = 20180713
"""The default random state."""
RUNS = 100
EPSILONS = ("1",)
SIZE, RANGES = 1024, 50
SIZES = tuple(2**h for h in range(11))
LARGEST = 4096
"""Of this size all ranges can be listed."""


@dataclass(frozen=True)
class Range:
    """A range of Table 1: its number there, its ends (from 1)."""

    number: int
    first: int
    last: int


@dataclass(frozen=True)
class Point:
    """A kind of noise, a budget (text), a size N = 2^h, and a range; all ranges of the size without one."""

    kind: Kind
    epsilon: str
    size: int
    range: Range | None = None

    @property
    def height(self) -> int:
        """h."""
        return tree_height(self.size)

    @property
    def key(self) -> str:
        """The point in one word."""
        asked = "all" if self.range is None else f"{self.range.number}:{self.range.first}-{self.range.last}"
        return f"{self.kind}:epsilon={self.epsilon}:N={self.size}:{asked}"


@dataclass(frozen=True)
class Plan:
    """What to reproduce. Raises `DomainError` for bad numbers, unknown names, repetitions, and epsilon = 0.

    `ranges` random ranges of `size` values, and all ranges of each of `sizes`: powers of two up to 4096.
    """

    kinds: tuple[Kind, ...] = ("laplace",)
    epsilons: tuple[str, ...] = EPSILONS
    size: int = SIZE
    ranges: int = RANGES
    sizes: tuple[int, ...] = SIZES
    runs: int = RUNS
    seed: int = SEED

    def __post_init__(self) -> None:
        for name in ("kinds", "epsilons", "sizes"):
            require_some(name, getattr(self, name))
        require_known("kinds", self.kinds, KINDS)
        require_each("epsilons", self.epsilons, rational, "rational numbers > 0 as text")
        require_integers({"ranges": 1, "runs": 1, "seed": 0}, self)
        for name, size in (("size", self.size), *(("sizes", size) for size in self.sizes)):
            tree_height(size)
            if size > LARGEST:
                raise DomainError(name, size, f"at most {LARGEST}")

    @cached_property
    def queries(self) -> tuple[Range, ...]:
        """The random ranges: they depend on the seed and the size alone, and fewer ones are the first of more."""
        coins = ArrayCoins(generator(self.seed, number_of(f"ranges:N={self.size}")))
        drawn = coins.below(self.size * (self.size + 1) // 2, self.ranges)
        first, last = (ends[drawn] for ends in range_ends(self.size))
        return tuple([Range(k, int(a), int(b)) for k, (a, b) in enumerate(zip(first, last, strict=True), 1)])

    def first_table(self) -> Iterator[Point]:
        """The points of Table 1."""
        for kind, epsilon in self.noises():
            for asked in self.queries:
                yield Point(kind, epsilon, self.size, asked)

    def second_table(self) -> Iterator[Point]:
        """The points of Table 2."""
        for kind, epsilon in self.noises():
            for size in self.sizes:
                yield Point(kind, epsilon, size)

    def points(self) -> Iterator[Point]:
        """All of them."""
        yield from self.first_table()
        yield from self.second_table()

    def noises(self) -> Iterator[tuple[Kind, str]]:
        """Kinds of noise with budgets."""
        for kind in self.kinds:
            for epsilon in self.epsilons:
                yield kind, epsilon
