"""The largest distance of outputs by types of neighbors, against all pairs of members, with equal results: lists of at
most six records of three values, where the order of the records is not looked at."""

from itertools import combinations
from typing import Any

from flint import fmpq

from audit.maps.map_cases import Map, histogram, tables
from benchmarks.table import line, seconds
from dp_audit.judge.suprema import neighbors
from dp_audit.observation.declared_map import DeclaredMap
from dp_audit.oracles.metrics import METRICS
from dp_audit.run.declared_maps import MapHere

TYPES = line("largest change of a histogram, 364 lists of 5 of 3 values", "all pairs of lists", required=20)
SYMMETRIC, L1 = METRICS["symmetric"], METRICS["L1"]


def by_types(observation: DeclaredMap) -> dict[fmpq, Any]:
    """By distance of inputs the largest distance of outputs at most that far."""
    return {one.distance: one.largest.scaled for one in neighbors(observation, SYMMETRIC, L1).suprema(L1)}


def by_pairs(observation: DeclaredMap) -> dict[fmpq, Any]:
    """The same, without types."""
    at: dict[fmpq, Any] = {}
    for x, y in combinations(observation.members.values(), 2):
        distance, output = SYMMETRIC.scaled(x.value, y.value), L1.scaled(x.output, y.output)
        assert isinstance(distance, fmpq)
        at[distance] = max(at.get(distance, fmpq(0)), output)
    return {distance: max(at[d] for d in at if d <= distance) for distance in sorted(at)}


def test_types_of_neighbors() -> None:
    case = Map("histogram", histogram(3), 1, tables((0, 1, 2), 5), "symmetric", "L1")
    observation = MapHere(case).evaluate(2000, None, ())
    results: list[Any] = []
    theirs = seconds(lambda: results.append(by_pairs(observation)), rounds=1)
    assert results == [by_types(observation)]
    TYPES.record(seconds(lambda: by_types(observation)), theirs)
