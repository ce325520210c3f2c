"""Clustering of points (source 003, step 7 of Algorithm 1): exact k-means, and k-means++ with Lloyd's iterations.

A partition is the tuple of its blocks, each ascending, in the order of their first points. What the print leaves open:
a seeding draws from the points that are no centers yet, uniformly where `d2` gives all of them weight 0, and `farthest`
takes the first of several; a point moves to another cluster only if its center is strictly nearer, to the first of
several, and a seed starts in its own; a cluster that loses all points keeps its center, and is no block at the end.
"""

from collections.abc import Iterator
from typing import Any, Literal

from flint import arb, fmpq

from dp_refimpl.coins import Coins
from dp_refimpl.requirements import require_integer, require_word
from dp_refimpl.synthesis.distances import (
    MAX_BITS,
    Combination,
    Distances,
    combination,
    distance_to_mean,
    least,
    scatter,
    value,
)
from dp_spec.vocabulary.exceptions import DomainError, UndecidedError
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.scalar import Ordering, compare

Partition = tuple[tuple[int, ...], ...]
Seeding = Literal["d2", "farthest"]

BITS = 128
"""The precision of a probability that is irrational."""


def exact_k_means(points: Distances, k: int) -> Partition:
    """The partition into k blocks with the least sum of squared distances to the block means.

    Of several, the one with the smallest restricted-growth string. Raises `DomainError` unless 1 <= k <= number of
    points, `UndecidedError` where two sums are not known to be equal and agree to `MAX_BITS` bits.
    """
    require_integer("k", k, 1, points.size)
    candidates = list(partitions(points.size, k))
    if len(candidates) == 1:
        return candidates[0]
    return candidates[least(points, [within(points, partition) for partition in candidates])[0]]


def k_means_plus_plus(points: Distances, k: int, seeding: Seeding, coins: Coins) -> Partition:
    """k centers drawn one after the other, the first uniformly, then Lloyd's iterations.

    `d2`: the next center has probability proportional to the squared distance to the nearest one before it (balls where
    that is irrational); `farthest`: it is the point farthest from all before it. Raises as `exact_k_means`.
    """
    require_integer("k", k, 1, points.size)
    require_word("seeding", seeding, Seeding)
    return lloyd(points, _seeds(points, k, seeding, coins))


def lloyd(points: Distances, seeds: tuple[int, ...]) -> Partition:
    """Lloyd's iterations from different points as centers, until no point moves. Raises as `exact_k_means`."""
    if not seeds or len(set(seeds)) != len(seeds) or not set(seeds) <= set(range(points.size)):
        raise DomainError("seeds", seeds, f"different points of 0..{points.size - 1}, at least one")
    owners = [
        seeds.index(i) if i in seeds else least(points, [_between(points, i, seed) for seed in seeds])[0]
        for i in range(points.size)
    ]
    centers: list[tuple[int, ...]] = [()] * len(seeds)
    while True:
        blocks = [tuple(i for i, owner in enumerate(owners) if owner == c) for c in range(len(seeds))]
        if all(block in ((), center) for block, center in zip(blocks, centers, strict=True)):
            return tuple(sorted(block for block in blocks if block))
        centers = [block or center for block, center in zip(blocks, centers, strict=True)]
        owners = [_nearest(points, i, owner, centers) for i, owner in enumerate(owners)]


def within(points: Distances, partition: Partition) -> Combination:
    """The sum of squared distances to the block means: over the blocks, of all pairs' squared distances by size."""
    parts = [scatter(points, block) for block in partition]
    return sum(parts[1:], parts[0])


def partitions(size: int, k: int) -> Iterator[Partition]:
    """All partitions of 0..size-1 into k blocks, in lexicographic order of their restricted-growth strings.

    A restricted-growth string names the block of every point, blocks being numbered by their first points.
    """

    def strings(prefix: tuple[int, ...], blocks: int) -> Iterator[tuple[int, ...]]:
        if len(prefix) == size:
            yield prefix
            return
        for label in range(min(blocks + 1, k)):
            used = max(blocks, label + 1)
            if k - used <= size - len(prefix) - 1:
                yield from strings((*prefix, label), used)

    for string in strings((), 0):
        yield tuple(tuple(i for i, label in enumerate(string) if label == block) for block in range(k))


def _seeds(points: Distances, k: int, seeding: Seeding, coins: Coins) -> tuple[int, ...]:
    seeds: tuple[int, ...] = (coins.choose([fmpq(1, points.size)] * points.size),)
    while len(seeds) < k:
        left = [i for i in range(points.size) if i not in seeds]
        nearest = []
        for i in left:
            distances = [_between(points, i, seed) for seed in seeds]
            nearest.append(distances[least(points, distances)[0]])
        if len(left) == 1:
            seeds += (left[0],)
        elif seeding == "farthest":
            seeds += (left[least(points, [-distance for distance in nearest])[0]],)
        else:
            seeds += (left[coins.choose(_proportional(points, nearest))],)
    return seeds


def _proportional(points: Distances, weights: list[Combination]) -> list[Any]:
    """The weights over their sum: exactly where they are rational, in balls otherwise; equal ones where all are 0."""
    if all(not weight.terms for weight in weights):
        total = sum((weight.constant for weight in weights), fmpq(0))
        if not total:
            return [fmpq(1, len(weights))] * len(weights)
        return [weight.constant / total for weight in weights]
    balls = [arb(0) if weight == Combination.zero() else _positive(points, weight) for weight in weights]
    with precision(BITS):
        sum_of_balls = sum(balls, arb(0))
        return [ball / sum_of_balls for ball in balls]


def _positive(points: Distances, weight: Combination) -> arb:
    """A ball around a weight that is not known to be 0, and that shows that it is positive."""
    bits = BITS
    while bits <= MAX_BITS:
        ball = value(points, weight, bits)
        if ball is not None and compare(ball, 0) is Ordering.GREATER:
            return ball
        bits *= 2
    raise UndecidedError(f"a squared distance is 0 to {MAX_BITS} bits")


def _nearest(points: Distances, i: int, owner: int, centers: list[tuple[int, ...]]) -> int:
    """The cluster of the nearest center: the present one if none is nearer, else the first of the nearest."""
    nearest = least(points, [distance_to_mean(points, i, center) for center in centers])
    return owner if owner in nearest else nearest[0]


def _between(points: Distances, i: int, j: int) -> Combination:
    return combination(points, [(i, j, fmpq(1))])
