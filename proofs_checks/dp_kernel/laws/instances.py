"""Ratios that are compared at exact instances, whose law is enumerated: refuted by a pair that is shown."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from dp_kernel.laws import grammar
from dp_kernel.laws.arc_instances import functions_of
from dp_kernel.laws.families import families_at
from dp_kernel.laws.grammar import Items, Output, World, mixed, output_law, sets_of
from dp_kernel.laws.sizes import Instance, fits, is_drawn, numbers
from dp_kernel.meter import pay, require
from dp_kernel.numbers.json_numbers import items


def sizes_of(statement: Any, at: Instance) -> range:
    """The admissible set sizes of a statement at an instance."""
    term, m, d = statement["law"]["term"], at["m"], at["K"] + at["N"]
    require(term[0] != "subset" or statement["sizes"] == "exactm", "the law of a subset is one for sets of m items")
    least = 0 if term[0] == "dummies" else 1
    least, most = {"exactm": (m, m), "atmost": (least, m), "all": (0, d)}[statement["sizes"]]
    return range(max(least, 1) if is_drawn(term) else least, most + 1)


def world_of(statement: Any, at: Instance, term: Any, hashes: Any = None) -> World:
    """The items, and the listed functions: on arcs a law on hash functions, or families of published choices."""
    families: Any = families_at(hashes, statement["law"], at) if isinstance(hashes, dict) else {}
    if isinstance(hashes, list):
        families = functions_of(hashes, term, at["m"], at["K"] + at["N"])
    return World(at["K"], at["N"], items(at.get("order", [])), families)


def comparisons(
    statement: Any, at: Instance, only: tuple[Items, ...] | None = None, hashes: Any = None
) -> Iterator[tuple[Items, Items, Any, Any, Any]]:
    """The compared pairs of sets (all of them, or of some), and every output that the reading looks at and that the
    first one has, with its probabilities for both: dummies are items like others."""
    require(fits(statement, at), "the instance lies outside the domain")
    law, term = statement["law"]["term"], numbers(statement, at)
    world = world_of(statement, at, term, hashes)
    sets = sets_of(sizes_of(statement, at), at["K"], at["N"])
    require(only is None or set(only) <= set(sets), "inputs outside the domain")
    rows = {s: output_law(term, s, at["m"], world) for s in (only or sets)}
    for s, other in product(rows, repeat=2):
        pay(1, *rows[s].values())
        (inner, held), (_, beside) = (grammar.completed(law, x, at["m"], world) for x in (s, other))
        if s != other and related(statement["relation"], held, beside, inner.k):
            a, b = (observed(rows[x], statement["relation"], held, beside, statement["counted"]) for x in (s, other))
            yield from ((s, other, y, p, b.get(y, 0)) for y, p in a.items() if p != 0)


def related(relation: str, s: Items, other: Items, k: int) -> bool:
    """Whether the ordered pair (s, other) is compared by a reading of (11); the others compare all pairs."""
    a, b = set(s), set(other)
    if relation == "deniability":
        return len(a - b) == 1 == len(b - a) and min(a - b) < k
    return relation != "samenon" or {x for x in a if x >= k} == {x for x in b if x >= k}


def observed(law: dict[Output, Any], relation: str, s: Items, other: Items, counted: str) -> dict[Any, Any]:
    """What the relation compares: the marginal law of y0, or the joint law on the outputs it speaks of.

    With `counted` "nonempty" outputs whose y0 carries no sensitive element are not subject to it.
    """
    pay(1, *law.values())
    subject = {y: pr for y, pr in law.items() if counted == "all" or not is_empty(y[0])}
    if relation == "marginal":
        return mixed((pr, {y0: Fraction(1)}) for (y0, _), pr in subject.items())
    return {y: pr for y, pr in subject.items() if relation != "joint" or set(y[1]) <= set(s) & set(other)}


def is_empty(y0: Any) -> bool:
    """Whether y0 carries no sensitive element."""
    return y0 is None or (isinstance(y0, tuple) and all(z is None for z in y0))
