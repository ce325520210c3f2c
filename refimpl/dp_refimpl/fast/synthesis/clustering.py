"""DPSC on arrays: MIC of all pairs of attributes, noise, and spectral clustering in floats (source 003, Algorithm 3).

`synthesis.dpsc` is the exact program; here rounding decides between equal distances and equal eigenvalues.
"""

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import log
from typing import Any

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from dp_refimpl.fast.synthesis.record_arrays import ArrayTable, Floats
from dp_refimpl.fast.synthesis.score_arrays import information_scores
from dp_refimpl.fast.synthesis.subset_counts import SubsetCounts
from dp_refimpl.matrix.noise import require_generator
from dp_refimpl.requirements import require_integer, require_word
from dp_refimpl.synthesis.clustering import Partition, Seeding
from dp_refimpl.synthesis.dpsc import Draws, noise_scale
from dp_refimpl.synthesis.information import require_records
from dp_refimpl.synthesis.log_quotients import enclosed
from dp_refimpl.synthesis.maximal_information import GridSizes, UndefinedError, placements
from dp_refimpl.synthesis.spectral_embedding import Reduction
from dp_spec.vocabulary.exceptions import DomainError

MOST_VALUES = 10
"""All grids are tried: up to 2^18 for two attributes."""
MOST_SIGMA = 10**100
"""Squares of sigma and of 1 / sigma are floats."""


@dataclass(frozen=True)
class ArrayDPSC:
    """`dpsc.DPSC` on arrays, with Laplace noise; epsilon_1 None: without.

    Raises `DomainError` for an unknown seeding of k-means++ or number of draws, and unless epsilon_1 > 0 is rational
    and k >= 1.
    """

    sizes: GridSizes
    epsilon: fmpq | None
    reduction: Reduction
    k: int
    seeding: Seeding = "d2"
    draws: Draws = "once"

    def __post_init__(self) -> None:
        require_integer("k", self.k, 1)
        require_word("draws", self.draws, Draws)
        require_word("seeding", self.seeding, Seeding)
        if self.epsilon is not None:
            noise_scale(2, 2, self.epsilon)

    def noisy_matrix(self, table: ArrayTable, generator: np.random.Generator) -> Floats:
        """S (step 1): MIC plus noise of scale b_S, zeros on the diagonal. Raises as `coefficients`, `noise_scale`."""
        matrix, d = coefficients(table, self.sizes), len(table.sizes)
        if self.epsilon is None or d == 1:
            return matrix
        scale = float(enclosed(noise_scale(table.n, d, self.epsilon), 64))
        matrix += entry_noise(d, scale, self.draws, require_generator(generator))
        return matrix

    def partition(self, matrix: Floats, generator: np.random.Generator) -> Partition:
        """The clusters of the attributes (steps 2 and 3), from S alone. Raises as its steps: S of `twice` has none."""
        return k_means_plus_plus(spectral_rows(matrix, self.reduction), self.k, self.seeding, generator)

    def publish(self, table: ArrayTable, generator: np.random.Generator) -> Partition:
        """The clusters of the attributes of a table. Raises as `noisy_matrix` and `partition`."""
        return self.partition(self.noisy_matrix(table, generator), generator)


def coefficients(table: ArrayTable, sizes: GridSizes) -> Floats:
    """MIC of all pairs of attributes, zeros on the diagonal.

    Raises `UndefinedError` as `maximal_information`, `DomainError` for attributes of more than ten values, and for a
    table without attributes or records.
    """
    d, n = len(table.sizes), require_records(table.n)
    if not d or max(table.sizes) > MOST_VALUES:
        raise DomainError("sizes", table.sizes, f"attributes with at most {MOST_VALUES} values, at least one")
    matrix = np.zeros((d, d))
    for shape, pairs in _by_shape(table).items():
        joints = _pair_joints(table, pairs)
        first, second = pairs.T
        matrix[first, second] = matrix[second, first] = _maximal(joints, shape, sizes, n)
    return matrix


def entry_noise(d: int, scale: float, draws: Draws, generator: np.random.Generator) -> Floats:
    """Laplace noise for every pair of attributes, or for (i, j) and (j, i) apart; zeros on the diagonal."""
    noise: Floats = generator.laplace(0.0, scale, (d, d))
    upper = np.triu(noise, 1)
    below: Floats = upper.T if draws == "once" else np.tril(noise, -1)
    return upper + below


def spectral_rows(matrix: Floats, reduction: Reduction) -> Floats:
    """The rows of U (steps 2 to 6 of Algorithm 1), of length 1; one that rounding makes zero is left zero.

    Weights are divided by the largest of their rows, so that none overflows. Raises `DomainError` unless S is a finite
    symmetric matrix with at least `kept` rows, two of them for `njw`, and for a sigma whose square is no float.
    """
    d = len(matrix) if isinstance(matrix, np.ndarray) else 0
    if not d or matrix.shape != (d, d) or not np.isfinite(matrix).all() or (matrix != matrix.T).any():
        raise DomainError("matrix", matrix, "a finite symmetric matrix")
    if reduction.kept > d or (reduction.weights == "njw" and d == 1):
        raise DomainError("kept", reduction.kept, f"an integer in 1..{d}; njw: at least two rows")
    logarithms = _logarithms(matrix, reduction)
    highest = logarithms.max(axis=1)
    with np.errstate(under="ignore"):
        degrees = np.exp(logarithms - highest[:, None]).sum(axis=1)
        normalized = np.exp(logarithms - (highest[:, None] + highest) / 2) / np.sqrt(np.outer(degrees, degrees))
    kept = np.linalg.eigh(np.eye(d) - normalized)[1][:, : reduction.kept]
    lengths: Floats = np.linalg.norm(kept, axis=1, keepdims=True)
    rows: Floats = np.divide(kept, lengths, out=np.zeros_like(kept), where=lengths > 0)
    return rows


def k_means_plus_plus(points: Floats, k: int, seeding: Seeding, generator: np.random.Generator) -> Partition:
    """k different points as first centers, then Lloyd's iterations, as `clustering.k_means_plus_plus`.

    Raises `DomainError` unless 1 <= k <= number of points.
    """
    require_integer("k", k, 1, len(points))
    seeds = [int(require_generator(generator).integers(len(points)))]
    while len(seeds) < k:
        nearest = _squares(points, points[seeds]).min(axis=1)
        left = np.setdiff1d(np.arange(len(points)), seeds)
        if seeding == "farthest":
            seeds.append(int(left[nearest[left].argmax()]))
        else:
            edges = np.cumsum(nearest[left] if nearest[left].any() else np.ones(len(left)))
            seeds.append(int(left[np.searchsorted(edges, generator.random() * edges[-1], side="right")]))
    return lloyd(points, tuple(seeds))


def lloyd(points: Floats, seeds: tuple[int, ...]) -> Partition:
    """Lloyd's iterations from different points as centers, until no point moves, or rounding repeats a partition."""
    owners = _squares(points, points[list(seeds)]).argmin(axis=1)
    owners[list(seeds)] = np.arange(len(seeds))
    centers, history = points[list(seeds)].copy(), set()
    while owners.tobytes() not in history:
        history.add(owners.tobytes())
        for c in np.unique(owners):
            centers[c] = points[owners == c].mean(axis=0)
        squares = _squares(points, centers)
        nearer = np.less(squares.min(axis=1), squares[np.arange(len(points)), owners])
        owners = np.where(nearer, squares.argmin(axis=1), owners)
    blocks = (tuple(np.flatnonzero(owners == c).tolist()) for c in range(len(seeds)))
    return tuple(sorted(block for block in blocks if block))


def _squares(points: Floats, centers: Floats) -> Floats:
    """Squared distances of all points to all centers."""
    squares: Floats = ((points[:, None] - centers) ** 2).sum(axis=2)
    return squares


def _logarithms(matrix: Floats, reduction: Reduction) -> Floats:
    """The logarithms of the weights, -inf on the diagonal for `njw`."""
    sigma = Fraction(int(reduction.sigma.p), int(reduction.sigma.q))
    if not Fraction(1, MOST_SIGMA) <= sigma <= MOST_SIGMA:
        raise DomainError("sigma", sigma, "a number from 10^-100 to 10^100")
    scale = 2 * float(sigma) ** 2
    if reduction.weights == "printed":
        return np.negative(matrix) / scale
    logarithms: Floats = np.negative(matrix**2) / scale
    np.fill_diagonal(logarithms, -np.inf)
    return logarithms


def _by_shape(table: ArrayTable) -> dict[tuple[int, int], NDArray[np.int64]]:
    """The pairs of attributes by their numbers of values."""
    groups: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for i, j in combinations(range(len(table.sizes)), 2):
        groups[table.sizes[i], table.sizes[j]].append((i, j))
    return {shape: np.array(pairs, np.int64) for shape, pairs in groups.items()}


def _pair_joints(table: ArrayTable, pairs: NDArray[np.int64]) -> NDArray[np.int64]:
    if table.is_binary:
        return SubsetCounts(table, 2).joints(pairs)
    return np.array([table.joint(pair) for pair in pairs.tolist()], np.int64)


def _maximal(joints: NDArray[np.int64], shape: tuple[int, int], sizes: GridSizes, points: int) -> Floats:
    """MIC of pairs of attributes of one shape, given their joint counts: an axis of pairs, then the two of values."""
    listed: Any = [list(row) for row in np.moveaxis(joints, 0, 2)]
    scores = np.full(len(joints), -np.inf)
    for a in range(1, shape[0] + 1):
        for b in range(1, shape[1] + 1):
            if sizes.allows(a, b, points):
                if min(a, b) == 1:
                    raise UndefinedError("grid", (a, b), f"two columns and rows or more, but {sizes.reading} has 0 / 0")
                for cells in placements(listed, a, b):
                    grid = np.moveaxis(np.array(cells), 2, 0)
                    scores = np.maximum(scores, information_scores(grid) / log(min(a, b)))
    if (scores == -np.inf).any():
        raise UndefinedError("points", points, f"enough points and values for one grid ({sizes.reading})")
    largest: Floats = np.maximum(scores, 0.0)
    return largest
