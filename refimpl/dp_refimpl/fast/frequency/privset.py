"""Vectorized PrivSet: one report of k output positions per row (source 002, reference [23]). The law is exactly that of
the program.

A user's outputs are put first; the first of them that the report has (or that it has none) is drawn, everything after
it is a uniform choice without replacement.
"""

from math import comb

import numpy as np
from numpy.typing import NDArray

from dp_refimpl.fast.array_coins import ArrayCoins, Indices
from dp_refimpl.fast.frequency.item_arrays import BLANK, chunks
from dp_refimpl.frequency.privset import PrivSet
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.scalar import S

CELLS = 1 << 22
"""Users are handled in blocks of so many (user, output) pairs."""


def sample_privset(mechanism: PrivSet[S], sets: NDArray[np.integer], coins: ArrayCoins) -> Indices:
    """Reports of n users, shape (n, k), rows sorted, from sets, shape (n, width); dummy number j is position d + j.

    Plain: width m. Padded: any width, rows of 0 to m items, `BLANK` where a row has none. Raises `DomainError` for rows
    the mechanism does not accept.
    """
    rows = completed_rows(mechanism, sets)
    reports = np.empty((len(rows), mechanism.k), np.int64)
    for part in chunks(len(rows), max(1, CELLS // len(mechanism.outputs))):
        reports[part] = _subsets(mechanism, rows[part], coins)
    return reports


def completed_rows(mechanism: PrivSet[S], sets: NDArray[np.integer]) -> Indices:
    """The users' outputs, shape (n, m): positions of items, then of the first dummies. Raises `DomainError`."""
    d, m = len(mechanism.domain.items), mechanism.m
    if not isinstance(sets, np.ndarray) or not np.issubdtype(sets.dtype, np.integer) or sets.ndim != 2:
        raise DomainError("sets", sets, "an integer array of 2 dimensions")
    if not len(sets):
        raise DomainError("sets", sets, "at least one user")
    lowest = BLANK if mechanism.padded else 0
    if sets.size and not (int(sets.min()) >= lowest and int(sets.max()) < d):
        raise DomainError("sets", (int(sets.min()), int(sets.max())), f"positions in {lowest}..{d - 1}")
    width = max(m, sets.shape[1])
    rows = np.full((len(sets), width), d, np.int64)
    rows[:, : sets.shape[1]] = np.where(sets == BLANK, d, sets)
    rows.sort(axis=1)
    held: Indices = (rows < d).sum(axis=1)
    wrong = held > m if mechanism.padded else held != m
    if wrong.any():
        allowed = f"rows of {'at most' if mechanism.padded else 'exactly'} m = {m} items"
        raise DomainError("sets", sets[wrong][0], allowed)
    repeated = ((rows[:, 1:] == rows[:, :-1]) & (rows[:, 1:] < d)).any(axis=1)
    if repeated.any():
        raise DomainError("sets", sets[repeated][0], "rows of different items")
    rows = rows[:, :m]
    dummies = d + np.arange(m) - held[:, None]
    return np.where(rows < d, rows, dummies)


def _subsets(mechanism: PrivSet[S], rows: Indices, coins: ArrayCoins) -> Indices:
    """One report for every row of m outputs."""
    users, outputs, m = len(rows), len(mechanism.outputs), mechanism.m
    everyone = np.arange(users)
    held = np.zeros((users, outputs), np.bool_)
    held[everyone[:, None], rows] = True
    rest = np.nonzero(~held)[1].reshape(users, outputs - m)
    pool = np.concatenate([rows, rest], axis=1)
    place = _first(mechanism, users, coins)
    missed = np.flatnonzero(place == m)
    _exchange(pool, missed, place[missed], m + coins.below(outputs - m, len(missed)))
    for i in range(1, mechanism.k):
        start = place + i
        _exchange(pool, everyone, start, start + coins.below(outputs - start, users))
    return np.sort(pool[everyone[:, None], place[:, None] + np.arange(mechanism.k)], axis=1)


def _first(mechanism: PrivSet[S], users: int, coins: ArrayCoins) -> Indices:
    """For every user the place of the first of the m outputs that the report has; m if it has none.

    Reports with the output at place i, but none before it: binom(D - i - 1, k - 1) of them, each e^eps times as likely
    as each of the binom(D - m, k) that miss all m.
    """
    outputs, m, k, w = len(mechanism.outputs), mechanism.m, mechanism.k, mechanism.budget.exp()
    weights = [w * comb(outputs - i - 1, k - 1) for i in range(m)] + [w * 0 + comb(outputs - m, k)]
    place = np.full(users, m, np.int64)
    undecided = np.arange(users)
    for i in range(m):
        left = sum(weights[i + 1 :], weights[i])
        here = coins.bernoulli(weights[i] / left, undecided.size).view(np.bool_)
        place[undecided[here]] = i
        undecided = undecided[~here]
    return place


def _exchange(pool: Indices, users: Indices, one: Indices, other: Indices) -> None:
    pool[users, one], pool[users, other] = pool[users, other], pool[users, one]
