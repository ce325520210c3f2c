"""The programs behind laws on arcs, run under explicit hash functions."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from flint import fmpq

from dp_checks.check.proposals import Sizes
from dp_checks.verdict import InternalDisagreementError
from dp_refimpl.coins import Coins
from dp_refimpl.enumeration import exact_channel
from dp_refimpl.frequency.arcs import Cell
from dp_refimpl.frequency.hashing import (
    FiniteFamily,
    FixedFunction,
    HashFamily,
    HashFunction,
    PolynomialFamily,
    RandomFunctions,
)
from dp_refimpl.frequency.suwheel import SuWheel
from dp_refimpl.frequency.wheel import Wheel
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError, NotStochasticError
from dp_spec.vocabulary.items import ItemDomain, Report
from dp_spec.vocabulary.law import Law
from dp_spec.vocabulary.table import Channel

Held = frozenset[Any]
MAX_FUNCTIONS, MAX_RANDOM = 343, 125
"""Families of more hash functions (laws that are uniform on all functions) are not enumerated."""

PATTERNS: tuple[tuple[tuple[int, fmpq], ...], ...] = (
    tuple((0, fmpq(i)) for i in range(8)),  # next to each other from 0 on
    tuple((0, fmpq(0)) for _ in range(8)),  # all equal
    tuple((0, fmpq(i, 2)) for i in range(8)),  # every arc overlaps the next one by half
    ((1, fmpq(-1, 2)), *((0, fmpq(2 * i + 1, 2)) for i in range(7))),  # the first one wraps around
    ((0, fmpq(1)), (0, fmpq(1)), *((0, fmpq(i)) for i in range(2, 8))),  # two coincide, others beside them
    ((1, fmpq(-1, 3)), (0, fmpq(1, 3)), *((0, fmpq(i)) for i in range(2, 8))),  # overlapping across 0
)
"""Hash values as (turns, arc lengths), reduced mod 1: for the first, second, ... item."""


def mechanism(law: Law, sizes: Sizes, root: fmpq) -> Any:
    """The program of a law at e^epsilon = root; sets of any size allowed."""
    programs: dict[str, Any] = {"wheel": Wheel, "suwheel": SuWheel}
    if law.mechanism not in programs:
        raise DomainError("mechanism", law.mechanism, f"one of {', '.join(programs)}, for laws on arcs")
    return programs[law.mechanism](ItemDomain.of_sizes(sizes.k, sizes.n), Budget.of_root(root, 1), sizes.m, True)


@cache
def functions(d: int, arc: fmpq) -> tuple[HashFunction, ...]:
    """Hash functions on d items that show every kind of overlap, different ones once."""
    found = []
    for pattern in PATTERNS:
        values = [turns + arcs * arc for turns, arcs in pattern[:d]]
        found.append(HashFunction(tuple(range(d)), tuple([v - int(v.floor()) for v in values])))
    return tuple(dict.fromkeys(found))


def is_disjoint(target: Any, h: HashFunction) -> bool:
    """Whether the arcs of all items are disjoint."""
    everything = frozenset(target.domain.items)
    return bool(target.coverage(everything, h).measure == len(everything) * target.p)


def families(view: str, target: Any) -> Iterator[HashFamily]:
    """Laws on hash functions with the property the view names, small enough to enumerate, of the items of a program.

    Independent values lie on the grid of multiples of the arc length (polynomials need a prime number of them).
    """
    items, inverse = target.domain.items, 1 / target.p
    if view in ("fixed", "hash", "disjoint"):
        for h in functions(len(items), target.p):
            if view != "disjoint" or is_disjoint(target, h):
                yield FixedFunction(h)
        return
    if inverse.q != 1:
        return
    grid = int(inverse.p)
    if view == "ideal":
        if grid ** len(items) <= MAX_RANDOM:
            yield RandomFunctions(items, grid)
        return
    degree = {"pairwise": 1, "kwise": target.m}[view]
    # large families only once for all splits of the items into sensitive and other ones
    most = MAX_FUNCTIONS if len(target.domain.sensitive) in (1, len(items)) else MAX_RANDOM
    if grid ** (degree + 1) <= most and _is_prime(grid) and len(items) <= grid:
        yield PolynomialFamily(items, grid, degree)


def listed(family: HashFamily) -> list[list[Any]]:
    """A law on hash functions as certificates write it."""
    return [[[str(v) for v in h.values], str(weight)] for h, weight in family.law().items()]


@cache
def channel(law: Law, sizes: Sizes, root: fmpq, h: HashFunction, lengths: range) -> Channel[Held, Report, Any]:
    """The exact law of (cell of the point, invertible data) given h, for all sets of the given sizes that have one."""
    target = mechanism(law, sizes, root)

    def run(s: Held, coins: Coins) -> Report:
        y = target.randomize(s, h, coins)
        return y if isinstance(y, Report) else Report(y)

    return exact_channel(run, [s for s in target.domain.subsets(lengths) if has_density(target, s, h)], fmpq(1))


@cache
def hits_of(law: Law, sizes: Sizes, root: fmpq, h: HashFunction) -> Mapping[Cell[fmpq], tuple[Any, ...]]:
    """The items that the server finds hit by a point of each cell."""
    target = mechanism(law, sizes, root)
    return {cell: tuple(x for x in target.domain.items if target.hit(x, h, cell)) for cell in target.cells(h)}


@cache
def outcomes(law: Law, sizes: Sizes, root: fmpq, h: HashFunction, lengths: range) -> Channel[Held, Report, Any]:
    """The same law with, for the cell of the point, the items that the server finds hit: all that a report tells.

    Raises `InternalDisagreementError` where the density differs between cells with the same hits.
    """
    found = hits_of(law, sizes, root, h)
    rows: dict[Held, dict[Report, Any]] = {}
    for s, row in channel(law, sizes, root, h, lengths).rows.items():
        total = rows.setdefault(s, {})
        density: dict[tuple[Any, ...], Any] = {}
        for y, p in row.items():
            cell: Any = y.protected
            hits = found[cell]
            seen, q = Report((0, hits), y.invertible), p / (cell[1] - cell[0])
            total[seen] = total.get(seen, 0) + p
            if density.setdefault(hits, q) != q:
                raise InternalDisagreementError(f"{law.mechanism}: two densities of {set(s)} where {hits} are hit")
    return Channel(rows)


def has_density(target: Any, s: Held, h: HashFunction) -> bool:
    """Whether the program finds a density for this set: always, unless there are more than m items."""
    try:
        target.density(s, h)
    except NotStochasticError:
        return False
    return True


@cache
def chances(law: Law, sizes: Sizes, root: fmpq, h: HashFunction, s: Held) -> tuple[tuple[fmpq, fmpq], ...]:
    """For every item the probabilities, given h, that the server counts it (line 5) and that it is emitted."""
    hits: Mapping[Any, Any] = hits_of(law, sizes, root, h)
    row = channel(law, sizes, root, h, range(len(s), len(s) + 1)).rows[s]
    found = []
    for x in range(sizes.d):
        hit = sum((p for y, p in row.items() if x in hits[y.protected]), fmpq(0))
        found.append((hit, sum((p for y, p in row.items() if x in y.invertible), fmpq(0))))
    return tuple(found)


def mean_chances(law: Law, sizes: Sizes, root: fmpq, family: HashFamily, s: Held, x: Any) -> tuple[fmpq, fmpq]:
    """The same two probabilities of one item, for a hash function drawn from a family."""
    hit = emitted = fmpq(0)
    for h, weight in family.law().items():
        given = chances(law, sizes, root, h, s)[x]
        hit, emitted = hit + weight * given[0], emitted + weight * given[1]
    return hit, emitted


# --- replay -------------------------------------------------------------------------------------------------------


def witness_channel(law: Law, evidence: Any, lengths: range) -> Channel[Held, Report, Any]:
    """The law of outcomes at a witness, under its hash function."""
    sizes, root, functions, _ = _at(law, evidence)
    return outcomes(law, sizes, root, functions[0], lengths)


def replay_chance(law: Law, statement: Any, evidence: Any) -> list[str]:
    """The chance that a witness names, from the program again; what was found, in words.

    Raises `InternalDisagreementError` where the program says something else.
    """
    sizes, root, functions, weights = _at(law, evidence)
    s, x = frozenset(evidence["s"]), evidence["item"]
    found = mean_chances(law, sizes, root, FiniteFamily(functions, weights, 2), s, x)
    chance = found[statement["item"] == "nonsensitive"]
    words = f"chance of item {x} given {evidence['s']}"
    if chance != _number(evidence["exact"]):
        raise InternalDisagreementError(f"{words}: {chance} in the program, {evidence['exact']} in the certificate")
    return [f"{words} = {chance}"]


def _at(law: Law, evidence: Any) -> tuple[Sizes, fmpq, tuple[HashFunction, ...], tuple[fmpq, ...]]:
    """The sizes and e^epsilon of a witness, its hash functions and their weights."""
    at, listed = evidence["instance"], evidence["hashes"]
    functions = [HashFunction(tuple(range(len(h))), tuple(map(_number, h))) for h, _ in listed]
    weights = tuple(_number(weight) for _, weight in listed)
    return Sizes(at["K"] + at["N"], at["m"], at["K"]), _number(at[law.base]), tuple(functions), weights


def _number(text: str) -> fmpq:
    return fmpq(*map(int, str(text).split("/")))


def _is_prime(number: int) -> bool:
    return number > 1 and all(number % i for i in range(2, number))
