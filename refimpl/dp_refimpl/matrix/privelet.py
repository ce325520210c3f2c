"""Privelet as in source 001: Algorithm 1 (compress, add noise, restore) and the restoration matrix of Algorithm 2."""

from collections.abc import Sequence
from dataclasses import dataclass

from flint import fmpq, fmpq_mat

from dp_refimpl.matrix.haar import HaarTree, differences, leaves
from dp_refimpl.matrix.parameters import Neighbors, T, require_kind
from dp_refimpl.requirements import require_integer
from dp_spec.vocabulary.exceptions import DomainError


@dataclass(frozen=True)
class Privelet(HaarTree):
    """Algorithm 1 on size = 2^h counts: c_0..c_(N-1) (3), each with noise of one scale, restored by (4)."""

    def compress(self, data: Sequence[T]) -> list[T]:
        """Step 2: the total, and of every node the sum of its left leaves minus the sum of its right ones (3)."""
        return differences(data)

    def estimates(self, noisy: Sequence[T]) -> list[T]:
        """Step 4 (4)."""
        return leaves(noisy)

    def scale(self, neighbors: Neighbors) -> fmpq:
        """h + 1 (`addremove`, step 3). `replace`: 2 h, which is more for h >= 2."""
        require_kind("neighbors", neighbors, Neighbors)
        return fmpq(self.height + 1 if neighbors is Neighbors.ADD_REMOVE else 2 * self.height)

    def height_spread(self, height: int) -> fmpq:
        """1."""
        return fmpq(1)


def algorithm2_row(h: int, i: int) -> dict[int, fmpq]:
    """Row i of B by Algorithm 2, as its non-zero entries by column; rows and columns are numbered from 1.

    Raises `DomainError` unless h >= 0 and i is in 1..2^h.
    """
    size = 1 << require_integer("h", h, 0)
    if require_integer("i", i, 1) > size:
        raise DomainError("i", i, f"an integer in 1..{size}")
    row, x, first = {1: fmpq(1, size)}, 1, 1
    for t in range(h, 0, -1):
        half = 1 << (t - 1)
        beta = 0 if i < first + half else 1
        row[x + 1] = (-1) ** beta * fmpq(1, 2 * half)
        x, first = 2 * x + beta, first + beta * half
    return row


def algorithm2(h: int) -> fmpq_mat:
    """B by Algorithm 2, shape (2^h, 2^h). Raises `DomainError` unless h >= 0."""
    size = 2 ** require_integer("h", h, 0)
    rows = [algorithm2_row(h, i) for i in range(1, size + 1)]
    return fmpq_mat(size, size, [row.get(column, fmpq(0)) for row in rows for column in range(1, size + 1)])
