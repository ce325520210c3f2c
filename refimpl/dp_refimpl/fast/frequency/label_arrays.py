"""Hash functions to labels as arrays: one affine function per user."""

from dataclasses import dataclass

import numpy as np

from dp_refimpl.fast.array_coins import ArrayCoins, Indices
from dp_refimpl.fast.frequency.hash_arrays import PolynomialHashes
from dp_refimpl.frequency.hash_families import AffineLabels, CarterWegman
from dp_refimpl.requirements import require_integer
from dp_spec.vocabulary.exceptions import DomainError

Affine = CarterWegman | AffineLabels


@dataclass(frozen=True, eq=False)
class LabelHashes:
    """Members of `CarterWegman` or `AffineLabels` of n users: h_i(x) = ((a_i x + b_i) mod P) mod `labels`.

    `hashes` has the coefficients b_i, a_i; x is an item's position. Raises `DomainError` for functions of another
    degree, and for labels that are not an integer in 1..P.
    """

    hashes: PolynomialHashes
    labels: int

    def __post_init__(self) -> None:
        if not isinstance(self.hashes, PolynomialHashes) or self.hashes.coefficients.shape[1] != 2:
            raise DomainError("hashes", self.hashes, "polynomial hash functions with two coefficients")
        require_integer("labels", self.labels, 1)
        if self.labels > self.hashes.prime:
            raise DomainError("labels", self.labels, f"at most {self.hashes.prime}, the prime")

    def __len__(self) -> int:
        """The number of users."""
        return len(self.hashes)

    def part(self, users: slice) -> "LabelHashes":
        """The functions of some users."""
        return LabelHashes(self.hashes.part(users), self.labels)

    def values(self, positions: Indices) -> Indices:
        """The labels of items at positions below P, shape (n, k), in each row by the function of its user."""
        return self.hashes.values(positions) % self.labels

    def require_of(self, family: Affine) -> None:
        """Raise `DomainError` unless these are functions of the family."""
        if not isinstance(family, Affine):
            raise DomainError("family", family, "affine functions (CarterWegman or AffineLabels)")
        if (self.hashes.prime, self.labels) != (family.prime, family.labels):
            allowed = f"functions modulo {family.prime} with {family.labels} labels"
            raise DomainError("hashes", (self.hashes.prime, self.labels), allowed)
        if isinstance(family, CarterWegman) and not family.zero and not self.hashes.coefficients[:, 1].all():
            raise DomainError("hashes", 0, f"factors a in 1..{family.prime - 1}")


def draw_label_hashes(family: Affine, users: int, coins: ArrayCoins) -> LabelHashes:
    """Independent functions of n users, each drawn as `family.draw` does.

    Raises `DomainError` for another family and unless `users` is an integer >= 1.
    """
    if not isinstance(family, Affine):
        raise DomainError("family", family, "affine functions (CarterWegman or AffineLabels)")
    require_integer("users", users, 1)
    least = int(isinstance(family, CarterWegman) and not family.zero)
    a = least + coins.below(family.prime - least, users)
    b = coins.below(family.prime, users)
    return LabelHashes(PolynomialHashes(np.stack([b, a], axis=1), family.prime), family.labels)
