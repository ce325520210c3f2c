"""Which sets of parents are admissible, for all attributes and sets at once: by their number, or by their values."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import prod
from operator import mul
from typing import Any, Protocol

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from dp_refimpl.fast.array_coins import Indices
from dp_refimpl.fast.synthesis.record_arrays import MOST_CELLS
from dp_refimpl.synthesis.network import ParentSets
from dp_spec.vocabulary.exceptions import DomainError


class ArrayParentRule(Protocol):
    """The sets of placed attributes that those which are left may get as parents. Sets of k are an (m, k) array."""

    @property
    def most(self) -> int:
        """The number of parents at most."""
        ...

    def useful(self, sets: Indices) -> Indices:
        """The sets without some that are admissible for no attribute, nor is a larger set that contains one."""
        ...

    def admissible(self, left: Indices, placed: Indices, sets: Indices) -> Any:
        """Which of m sets of placed attributes each of r attributes may get, as booleans that broadcast to (r, m)."""
        ...


@dataclass(frozen=True, eq=False)
class SizedSets:
    """Sets by how many they are (`network.IBayes`), of `attributes` ones.

    `kept` says which ordered pairs the filter leaves, as a (c, c) array; None: all.
    """

    attributes: int
    degree: int
    sets: ParentSets = "min-l"
    kept: NDArray[np.bool_] | None = None

    @property
    def most(self) -> int:
        """l, or all other attributes."""
        return min(self.degree, self.attributes - 1)

    def useful(self, sets: Indices) -> Indices:
        """All."""
        return sets

    def admissible(self, left: Indices, placed: Indices, sets: Indices) -> Any:
        """Sets of kept pairs, as many as the reading of the parent sets says."""
        if self.kept is None:
            available: Any = np.full((len(left), 1), len(placed))
            inside: Any = True
        else:
            available = self.kept[np.ix_(left, placed)].sum(axis=1)[:, None]
            inside = self.kept[left[:, None, None], sets[None]].all(axis=2)
        if self.sets == "upto-l":
            return inside
        number = self.degree if self.sets == "exact-l" else np.minimum(self.degree, available)
        return inside & (number == sets.shape[1])


@dataclass(frozen=True, eq=False)
class BoundedSets:
    """Sets with at most `bound` combinations of values together with an attribute, in no larger one (`DomainBound`).

    0 <= bound, at most the combinations of all attributes, and 2^31.
    """

    sizes: Indices
    bound: int

    @classmethod
    def of(cls, sizes: Sequence[int], bound: fmpq) -> "BoundedSets":
        """The rule for attributes with so many values. Raises `DomainError` where more than 2^31 are within it."""
        cells = max(min(int(bound.floor()), prod(sizes)), 0)
        if cells > MOST_CELLS:
            raise DomainError("bound", bound, f"at most {MOST_CELLS} combinations of values")
        return cls(np.array(sizes, np.int64), cells)

    @property
    def most(self) -> int:
        """One less than attributes of the fewest values that are within the bound together."""
        products: Iterator[int] = accumulate(sorted(self.sizes.tolist()), mul)
        return max(sum(cells <= self.bound for cells in products) - 1, 0)

    def useful(self, sets: Indices) -> Indices:
        """Those within the bound with an attribute of the fewest values."""
        within: NDArray[np.bool_] = np.less_equal(self._values(sets) * self.sizes.min(), self.bound)
        return sets[within]

    def admissible(self, left: Indices, placed: Indices, sets: Indices) -> Any:
        """Those within the bound which one more attribute takes beyond it; the empty set where no set is within it."""
        cells = self.sizes[left][:, None] * self._values(sets)
        admissible = (cells <= self.bound) & (cells > self.bound // self._fewest_outside(placed, sets))
        return admissible if sets.shape[1] else admissible | (cells > self.bound)

    def _values(self, sets: Indices) -> Indices:
        """The number of combinations of values of each set."""
        values: Indices = self.sizes[sets].prod(axis=1, dtype=np.int64)
        return values

    def _fewest_outside(self, placed: Indices, sets: Indices) -> Indices:
        """The fewest values that a placed attribute outside of each set has; more than the bound where there is none.

        Of k + 1 placed attributes one is outside of a set of k.
        """
        first = placed[np.argsort(self.sizes[placed])][: sets.shape[1] + 1]
        outside = (first[None, :, None] != sets[:, None, :]).all(axis=2)
        fewest: Indices = np.where(outside, self.sizes[first], self.bound + 1).min(axis=1, initial=self.bound + 1)
        return fewest
