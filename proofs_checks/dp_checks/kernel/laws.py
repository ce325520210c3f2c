"""The laws of the papers' tables on sets of items, enumerated directly; generic in the number type.

A law is a table of one item or one bit (own p, other q, kept r) applied to every item of the set (`draw` = "all") or
to one uniformly drawn item ("one"), or to every item in a report of its own ("each"). Items are 0..K-1 (sensitive)
and K..K+N-1 (not). An output is (y0, I).
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import combinations, product
from typing import Any

Items = tuple[int, ...]
Output = tuple[Any, Items]


def sets_of(sizes: Iterable[int], k: int, n: int) -> list[Items]:
    """All sets of the given sizes in lexicographic order."""
    return [c for size in sizes for c in combinations(range(k + n), size)]


def report_law(law: Any, view: str, held: Items, k: int, n: int, order: Items, numbers: Any) -> dict[Output, Any]:
    """The exact law of the report (y0, I) of a user holding `held`; `numbers` gives p, q, r."""
    if law["draw"] == "all":
        return _whole(law, view, held, k, n, order, numbers)
    parts = [_whole(law, view, (x,), k, n, order, numbers) for x in held]
    total: dict[Output, Any] = {}
    if law["draw"] == "one":
        for part in parts:
            for y, probability in part.items():
                total[y] = total.get(y, 0) + probability / len(held)
        return total
    for reports in product(*(part.items() for part in parts)):  # "each": a report of its own for every item
        weight: Any = Fraction(1)
        for _, probability in reports:
            weight = probability * weight
        y = tuple(y0 for (y0, _), _ in reports), tuple(sorted(x for (_, kept), _ in reports for x in kept))
        total[y] = total.get(y, 0) + weight
    return total


def _whole(law: Any, view: str, held: Items, k: int, n: int, order: Items, numbers: Any) -> dict[Output, Any]:
    slots = _bit_slots(held, k, n, numbers) if law["unit"] == "bits" else _item_slots(held, k, order, numbers)
    total: dict[Output, Any] = {}
    for outcome in product(*slots):
        weight: Any = Fraction(1)
        for _, probability in outcome:
            weight = probability * weight
        for y, share in _observe(law["unit"], view, tuple(z for z, _ in outcome), k):
            total[y] = total.get(y, 0) + weight / share
    return total


def _item_slots(held: Items, k: int, order: Items, numbers: Any) -> list[list[tuple[Any, Any]]]:
    p, q, r = numbers
    return [
        [(z, p if z == x else q) for z in range(k)] if x < k else [*((z, q) for z in range(k)), (x, r)]
        for x in order
        if x in held
    ]


def _bit_slots(held: Items, k: int, n: int, numbers: Any) -> list[list[tuple[Any, Any]]]:
    p, q, r = numbers
    slots: list[list[tuple[Any, Any]]] = []
    for x in range(k + n):
        if x < k:
            one = p if x in held else q
            slots.append([(0, 1 - one), (1, one)])
        else:
            slots.append([(0, 1 - r), (1, r)] if x in held else [(0, 1)])
    return slots


def _observe(unit: str, view: str, z: tuple[Any, ...], k: int) -> Iterator[tuple[Output, int]]:
    """The outputs an outcome z shows in a view, each with the number it divides the probability by."""
    if unit == "bits":
        bits, kept = z[:k], tuple(k + j for j, bit in enumerate(z[k:]) if bit)
        yield ((bits, kept) if view == "whole" else bits, kept), 1
        return
    sensitive = sorted(x for x in z if x < k)
    kept = tuple(sorted(x for x in z if x >= k))
    match view:
        case "set":
            yield (tuple(sorted(set(sensitive))), kept), 1
        case "multiset":
            yield (tuple(sensitive), kept), 1
        case "vector" | "position":
            yield (tuple(x if x < k else None for x in z), kept), 1
        case "one":
            yield (z[0] if z[0] < k else None, kept), 1
        case "padded":
            for extra in product(range(k), repeat=len(kept)):
                yield (tuple(sorted([*sensitive, *extra])), kept), k ** len(kept)
        case _:
            raise ValueError(f"unknown view {view}")


def count(law: Any, view: str, y: Output, x: int, k: int) -> int:
    """The contribution of a report to F_x."""
    y0, kept = y
    if x >= k:
        return kept.count(x)
    if law["draw"] == "each":
        return sum(bits[x] for bits in y0)
    if law["unit"] == "bits":
        return int((y0[0] if view == "whole" else y0)[x])
    return int(y0 == x) if view == "one" else y0.count(x)


def related(relation: str, s: Items, other: Items, k: int) -> bool:
    """Whether the ordered pair (s, other) is compared by a reading of (11)."""
    a, b = set(s), set(other)
    match relation:
        case "marginal" | "joint" | "ldp":
            return True
        case "deniability":
            return len(a - b) == 1 == len(b - a) and min(a - b) < k
        case "samenon":
            return {x for x in a if x >= k} == {x for x in b if x >= k}
    raise ValueError(f"unknown relation {relation}")


def observed(law: dict[Output, Any], relation: str, s: Items, other: Items, counted: str) -> dict[Any, Any]:
    """What the relation compares: the marginal law of y0, or the joint law on the outputs it speaks of.

    With `counted` "nonempty" outputs whose y0 carries no sensitive element are not subject to it.
    """
    subject = {y: pr for y, pr in law.items() if counted == "all" or not is_empty(y[0])}
    if relation != "marginal":
        return {y: pr for y, pr in subject.items() if relation != "joint" or set(y[1]) <= set(s) & set(other)}
    total: dict[Any, Any] = {}
    for (y0, _), pr in subject.items():
        total[y0] = total.get(y0, 0) + pr
    return total


def is_empty(y0: Any) -> bool:
    """Whether y0 carries no sensitive element."""
    return y0 is None or (isinstance(y0, tuple) and all(z is None for z in y0))
