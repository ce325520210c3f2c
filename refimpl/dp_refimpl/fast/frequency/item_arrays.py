"""Users' data as index arrays: what the vectorized samplers take. An item is its position in the item domain."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from dp_refimpl.fast.array_coins import ArrayCoins, Indices
from dp_refimpl.frequency.parameters import ItemParameters, SetParameters
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item, ItemDomain
from dp_spec.vocabulary.scalar import S

BLANK = -1
"""Where a row of indices has no item."""


def positions(items: Sequence[Item], domain: ItemDomain) -> Indices:
    """The positions of items in the domain. Raises `DomainError` for an unknown item."""
    places = {x: j for j, x in enumerate(domain.items)}
    unknown = [x for x in items if x not in places]
    if unknown:
        raise DomainError("items", unknown, f"items of {domain.items}")
    return np.array([places[x] for x in items], np.int64)


def item_rows(items: NDArray[np.integer], mechanism: ItemParameters[S]) -> Indices:
    """One item per user, checked. Raises `DomainError` unless it is a vector of positions in the domain."""
    return _checked("items", items, 1, len(mechanism.domain.items))


def set_rows(sets: NDArray[np.integer], mechanism: SetParameters[S]) -> Indices:
    """The users' sets, one per row, brought to domain order.

    Raises `DomainError` unless every row holds m (with `any_size`: any number of) different positions in the domain.
    """
    rows = np.sort(_checked("sets", sets, 2, len(mechanism.domain.items)), axis=1)
    if not mechanism.any_size and rows.shape[1] != mechanism.m:
        raise DomainError("sets", rows.shape, f"rows of exactly m = {mechanism.m} items")
    if (rows[:, 1:] == rows[:, :-1]).any():
        raise DomainError("sets", rows[(rows[:, 1:] == rows[:, :-1]).any(axis=1)][0], "rows of different items")
    return rows


def drawn_items(rows: Indices, coins: ArrayCoins) -> Indices:
    """One uniformly drawn item of every row. Raises `DomainError` for empty sets."""
    users, held = rows.shape
    if held == 0:
        raise DomainError("sets", rows.shape, "sets with at least one item to draw")
    return rows[np.arange(users), coins.below(held, users)]


def chunks(users: int, size: int) -> Iterator[slice]:
    """Consecutive slices of at most `size` users: dense reports of all users need not be in memory at once."""
    if size < 1:
        raise DomainError("size", size, "an integer >= 1")
    return (slice(start, min(start + size, users)) for start in range(0, users, size))


def _checked(name: str, array: NDArray[np.integer], dimensions: int, items: int) -> Indices:
    if not isinstance(array, np.ndarray) or not np.issubdtype(array.dtype, np.integer) or array.ndim != dimensions:
        raise DomainError(name, array, f"an integer array of {dimensions} dimension(s)")
    if not len(array):
        raise DomainError(name, array, "at least one user")
    if array.size and not (int(array.min()) >= 0 and int(array.max()) < items):
        raise DomainError(name, (int(array.min()), int(array.max())), f"positions in 0..{items - 1}")
    return array.astype(np.int64)
