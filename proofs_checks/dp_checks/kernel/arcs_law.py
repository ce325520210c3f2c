"""Laws on arcs at exact instances: hash functions, covers and densities on [0, 1), from the printed formulas alone.

A hash function is the list of the hash values of all items. [0, 1) is cut at both ends of every item's arc; on a
cell [low, high) between cuts everything is constant, so that its low end stands for it.
"""

from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations
from typing import Any, NamedTuple

from dp_checks.kernel.exact import integer, items, rational
from dp_checks.kernel.laws import Items
from dp_checks.kernel.rejected import require
from dp_checks.kernel.slotwise import Instance, fits, point_values
from dp_checks.kernel.terms import evaluate

Hash = tuple[Fraction, ...]
Family = list[tuple[Hash, Fraction]]

MAX_FUNCTIONS, MAX_BITS = 512, 64


class Numbers(NamedTuple):
    """What a density depends on at an instance: m, w = e^eps, the length of an arc, the normaliser; and d, K."""

    m: int
    w: Fraction
    arc: Fraction
    omega: Fraction
    d: int
    k: int


def numbers(statement: Any, at: Instance) -> Numbers:
    """The numbers of an instance, shown to lie in the statement's domain."""
    law = statement["law"]
    require(set(at) <= {"m", "K", "N", "n", law["base"]} and not law["parameters"], "an instance with unknown names")
    require(fits({"where": [], **statement}, at), "the instance lies outside the domain")
    values = point_values(statement, at)
    m, w, arc = at["m"], values[law["base"]], evaluate(law["q"], values)
    require(arc > 0 and m * arc < 1, "m arcs do not fit")
    return Numbers(m, w, arc, m * arc * w + 1 - m * arc, at["K"] + at["N"], at["K"])


def hash_function(values: Any, d: int) -> Hash:
    """The hash values of d items, each in [0, 1)."""
    require(isinstance(values, list) and len(values) == d, "a hash value for every item")
    h = tuple(rational(v) for v in values)
    require(all(0 <= v < 1 and v.denominator.bit_length() <= MAX_BITS for v in h), "hash values lie in [0, 1)")
    return h


def family(listed: Any, view: str, n: Numbers) -> Family:
    """A law on hash functions, [values, probability] each, shown to be what the view says."""
    require(isinstance(listed, list) and 0 < len(listed) <= MAX_FUNCTIONS, f"1 to {MAX_FUNCTIONS} hash functions")
    require(all(isinstance(entry, list) and len(entry) == 2 for entry in listed), "a hash function and its probability")
    found = [(hash_function(values, n.d), rational(weight)) for values, weight in listed]
    require(all(weight > 0 for _, weight in found), "a hash function with probability 0")
    require(sum(weight for _, weight in found) == 1, "not a law on hash functions")
    require(len({h for h, _ in found}) == len(found), "a hash function is listed twice")
    if view in ("fixed", "hash", "disjoint"):
        require(len(found) == 1, "one public hash function")
        everything = tuple(range(n.d))
        require(view != "disjoint" or length(everything, found[0][0], n.arc) == n.d * n.arc, "arcs that overlap")
        return found
    independent = {"pairwise": 2, "kwise": n.m + 1, "ideal": n.d}
    require(view in independent, f"no law on hash functions is called {view}")
    _require_independent(found, min(independent[view], n.d), n)
    return found


def _require_independent(found: Family, k: int, n: Numbers) -> None:
    """Every k values are independent and uniform on a grid of which the length of an arc is a multiple.

    Then every point of [0, 1) lies in the arc of a uniform value with probability `arc` exactly.
    """
    grid = len({h[0] for h, _ in found})
    require((n.arc * grid).denominator == 1, "the length of an arc is no multiple of the grid's step")
    require(all((v * grid).denominator == 1 for h, _ in found for v in h), "a value off the grid")
    require(grid**k <= MAX_FUNCTIONS, "fewer functions than independent values take")
    for chosen in combinations(range(n.d), k):
        joint: dict[Hash, Fraction] = {}
        for h, weight in found:
            point = tuple(h[x] for x in chosen)
            joint[point] = joint.get(point, Fraction(0)) + weight
        uniform = len(joint) == grid**k and set(joint.values()) == {Fraction(1, grid**k)}
        require(uniform, f"{k} values are not independent and uniform")


def in_arc(tau: Fraction, v: Fraction, arc: Fraction) -> bool:
    """Whether tau = v + s on the circle for some 0 <= s < arc (tau in [0, 1), v in [0, 1])."""
    return any(0 <= tau - v + turn < arc for turn in (0, 1))


def cells(h: Iterable[Fraction], arc: Fraction) -> list[tuple[Fraction, Fraction]]:
    """[0, 1) cut at both ends of every arc."""
    cuts = {end % 1 for v in h for end in (v, v + arc)} | {Fraction(0)}
    lows = sorted(cuts)
    return list(zip(lows, [*lows[1:], Fraction(1)], strict=True))


def covered(tau: Fraction, s: Items, h: Hash, arc: Fraction) -> bool:
    """Whether a point lies in the arc of an item of s."""
    return any(in_arc(tau, h[x], arc) for x in s)


def length(s: Items, h: Hash, arc: Fraction) -> Fraction:
    """The length of the cover of s: what several arcs cover counts once."""
    parts = cells([h[x] for x in s], arc)
    return sum((high - low for low, high in parts if covered(low, s, h, arc)), Fraction(0))


def density(tau: Fraction, s: Items, h: Hash, n: Numbers) -> Fraction:
    """Q(tau | s) as printed: w / Omega on the cover, (Omega - l w) / ((1 - l) Omega) elsewhere."""
    if covered(tau, s, h, n.arc):
        return n.w / n.omega
    covers = length(s, h, n.arc)
    return (n.omega - covers * n.w) / ((1 - covers) * n.omega)


def is_density(s: Items, h: Hash, n: Numbers) -> bool:
    """Whether Q( . | s) is >= 0 and integrates to 1."""
    parts = [(high - low, density(low, s, h, n)) for low, high in cells(h, n.arc)]
    return all(q >= 0 for _, q in parts) and sum(width * q for width, q in parts) == 1


def emitted(tau: Fraction, s: Items, h: Hash, n: Numbers) -> Items:
    """Algorithm 1, lines 4-11: the non-sensitive items of s whose arcs the point avoids."""
    return tuple(x for x in s if x >= n.k and not in_arc(tau, h[x], n.arc))


def chance(event: str, s: Items, x: int, h: Hash, n: Numbers) -> Fraction:
    """Probability, given h, that the point lies in the arc of x (`held`, `other`), or that x is emitted."""
    require(is_density(s, h, n), "no density: a set of more than m items")
    total = Fraction(0)
    for low, high in cells(h, n.arc):
        happens = x in emitted(low, s, h, n) if event == "emitted" else in_arc(low, h[x], n.arc)
        total += (high - low) * density(low, s, h, n) * happens
    return total


def set_of(value: Any, n: Numbers, least: int, most: int) -> Items:
    """A set of `least` to `most` known items, listed in order."""
    s = items(value)
    require(list(s) == sorted(set(s)) and all(x < n.d for x in s), f"{s} is no set of known items")
    require(least <= len(s) <= most, f"{s} has an inadmissible size")
    return s


def point_of(value: Any) -> Fraction:
    """A point of [0, 1)."""
    tau = rational(value)
    require(0 <= tau < 1, f"{tau} is no point of [0, 1)")
    return tau


def item_of(value: Any, n: Numbers) -> int:
    """A known item."""
    return integer(value, 0, n.d - 1)
