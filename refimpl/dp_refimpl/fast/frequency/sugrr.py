"""Vectorized suGRR and suGRR-Sample (source 002, 4.1.1). The laws are exactly those of the programs."""

from dataclasses import dataclass

import numpy as np

from dp_refimpl.fast.array_coins import ArrayCoins, Indices
from dp_refimpl.fast.frequency.grr import keep_or_uniform
from dp_refimpl.fast.frequency.item_arrays import BLANK, drawn_items, positions, set_rows
from dp_refimpl.frequency.sugrr import SuGRR, SuGRRSample
from dp_spec.vocabulary.scalar import S


@dataclass(frozen=True)
class ItemReports:
    """Reports (y0, I) of n users: positions of the protected and the invertible data, one user per row, `BLANK` = -1.

    Blanks are at the end of a row, except in the view `position`, where they are part of y0.
    """

    protected: Indices
    invertible: Indices


def sample_sugrr(mechanism: SuGRR[S], sets: Indices, coins: ArrayCoins) -> ItemReports:
    """Reports of n users from their sets, shape (n, m). Raises `DomainError` for rows the mechanism does not accept."""
    sensitive, blank = len(mechanism.domain.sensitive), len(mechanism.domain.items)
    rows = set_rows(sets, mechanism)
    if mechanism.order is not None:
        rank = np.argsort(positions(mechanism.order, mechanism.domain))
        rows = np.take_along_axis(rows, np.argsort(rank[rows], axis=1), axis=1)
    slots = keep_or_uniform(rows, sensitive, mechanism.r, coins)
    protected = np.where(slots < sensitive, slots, blank)
    invertible = np.where(slots < sensitive, blank, slots)
    if mechanism.view == "padded":
        protected = np.where(protected == blank, coins.below(sensitive, slots.shape), protected)
    if mechanism.view != "position":
        protected.sort(axis=1)
    if mechanism.view == "set":
        protected[:, 1:][protected[:, 1:] == protected[:, :-1]] = blank
        protected.sort(axis=1)
    invertible.sort(axis=1)
    return ItemReports(_blanked(protected, blank), _blanked(invertible, blank))


def sample_sugrr_sample(mechanism: SuGRRSample[S], sets: Indices, coins: ArrayCoins) -> ItemReports:
    """Reports of n users, one column, from their sets, shape (n, m)."""
    sensitive = len(mechanism.domain.sensitive)
    drawn = drawn_items(set_rows(sets, mechanism), coins)
    z = keep_or_uniform(drawn, sensitive, mechanism.item_randomizer.c3, coins)[:, None]
    return ItemReports(np.where(z < sensitive, z, BLANK), np.where(z < sensitive, BLANK, z))


def _blanked(rows: Indices, blank: int) -> Indices:
    return np.where(rows == blank, BLANK, rows)
