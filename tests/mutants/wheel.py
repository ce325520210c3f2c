"""Plausible faults of the array versions of Wheel and suWheel: what replaces their functions."""

from collections.abc import Callable
from typing import Any

import numpy as np

from dp_refimpl.fast.array_coins import Indices
from dp_refimpl.fast.frequency import wheel


def unsorted_starts(starts: Indices, circle: Any, coins: Any) -> Any:
    return DRAW(starts[:, ::-1], circle, coins)


def ignored_overlaps(starts: Indices, circle: Any, coins: Any) -> Any:
    """Chooses one of the arcs, then a point of it; or a point outside all."""
    users, held = starts.shape
    inside = coins.below(circle.bottom * circle.units, users) < held * circle.arc * circle.top
    chosen = starts[np.arange(users), coins.below(held, users)]
    return np.where(inside, chosen + coins.below(circle.arc, users), DRAW(starts, circle, coins)) % circle.units


def not_wrapped(starts: Indices, circle: Any, coins: Any) -> Any:
    return np.minimum(DRAW(starts, circle, coins), circle.units - 1 - (starts[:, -1] > circle.units - circle.arc))


def shifted(starts: Indices, circle: Any, coins: Any) -> Any:
    return (DRAW(starts, circle, coins) + 1) % circle.units


def changed(**fields: Callable[[Any], int]) -> Callable[..., Any]:
    """The circle with other integers."""

    def circle_of(mechanism: Any, prime: int) -> Any:
        right = CIRCLE(mechanism, prime)
        numbers = {name: getattr(right, name) for name in ("units", "step", "arc", "top", "bottom")}
        return type(right)(**numbers | {name: change(right) for name, change in fields.items()})

    return circle_of


DRAW, CIRCLE = wheel._drawn_units, wheel._circle
SAMPLER_FAULTS: dict[str, tuple[str, Any]] = {
    "arcs not sorted": ("_drawn_units", unsorted_starts),
    "overlaps ignored": ("_drawn_units", ignored_overlaps),
    "arcs not wrapped": ("_drawn_units", not_wrapped),
    "the unit after": ("_drawn_units", shifted),
    "arcs one unit longer": ("_circle", changed(arc=lambda c: c.arc + 1)),
    "arcs one unit shorter": ("_circle", changed(arc=lambda c: c.arc - 1)),
    "P[C_v] = l": ("_circle", changed(top=lambda c: c.bottom)),
    "hash values a unit apart": ("_circle", changed(step=lambda c: 1)),
}


def at_most_allowed(table: Any, allowed: Any, prime: int, counts: Any) -> None:
    COUNT(table, allowed + np.uint32(1), prime, counts)


def same_for_all(table: Any, allowed: Any, prime: int, counts: Any) -> None:
    COUNT(table, np.full_like(allowed, allowed[0]), prime, counts)


def one_item_late(table: Any, allowed: Any, prime: int, counts: Any) -> None:
    spare = np.zeros(len(counts) + 1, np.int64)
    COUNT(table, allowed, prime, spare)
    counts += spare[1:]


def not_reduced(table: Any, allowed: Any, prime: int, counts: Any) -> None:
    for item in range(len(counts)):
        counts[item] += np.count_nonzero(table[0] < allowed)
        table[:-1] += table[1:]


def last_block_only(table: Any, allowed: Any, prime: int, counts: Any) -> None:
    counts[:] = 0
    COUNT(table, allowed, prime, counts)


def without_top(hashes: Any, top: Any) -> Any:
    return DIFFERENCES(hashes, np.zeros_like(top))


def not_negated(hashes: Any, top: Any) -> Any:
    return DIFFERENCES(type(hashes)((-hashes.coefficients) % hashes.prime, hashes.prime), top)


def constant_differences(hashes: Any, top: Any) -> Any:
    table = DIFFERENCES(hashes, top)
    table[2:] = 0
    return table


def top_of_the_next_cell(hashes: Any, top: Any) -> Any:
    return DIFFERENCES(hashes, top + 1)


COUNT, DIFFERENCES = wheel._count, wheel._differences
SERVER_FAULTS: dict[str, tuple[str, Any]] = {
    "<= for <": ("_count", at_most_allowed),
    "the first user's numbers for all": ("_count", same_for_all),
    "one item late": ("_count", one_item_late),
    "sums not reduced": ("_count", not_reduced),
    "the last block only": ("_count", last_block_only),
    "z0 forgotten": ("_differences", without_top),
    "the hash negated": ("_differences", not_negated),
    "an affine function": ("_differences", constant_differences),
    "z0 rounded up": ("_differences", top_of_the_next_cell),
}
