"""Scores of attributes and sets of parents on arrays: I, F and R of PrivBayes, and entropy (source 003, (6), (7)).

Joint counts have the axes (..., value of X, values of the parents together). I and H are floats, in nats; F and R are
the floats next to exact rationals.
"""

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np
from flint import fmpq

from dp_refimpl.fast.array_coins import Indices
from dp_refimpl.fast.synthesis.record_arrays import MOST_CELLS, ArrayTable, Floats, combination_indices
from dp_refimpl.fast.synthesis.subset_counts import SubsetCounts
from dp_refimpl.synthesis.information import Information
from dp_refimpl.synthesis.privbayes import SCORES, ScoreName
from dp_refimpl.synthesis.selection import Score
from dp_spec.vocabulary.exceptions import DomainError

ScoreOf = Callable[[Indices, Indices], Floats]
"""Scores of r attributes, each with m sets of k parents, an (m, k) array: an (r, m) array."""

MOST_PARENT_CELLS = 16
"""Score F tries all ways to assign the values of the parents to the two values of X."""
_BLOCK = 1 << 22


def entropies(counts: Indices) -> Floats:
    """H along the last axis, which holds the counts of n >= 1 records."""
    n = counts.sum(axis=-1)
    return np.maximum((_terms(n) - _terms(counts).sum(axis=-1)) / n, 0.0)  # type: ignore[no-any-return]


def information_scores(joint: Indices) -> Floats:
    """I(X; Pi) = H(X) + H(Pi) - H(X, Pi)."""
    rows, columns = joint.sum(axis=-1), joint.sum(axis=-2)
    n = rows.sum(axis=-1)
    apart = _terms(rows).sum(axis=-1) + _terms(columns).sum(axis=-1)
    return (_terms(n) + _terms(joint).sum(axis=(-2, -1)) - apart) / n  # type: ignore[no-any-return]


def f_scores(joint: Indices) -> Floats:
    """F(X, Pi), K_0 and K_1 capped at n/2. Raises `DomainError` unless X has two values, Pi at most 16."""
    size: int = joint.shape[-2]
    cells: int = joint.shape[-1]
    if size != 2 or cells > MOST_PARENT_CELLS:
        raise DomainError("joint", joint.shape, f"two values of X, at most {MOST_PARENT_CELLS} of its parents")
    n = joint.sum(axis=(-2, -1))[..., None]
    assigned = np.array([[mask >> i & 1 for mask in range(2**cells)] for i in range(cells)], np.int64)
    twice_k0, twice_k1 = 2 * joint[..., 0, :] @ (1 - assigned), 2 * joint[..., 1, :] @ assigned
    best = (np.minimum(twice_k0, n) + np.minimum(twice_k1, n)).max(axis=-1)
    return (best - 2 * n[..., 0]) / (2 * n[..., 0])  # type: ignore[no-any-return]


def r_scores(joint: Indices) -> Floats:
    """R(X, Pi), half the L1 distance between the joint frequencies and the product of the marginal ones."""
    rows, columns = joint.sum(axis=-1), joint.sum(axis=-2)
    n = rows.sum(axis=-1)
    apart = np.abs(n[..., None, None] * joint - rows[..., :, None] * columns[..., None, :])
    return apart.sum(axis=(-2, -1)) / (2 * n * n)  # type: ignore[no-any-return]


FORMULAS: dict[ScoreName, Callable[[Indices], Floats]] = {
    "I": information_scores,
    "I-general": information_scores,
    "F": f_scores,
    "R": r_scores,
}


def score_function(table: ArrayTable, name: ScoreName, most: int) -> ScoreOf:
    """The scores of a table with at most `most` parents; in a binary table all sets are counted at once.

    Raises `DomainError` for an unknown score, and for a table without records.
    """
    if name not in FORMULAS:
        raise DomainError("score", name, f"one of {', '.join(FORMULAS)}")
    formula = FORMULAS[name]
    if table.is_binary:
        counts = SubsetCounts(table, most + 1)
        return lambda xs, sets: _binary_scores(counts, formula, xs, sets)
    return lambda xs, sets: np.array(
        [[float(formula(joint)) for joint in _joints(table, xs, parents)] for parents in sets.tolist()], np.float64
    ).T.reshape(len(xs), len(sets))


def sensitivity(name: ScoreName, n: int) -> float:
    """The printed sensitivity of a score, in nats for I. Raises `DomainError` unless n >= 1."""
    return as_float(SCORES[name].sensitivity(n))


def as_float(score: Score) -> float:
    """A float next to an exact score, in nats for an information."""
    if isinstance(score, Information):
        return float(score.nats())
    return int(score.p) / int(score.q) if isinstance(score, fmpq) else float(score)


def _binary_scores(counts: SubsetCounts, formula: Callable[[Indices], Floats], xs: Indices, sets: Indices) -> Floats:
    m, k = sets.shape
    scores, step = np.empty((len(xs), m)), max(1, _BLOCK // (m * 2 ** (k + 1) or 1))
    for start in range(0, len(xs), step):
        part = xs[start : start + step]
        scores[start : start + step] = formula(counts.joints_with(part, sets).reshape(len(part), m, 2, 2**k))
    return scores


def _joints(table: ArrayTable, xs: Indices, parents: Sequence[int]) -> Any:
    """The joint counts of each attribute and the parents, whose values are combined once."""
    sizes = [table.sizes[p] for p in parents]
    places = combination_indices(table.records, parents, sizes)
    if max(table.sizes) * prod(sizes) > MOST_CELLS:
        raise DomainError("sizes", table.sizes, f"attributes and their parents with at most {MOST_CELLS} cells")
    for x in xs.tolist():
        cells = table.records[:, x] * np.int64(prod(sizes)) + places
        yield np.bincount(cells, minlength=table.sizes[x] * prod(sizes)).reshape(table.sizes[x], prod(sizes))


def _terms(counts: Indices) -> Floats:
    """c ln c, with 0 ln 0 = 0."""
    logarithms: Floats = np.log(np.maximum(counts, 1))
    return counts * logarithms
