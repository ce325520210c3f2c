"""Plausible faults of Wheel and suWheel, as overrides of a few members, and of their array versions, as functions."""

from collections.abc import Callable
from typing import Any

import numpy as np

from dp_refimpl.fast.array_coins import Indices
from dp_refimpl.fast.frequency import wheel
from dp_refimpl.frequency.arcs import Coverage, PiecewiseDensity, midpoint
from dp_refimpl.frequency.parameters import affine_estimate
from dp_refimpl.frequency.suwheel import SuWheel
from dp_refimpl.frequency.wheel import ArcMechanism, Wheel
from dp_spec.vocabulary.items import Report
from mutants.mechanisms import Members, values

Rule = Callable[[Any, Any, Any], bool]
"""Of hash value, arc length, point."""


def w(s: Any) -> Any:
    return s.budget.exp()


def covered_by(rule: Rule) -> Members:
    """Another idea of an arc in the user's program."""
    cover = type(
        "WrongCoverage",
        (Coverage,),
        {"covers": lambda self, point: any(rule(v, self.length, point) for v in self.starts)},
    )
    return {"coverage": lambda s, items, h: cover(ArcMechanism.coverage(s, items, h).starts, s.p)}


def measured(measure: Callable[[Any], Any]) -> Members:
    """Another length l of the coverage area."""
    cover = type("WrongMeasure", (Coverage,), {"measure": property(measure)})
    return {"coverage": lambda s, items, h: cover(ArcMechanism.coverage(s, items, h).starts, s.p)}


def tested(rule: Rule) -> Members:
    """Another line 5 in the server's program."""

    def hit(s: Any, item: Any, h: Any, z0: Any) -> bool:
        return rule(h(item), s.p, midpoint(z0) if isinstance(z0, tuple) else z0)

    return {"hit": hit}


def dense(outside: Callable[[Any, Any], Any]) -> Members:
    """Another density outside C_v, of the mechanism and l."""

    def density(s: Any, items: Any, h: Any) -> Any:
        right = ArcMechanism.density(s, items, h)
        cover = s.coverage(items, h)
        numbers = [
            w(s) / s.omega if cover.covers(midpoint(cell)) else outside(s, cover.measure) for cell in right.cells
        ]
        return PiecewiseDensity(right.breakpoints, tuple(numbers))

    return {"density": density}


def drawn_for(held: Callable[[Any, Any], Any]) -> Members:
    """z0 drawn for other items than the user's."""
    return {"draw_cell": lambda s, items, h, coins: ArcMechanism.draw_cell(s, held(s, items), h, coins)}


def first_only(s: Any, items: Any, h: Any, coins: Any) -> Any:
    """z0 from the density of a single item's arc."""
    one = type(s)(s.domain, s.budget, s.m, True)
    return ArcMechanism.draw_cell(one, frozenset(s.require_set(items)[:1]), h, coins)


SHARED: dict[str, Members] = {
    "p without m before e^eps": values(p=lambda s: 1 / (2 * s.m - 1 + w(s))),
    "p with 2m instead of 2m - 1": values(p=lambda s: 1 / (2 * s.m + s.m * w(s))),
    "Omega without - m p": values(omega=lambda s: s.m * s.p * w(s) + 1),
    "Omega without p": values(omega=lambda s: s.m * w(s) + 1 - s.m),
    "Omega for one item": values(omega=lambda s: s.p * w(s) + 1 - s.p),
    "arcs not wrapped": covered_by(lambda v, p, z: v <= z < v + p),
    "arcs wrapped by 2p - 1": covered_by(lambda v, p, z: v <= z < v + p or 0 <= z < v + 2 * p - 1),
    "arcs around the hash value": covered_by(
        lambda v, p, z: -p / 2 <= z - v < p / 2 or z - v < p / 2 - 1 or 1 - p / 2 <= z - v
    ),
    "arcs before the hash value": covered_by(lambda v, p, z: v - p <= z < v or v - p + 1 <= z),
    "overlaps count twice in l": measured(lambda self: len(self.starts) * self.length),
    "l is m p - p": measured(lambda self: (len(self.starts) - 1) * self.length),
    "outside as if l = m p": dense(lambda s, l: 1 / s.omega),  # noqa: E741
    "outside not divided by 1 - l": dense(lambda s, l: (s.omega - l * w(s)) / s.omega),  # noqa: E741
    "the first item only": {"draw_cell": first_only},
    "the first items of the domain": drawn_for(lambda s, items: frozenset(s.domain.items[: s.m])),
    "no privacy: always inside": dense(lambda s, l: s.p * 0),  # noqa: E741
    "line 5: z0 - p <= v": tested(lambda v, p, z: z - p <= v <= z or z - p + 1 < v <= 1),
    "line 5: v < z0": tested(lambda v, p, z: z - p < v < z or z - p + 1 < v <= 1),
    "line 5: z0 - p + 1 <= v": tested(lambda v, p, z: z - p < v <= z or z - p + 1 <= v <= 1),
    "line 5: v < 1": tested(lambda v, p, z: z - p < v <= z or z - p + 1 < v < 1),
    "line 5 without wrapping": tested(lambda v, p, z: z - p < v <= z),
    "line 5: arcs before the point": tested(lambda v, p, z: z <= v < z + p or v < z + p - 1),
    "P_true is 1 - p": values(p_true=lambda s: 1 - s.p),
    "estimator divides by P_true": values(p_true=lambda s: s.p * w(s) / s.omega + s.p),
    "P_false is p / Omega": values(p_false=lambda s: s.p / s.omega),
    "P_false is 0": values(p_false=lambda s: s.p * 0),
    "P_true is m p e^eps / Omega": values(p_true=lambda s: s.m * s.p * w(s) / s.omega),
}


def sends(rule: Callable[[Any, Any, Any, Any, Any], bool]) -> Members:
    """Another condition to send an item: of mechanism, item, set, hash, point."""

    def randomize(s: Any, items: Any, h: Any, coins: Any) -> Any:
        cell = s.draw_cell(items, h, coins)
        return Report(cell, frozenset([x for x in s.domain.items if rule(s, x, items, h, midpoint(cell))]))

    return {"randomize": randomize}


def avoided(s: Any, x: Any, h: Any, z: Any) -> bool:
    return not s.arc(x, h).covers(z)


def other(s: Any, x: Any) -> bool:
    return x in s.domain.nonsensitive


MUTANTS: dict[type[Any], dict[str, Members]] = {
    Wheel: SHARED,
    SuWheel: SHARED
    | {
        "sent when hit": sends(lambda s, x, items, h, z: x in items and other(s, x) and not avoided(s, x, h, z)),
        "always sent": sends(lambda s, x, items, h, z: x in items and other(s, x)),
        "never sent": sends(lambda s, x, items, h, z: False),
        "sensitive items sent": sends(lambda s, x, items, h, z: x in items and avoided(s, x, h, z)),
        "items that are not held sent": sends(lambda s, x, items, h, z: other(s, x) and avoided(s, x, h, z)),
        "sent when all arcs are avoided": sends(
            lambda s, x, items, h, z: x in items and other(s, x) and not s.coverage(items, h).covers(z)
        ),
        "sent without regard to wrapping": sends(
            lambda s, x, items, h, z: x in items and other(s, x) and not h(x) <= z < h(x) + s.p
        ),
        "r is 1 - p": values(r=lambda s: 1 - s.p),
        "r is 1 - m p e^eps / Omega": values(r=lambda s: 1 - s.m * s.p_true),
        "r is 1 - p e^eps": values(r=lambda s: 1 - s.p * w(s)),
        "other items' estimator subtracts P_false": {
            "estimate": lambda s, reports, hashes: (
                SuWheel.estimate(s, reports, hashes)
                | {
                    x: affine_estimate(sum(x in y.invertible for y in reports), len(reports), s.p, s.r)
                    for x in s.domain.nonsensitive
                }
            )
        },
    },
}


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
