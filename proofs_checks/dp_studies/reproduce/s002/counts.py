"""What the server counts, F_x for every item, drawn without drawing all reports: sufficient statistics of n users.

The laws are those of the programs (tests/studies/reproduce compares them with enumerated programs):

* suGRR: the n m results are independent. A result is its source with probability p - q = r, else uniform on X_sen, so
  the kept ones are Binomial(n f_x, r) and the others are thrown into the K cells.
* suRAP: all bits are independent, Binomial(n f_x, p) + Binomial(n - n f_x, q), or Binomial(n f_x, r).
* the sampling versions: the same with the counts of the drawn items in place of n f_x (drawn user by user).
* suWheel with ideal hashing: given z0, arcs of other items hit it independently with probability p. For the user's own
  items the hash values and z0 have density 1 (no hit, on average over the hash) or e^eps / Omega (any hit) against
  independent uniforms, so hit pattern b != 0 has probability p^|b| (1-p)^(m-|b|) e^eps / Omega: the first hit is item j
  (j = 0, 1, ...) with probability (1-p)^j P_true, and the items after it are hit independently with probability p.

In random data sets every user's set is a uniformly drawn m-subset of the items.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dp_refimpl.fast.array_coins import ArrayCoins, Indices
from dp_refimpl.fast.array_counts import Draws, rational
from dp_studies.reproduce import streams

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
    for start in range(0, n, _BLOCK):
        users = slice(start, start + _BLOCK)
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
    return DataSet(uniform_sets(n, d, m, streams.draws(seed, n, d, m)), d)


def drawn_items(data: DataSet, draws: Draws) -> Indices:
    """How often each item is drawn when every user draws one item of the set."""
    items = data.sets[np.arange(data.n), draws.below(data.m, data.n)]
    return np.bincount(items, minlength=data.d).astype(np.int64)


def item_results(sources: Indices, sensitive: int, r: Any, draws: Draws) -> Indices:
    """Counts of results (13), from the numbers of results by source: kept with probability r, or uniform on X_sen."""
    counts = draws.binomials(sources, r)
    counts[:sensitive] += draws.thrown(int((sources - counts).sum()), sensitive)
    return counts


def bit_results(held: Indices, users: int, sensitive: int, bits: Any, draws: Draws) -> Indices:
    """Counts of ones (18), from the numbers of users whose bit is 1 before perturbation; `bits` has p, q and r."""
    own = held[:sensitive]
    ones = draws.binomials(own, bits.p) + draws.binomials(users - own, bits.q)
    return np.concatenate([ones, draws.binomials(held[sensitive:], bits.r)])


def arc_results(data: DataSet, sensitive: int, p_true: Any, p_false: Any, draws: Draws) -> Indices:
    """Counts of suWheel with ideal hashing: points in a sensitive item's arc, non-sensitive items that are sent."""
    hits = own_hits(data, p_true, p_false, draws)
    others = draws.binomials(data.n - data.counts[:sensitive], p_false)
    return np.concatenate([hits[:sensitive] + others, (data.counts - hits)[sensitive:]])


def own_hits(data: DataSet, p_true: Any, p_false: Any, draws: Draws) -> Indices:
    """How many of the users that hold an item have their point in its arc."""
    first_hit = [p_true * (1 - p_false) ** j for j in range(data.m)]
    first = draws.indices([*first_hit, None], data.n)
    users = np.flatnonzero(first < data.m)
    left = data.m - 1 - first[users]
    ends = np.cumsum(left)
    total = int(ends[-1]) if ends.size else 0
    later = draws.bernoulli(rational(p_false), total).view(np.bool_)
    columns = np.arange(total) - np.repeat(ends - left, left) + 1 + np.repeat(first[users], left)
    hit = np.concatenate([data.sets[users, first[users]], data.sets[np.repeat(users, left)[later], columns[later]]])
    return np.bincount(hit, minlength=data.d).astype(np.int64)
