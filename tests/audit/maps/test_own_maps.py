"""Sensitivities that our own programs declare: of releases of counts, and of the scores of synthesizers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from flint import fmpq

from audit.maps.map_cases import tables
from dp_audit import Verdict, audit_map
from dp_refimpl.matrix.base import Mechanism
from dp_refimpl.matrix.consistency import Boost
from dp_refimpl.matrix.haar import Haar, Normalization
from dp_refimpl.matrix.identity import Identity
from dp_refimpl.matrix.mechanism import sensitivity, strategy
from dp_refimpl.matrix.parameters import Neighbors, Root
from dp_refimpl.matrix.privelet import Privelet
from dp_refimpl.matrix.tree import Tree
from dp_refimpl.synthesis.scores import (
    f_score,
    f_sensitivity,
    jaccard,
    jaccard_sensitivity,
    r_score,
    r_sensitivity,
)
from dp_refimpl.synthesis.tables import CountTable

ANSWERS: tuple[Mechanism, ...] = (
    *(Identity(size) for size in (1, 2, 3)),
    *(Tree(size, branching) for size, branching in ((2, 2), (4, 2), (3, 3), (9, 3))),
    *(Tree(4, 2, Root.OMITTED), Boost(4, 2), Boost(4, 2, Root.OMITTED)),
    *(Haar(size, kind) for size in (1, 2, 4) for kind in (Normalization.DIFFERENCES, Normalization.AVERAGED)),
    *(Privelet(size) for size in (2, 4)),
)
"""Those whose answers have noise of one rational scale."""


@dataclass(frozen=True)
class Map:
    """A target: what a program of ours makes, and the number that it declares."""

    function: Callable[[Any], Any]
    per_unit: fmpq
    members: tuple[Any, ...]
    d_in: str
    d_out: str

    def declared(self, distance: Any) -> Any:
        return exact(self.per_unit) * distance


def exact(number: fmpq) -> Fraction:
    return Fraction(int(number.p), int(number.q))


def answers(mechanism: Mechanism) -> Callable[[Sequence[int]], list[Fraction]]:
    """The released counts, before noise is added."""
    matrix = strategy(mechanism)
    shape = range(matrix.nrows()), range(matrix.ncols())
    return lambda data: [exact(sum((matrix[i, j] * data[j] for j in shape[1]), fmpq(0))) for i in shape[0]]


def counts(mechanism: Mechanism, neighbors: Neighbors) -> tuple[Any, ...]:
    """Vectors of counts; those of two records where one replaces another."""
    largest = (0, 1) if mechanism.size > 4 else (0, 1, 2)
    vectors = tuple(product(largest, repeat=mechanism.size))
    return tuple(v for v in vectors if neighbors is Neighbors.ADD_REMOVE or sum(v) == 2)[:120]


def map_of(mechanism: Mechanism, neighbors: Neighbors, number: fmpq) -> Map:
    """A replaced record is a distance of 2 of counts."""
    unit = number if neighbors is Neighbors.ADD_REMOVE else number / 2
    return Map(answers(mechanism), unit, counts(mechanism, neighbors), "L1", "L1")


@pytest.mark.parametrize("neighbors", Neighbors)
@pytest.mark.parametrize("mechanism", ANSWERS, ids=str)
def test_the_scale_of_noise_is_the_sensitivity(mechanism: Mechanism, neighbors: Neighbors) -> None:
    scale = mechanism.scale(neighbors)
    assert isinstance(scale, fmpq)
    assert scale == sensitivity(strategy(mechanism), neighbors)
    if len(counts(mechanism, neighbors)) < 2:
        return
    right = audit_map(map_of(mechanism, neighbors, scale)).row("declared map")
    assert (right.verdict, "attained" in right.detail) == (Verdict.CONSISTENT, True), right
    wrong = audit_map(map_of(mechanism, neighbors, scale - fmpq(1, 100))).row("declared map")
    assert wrong.verdict is Verdict.FAULT


BINARY = tuple(product((0, 1), repeat=2))


def score(of: Callable[[CountTable], fmpq]) -> Callable[[Any], Fraction]:
    return lambda rows: exact(of(CountTable.of_records((2, 2), rows)))


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize(
    ("of", "declared"),
    [
        (lambda table: f_score(table, 0, (1,)), f_sensitivity),
        (lambda table: r_score(table, 0, (1,)), r_sensitivity),
        (lambda table: jaccard(table, 0, 1), lambda n: jaccard_sensitivity()),
    ],
    ids=["F", "R", "Jaccard"],
)
def test_the_sensitivity_of_a_score(of: Callable[[CountTable], fmpq], declared: Callable[[int], fmpq], n: int) -> None:
    target = Map(score(of), declared(n), tables(BINARY, n, n), "change-one", "absolute")
    assert audit_map(target).row("declared map").verdict is Verdict.CONSISTENT
