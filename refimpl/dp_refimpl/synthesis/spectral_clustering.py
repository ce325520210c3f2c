"""Spectral clustering of points (source 003, Algorithm 1): the matrix S of their distances, and clusters from S."""

from functools import lru_cache
from math import isqrt
from typing import Literal

from flint import fmpq

from dp_refimpl.coins import Coins
from dp_refimpl.requirements import require_word
from dp_refimpl.synthesis.clustering import Partition, exact_k_means, k_means_plus_plus
from dp_refimpl.synthesis.distances import RationalPoints
from dp_refimpl.synthesis.spectral_embedding import Matrix, Reduction, SpectralEmbedding
from dp_spec.vocabulary.exceptions import NotExactError

Method = Literal["exact", "d2", "farthest"]
"""Exact k-means, or k-means++ with a seeding."""


def spectral_clustering(
    points: RationalPoints, reduction: Reduction, k: int, coins: Coins, method: Method = "exact"
) -> Partition:
    """Algorithm 1: k clusters of points. Raises as `distance_matrix` and `spectral_clusters`."""
    return spectral_clusters(distance_matrix(points), reduction, k, method, coins)


def distance_matrix(points: RationalPoints) -> Matrix:
    """S (step 1), the Euclidean distances. Raises `NotExactError` where one is irrational, as in a unit square."""
    return tuple(tuple(_distance(points, i, j) for j in range(points.size)) for i in range(points.size))


def spectral_clusters(matrix: Matrix, reduction: Reduction, k: int, method: Method, coins: Coins) -> Partition:
    """Steps 2 to 8 for a matrix S; exact k-means takes no coins.

    Raises `DomainError` for a matrix that is not symmetric with zero diagonal, for an unknown method, and unless
    1 <= k_1, k <= number of rows; `UndecidedError` as k-means does.
    """
    require_word("method", method, Method)
    if method == "exact":
        return _exact_partition(matrix, reduction, k)
    return k_means_plus_plus(_embedding(matrix, reduction), k, method, coins)


def _distance(points: RationalPoints, i: int, j: int) -> fmpq:
    square = points.key(i, j)
    top, bottom = isqrt(int(square.p)), isqrt(int(square.q))
    if top**2 != square.p or bottom**2 != square.q:
        raise NotExactError("points", (points.points[i], points.points[j]), "points of a rational distance")
    return fmpq(top, bottom)


@lru_cache(maxsize=1 << 12)
def _embedding(matrix: Matrix, reduction: Reduction) -> SpectralEmbedding:
    return SpectralEmbedding(matrix, reduction)


@lru_cache(maxsize=1 << 14, typed=True)  # True is no number of clusters
def _exact_partition(matrix: Matrix, reduction: Reduction, k: int) -> Partition:
    return exact_k_means(_embedding(matrix, reduction), k)
