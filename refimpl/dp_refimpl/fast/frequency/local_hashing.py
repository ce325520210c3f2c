"""Vectorized local hashing: a function per user (OLH, BLH), or one of a public list (FLH). Laws are the programs'.

The server counts supporting reports exactly, without an n x d array: a report (h, y) supports the items with h(x) = y.
With a function per user, v = (a x + b) mod P comes from its differences by additions, for a block of users at once;
v mod g = y is one multiplication and one comparison. Functions modulo a small prime are grouped further
(`affine_sums`). With listed functions the reports are counted by function and label, and each function adds its counts
to the items.
"""

from dataclasses import dataclass

import numpy as np

from dp_refimpl.fast.array_coins import ArrayCoins, Indices
from dp_refimpl.fast.frequency.affine_sums import AffineSums
from dp_refimpl.fast.frequency.grr import keep_or_uniform
from dp_refimpl.fast.frequency.hash_arrays import Residues, advance, forward_differences
from dp_refimpl.fast.frequency.item_arrays import item_rows
from dp_refimpl.fast.frequency.label_arrays import LabelHashes, draw_label_hashes, label_rows, label_table
from dp_refimpl.fast.frequency.report_arrays import require_vector
from dp_refimpl.frequency.hash_families import AffineLabels, CarterWegman, PublicFunctions
from dp_refimpl.frequency.local_hashing import LocalHashing
from dp_refimpl.frequency.parameters import affine_estimate
from dp_refimpl.requirements import require_integer
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.scalar import S, is_zero

WORD = 2**32
BLOCK = 16384
"""Users handled at once: half a dozen numbers of four bytes for each fit into a processor's cache."""


@dataclass(frozen=True, eq=False)
class HashedReports:
    """Reports of n users: their functions, and their perturbed labels, shape (n,)."""

    hashes: LabelHashes
    labels: Indices


@dataclass(frozen=True, eq=False)
class ListedReports:
    """Reports of n users: the index of a public function in 0..k-1, and the perturbed label, both of shape (n,)."""

    functions: Indices
    labels: Indices


def sample_local_hashing(mechanism: LocalHashing[S], items: Indices, coins: ArrayCoins) -> HashedReports:
    """Reports of n users, each with a function of its own, from their items, shape (n,).

    Raises `DomainError` for bad positions and for families that are not affine (others: `sample_listed_hashing`).
    """
    held, family = item_rows(items, mechanism), mechanism.family
    if not isinstance(family, CarterWegman | AffineLabels):
        raise DomainError("family", family, "affine functions (CarterWegman or AffineLabels)")
    hashes = draw_label_hashes(family, len(held), coins)
    own = hashes.values(_places(mechanism)[held][:, None])[:, 0]
    return HashedReports(hashes, keep_or_uniform(own, mechanism.g, mechanism.p - mechanism.q, coins))


def sample_listed_hashing(mechanism: LocalHashing[S], items: Indices, coins: ArrayCoins) -> ListedReports:
    """Reports of n users that share a public list of functions. Raises `DomainError` for bad positions and families."""
    held, family = item_rows(items, mechanism), mechanism.family
    if not isinstance(family, PublicFunctions):
        raise DomainError("family", family, "listed functions (PublicFunctions)")
    drawn = coins.below(len(family.functions), len(held))
    own = label_table(family.functions, mechanism.domain.items)[drawn, held].astype(np.int64)
    return ListedReports(drawn, keep_or_uniform(own, mechanism.g, mechanism.p - mechanism.q, coins))


def _places(mechanism: LocalHashing[S]) -> Indices:
    """The positions in the family's items, which the functions take, of the items of the domain."""
    places = {x: j for j, x in enumerate(mechanism.family.items)}
    return np.array([places[x] for x in mechanism.domain.items], np.int64)


def estimate_local_hashing(
    mechanism: LocalHashing[S], reports: HashedReports | ListedReports, block: int = BLOCK
) -> dict[Item, S]:
    """Estimated frequencies of all items: `LocalHashing.estimate` on arrays. Raises as it and as the counts do."""
    if isinstance(reports, ListedReports):
        counts = listed_support(mechanism, reports)
    else:
        counts = support_counts(mechanism, reports, block)
    slope = mechanism.p - mechanism.chance
    if is_zero(slope) and not is_zero(mechanism.p - mechanism.q):
        raise DomainError("collision", mechanism.collision, "a collision chance below 1, so that p differs from chance")
    return {
        x: affine_estimate(int(count), len(reports.labels), mechanism.chance, slope)
        for x, count in zip(mechanism.domain.items, counts, strict=True)
    }


def support_counts(mechanism: LocalHashing[S], reports: HashedReports, block: int = BLOCK) -> Indices:
    """F_x, the number of reports that support an item, for every item of the domain.

    Raises `DomainError` for reports that are not labels in 0..g-1 with functions of the family, one for each user, for
    a family that is not affine, and unless `block` is an integer >= 1.
    """
    family = mechanism.family
    if not isinstance(reports, HashedReports) or not isinstance(reports.hashes, LabelHashes):
        raise DomainError("reports", reports, "HashedReports")
    if not isinstance(family, CarterWegman | AffineLabels):
        raise DomainError("family", family, "affine functions (CarterWegman or AffineLabels)")
    reports.hashes.require_of(family)
    require_integer("block", block, 1)
    labels = require_vector("labels", reports.labels, len(reports.hashes), mechanism.g)
    counts = np.zeros(len(family.items), np.int64)
    sums = AffineSums(reports.hashes, labels[:, None], len(counts))
    if sums.quick:
        counts = sums.support()
    else:
        for start in range(0, len(labels), block):
            part = slice(start, start + block)
            _count(reports.hashes.part(part), labels[part], counts)
    places = {x: j for j, x in enumerate(family.items)}
    return counts[[places[x] for x in mechanism.domain.items]]


def listed_support(mechanism: LocalHashing[S], reports: ListedReports) -> Indices:
    """F_x for every item of the domain, from reports with the indices of public functions.

    Raises `DomainError` for reports that are not labels in 0..g-1 and indices in 0..k-1, and for another family.
    """
    family = mechanism.family
    if not isinstance(reports, ListedReports):
        raise DomainError("reports", reports, "ListedReports")
    if not isinstance(family, PublicFunctions):
        raise DomainError("family", family, "listed functions (PublicFunctions)")
    users = len(reports.labels) if isinstance(reports.labels, np.ndarray) else 0
    labels = require_vector("labels", reports.labels, users, mechanism.g)
    drawn = require_vector("functions", reports.functions, users, len(family.functions))
    cells = np.bincount(drawn * mechanism.g + labels, minlength=len(family.functions) * mechanism.g)
    counts = np.zeros(len(mechanism.domain.items), np.int64)
    for row, of_function in zip(
        label_rows(family.functions, mechanism.domain.items),
        cells.reshape(len(family.functions), mechanism.g),
        strict=True,
    ):
        counts += of_function[row]
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
