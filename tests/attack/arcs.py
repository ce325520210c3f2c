"""Laws on arcs of the circle (Wheel, suWheel) a second time: points on a grid, the density as source 002 prints it.

A hash function gives every item a point, its value, at which its arc of length L begins. The circle is cut into equal
cells, fine enough for the ends of all arcs: all points of a cell are in the same arcs.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import lcm
from typing import Any

from attack.worlds import Held, MeaninglessError, UndecidedError, World

Choose = Callable[[int], int]
Function = tuple[Fraction, ...]
Family = list[tuple[Function, Fraction]]
INDEPENDENT: dict[str, Callable[[int, int], int]] = {
    "pairwise": lambda m, d: 2,
    "kwise": lambda m, d: m + 1,
    "ideal": lambda m, d: d,
}
"""How many values of a fresh function are independent and uniform."""
MOST, CELLS = 64, 350
"""Functions, and cells under all of them, that are looked at."""


def part(term: Any) -> Any:
    """The part of a term on arcs: ["hashed", family, ["interval", length, weight]]; None if there is none."""
    while term[0] in ("push", "dummies"):
        term = term[2]
    return term if term[0] == "hashed" else None


def numbers(term: Any, world: World) -> tuple[Fraction, Fraction]:
    """L and w. Raises `MeaninglessError` unless L > 0, m L < 1 and w >= 0."""
    length, weight = (world.number(tree) for tree in part(term)[2][1:])
    if length <= 0 or world.m * length >= 1 or weight < 0:
        raise MeaninglessError("no density")
    return length, weight


def in_arc(point: Fraction, start: Fraction, length: Fraction) -> bool:
    """Whether a point belongs to the half-open arc on the circle."""
    return (point - start) % 1 < length


def law(term: Any, s: Held, world: World) -> dict[Any, Fraction]:
    """The law of (function, cell), or (where items are shown) of that with those that are emitted."""
    (length, weight), m = numbers(term, world), world.m
    omega = m * length * weight + 1 - m * length
    probabilities: dict[Any, Fraction] = {}
    listed = world.listed[part(term)[1]]
    for h, p in listed:
        grid = lcm(*(v.denominator for v in h), length.denominator)
        if grid * len(listed) > CELLS:
            raise UndecidedError("too many cells")
        points = [Fraction(j, grid) for j in range(grid)]
        hits = [frozenset(x for x in world.items if in_arc(z, h[x], length)) for z in points]
        cover = Fraction(sum(bool(x & s) for x in hits), grid)
        for z, held in zip(points, hits, strict=True):
            outside = (omega - cover * weight) / ((1 - cover) * omega) if cover < 1 else Fraction(0)
            chance = p * (weight / omega if held & s else outside) / grid
            emitted = tuple(sorted(x for x in s - held if x >= world.k))
            if chance:
                probabilities[((h, z), emitted) if term[0] == "push" else (h, z)] = chance
    return probabilities


def counted(term: Any, y: Any, x: int, world: World) -> int:
    """Whether a report counts for an item: its arc holds the point; of one that is not sensitive: it is emitted."""
    (h, z), emitted = y if term[0] == "push" else (y, ())
    return int(x in emitted) if x >= world.k else int(in_arc(z, h[x], numbers(term, world)[0]))


def items(term: Any, world: World) -> int:
    """How many items have a value: dummies do."""
    return world.k + world.n + (world.m if term[0] == "dummies" else 0)


def families(statement: Any, world: World, choose: Choose) -> dict[str, Family]:
    """A family with the name that the term has: all functions on a grid, one under which arcs are disjoint, any; of
    `hash`, what is said of each published function, several of them. Raises `UndecidedError`, `MeaninglessError`."""
    term, d = statement["law"]["term"], items(statement["law"]["term"], world)
    (length, _), name = numbers(term, world), part(term)[1]
    apart = tuple(x * length % 1 for x in range(d))
    grid = length.denominator * (1 + choose(2))

    def some() -> Function:
        return tuple(Fraction(choose(grid), grid) for _ in range(d))

    if name in INDEPENDENT:
        number = min(INDEPENDENT[name](world.m, d), d)
        grid = length.denominator
        if grid**number > MOST:
            raise UndecidedError("too many functions")
        free = product(range(grid), repeat=number)
        images = ((*v, *(_last(v, x, grid) for x in range(d - number))) for v in free)
        return {name: [(tuple(Fraction(y, grid) for y in v), Fraction(1, grid**number)) for v in images]}
    if name == "disjoint":
        if d * length > 1:
            raise MeaninglessError("no disjoint arcs")
        return {name: [(apart, Fraction(1))]}
    if name == "fixed" or statement["type"] not in ("ratio", "smallest"):
        return {name: [(some(), Fraction(1))]}
    tried = {apart, (Fraction(0),) * d, some(), some()}
    return {name: [(h, Fraction(1, len(tried))) for h in sorted(tried)]}


def _last(v: tuple[int, ...], more: int, grid: int) -> int:
    """A value that depends on all others, and on none of fewer: their sum; there is only one such."""
    if more:
        raise UndecidedError("no such family")
    return -sum(v) % grid


def read(statement: Any, listed: Any, world: World) -> dict[str, Family]:
    """The functions of a witness, which must have the properties that their name says."""
    term, d = statement["law"]["term"], items(statement["law"]["term"], world)
    (length, _), name = numbers(term, world), part(term)[1]
    hashes = [(tuple(Fraction(v) for v in h), Fraction(p)) for h, p in listed]
    if sum(p for _, p in hashes) != 1 or any(len(h) != d or not all(0 <= v < 1 for v in h) for h, _ in hashes):
        raise MeaninglessError("no law on functions")
    if name in INDEPENDENT:
        number = min(INDEPENDENT[name](world.m, d), d)
        values = sorted({v for h, _ in hashes for v in h})
        if any((length * len(values)) % 1 or v * len(values) % 1 for v in values):
            raise MeaninglessError("values on no grid of equal steps")
        for places in product(range(d), repeat=number):
            if len({*places}) == number:
                for at in product(values, repeat=number):
                    chance = sum((p for h, p in hashes if tuple(h[x] for x in places) == at), Fraction(0))
                    if chance != Fraction(1, len(values) ** number):
                        raise MeaninglessError("values that are dependent")
    elif len(hashes) > 1:
        raise MeaninglessError("one function")
    elif name == "disjoint" and any((b - a) % 1 < length for a, b in _pairs(hashes[0][0])):
        raise MeaninglessError("arcs that meet")
    return {name: hashes}


def _pairs(h: Function) -> Iterator[tuple[Fraction, Fraction]]:
    return ((a, b) for i, a in enumerate(h) for j, b in enumerate(h) if i != j)
