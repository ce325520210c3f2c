"""Errors of all ranges at once, as integers in arrays, and sums of submatrices."""

from typing import Any

import numpy as np
from flint import fmpq_mat
from numpy.typing import NDArray

from dp_refimpl.fast.matrix.range_arrays import range_ends

Integers = NDArray[np.int64]


def privelet_coefficients(h: int) -> Integers:
    """4^h I^T Sigma I for Privelet: over heights t, 4^(h - t) (left minus right leaves)^2 of at most two nodes."""
    first, last = range_ends(2**h)
    coefficients: Integers = (last - first + 1) ** 2
    for t in range(1, h + 1):
        low, high = (first - 1) >> t, (last - 1) >> t
        squares = surplus(low, t, first, last) ** 2 + np.where(high > low, surplus(high, t, first, last) ** 2, 0)
        coefficients += 4 ** (h - t) * squares
    return coefficients


def surplus(node: Integers, t: int, first: Integers, last: Integers) -> Integers:
    """Leaves of the range in the left half minus those in the right half of a node of height t."""
    return leaves(2 * node, t - 1, first, last) - leaves(2 * node + 1, t - 1, first, last)


def leaves(node: Integers, t: int, first: Integers, last: Integers) -> Integers:
    """Leaves of the range below a node of height t."""
    count: Integers = np.minimum(last, (node + 1) << t) - np.maximum(first - 1, node << t)
    return np.maximum(count, 0)


def scaled(matrix: fmpq_mat, factor: int) -> Any:
    """A matrix of multiples of 1 / factor times the factor, as integers."""
    numbers = [entry * factor for entry in matrix.entries()]
    assert all(number.q == 1 for number in numbers)
    return np.array([int(number.p) for number in numbers], np.int64).reshape(matrix.nrows(), matrix.ncols())


def submatrix_sums(matrix: Any, size: int) -> Any:
    """The sum of rows and columns first..last of a square matrix of integers for every range, by prefix sums."""
    (first, last), prefix = range_ends(size), np.zeros((size + 1, size + 1), np.int64)
    prefix[1:, 1:] = matrix.cumsum(axis=0).cumsum(axis=1)
    return prefix[last, last] - prefix[first - 1, last] - prefix[last, first - 1] + prefix[first - 1, first - 1]
