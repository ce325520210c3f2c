"""One random polynomial hash function per user, as an array of coefficients; a value j stands for h(x) = j / G."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dp_refimpl.fast.array_coins import Indices
from dp_refimpl.frequency.finite_families import require_prime
from dp_spec.vocabulary.exceptions import DomainError

MERSENNE = 2**31 - 1
Residues = NDArray[np.uint32]


@dataclass(frozen=True, eq=False)
class PolynomialHashes:
    """Members of `PolynomialFamily` of n users: h_i(x) = ((c_i0 + c_i1 x + ...) mod G) / G, x an item's position.

    `coefficients` has one row per user, G is `prime`, below 2^31, so that all arithmetic is exact in 64 bits. Raises
    `DomainError` for anything but a non-empty integer matrix of numbers in 0..G-1.
    """

    coefficients: Indices
    prime: int = MERSENNE

    def __post_init__(self) -> None:
        require_prime("prime", self.prime)
        rows = self.coefficients
        if not isinstance(rows, np.ndarray) or rows.ndim != 2 or not np.issubdtype(rows.dtype, np.integer):
            raise DomainError("coefficients", rows, "an integer array of 2 dimensions")
        if not rows.size:
            raise DomainError("coefficients", rows.shape, "at least one user and one coefficient")
        if not (int(rows.min()) >= 0 and int(rows.max()) < self.prime):
            raise DomainError("coefficients", (int(rows.min()), int(rows.max())), f"integers in 0..{self.prime - 1}")

    def __len__(self) -> int:
        """The number of users."""
        return len(self.coefficients)

    def part(self, users: slice) -> "PolynomialHashes":
        """The hash functions of some users."""
        return PolynomialHashes(self.coefficients[users], self.prime)

    def values(self, positions: Indices) -> Indices:
        """The values j of items at positions below G, shape (n, k), in each row with the hash of its user."""
        values = np.zeros(positions.shape, np.int64)
        for coefficient in self.coefficients.T[::-1]:
            values = (values * positions + coefficient.astype(np.int64)[:, None]) % self.prime
        return values


def forward_differences(values: Indices, prime: int) -> Residues:
    """The differences modulo G of a polynomial at x = 0, from its values there on: a row per order, a column per user.

    `values` has one row per user and as many columns as the polynomial has coefficients.
    """
    rows = values % prime
    for low in range(1, rows.shape[1]):
        rows[:, low:] = np.diff(rows[:, low - 1 :], axis=1) % prime
    return np.ascontiguousarray(rows.T.astype(np.uint32))


def advance(table: Residues, prime: int, sums: Residues, wrapped: Residues) -> None:
    """Move a table of differences from x to x + 1, in place; `sums` and `wrapped` are room for all rows but the last.

    Sums of two residues are below 2^32. Subtracting G wraps around, to more than the sum, exactly where it is below G.
    """
    np.add(table[:-1], table[1:], out=sums)
    np.subtract(sums, np.uint32(prime), out=wrapped)
    np.minimum(sums, wrapped, out=table[:-1])
