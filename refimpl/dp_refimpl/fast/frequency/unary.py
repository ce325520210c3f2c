"""Vectorized optimized unary encoding and its server: dense bits, one user per row. Its law is the program's."""

from collections.abc import Iterable

import numpy as np

from dp_refimpl.fast.array_coins import ArrayCoins, Bits, Indices
from dp_refimpl.fast.frequency.item_arrays import item_rows
from dp_refimpl.fast.frequency.rappor import unary_bits
from dp_refimpl.fast.frequency.report_arrays import column_sums, require_bit_rows
from dp_refimpl.frequency.parameters import affine_estimate
from dp_refimpl.frequency.rappor import RAPPOR
from dp_refimpl.frequency.unary import OUE
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.scalar import S


def sample_oue(mechanism: OUE[S], items: Indices, coins: ArrayCoins) -> Bits:
    """Reports of n users, shape (n, d), from their items, shape (n,). Raises `DomainError` for bad positions."""
    held = item_rows(items, mechanism)[:, None]
    return unary_bits(held, len(mechanism.domain.items), mechanism.p, mechanism.q, coins)


def bit_counts(reports: Iterable[Bits], d: int) -> tuple[Indices, int]:
    """F_x, the number of ones at every position, and the number of reports, from chunks of any sizes.

    Raises `DomainError` for chunks that are not rows of d bits 0 and 1 (uint8 or bool), and without any chunk.
    """
    counts, users = np.zeros(d, np.int64), 0
    for chunk in reports:
        require_bit_rows("reports", chunk, d)
        counts += column_sums(chunk, d)
        users += len(chunk)
    return counts, users


def estimate_unary(mechanism: OUE[S] | RAPPOR[S], reports: Iterable[Bits]) -> dict[Item, S]:
    """Estimated frequencies of all items: `OUE.estimate` on chunks of reports. Raises as it and as `bit_counts`."""
    p, q, items = mechanism.p, mechanism.q, mechanism.domain.items
    counts, users = bit_counts(reports, len(items))
    return {x: affine_estimate(int(count), users, q, p - q) for x, count in zip(items, counts, strict=True)}
