"""epsilon-DP of mechanisms with discrete noise, decided by their exact output laws between neighboring histograms.

An answer y without noise a has the chance P(Z = y - a), Z discrete Laplace. Beyond the answers of both histograms the
ratio of two such chances is constant, so that all outputs are covered by those from one below the smaller answer to one
above the larger one, in every coordinate.
"""

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import product

import pytest
from flint import fmpq

from dp_refimpl.matrix.base import Mechanism
from dp_refimpl.matrix.consistency import Boost
from dp_refimpl.matrix.geometric import DiscreteLaplace
from dp_refimpl.matrix.identity import Identity
from dp_refimpl.matrix.parameters import Neighbors, Root
from dp_refimpl.matrix.privelet import Privelet
from dp_refimpl.matrix.tree import Tree
from dp_spec.vocabulary.scalar import at_most

HALF = fmpq(1, 2)
"""e^(-epsilon / Delta): then e^epsilon = 2^Delta."""
MECHANISMS: tuple[Mechanism, ...] = (
    Identity(3),
    Privelet(1),
    Privelet(2),
    Privelet(4),
    Tree(2),
    Tree(4, root=Root.OMITTED),
    Tree(3, branching=3),
    Boost(2),
)


def neighbors(size: int, relation: Neighbors) -> Iterator[tuple[list[int], list[int]]]:
    """Histograms of at most one record per cell, with a neighbor."""
    for data in product((0, 1), repeat=size):
        for i in range(size):
            more = [x + (j == i) for j, x in enumerate(data)]
            if relation is Neighbors.ADD_REMOVE:
                yield [*data], more
                yield more, [*data]
            elif data[i]:
                less = [x - (j == i) for j, x in enumerate(data)]
                yield from (([*data], [x + (j == k) for j, x in enumerate(less)]) for k in range(size) if k != i)


def chance(noise: DiscreteLaplace[fmpq], output: Sequence[int], answers: Sequence[int]) -> fmpq:
    """The exact probability of an output."""
    return reduce(lambda p, pair: p * noise.prob(pair[0] - pair[1]), zip(output, answers, strict=True), fmpq(1))


def worst_ratio(mechanism: Mechanism, relation: Neighbors, alpha: fmpq) -> fmpq:
    """The largest ratio of the chances of an output under neighboring histograms."""
    noise, worst = DiscreteLaplace(alpha), fmpq(0)
    for data, other in neighbors(mechanism.size, relation):
        first, second = mechanism.compress(data), mechanism.compress(other)
        around = [
            range(min(a, b) - 1, max(a, b) + 2) if a != b else range(a, a + 1)
            for a, b in zip(first, second, strict=True)
        ]
        for output in product(*around):
            ratio = chance(noise, output, first) / chance(noise, output, second)
            worst = ratio if at_most(worst, ratio) else worst
    return worst


@pytest.mark.parametrize("relation", Neighbors)
@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda m: f"{type(m).__name__}-{m.size}")
def test_the_loss_by_definition_is_epsilon(mechanism: Mechanism, relation: Neighbors) -> None:
    """At the mechanism's own scale Delta: e^epsilon = 2^Delta is attained, and not exceeded. (One count exchanges
    nothing: no noise is needed.)"""
    scale = mechanism.scale(relation)
    assert isinstance(scale, fmpq)
    if mechanism.size == 1 and relation is Neighbors.REPLACE:
        assert scale == 0
        assert not list(neighbors(1, relation))
        return
    assert worst_ratio(mechanism, relation, HALF) == 2 ** int(scale.p)
    assert scale.q == 1


def test_noise_for_added_records_is_too_small_for_replaced_ones() -> None:
    """Privelet, N = 4: 2 h = 4 units are spent, not h + 1 = 3."""
    target = Privelet(4)
    assert worst_ratio(target, Neighbors.REPLACE, HALF) == 2**4
    assert target.scale(Neighbors.ADD_REMOVE) == 3
