"""Algorithm 1 on points: their distances, and clusters that are as far apart as the points."""

from typing import Any

from flint import fmpq

from cases.refusals import refusal_test, refuses
from dp_refimpl.coins import ScriptedCoins
from dp_refimpl.enumeration import output_law
from dp_refimpl.synthesis.distances import RationalPoints
from dp_refimpl.synthesis.spectral_clustering import distance_matrix, spectral_clustering
from dp_refimpl.synthesis.spectral_embedding import Reduction
from dp_spec.vocabulary.exceptions import NotExactError


def points(*rows: tuple[int | fmpq, ...]) -> RationalPoints:
    return RationalPoints(tuple(tuple(map(fmpq, row)) for row in rows))


FAR = points((0,), (20,), (1,), (22,))
NEAR, NONE = Reduction(fmpq(1), 2), ScriptedCoins([])


def test_distances() -> None:
    matrix: Any = distance_matrix(points((0, 0), (3, 4), (fmpq(3, 2), 2)))
    assert matrix == ((0, 5, fmpq(5, 2)), (5, 0, fmpq(5, 2)), (fmpq(5, 2), fmpq(5, 2), 0))


def test_near_points_are_together() -> None:
    """Whatever centers are drawn first; with one cluster, and with as many as points."""
    assert spectral_clustering(FAR, NEAR, 2, NONE) == ((0, 2), (1, 3))
    law = output_law(lambda coins: spectral_clustering(FAR, NEAR, 2, coins, "farthest"), fmpq(1))
    assert law == {((0, 2), (1, 3)): 1}
    assert [len(spectral_clustering(FAR, NEAR, k, NONE)) for k in (1, 4)] == [1, 4]


def clustered(**arguments: Any) -> object:
    return spectral_clustering(**{"points": FAR, "reduction": NEAR, "k": 2, "coins": NONE, **arguments})


test_refusals = refusal_test(
    refuses("points", lambda rows: distance_matrix(points(*rows)), ((0, 0), (1, 1)), kind=NotExactError),
    refuses("method", lambda method: clustered(method=method), "kmeans", None),
    refuses("k", lambda k: clustered(k=k), 0, 5, True),
    refuses("kept", lambda kept: clustered(reduction=Reduction(fmpq(1), kept)), 5),
)
