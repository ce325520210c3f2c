"""How many reports support each item where every user has an affine function of its own (OLH, BLH, hashed messages).

Exact, without an n x d array: a report (h, y) supports the items with h(x) = y. v = (a x + b) mod P comes from its
differences by additions, for a block of users at once; v mod g = y is one multiplication and one comparison. Functions
modulo a small prime are grouped further (`affine_sums`).
"""

import numpy as np

from dp_refimpl.fast.array_coins import Indices
from dp_refimpl.fast.frequency.affine_sums import AffineSums
from dp_refimpl.fast.frequency.hash_arrays import Residues, advance, forward_differences
from dp_refimpl.fast.frequency.label_arrays import LabelHashes
from dp_refimpl.fast.frequency.report_arrays import require_vector

WORD = 2**32
BLOCK = 16384
"""Users handled at once: half a dozen numbers of four bytes for each fit into a processor's cache."""


def support_counts(hashes: LabelHashes, labels: Indices, items: int) -> Indices:
    """F_x, the number of reports that support an item, for the items at positions 0..items - 1.

    `labels` has the perturbed label of each user, shape (n,). Raises `DomainError` unless
    they are in 0..g-1, one for each function, and as `AffineSums`.
    """
    reports = require_vector("labels", labels, len(hashes), hashes.labels)
    sums = AffineSums(hashes, reports[:, None], items)
    if sums.quick:
        return sums.support()
    counts = np.zeros(items, np.int64)
    for start in range(0, len(reports), BLOCK):
        part = slice(start, start + BLOCK)
        _count(hashes.part(part), reports[part], counts)
    return counts


def _count(hashes: LabelHashes, labels: Indices, counts: Indices) -> None:
    """Add to the counts of items 0, 1, ... how many of the users' reports support them.

    u = v + g - y lies in 1..2^32 - 1. g = 2^s o with o odd divides it if and only if u / o modulo 2^32, rotated by s
    bits to the right, is at most (2^32 - 1) / g (Granlund, Montgomery 1994).
    """
    g, prime, users = hashes.labels, hashes.hashes.prime, len(labels)
    low = (g & -g).bit_length() - 1
    inverse, most = pow(g >> low, -1, WORD), np.uint32((WORD - 1) // g)
    factor, shift = np.uint32(inverse), (g - labels).astype(np.uint32) * np.uint32(inverse)
    table = forward_differences(hashes.hashes.values(np.broadcast_to(np.arange(2), (users, 2))), prime)
    sums, wrapped = np.empty_like(table[1:]), np.empty_like(table[1:])
    quotient, upper, supported = np.empty(users, np.uint32), np.empty(users, np.uint32), np.empty(users, np.bool_)
    for item in range(len(counts)):
        np.multiply(table[0], factor, out=quotient)
        np.add(quotient, shift, out=quotient)
        if low:
            _rotate(quotient, low, upper)
        np.less_equal(quotient, most, out=supported)
        counts[item] += np.count_nonzero(supported)
        advance(table, prime, sums, wrapped)


def _rotate(words: Residues, bits: int, room: Residues) -> None:
    """Rotate the words to the right by 1..31 bits, in place."""
    np.left_shift(words, np.uint32(32 - bits), out=room)
    np.right_shift(words, np.uint32(bits), out=words)
    np.bitwise_or(words, room, out=words)
