"""Vectorized histogram encoding, one user per row. The laws are exactly those of the programs."""

from fractions import Fraction

import numpy as np

from dp_refimpl.fast.array_coins import ArrayCoins, Bits, Indices
from dp_refimpl.fast.frequency.item_arrays import item_rows
from dp_refimpl.fast.frequency.rappor import unary_bits
from dp_refimpl.frequency.histogram import SHE, THE
from dp_spec.vocabulary.scalar import S


def sample_she(mechanism: SHE[S], items: Indices, coins: ArrayCoins) -> Indices:
    """Reports of n users, shape (n, d), from their items, shape (n,): entries in half cells, numbers over 2 `steps`.

    The sum of a column over 2 n `steps` is the estimate of the item. Raises `DomainError` for bad positions, and where
    e^(eps / (2 steps)) is irrational.
    """
    held = item_rows(items, mechanism)
    shape = len(held), len(mechanism.domain.items)
    negative = coins.bernoulli(Fraction(1, 2), shape) == 1
    cells = np.zeros(shape, np.int64)
    flat, further = cells.reshape(-1), np.arange(cells.size)
    while further.size:
        further = further[coins.bernoulli(mechanism.ratio, further.size) == 1]
        flat[further] += 1
    entries: Indices = np.where(negative, -1, 1) * (2 * cells + 1)
    entries[np.arange(len(held)), held] += 2 * mechanism.steps
    return entries


def sample_the(mechanism: THE[S], items: Indices, coins: ArrayCoins) -> Bits:
    """Reports of n users, shape (n, d), from their items, shape (n,). Raises as `sample_she`, for p and q."""
    held = item_rows(items, mechanism)[:, None]
    return unary_bits(held, len(mechanism.domain.items), mechanism.p, mechanism.q, coins)
