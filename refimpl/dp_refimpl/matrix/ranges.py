"""Range queries: the squared lengths of a range's projections on the levels of a tree, in O(b h) operations.

The indicator of a range is the sum of its mean and, for every node, of a vector that is constant on the node's
children and sums to zero. These parts are orthogonal, and eigenvectors of A^T A for all strategies that treat the nodes
of one height alike; so a range's coefficient is a sum over heights. A node that the range covers, or misses, has no
part in it: at most two nodes of a height have one.
"""

from collections.abc import Sequence

from flint import fmpq, fmpq_mat

from dp_refimpl.matrix.parameters import require_range, tree_height
from dp_spec.vocabulary.exceptions import DomainError


def energies(size: int, first: int, last: int, branching: int = 2) -> list[fmpq]:
    """Squared lengths of the parts of the indicator of first..last: of its mean, then of the nodes of heights 1..h.

    A node of height t whose children have o_1..o_b leaves in the range contributes (sum of o_c^2) / b^(t - 1) minus
    (sum of o_c)^2 / b^t. Raises `DomainError` for a size that is no power of `branching`, and for no range.
    """
    height = tree_height(size, branching)
    squares = [fmpq(require_range(first, last, size) ** 2, size)]
    for t in range(1, height + 1):
        width, below = branching**t, branching ** (t - 1)
        part = 0
        for node in {(first - 1) // width, (last - 1) // width}:
            starts = range(node * width, (node + 1) * width, below)
            counts = [max(0, min(last, start + below) - max(first - 1, start)) for start in starts]
            part += branching * sum(o * o for o in counts) - sum(counts) ** 2
        squares.append(fmpq(part, width))
    return squares


def coefficient(size: int, first: int, last: int, eigenvalues: Sequence[fmpq], branching: int = 2) -> fmpq:
    """I^T (A^T A)^-1 I where A^T A has the given eigenvalues: of the mean, then of the nodes of heights 1..h."""
    parts = energies(size, first, last, branching)
    if len(eigenvalues) != len(parts):
        raise DomainError("eigenvalues", eigenvalues, f"{len(parts)} numbers: of the mean and of every height")
    return sum((part / value for part, value in zip(parts, eigenvalues, strict=True)), fmpq(0))


def indicator(size: int, first: int, last: int) -> fmpq_mat:
    """The column vector I of a range. Raises `DomainError` for no range."""
    require_range(first, last, size)
    return fmpq_mat(size, 1, [int(first <= i <= last) for i in range(1, size + 1)])


def range_variance(sigma: fmpq_mat, first: int, last: int) -> fmpq:
    """I^T Sigma I by brute force: the sum of a submatrix."""
    require_range(first, last, sigma.nrows())
    return sum((sigma[i, j] for i in range(first - 1, last) for j in range(first - 1, last)), fmpq(0))
