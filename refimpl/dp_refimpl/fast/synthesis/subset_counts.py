"""Counts of all small sets of binary attributes at once: columns are packed into words, and bits are counted.

A set is its ascending attributes p_1 < ... < p_k; sets of one size are listed by their largest attribute first
(colexicographically), so that a set has the place C(p_1, 1) + ... + C(p_k, k), and those of the first v attributes come
first.
"""

from itertools import product
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dp_refimpl.fast.array_coins import Indices
from dp_refimpl.fast.synthesis.record_arrays import MOST_CELLS, ArrayTable
from dp_refimpl.requirements import require_integer
from dp_spec.vocabulary.exceptions import DomainError

Words = NDArray[np.uint64]

_BLOCK = 512
"""Words of a column that are counted at once: all pairs of 50 attributes stay in a processor's cache."""


class SubsetCounts:
    """How often all attributes of a set are 1, for all sets of at most `most` attributes of a binary table.

    `ones[k]` are the numbers of the sets of k attributes, in order. Raises `DomainError` for a table that is not
    binary, unless most >= 0, and for more than 2^31 sets.
    """

    def __init__(self, table: ArrayTable, most: int) -> None:
        if not table.is_binary:
            raise DomainError("sizes", table.sizes, "two values for each attribute")
        require_integer("most", most, 0)
        d = len(table.sizes)
        if (sets := sum(comb(d, k) for k in range(most + 1))) > MOST_CELLS:
            raise DomainError("most", most, f"at most {MOST_CELLS} sets of attributes, not {sets}")
        self.ones: tuple[Indices, ...] = tuple(np.zeros(comb(d, k), np.int64) for k in range(min(most, d) + 1))
        self.ones[0][0] = table.n
        words = _packed(table)
        for start in range(0, words.shape[1], _BLOCK):
            block = words[:, start : start + _BLOCK]
            pairs = _pairs(block)
            for k in range(1, len(self.ones)):
                self.ones[k][:] += _together(block, pairs, None, d, k)
        self._binomials = np.array([[comb(p, i) for i in range(len(self.ones) + 1)] for p in range(d)], np.int64)

    def joints(self, sets: Indices) -> Indices:
        """The joint counts of m sets of k attributes, an (m, k) array, as an (m, 2, ..., 2) array in the order of each.

        Inclusion and exclusion: what is not 1 in an attribute is all without what is.
        """
        m, k = sets.shape
        counts = np.empty((m, *(2,) * k), np.int64)
        if not m:  # there may be fewer than k attributes
            return counts
        for chosen in _choices(k):
            counts[:, *chosen] = self._counts(sets[:, np.array(chosen, np.bool_)])
        return _excluded(counts, range(1, k + 1))

    def joints_with(self, xs: Indices, sets: Indices) -> Indices:
        """The same for each of r attributes x and m sets without it: an (r, m, 2, 2, ..., 2) array, x first."""
        m, k = sets.shape
        counts = np.empty((len(xs), m, 2, *(2,) * k), np.int64)
        if not counts.size:
            return counts
        for chosen in _choices(k):
            part = sets[:, np.array(chosen, np.bool_)]
            counts[:, :, 0, *chosen] = self._counts(part)
            counts[:, :, 1, *chosen] = self._counts_with(xs, part)
        return _excluded(counts, range(2, k + 3))

    def _counts(self, sets: Indices) -> Indices:
        """How often all attributes of each set are 1."""
        ascending, k = np.sort(sets, axis=1), sets.shape[1]
        places: Indices = self._binomials[ascending, np.arange(1, k + 1)].sum(axis=1)
        return self.ones[k][places]

    def _counts_with(self, xs: Indices, sets: Indices) -> Indices:
        """The same with each x. If j attributes of a set are smaller than x, x comes after them, and moves the others.

        `moved[:, j]` is the part of the place that the attributes of the set have then.
        """
        (m, k), ascending = sets.shape, np.sort(sets, axis=1)
        moved = np.zeros((m, k + 1), np.int64)
        moved[:, 1:] += self._binomials[ascending, np.arange(1, k + 1)].cumsum(axis=1)
        moved[:, :k] += self._binomials[ascending, np.arange(2, k + 2)][:, ::-1].cumsum(axis=1)[:, ::-1]
        smaller = np.zeros((len(xs), m), np.int64)
        for i in range(k):
            smaller += np.less(ascending[:, i], xs[:, None])
        places: Indices = moved[np.arange(m), smaller] + self._binomials[xs[:, None], smaller + 1]
        counts: Indices = self.ones[k + 1][places]
        return counts


def _choices(k: int) -> Any:
    """All ways to choose some of k attributes, as zeros and ones."""
    return product((0, 1), repeat=k)


def _excluded(ones: Indices, axes: range) -> Indices:
    """Counts of values 0 and 1 from counts of "any" and 1, in place."""
    for axis in axes:
        anything, held = np.moveaxis(ones, axis, 0)
        anything -= held
    return ones


def _packed(table: ArrayTable) -> Words:
    """The columns as rows of 64-bit words, filled up with zeros."""
    octets = np.packbits(table.records.T, axis=1)
    whole = np.zeros((len(octets), -(-octets.shape[1] // 8) * 8), np.uint8)
    whole[:, : octets.shape[1]] = octets
    return whole.view(np.uint64)


def _pairs(words: Words) -> Words:
    """The intersections of all pairs of rows, in order."""
    intersections = np.empty((comb(len(words), 2), words.shape[1]), np.uint64)
    for b in range(len(words)):
        np.bitwise_and(words[:b], words[b], out=intersections[comb(b, 2) : comb(b + 1, 2)])
    return intersections


def _together(words: Words, pairs: Words, held: Words | None, below: int, k: int) -> Any:
    """How many bits all rows of a set and `held` share, for the sets of k of the first rows, in order."""
    if k > 2:
        sets = [
            _together(words, pairs, words[a] if held is None else words[a] & held, a, k - 1)
            for a in range(k - 1, below)
        ]
        return np.concatenate([np.zeros(0, np.int64), *sets])
    rows = words[:below] if k == 1 else pairs[: comb(below, 2)]
    return np.bitwise_count(rows if held is None else rows & held).sum(axis=1, dtype=np.int64)
