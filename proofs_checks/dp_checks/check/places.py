"""Where counterexamples are sought: instances of a statement in the declared order, and the law's enumeration there."""

import json
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache, lru_cache
from itertools import permutations, product
from typing import Any, NamedTuple

from flint import fmpq

from dp_checks.certificate import json_value
from dp_checks.check.proposals import ROOTS, THETAS, Candidate, Sizes, sizes_of, text
from dp_checks.check.public_choices import families, with_premise
from dp_kernel.laws.arc_instances import cells
from dp_kernel.laws.grammar import Items, Output, World, output_law, sets_of
from dp_kernel.laws.instances import sizes_of as set_sizes
from dp_kernel.laws.instances import world_of
from dp_kernel.laws.sizes import fits, numbers, point_values
from dp_kernel.meter import Rejected
from dp_kernel.schema import canonical
from dp_refimpl.frequency.hashing import FixedFunction, HashFamily, HashFunction, PolynomialFamily, RandomFunctions
from dp_spec.vocabulary.law import Law

Json = dict[str, Any]
MAX_FUNCTIONS, MAX_RANDOM = 343, 125
"""Families of more hash functions (laws that are uniform on all functions) are not enumerated."""
GIVEN = ("fixed", "hash", "disjoint")
"""Views of one hash function."""
PATTERNS: tuple[tuple[tuple[int, fmpq], ...], ...] = (
    tuple((0, fmpq(i)) for i in range(8)),  # next to each other from 0 on
    tuple((0, fmpq(0)) for _ in range(8)),  # all equal
    tuple((0, fmpq(i, 2)) for i in range(8)),  # every arc overlaps the next one by half
    ((1, fmpq(-1, 2)), *((0, fmpq(2 * i + 1, 2)) for i in range(7))),  # the first one wraps around
    ((0, fmpq(1)), (0, fmpq(1)), *((0, fmpq(i)) for i in range(2, 8))),  # two coincide, others beside them
    ((1, fmpq(-1, 3)), (0, fmpq(1, 3)), *((0, fmpq(i)) for i in range(2, 8))),  # overlapping across 0
)
"""Hash values as (turns, arc lengths), reduced mod 1: for the first, second, ... item."""


class Grid(NamedTuple):
    """How many items there are at most, which roots of e^epsilon are tried, which values of a parameter."""

    items: int
    roots: tuple[fmpq, ...] = ROOTS
    thetas: tuple[fmpq, ...] = THETAS[:1]


GRIDS: Mapping[str, Grid] = {
    **dict.fromkeys(("items", "bits"), Grid(4, thetas=THETAS)),
    "arcs": Grid(3),
    "messages": Grid(3, ROOTS[:2]),
    "sketches": Grid(3, ROOTS[:1]),
    "subsets": Grid(4),
}
"""What is tried of laws, by what their reports are made of."""


class Place(NamedTuple):
    """An instance and its listed functions, as certificates have them."""

    at: Json
    hashes: Any = None


def places(statement: Any, body: Json, most: int | None = None) -> Iterator[Place]:
    """Instances in the domain of a statement: sizes, then the order of processing (if quantified), the budget and the
    parameters, then functions; `most`: another number of items."""
    law, grid = statement.law, GRIDS[statement.law.unit]
    for sizes in _sizes(statement, most or grid.items):
        natural = tuple(range(sizes["K"] + sizes["N"]))
        every = getattr(statement, "any_order", False) and len(natural) <= 3
        thetas = grid.thetas if law.parameters else (None,)
        for order, root, theta in product(permutations(natural) if every else (natural,), grid.roots, thetas):
            at = {name: sizes[name] for name in ("m", "K", "N")}
            at |= {name: sizes.get(name, sizes.get("c")) for name in law.integers}
            at |= {law.base: text(root)} | ({"order": list(order)} if order != natural else {})
            at |= dict.fromkeys(law.parameters, text(theta))
            if _is_inside(body, at):
                yield from (Place(at, listed) for listed in _listed(statement, sizes, root))


def _is_inside(body: Json, at: Json) -> bool:
    """Whether an instance lies in the domain of a statement."""
    try:
        return bool(point_values(body["law"], at)) and fits(body, at)
    except Rejected:
        return False


def _sizes(statement: Any, most: int) -> Iterator[Json]:
    law = statement.law
    if law.unit == "arcs" and law.brought:
        return  # the kernel has no hash functions of dummies
    if law.unit in ("items", "bits", "arcs"):
        yield from (sizes.json() for sizes in sizes_of(law, statement.where, most))
        return
    for at in with_premise(law, dict.fromkeys(law.parameters, THETAS[0])):
        yield at | {"k": at["k"] if "k" in at else len(at.get("functions", ()))}


def _listed(statement: Any, sizes: Json, root: fmpq) -> Iterator[Any]:
    """The functions that are listed at an instance: none, families of choices, or laws on hash functions. Ratios are
    those given a function: on average over functions there are other ones."""
    law = statement.law
    if law.unit != "arcs":
        yield families(law, sizes) or None if law.unit in ("sketches", "messages") else None
    elif statement.view in GIVEN or not hasattr(statement, "relation"):
        at = Sizes(sizes["K"] + sizes["N"], sizes["m"], sizes["K"])
        yield from (listed(family) for family in hash_families(law, statement.view, at, root))


# --- hash functions ---------------------------------------------------------------------------------------------------


@cache
def functions(d: int, arc: fmpq) -> tuple[HashFunction, ...]:
    """Hash functions on d items that show every kind of overlap, different ones once."""
    hashes = []
    for pattern in PATTERNS:
        values = [turns + arcs * arc for turns, arcs in pattern[:d]]
        hashes.append(HashFunction(tuple(range(d)), tuple([v - int(v.floor()) for v in values])))
    return tuple(dict.fromkeys(hashes))


def arc_length(law: Law, sizes: Sizes, root: fmpq) -> fmpq:
    """The length of an arc at an instance."""
    length: fmpq = fmpq(1) * law.q.evaluate({law.base: root, **sizes.json()})
    return length


def is_disjoint(h: HashFunction, arc: fmpq) -> bool:
    """Whether the arcs of all items are disjoint."""
    return all(len(hits) <= 1 for hits in cells(tuple(map(fraction, h.values)), fraction(arc)))


def hash_families(law: Law, view: str, sizes: Sizes, root: fmpq) -> Iterator[HashFamily]:
    """Laws on hash functions with the property the view names, small enough to enumerate.

    Independent values lie on the grid of multiples of the arc length (polynomials need a prime number of them).
    """
    arc, items = arc_length(law, sizes, root), tuple(range(sizes.d))
    if view in GIVEN:
        for h in functions(sizes.d, arc):
            if view != "disjoint" or is_disjoint(h, arc):
                yield FixedFunction(h)
        return
    if (1 / arc).q != 1:
        return
    grid = int((1 / arc).p)
    if view == "ideal":
        if grid**sizes.d <= MAX_RANDOM:
            yield RandomFunctions(items, grid)
        return
    degree = {"pairwise": 1, "kwise": sizes.m}[view]
    # large families only once for all splits of the items into sensitive and other ones
    most = MAX_FUNCTIONS if sizes.k in (1, sizes.d) else MAX_RANDOM
    if grid ** (degree + 1) <= most and _is_prime(grid) and sizes.d <= grid:
        yield PolynomialFamily(items, grid, degree)


def listed(family: HashFamily) -> list[list[Any]]:
    """A law on hash functions as certificates write it."""
    return [[[str(v) for v in h.values], str(weight)] for h, weight in family.law().items()]


def fraction(number: Any) -> Fraction:
    """A number of flint as the kernel has it."""
    return Fraction(int(number.p), int(number.q))


def _is_prime(number: int) -> bool:
    return number > 1 and all(number % i for i in range(2, number))


# --- enumeration ------------------------------------------------------------------------------------------------------


class Enumerated(NamedTuple):
    """The law's term at an instance, its world, and the law of the output for every admissible set that has one."""

    term: Any
    world: World
    rows: dict[Items, dict[Output, Any]]


def enumerated(body: Json, place: Place) -> Enumerated:
    """The law at an instance, as the kernel enumerates it; remembered: statements on one law ask for the same."""
    return _enumerated(canonical([{name: body[name] for name in ("law", "sizes")}, *place]))


@lru_cache(maxsize=1024)
def _enumerated(written: str) -> Enumerated:
    body, at, hashes = json.loads(written)
    term = numbers(body, at)
    world, rows = world_of(body, at, term, hashes), dict[Items, dict[Output, Any]]()
    for s in sets_of(set_sizes(body, at), at["K"], at["N"]):
        try:
            rows[s] = output_law(term, s, at["m"], world)
        except Rejected:
            if not isinstance(hashes, list):
                raise
            continue  # a set of more than m items without a density
    return Enumerated(term, world, rows)


def witness(statement: Any, place: Place, data: Json, **more: int) -> Candidate:
    """A counterexample, and what its words tell: of ratios on sets, and of subsets, the instance alone."""
    unit, at = statement.law.unit, {**place.at, **more}
    hashes = {} if place.hashes is None else {"hashes": place.hashes}
    if unit in ("items", "bits"):
        values = place.at | ({} if hasattr(statement, "relation") else data.get("case", data))
    else:
        values = {name: x for name, x in at.items() if name != "hashes"}
        values |= {} if unit == "subsets" else data.get("case", data) | words(place.hashes)
    scope = ", ".join(f"{name} = {value}" for name, value in values.items())
    return Candidate("refuted", "witness", scope, json_value({"instance": at, **hashes, **data}))


def words(hashes: Any) -> Json:
    """Listed functions, without long lists of hash functions."""
    if isinstance(hashes, list):
        return {"hash": hashes[0][0] if len(hashes) == 1 else f"one of {len(hashes)} functions"}
    return {name: [image for _, image in listed] for name, listed in (hashes or {}).items()}
