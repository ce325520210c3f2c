"""Laws on arcs at exact instances, from the printed formulas alone: families of hash functions, the law of the point.

A hash function is the list of the hash values of all items, points of the circle [0, 1) at which their arcs begin. The
density of a point, and what is emitted with it, depend on the items whose arcs hold it: these stand for the point.
"""

from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

from dp_kernel.meter import Rejected, paid, pay, require
from dp_kernel.numbers.json_numbers import functions, rational

Items = tuple[int, ...]
Hash = tuple[Fraction, ...]

FAMILIES = frozenset({"hash", "fixed", "disjoint", "pairwise", "kwise", "ideal"})
"""One published function (whatever it is; one under which the arcs of all items are disjoint); a fresh one for every
user, of which every two, m + 1, all values are independent and uniform."""


def arcs_of(term: Any) -> tuple[str, Any]:
    """The family and ["interval", length, weight] of a law on arcs."""
    match term:
        case ["hashed", family, ["interval", _, _] as arcs] | ["push", "emit", ["hashed", family, arcs]]:
            require(family in FAMILIES, f"no hash functions are called {family}")
            return family, arcs
    raise Rejected("the law is not about arcs")


def normalizer(m: Any, length: Any, weight: Any) -> Any:
    """Omega."""
    return m * length * weight + 1 - m * length


def point_of(value: Any) -> Fraction:
    """A point of [0, 1)."""
    tau = rational(value)
    require(0 <= tau < 1, f"{tau} is no point of [0, 1)")
    return tau


def in_arc(tau: Fraction, v: Fraction, arc: Fraction) -> bool:
    """Whether tau = v + s on the circle for some 0 <= s < arc (tau in [0, 1), v in [0, 1])."""
    return any(0 <= tau - v + turn < arc for turn in (0, 1))


def cells(h: Hash, arc: Fraction) -> dict[Items, Fraction]:
    """For every set of items the length of all points that the arcs of just these items hold.

    Between neighboring ends of arcs nothing changes: the lower end stands for what lies between.
    """
    pay((2 * len(h) + 1) * len(h), arc, *h)
    ends = sorted({end % 1 for v in h for end in (v, v + arc)} | {Fraction(0), Fraction(1)})
    lengths: dict[Items, Fraction] = {}
    for low, high in pairwise(ends):
        hits = tuple(x for x, v in enumerate(h) if in_arc(low, v, arc))
        lengths[hits] = lengths.get(hits, Fraction(0)) + high - low
    return lengths


def point_law(s: Items, h: Hash, m: int, arc: Fraction, weight: Fraction) -> dict[Items, Fraction]:
    """The law of the items whose arcs hold the point: its density is w / Omega on the cover of s, of length l, and
    (Omega - l w) / ((1 - l) Omega) elsewhere, as printed."""
    lengths, omega = cells(h, arc), normalizer(m, arc, weight)
    covers = sum((length for hits, length in lengths.items() if set(hits) & set(s)), Fraction(0))
    outside = (omega - covers * weight) / ((1 - covers) * omega) if covers < 1 else 0
    law = {hits: length * (weight / omega if set(hits) & set(s) else outside) for hits, length in lengths.items()}
    require(min(law.values()) >= 0 and sum(law.values()) == 1, "Q is no density there: nothing is drawn from it")
    return law


def chance_at(x: int, s: Items, term: Any, m: int, families: Any) -> Fraction:
    """The chance that the point of a user who holds s lies in the arc of x, over the listed functions of a term."""
    family, (_, *numbers) = arcs_of(term)
    length, weight = map(Fraction, numbers)
    laws = ((p, point_law(s, h, m, length, weight)) for p, h in families[family])
    return sum((p * q for p, law in laws for hits, q in law.items() if x in hits), Fraction(0))


def functions_of(listed: Any, term: Any, m: int, d: int) -> dict[str, list[tuple[Fraction, Hash]]]:
    """A law on hash functions of d items, [values, probability] each, shown to be one of the family of the term."""
    family, (_, length, _) = arcs_of(term)
    arc = Fraction(length)
    hashes = functions([(weight, values) for values, weight in listed], d, point_of)
    independent = {"pairwise": 2, "kwise": m + 1, "ideal": d}
    if family in independent:
        # then every point of [0, 1) lies in the arc of a uniform value with probability `arc` exactly
        grid = len({h[0] for _, h in hashes})
        require((arc * grid).denominator == 1, "the length of an arc is no multiple of the grid's step")
        require(all((v * grid).denominator == 1 for _, h in hashes for v in h), "a value off the grid")
        require_independent(hashes, min(independent[family], d), grid)
    else:
        require(len(hashes) == 1, "one public hash function")
        apart = all(len(hits) <= 1 for hits in cells(hashes[0][1], arc))
        require(family != "disjoint" or apart, "arcs that overlap")
    return {family: hashes}


def require_independent(law: list[tuple[Fraction, tuple[Any, ...]]], k: int, values: int) -> None:
    """In a law on functions to so many values, any k of a function are independent and uniform."""
    places = range(len(law[0][1]))
    for chosen in paid(combinations(places, k), *(x for p, h in law for x in (p, *h))):
        joint: dict[tuple[Any, ...], Fraction] = {}
        for p, h in law:
            point = tuple(h[x] for x in chosen)
            joint[point] = joint.get(point, Fraction(0)) + p
        require(set(joint.values()) == {Fraction(1, values**k)}, f"{k} values are not independent and uniform")
