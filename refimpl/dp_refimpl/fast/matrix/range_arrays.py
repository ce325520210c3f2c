"""Coefficients of many ranges at once, exact: integers in units of 4^-h, for comparisons on all ranges."""

import numpy as np
from flint import fmpq_mat

from dp_refimpl.fast.array_coins import Indices
from dp_refimpl.requirements import require_integer
from dp_spec.vocabulary.exceptions import DomainError

MOST = 20
"""Largest h for which all integers here fit into 63 bits."""


def range_ends(size: int) -> tuple[Indices, Indices]:
    """(first, last) of all N (N + 1) / 2 ranges, by first and then by last."""
    first, last = np.triu_indices(require_integer("size", size, 1))
    return first.astype(np.int64) + 1, last.astype(np.int64) + 1


def privelet_coefficients(h: int, first: Indices, last: Indices) -> Indices:
    """4^h I^T Sigma I for Privelet: over heights t, 4^(h - t) (left minus right leaves)^2 of at most two nodes.

    Raises `DomainError` unless 0 <= h <= 20 and 1 <= first <= last <= 2^h.
    """
    _require_ranges(h, first, last)
    coefficients: Indices = (last - first + 1) ** 2
    for t in range(1, h + 1):
        low, high = (first - 1) >> t, (last - 1) >> t
        squares = _surplus(low, t, first, last) ** 2 + np.where(high > low, _surplus(high, t, first, last) ** 2, 0)
        coefficients += 4 ** (h - t) * squares
    return coefficients


def scaled(matrix: fmpq_mat, factor: int) -> Indices:
    """A matrix times a number, as integers below 2^63. Raises `DomainError` where they are none."""
    numbers = [entry * factor for entry in matrix.entries()]
    if any(number.q != 1 for number in numbers):
        raise DomainError("factor", factor, "a multiple of all denominators")
    return np.array([int(number.p) for number in numbers], np.int64).reshape(matrix.nrows(), matrix.ncols())


def _surplus(node: Indices, t: int, first: Indices, last: Indices) -> Indices:
    """Leaves of the range in the left half minus those in the right half of a node of height t."""
    return _leaves(2 * node, t - 1, first, last) - _leaves(2 * node + 1, t - 1, first, last)


def _leaves(node: Indices, t: int, first: Indices, last: Indices) -> Indices:
    """Leaves of the range below a node of height t."""
    leaves: Indices = np.minimum(last, (node + 1) << t) - np.maximum(first - 1, node << t)
    return np.maximum(leaves, 0)


def _require_ranges(h: int, first: Indices, last: Indices) -> None:
    if require_integer("h", h, 0) > MOST:
        raise DomainError("h", h, f"an integer in 0..{MOST}")
    if not all(isinstance(ends, np.ndarray) and ends.dtype == np.int64 for ends in (first, last)):
        raise DomainError("first, last", (first, last), "arrays of int64")
    if first.shape != last.shape or not bool(((first >= 1) & (first <= last) & (last <= 1 << h)).all()):
        raise DomainError("first, last", (first, last), f"ranges in 1..{2**h}")
