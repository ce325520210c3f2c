"""Vectorized suRAP, suRAP-Sample, uRAP (source 002, 4.2.1; reference [21]). The laws are exactly those of the programs.

A report is a row of d bits: the first K are the protected datum, the others say which invertible data are output.
"""

import numpy as np

from dp_refimpl.fast.array_coins import ArrayCoins, Bits, Indices
from dp_refimpl.fast.frequency.item_arrays import drawn_items, item_rows, set_rows
from dp_refimpl.frequency.surap import SuRAP, SuRAPSample
from dp_refimpl.frequency.urap import URAP
from dp_spec.vocabulary.items import ItemDomain
from dp_spec.vocabulary.scalar import S


def sample_surap(mechanism: SuRAP[S], sets: Indices, coins: ArrayCoins) -> Bits:
    """Reports, shape (n, d), from sets, shape (n, m). Raises `DomainError` for rows the mechanism does not accept."""
    rows = set_rows(sets, mechanism)
    return protected_bits(rows, mechanism.domain, mechanism.p, mechanism.q, mechanism.r, coins)


def sample_surap_sample(mechanism: SuRAPSample[S], sets: Indices, coins: ArrayCoins) -> Bits:
    """Reports, shape (n, d), from sets, shape (n, m)."""
    drawn = drawn_items(set_rows(sets, mechanism), coins)[:, None]
    return protected_bits(drawn, mechanism.domain, mechanism.p, mechanism.q, mechanism.r, coins)


def sample_urap(mechanism: URAP[S], items: Indices, coins: ArrayCoins) -> Bits:
    """Reports, shape (n, d), from items, shape (n,)."""
    held = item_rows(items, mechanism)[:, None]
    return protected_bits(held, mechanism.domain, mechanism.theta, mechanism.d1, 1 - mechanism.d2, coins)


def protected_bits(held: Indices, domain: ItemDomain, p: S, q: S, r: S, coins: ArrayCoins) -> Bits:
    """Table (18) for every row: a sensitive bit is 1 with probability p if held, else q; any other r if held, or 0."""
    users, sensitive = len(held), len(domain.sensitive)
    bits = np.zeros((users, len(domain.items)), np.uint8)
    bits[:, :sensitive] = coins.bernoulli(q, (users, sensitive))
    for one, where in ((p, held < sensitive), (r, held >= sensitive)):
        bits[np.nonzero(where)[0], held[where]] = coins.bernoulli(one, int(where.sum()))
    return bits
