"""Plausible faults in the sampler of PrivSet."""

from math import comb
from typing import Any

import numpy as np

from dp_refimpl.fast.frequency import privset as fast

first, completed = fast._first, fast.completed_rows


def places(change: Any) -> Any:
    """The sampler's first choice, changed."""
    return lambda mechanism, users, coins: change(first(mechanism, users, coins), mechanism)


def from_the_end(mechanism: Any, sets: Any) -> Any:
    d, rows = len(mechanism.domain.items), completed(mechanism, sets)
    return np.where(rows >= d, 2 * d + mechanism.m - 1 - rows, rows)


def shifted(pool: Any, users: Any, one: Any, other: Any) -> None:
    """Overwrites instead of exchanging."""
    pool[users, one] = pool[users, other]


SAMPLER: dict[str, tuple[str, Any]] = {
    "always the first held output": (
        "_first",
        places(lambda place, mechanism: np.where(place < mechanism.m, 0, place)),
    ),
    "never a miss": ("_first", places(lambda place, mechanism: np.minimum(place, mechanism.m - 1))),
    "the last held output first": (
        "_first",
        places(lambda place, mechanism: np.where(place < mechanism.m, mechanism.m - 1 - place, place)),
    ),
    "overwritten pool": ("_exchange", shifted),
    "nothing is shuffled": ("_exchange", lambda pool, users, one, other: None),
    "all users alike": ("_first", places(lambda place, mechanism: np.full_like(place, place[0]))),
    "binom(D - i, k - 1)": ("comb", lambda n, k: comb(n + 1, k)),
    "dummies from the end": ("completed_rows", from_the_end),
}
