"""Identity (flat Laplace): every count gets its own noise."""

from collections.abc import Sequence
from dataclasses import dataclass

from flint import fmpq

from dp_refimpl.matrix.base import Mechanism
from dp_refimpl.matrix.parameters import Neighbors, T, require_kind, require_range
from dp_refimpl.requirements import require_integer


@dataclass(frozen=True)
class Identity(Mechanism):
    """A = B = the identity on `size` >= 1 counts; the scale is 1 (`addremove`) or 2 (`replace`, two counts change).

    Raises `DomainError` for sizes below 1.
    """

    size: int

    def __post_init__(self) -> None:
        require_integer("size", self.size, 1)

    @property
    def answers(self) -> int:
        """N."""
        return self.size

    def compress(self, data: Sequence[T]) -> list[T]:
        """The counts themselves."""
        return list(data)

    def estimates(self, noisy: Sequence[T]) -> list[T]:
        """The noisy counts."""
        return list(noisy)

    def scale(self, neighbors: Neighbors) -> fmpq:
        """1 or 2; 0 for a single count whose total everybody knows (`replace`)."""
        require_kind("neighbors", neighbors, Neighbors)
        if neighbors is Neighbors.ADD_REMOVE:
            return fmpq(1)
        return fmpq(2 if self.size > 1 else 0)

    def range_coefficient(self, first: int, last: int) -> fmpq:
        """The length of the range."""
        return fmpq(require_range(first, last, self.size))
