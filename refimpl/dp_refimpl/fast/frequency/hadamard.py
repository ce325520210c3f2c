"""Vectorized Hadamard response and Hadamard count-mean sketch: one sign per user. The laws are the programs'."""

from dataclasses import dataclass

import numpy as np

from dp_refimpl.fast.array_coins import ArrayCoins, Indices
from dp_refimpl.fast.frequency.item_arrays import item_rows
from dp_refimpl.fast.frequency.label_arrays import label_table
from dp_refimpl.frequency.hadamard import HCMS, HadamardResponse
from dp_spec.vocabulary.scalar import S


@dataclass(frozen=True, eq=False)
class CoordinateReports:
    """Reports of n users: coordinates in 0..D-1 and signs 1 and -1, both of shape (n,)."""

    coordinates: Indices
    signs: Indices


@dataclass(frozen=True, eq=False)
class SignReports:
    """Reports of n users to a sketch: signs 1 and -1, rows in 0..k-1, coordinates in 0..m-1, all of shape (n,)."""

    signs: Indices
    rows: Indices
    coordinates: Indices


def sample_hadamard_response(mechanism: HadamardResponse[S], items: Indices, coins: ArrayCoins) -> CoordinateReports:
    """Reports of n users from their items, shape (n,). Raises `DomainError` for bad positions."""
    columns = mechanism.first + item_rows(items, mechanism)
    coordinates = coins.below(mechanism.size, len(columns))
    return CoordinateReports(coordinates, _kept(hadamard_signs(coordinates, columns), mechanism.kept, coins))


def sample_hcms(mechanism: HCMS[S], items: Indices, coins: ArrayCoins) -> SignReports:
    """Reports of n users from their items, shape (n,). Raises `DomainError` for bad positions."""
    held = item_rows(items, mechanism)
    rows = coins.below(mechanism.k, len(held))
    coordinates = coins.below(mechanism.m, len(held))
    columns = label_table(mechanism.functions, mechanism.domain.items)[rows, held].astype(np.int64)
    return SignReports(_kept(hadamard_signs(coordinates, columns), mechanism.kept, coins), rows, coordinates)


def hadamard_signs(i: Indices, j: Indices) -> Indices:
    """The entries H[i, j] for i, j >= 0: -1 where they have an odd number of ones in common in binary."""
    common = i & j
    for shift in (32, 16, 8, 4, 2, 1):
        common = common ^ (common >> shift)
    return 1 - 2 * (common & 1)


def _kept(signs: Indices, chance: S, coins: ArrayCoins) -> Indices:
    return signs * (2 * coins.bernoulli(chance, signs.shape).astype(np.int64) - 1)
