"""Vectorized RAPPOR: dense bits, one user per row (source 002, 2.3.2). The laws are exactly those of the programs."""

import numpy as np

from dp_refimpl.fast.array_coins import ArrayCoins, Bits, Indices
from dp_refimpl.fast.frequency.item_arrays import drawn_items, item_rows, set_rows
from dp_refimpl.frequency.rappor import RAPPOR, RAPPORSample, RAPPORSet
from dp_spec.vocabulary.scalar import S


def sample_rappor(mechanism: RAPPOR[S], items: Indices, coins: ArrayCoins) -> Bits:
    """Reports of n users, shape (n, d), from their items, shape (n,). Raises `DomainError` for bad positions."""
    held = item_rows(items, mechanism)[:, None]
    return unary_bits(held, len(mechanism.domain.items), mechanism.p, mechanism.q, coins)


def sample_rappor_set(mechanism: RAPPORSet[S], sets: Indices, coins: ArrayCoins) -> Bits:
    """Reports, shape (n, d), from sets, shape (n, m)."""
    return unary_bits(set_rows(sets, mechanism), len(mechanism.domain.items), mechanism.p, mechanism.q, coins)


def sample_rappor_sample(mechanism: RAPPORSample[S], sets: Indices, coins: ArrayCoins) -> Bits:
    """Reports, shape (n, d), from sets, shape (n, m)."""
    drawn = drawn_items(set_rows(sets, mechanism), coins)[:, None]
    return unary_bits(drawn, len(mechanism.domain.items), mechanism.p, mechanism.q, coins)


def unary_bits(held: Indices, d: int, p: S, q: S, coins: ArrayCoins) -> Bits:
    """Row i: bit j is 1 with probability p if j is in held[i], else q. Memory: hardly more than the n d bytes."""
    bits = coins.bernoulli(q, (len(held), d))
    bits[np.arange(len(held))[:, None], held] = coins.bernoulli(p, held.shape)
    return bits
