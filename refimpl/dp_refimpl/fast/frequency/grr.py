"""Vectorized GRR and uRR (source 002, 2.3.1; reference [21]). The laws are exactly those of the programs.

Written as the mixture "keep the item with probability p - q, otherwise report a uniform item".
"""

import numpy as np

from dp_refimpl.fast.array_coins import ArrayCoins, Indices
from dp_refimpl.fast.frequency.item_arrays import drawn_items, item_rows, set_rows
from dp_refimpl.frequency.grr import GRR, GRRSample, GRRSplit
from dp_refimpl.frequency.urr import URR
from dp_spec.vocabulary.scalar import S


def sample_grr(mechanism: GRR[S], items: Indices, coins: ArrayCoins) -> Indices:
    """Reports of n users, shape (n,), from their items, shape (n,). Raises `DomainError` for bad positions."""
    return keep_or_uniform(item_rows(items, mechanism), len(mechanism.domain.items), mechanism.p - mechanism.q, coins)


def sample_grr_split(mechanism: GRRSplit[S], sets: Indices, coins: ArrayCoins) -> Indices:
    """Reports, shape (n, m), from sets, shape (n, m): in the order of the items, or sorted for the view `multiset`."""
    keep = mechanism.p - mechanism.q
    reports = keep_or_uniform(set_rows(sets, mechanism), len(mechanism.domain.items), keep, coins)
    return np.sort(reports, axis=1) if mechanism.view == "multiset" else reports


def sample_grr_sample(mechanism: GRRSample[S], sets: Indices, coins: ArrayCoins) -> Indices:
    """Reports, shape (n,), from sets, shape (n, m)."""
    drawn = drawn_items(set_rows(sets, mechanism), coins)
    return keep_or_uniform(drawn, len(mechanism.domain.items), mechanism.p - mechanism.q, coins)


def sample_urr(mechanism: URR[S], items: Indices, coins: ArrayCoins) -> Indices:
    """Reports, shape (n,), from items, shape (n,); positions from K on are invertible data."""
    return keep_or_uniform(item_rows(items, mechanism), len(mechanism.domain.sensitive), mechanism.c3, coins)


def keep_or_uniform(items: Indices, outputs: int, keep: S, coins: ArrayCoins) -> Indices:
    """Every item itself with probability `keep`, otherwise uniform on the first `outputs` positions."""
    kept = coins.bernoulli(keep, items.shape).view(np.bool_)
    return np.where(kept, items, coins.below(outputs, items.shape))
