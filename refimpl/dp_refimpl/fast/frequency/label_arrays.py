"""Hash functions to labels as arrays: one affine function per user, or a table of listed functions and items."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dp_refimpl.fast.array_coins import ArrayCoins, Indices
from dp_refimpl.fast.frequency.hash_arrays import PolynomialHashes
from dp_refimpl.frequency.hash_families import AffineLabels, CarterWegman, LabelFunction
from dp_refimpl.requirements import require_integer
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item

Labels = NDArray[np.int32]
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

    def functions(self, family: Affine) -> tuple[LabelFunction, ...]:
        """The same functions as tables, one per user. Raises `DomainError` as `require_of`."""
        self.require_of(family)
        return tuple([family.member([int(a), int(b)]) for b, a in self.hashes.coefficients])

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


def label_rows(functions: Sequence[LabelFunction], items: Sequence[Item]) -> Iterator[Labels]:
    """The labels of the items under listed functions of the same items, one vector of d labels after the other.

    Raises `DomainError` for an item that the functions lack, and for more than 2^31 labels.
    """
    places = {x: j for j, x in enumerate(functions[0].items)}
    if unknown := [x for x in items if x not in places]:
        raise DomainError("items", unknown, f"items of {functions[0].items}")
    if functions[0].labels > 2**31:
        raise DomainError("labels", functions[0].labels, "at most 2^31 labels, for arrays")
    columns = np.array([places[x] for x in items], np.int64)
    return (np.array(h.values, np.int32)[columns] for h in functions)


def label_table(functions: Sequence[LabelFunction], items: Sequence[Item]) -> Labels:
    """The same as a table, shape (k, d)."""
    return np.stack(list(label_rows(functions, items)))


def cell_sums(totals: Indices, functions: Sequence[LabelFunction], items: Sequence[Item]) -> Indices:
    """For every item the sum over the k rows of `totals`, shape (k, m), of the cell of its label. Exact."""
    sums = np.zeros(len(items), np.int64)
    for row, labels in zip(totals, label_rows(functions, items), strict=True):
        sums += row[labels]
    return sums
