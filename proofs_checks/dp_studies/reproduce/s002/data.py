"""Random data sets: every user's set is a uniformly drawn m-subset of the items."""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from dp_refimpl.fast.array_coins import ArrayCoins, Indices
from dp_refimpl.fast.frequency.item_arrays import chunks
from dp_studies.reproduce.streams import draws

_BLOCK = 1 << 10
"""Users handled at once."""


@dataclass(frozen=True, eq=False)
class DataSet:
    """The users' sets, shape (n, m), as positions 0 .. d - 1; the first positions are the sensitive items."""

    sets: NDArray[np.uint16]
    d: int

    @property
    def n(self) -> int:
        """Users."""
        return len(self.sets)

    @property
    def m(self) -> int:
        """Items of every user."""
        return int(self.sets.shape[1])

    @cached_property
    def counts(self) -> Indices:
        """n f_x for every item."""
        return np.bincount(self.sets.reshape(-1), minlength=self.d).astype(np.int64)


def uniform_sets(n: int, d: int, m: int, coins: ArrayCoins) -> NDArray[np.uint16]:
    """Floyd's algorithm for every user: a uniform number up to j for j = d - m, ..., d - 1, or j if that is taken."""
    sets = np.empty((n, m), np.uint16)
    for users in chunks(n, _BLOCK):
        rows = np.arange(len(sets[users]))
        taken = np.zeros((rows.size, d), np.bool_)
        for column, j in enumerate(range(d - m, d)):
            drawn = coins.below(j + 1, rows.size)
            drawn = np.where(taken[rows, drawn], j, drawn)
            taken[rows, drawn] = True
            sets[users, column] = drawn
    return sets


@lru_cache(maxsize=1)
def data_set(n: int, d: int, m: int, seed: int) -> DataSet:
    """The data set of a shape and a seed: always the same."""
    return DataSet(uniform_sets(n, d, m, draws(seed, n, d, m)), d)
