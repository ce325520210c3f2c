"""Vectorized local hashing: a function per user (OLH, BLH), or one of a public list (FLH). Laws are the programs'."""

from dataclasses import dataclass

import numpy as np

from dp_refimpl.fast.array_coins import ArrayCoins, Indices
from dp_refimpl.fast.frequency.grr import keep_or_uniform
from dp_refimpl.fast.frequency.item_arrays import item_rows
from dp_refimpl.fast.frequency.label_arrays import LabelHashes, draw_label_hashes, label_table
from dp_refimpl.frequency.hash_families import AffineLabels, CarterWegman, PublicFunctions
from dp_refimpl.frequency.local_hashing import LocalHashing
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.scalar import S


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
    known = {x: j for j, x in enumerate(mechanism.family.items)}
    return np.array([known[x] for x in mechanism.domain.items], np.int64)
