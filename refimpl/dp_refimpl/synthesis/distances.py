"""Squared distances between points, and rational combinations of them that are compared exactly or not at all."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from flint import arb, fmpq

from dp_spec.vocabulary.exceptions import DomainError, UndecidedError
from dp_spec.vocabulary.scalar import Ordering, compare

MAX_BITS = 1 << 14
"""The precision at which a comparison is given up."""

Key = fmpq | tuple[int, int]
"""A known squared distance, or a pair of points that stands for all pairs that are known to have the same distance."""


class Distances(Protocol):
    """The squared distances between some points."""

    @property
    def size(self) -> int:
        """The number of points."""
        ...

    def key(self, i: int, j: int) -> Key:
        """What is known of the squared distance of two different points."""
        ...

    def enclosure(self, pair: tuple[int, int], bits: int) -> arb | None:
        """A ball around the squared distance, computed with so many bits; None if these are not enough for any."""
        ...


@dataclass(frozen=True)
class RationalPoints:
    """Points with rational coordinates. Raises `DomainError` unless there is one, and all have as many coordinates."""

    points: tuple[tuple[fmpq, ...], ...]

    def __post_init__(self) -> None:
        if not self.points or any(len(point) != len(self.points[0]) for point in self.points):
            raise DomainError("points", self.points, "at least one point, all with as many coordinates")

    @property
    def size(self) -> int:
        """The number of points."""
        return len(self.points)

    def key(self, i: int, j: int) -> fmpq:
        """The squared distance."""
        coordinates = zip(self.points[i], self.points[j], strict=True)
        return sum(((a - b) ** 2 for a, b in coordinates), fmpq(0))

    def enclosure(self, pair: tuple[int, int], bits: int) -> arb:
        """The squared distance as a ball."""
        return arb(self.key(*pair))


@dataclass(frozen=True)
class Combination:
    """A rational number plus a combination of squared distances, each of which has one term; no coefficient is 0."""

    constant: fmpq
    terms: frozenset[tuple[tuple[int, int], fmpq]]

    @classmethod
    def zero(cls) -> "Combination":
        """0."""
        return cls(fmpq(0), frozenset())

    def __add__(self, other: "Combination") -> "Combination":
        """The sum."""
        return _collected(self.constant + other.constant, [*self.terms, *other.terms])

    def __neg__(self) -> "Combination":
        """The negative."""
        return Combination(-self.constant, frozenset((pair, -factor) for pair, factor in self.terms))

    def __sub__(self, other: "Combination") -> "Combination":
        """The difference, in which equal terms cancel."""
        return self + (-other)


def combination(distances: Distances, weighted: Iterable[tuple[int, int, fmpq]]) -> Combination:
    """The sum of factor * |i - j|^2 over all (i, j, factor)."""
    constant, terms = fmpq(0), []
    for i, j, factor in weighted:
        key = fmpq(0) if i == j else distances.key(i, j)
        if isinstance(key, fmpq):
            constant += factor * key
        else:
            terms.append((key, factor))
    return _collected(constant, terms)


def scatter(distances: Distances, block: Sequence[int]) -> Combination:
    """The sum of squared distances of a block's points to their mean: that of all pairs, over their number."""
    share = fmpq(1, len(block))
    return combination(distances, [(i, j, share) for a, i in enumerate(block) for j in block[:a]])


def distance_to_mean(distances: Distances, point: int, block: Sequence[int]) -> Combination:
    """The squared distance of a point to a block's mean: the mean of |x - y|^2 minus the scatter over the size."""
    share = fmpq(1, len(block))
    inside = [(i, j, -share * share) for a, i in enumerate(block) for j in block[:a]]
    return combination(distances, [*((point, j, share) for j in block), *inside])


def value(distances: Distances, number: Combination, bits: int) -> arb | None:
    """A ball around a combination, or None if so many bits are not enough."""
    total = arb(number.constant)
    for pair, factor in number.terms:
        ball = distances.enclosure(pair, bits)
        if ball is None:
            return None
        total += ball * factor
    return total


def least(distances: Distances, numbers: Sequence[Combination]) -> tuple[int, ...]:
    """The indices of the smallest combination, ascending: several if it occurs several times.

    Raises `UndecidedError` where two of the smallest are not known to be equal, and agree to `MAX_BITS` bits.
    """
    left, bits = tuple(range(len(numbers))), 64
    while any(numbers[i] != numbers[left[0]] for i in left[1:]):
        if bits > MAX_BITS:
            raise UndecidedError(f"two sums of squared distances agree to {MAX_BITS} bits")
        balls = {number: value(distances, number, bits) for number in {numbers[i] for i in left}}
        enclosures = [ball for ball in balls.values() if ball is not None]
        if len(enclosures) == len(balls):
            smallest = enclosures[0]
            for ball in enclosures[1:]:
                smallest = smallest.min(ball)
            left = tuple(i for i in left if not _above(balls[numbers[i]], smallest))
        bits *= 2
    return left


def _above(ball: arb | None, other: arb) -> bool:
    return compare(ball, other) is Ordering.GREATER


def _collected(constant: fmpq, terms: Iterable[tuple[tuple[int, int], fmpq]]) -> Combination:
    factors: dict[tuple[int, int], fmpq] = {}
    for pair, factor in terms:
        factors[pair] = factors.get(pair, fmpq(0)) + factor
    return Combination(constant, frozenset((pair, factor) for pair, factor in factors.items() if factor))
