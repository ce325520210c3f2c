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
from dp_refimpl.fast.synthesis.record_arrays import ArrayTable
from dp_spec.vocabulary.exceptions import DomainError

Words = NDArray[np.uint64]

_BLOCK = 512
"""Words of a column that are counted at once: all pairs of 50 attributes stay in a processor's cache."""


class SubsetCounts:
    """How often all attributes of a set are 1, for all sets of at most `most` attributes of a binary table.

    `ones[k]` are the numbers of the sets of k attributes, in order. Raises `DomainError` for a table that is not
    binary, and unless most >= 0.
    """

    def __init__(self, table: ArrayTable, most: int) -> None:
        if not table.is_binary:
            raise DomainError("sizes", table.sizes, "two values for each attribute")
        if isinstance(most, bool) or not isinstance(most, int) or most < 0:
            raise DomainError("most", most, "an integer >= 0")
        d = len(table.sizes)
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
        """The joint counts of m lists of k different attributes, an (m, k) array, as an (m, 2, ..., 2) array.

        Inclusion and exclusion: what is not 1 in an attribute is all without what is.
        """
        m, k = sets.shape
        found = np.empty((m, *(2,) * k), np.int64)
        for chosen in product((False, True), repeat=k):
            found[(slice(None), *np.array(chosen, int).tolist())] = self._counts(sets[:, chosen])
        for axis in range(1, k + 1):
            zeros, ones = np.moveaxis(found, axis, 0)
            zeros -= ones
        return found

    def _counts(self, sets: Indices) -> Indices:
        """How often all attributes of each list are 1."""
        ascending, k = np.sort(sets, axis=1), sets.shape[1]
        places = np.zeros(len(sets), np.int64)
        for i in range(k):
            places += self._binomials[ascending[:, i], i + 1]
        return self.ones[k][places]


def _packed(table: ArrayTable) -> Words:
    """The columns as rows of 64-bit words, filled up with zeros."""
    octets = np.packbits(table.records.T, axis=1)
    whole = np.zeros((len(octets), -(-octets.shape[1] // 8) * 8), np.uint8)
    whole[:, : octets.shape[1]] = octets
    return whole.view(np.uint64)


def _pairs(words: Words) -> Words:
    """The intersections of all pairs of rows, in order."""
    found = np.empty((comb(len(words), 2), words.shape[1]), np.uint64)
    for b in range(len(words)):
        np.bitwise_and(words[:b], words[b], out=found[comb(b, 2) : comb(b + 1, 2)])
    return found


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
