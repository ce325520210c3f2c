"""Laws on arcs at exact instances: hash functions, covers and densities on [0, 1), from the printed formulas alone.

A hash function is the list of the hash values of all items. [0, 1) is cut at both ends of every item's arc; on a
cell [low, high) between cuts everything is constant, so that its low end stands for it.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any, NamedTuple

from dp_checks.kernel.exact import items, rational
from dp_checks.kernel.laws import Items, sets_of
from dp_checks.kernel.rejected import Rejected, require
from dp_checks.kernel.sizes import Instance, fits, numbers
from dp_checks.kernel.work import cost, spend

Hash = tuple[Fraction, ...]
Cell = tuple[Fraction, Fraction, Fraction]
"""Where it begins, how long it is, the density there."""

FAMILIES = frozenset({"hash", "fixed", "disjoint", "pairwise", "kwise", "ideal"})
"""One published function (whatever it is; one under which the arcs of all items are disjoint); a fresh one for every
user, of which every two, m + 1, all values are independent and uniform."""
MAX_FUNCTIONS, MAX_BITS = 512, 64


class Circle(NamedTuple):
    """What a density depends on at an instance: m, the length of an arc, e^eps, the normaliser; and d, K."""

    m: int
    arc: Fraction
    weight: Fraction
    omega: Fraction
    d: int
    k: int


def arcs_of(term: Any) -> tuple[str, Any]:
    """The family and ["interval", length, weight] of a law on arcs."""
    match term:
        case ["hashed", family, ["interval", _, _] as arcs] | ["push", "emit", ["hashed", family, arcs]]:
            require(family in FAMILIES, f"no hash functions are called {family}")
            return family, arcs
    raise Rejected("the law is not about arcs")


def normaliser(m: Any, length: Any, weight: Any) -> Any:
    """Omega."""
    return m * length * weight + 1 - m * length


def outside(covers: Any, weight: Any, omega: Any) -> Any:
    """The density off a cover of the given length (8)."""
    return (omega - covers * weight) / ((1 - covers) * omega)


def circle(term: Any, at: Instance) -> Circle:
    """The numbers of an instance."""
    _, (_, length, weight) = arcs_of(term)
    m, arc, w = at["m"], Fraction(length), Fraction(weight)
    require(arc > 0 and m * arc < 1 and w >= 0, "m arcs do not fit")
    return Circle(m, arc, w, normaliser(m, arc, w), at["K"] + at["N"], at["K"])


def circle_of(statement: Any, at: Instance) -> Circle:
    """The numbers of an instance, shown to lie in the statement's domain."""
    require(fits({"where": [], **statement}, at), "the instance lies outside the domain")
    return circle(numbers(statement, at), at)


def hash_function(values: Any, d: int) -> Hash:
    """The hash values of d items, each in [0, 1)."""
    require(isinstance(values, list) and len(values) == d, "a hash value for every item")
    h = tuple(point_of(v) for v in values)
    require(all(v.denominator.bit_length() <= MAX_BITS for v in h), "hash values of too many digits")
    return h


def point_of(value: Any) -> Fraction:
    """A point of [0, 1)."""
    tau = rational(value)
    require(0 <= tau < 1, f"{tau} is no point of [0, 1)")
    return tau


def set_of(value: Any, c: Circle, sizes: Sequence[int]) -> Items:
    """A set of known items of an admissible size, listed in order."""
    s = items(value)
    require(s in sets_of(sizes, c.k, c.d - c.k), f"{s} is no set of known items of an admissible size")
    return s


def witness(statement: Any, evidence: Any, sizes: Sequence[int]) -> tuple[Circle, Items, Items, Hash, Fraction]:
    """An instance, two different sets, a hash function and a point."""
    c = circle_of(statement, evidence["instance"])
    s, other = (set_of(evidence[name], c, sizes) for name in ("s", "other"))
    require(s != other, "one set is not compared with itself")
    return c, s, other, hash_function(evidence["hash"], c.d), point_of(evidence["point"])


def in_arc(tau: Fraction, v: Fraction, arc: Fraction) -> bool:
    """Whether tau = v + s on the circle for some 0 <= s < arc (tau in [0, 1), v in [0, 1])."""
    return any(0 <= tau - v + turn < arc for turn in (0, 1))


def covered(tau: Fraction, s: Items, h: Hash, arc: Fraction) -> bool:
    """Whether a point lies in the arc of an item of s."""
    return any(in_arc(tau, h[x], arc) for x in s)


def cells(h: Hash, arc: Fraction) -> list[tuple[Fraction, Fraction]]:
    """[0, 1) cut at both ends of every arc: where the cells begin, and how long they are."""
    spend((2 * len(h) + 1) * len(h) * cost(arc, *h))
    lows = sorted({end % 1 for v in h for end in (v, v + arc)} | {Fraction(0)})
    return [(low, high - low) for low, high in zip(lows, [*lows[1:], Fraction(1)], strict=True)]


def cover_length(s: Items, h: Hash, arc: Fraction) -> Fraction:
    """The length of the cover of s: what several arcs cover counts once."""
    return sum((width for low, width in cells(h, arc) if covered(low, s, h, arc)), Fraction(0))


def densities(s: Items, h: Hash, c: Circle) -> list[Cell]:
    """Q( . | s) as printed: w / Omega on the cover, (Omega - l w) / ((1 - l) Omega) elsewhere."""
    covers = cover_length(s, h, c.arc)
    off = outside(covers, c.weight, c.omega) if covers < 1 else Fraction(0)
    return [(low, width, c.weight / c.omega if covered(low, s, h, c.arc) else off) for low, width in cells(h, c.arc)]


def is_density(parts: list[Cell]) -> bool:
    """Whether it is >= 0 and integrates to 1."""
    return all(q >= 0 for _, _, q in parts) and sum(width * q for _, width, q in parts) == 1


def density_at(tau: Fraction, s: Items, h: Hash, c: Circle) -> Fraction:
    """Q(tau | s), which must be a density."""
    parts = densities(s, h, c)
    require(is_density(parts), "Q is no density there: nothing is drawn from it")
    return [q for low, _, q in parts if low <= tau][-1]


def emitted(tau: Fraction, s: Items, h: Hash, c: Circle) -> Items:
    """Algorithm 1, lines 4-11: the non-sensitive items of s whose arcs the point avoids."""
    return tuple(x for x in s if x >= c.k and not in_arc(tau, h[x], c.arc))


def family_of(listed: Any, family: str, c: Circle) -> list[tuple[Hash, Fraction]]:
    """A law on hash functions, [values, probability] each, shown to be one of the family."""
    require(isinstance(listed, list) and 0 < len(listed) <= MAX_FUNCTIONS, f"1 to {MAX_FUNCTIONS} hash functions")
    found = [(hash_function(values, c.d), rational(weight)) for values, weight in listed]
    law = all(weight > 0 for _, weight in found) and sum(weight for _, weight in found) == 1
    require(law, "not a law on hash functions")
    require(len({h for h, _ in found}) == len(found), "a hash function is listed twice")
    independent = {"pairwise": 2, "kwise": c.m + 1, "ideal": c.d}
    if family in independent:
        _require_independent(found, min(independent[family], c.d), c)
        return found
    require(family in FAMILIES and len(found) == 1, "one public hash function")
    together = cover_length(tuple(range(c.d)), found[0][0], c.arc)
    require(family != "disjoint" or together == c.d * c.arc, "arcs that overlap")
    return found


def _require_independent(found: list[tuple[Hash, Fraction]], k: int, c: Circle) -> None:
    """Every k values are independent and uniform on a grid of which the length of an arc is a multiple.

    Then every point of [0, 1) lies in the arc of a uniform value with probability `arc` exactly.
    """
    grid = len({h[0] for h, _ in found})
    require((c.arc * grid).denominator == 1, "the length of an arc is no multiple of the grid's step")
    require(all((v * grid).denominator == 1 for h, _ in found for v in h), "a value off the grid")
    require(grid**k <= MAX_FUNCTIONS, "fewer functions than independent values take")
    for chosen in combinations(range(c.d), k):
        spend(len(found) * cost(*found[0][0]))
        joint: dict[Hash, Fraction] = {}
        for h, weight in found:
            point = tuple(h[x] for x in chosen)
            joint[point] = joint.get(point, Fraction(0)) + weight
        uniform = len(joint) == grid**k and set(joint.values()) == {Fraction(1, grid**k)}
        require(uniform, f"{k} values are not independent and uniform")
