"""Laws on arcs (Wheel, suWheel) for all sizes and all hash functions: densities, ratios, hit probabilities, witnesses.

Given the hash values, the cover C of s is the union of the arcs [h(x), h(x) + L) of its items on the circle, l its
length. With Omega = m L w + 1 - m L the density is w / Omega on C and (Omega - l w) / ((1 - l) Omega) off C: for l < 1
it integrates to 1. Length is subadditive: at most m items have 0 <= l <= m L (l = 0 for the empty set).
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from dp_checks.kernel import interval_points as points
from dp_checks.kernel.exact import items, rational
from dp_checks.kernel.instances import e_eps, sizes_of
from dp_checks.kernel.laws import Items, is_plain, related
from dp_checks.kernel.polynomial import Bound, Ratio, is_nonnegative, lift
from dp_checks.kernel.rejected import require
from dp_checks.kernel.sizes import Instance, implied, point_values, ranges_of, variables
from dp_checks.kernel.terms import evaluate, require_defined

TWO_SETS = ["sub", ["sub", ["add", "K", "N"], "m"], 1]
"""d > m."""


# --- the law --------------------------------------------------------------------------------------------------------


def require_density(arcs: Any, values: Mapping[str, Any], ranges: Mapping[str, Bound]) -> None:
    """Raise `Rejected` unless the density is one for at most m items, whatever the hash function is.

    L > 0, m L < 1 and w >= 0 are enough: Omega >= 1 - m L > 0, l < 1 and Omega - l w = (m L - l) w + 1 - m L > 0.
    """
    for tree in arcs[1:]:
        require_defined(tree, values, ranges)
    length, weight = (lift(evaluate(tree, values)) for tree in arcs[1:])
    require(is_nonnegative(length, ranges, strictly=True), "an arc is not shown to have a length")
    require(is_nonnegative(1 - length * values["m"], ranges, strictly=True), "m arcs are not shown to leave a gap")
    require(is_nonnegative(weight, ranges), "the density on arcs is not shown to be >= 0")


class Symbols(NamedTuple):
    """L and w of a law, its variables and their ranges."""

    length: Ratio
    weight: Ratio
    values: dict[str, Ratio]
    ranges: dict[str, Bound]


def symbols(statement: Any, family: str = "hash") -> Symbols:
    """A law (that `check` has shown to be one) with the given family; `hash`: whatever function is published."""
    law = statement["law"]
    found, (_, length, weight) = points.arcs_of(law["term"])
    require(found == family, "a statement conditional on the published hash function, whatever it is")
    require(statement.get("counted", "all") == "all", "every point counts")
    values = variables(law)
    return Symbols(lift(evaluate(length, values)), lift(evaluate(weight, values)), values, ranges_of(law))


def require_exists(spec: Any) -> None:
    """Raise `Rejected` unless the law's hash functions exist at all stated sizes.

    Independent values do, and so does some function; disjoint arcs of all items do if d L <= 1, which a stated bound
    on d must imply: a constraint a >= 0 gives d <= d + a.
    """
    term = spec["law"]["term"]
    of = term[-1] if term[0] in ("dummies", "sampled", "filled") else term
    if (of[0] == "hashed" or of[:2] == ["push", "emit"]) and points.arcs_of(of)[0] == "disjoint":
        length, _, values, ranges = symbols(spec, "disjoint")
        most = [values["K"] + values["N"] + evaluate(tree, values) for tree in spec.get("where", [])]
        fit = any(is_nonnegative(1 - d * length, ranges) for d in most)
        require(fit, "the arcs of all items are not shown to fit")


def hit_chance(arcs: Any, family: str, values: Mapping[str, Any], *, held: bool) -> Any:
    """The chance that the point lies in the arc of a held item, or of another one, for every set of m items.

    held (every hash function): the item's arc lies inside the cover, where Q = w / Omega, however the other arcs lie.
    other, `ideal` and `kwise` (`pairwise` if m = 1): given the point, which depends on the values of the m held items
    only, the item's value is uniform, and an interval of length L of values gives an arc that holds the point. other,
    `disjoint`: m L is covered, the item's arc lies outside the cover, where Q = 1 / Omega.
    """
    _, length, weight = arcs
    omega = points.normaliser(values["m"], length, weight)
    if held:
        return length * weight / omega
    if family in ("ideal", "kwise") or (family == "pairwise" and lift(values["m"]) == 1):
        return length
    require(family == "disjoint", f"no rule for another item's arc under {family} hash functions")
    return length / omega


# --- ratios for all sizes -------------------------------------------------------------------------------------------


def require_ratio(statement: Any) -> None:
    """Raise `Rejected` unless every compared ratio of densities is at most e^eps: it is at most w (`_bounded`)."""
    _, weight, values, ranges = _bounded(statement)
    room = lift(e_eps(statement, values)) - weight
    require(is_nonnegative(room, ranges), "the density on arcs is not shown to be at most e^eps / Omega")


def require_smallest(statement: Any) -> None:
    """Raise `Rejected` unless the smallest constant, over all hash functions, is the stated one: w.

    d > m and (m + 1) L <= 1: some hash function makes the arcs of m + 1 items disjoint; s holds m of them, s' all but
    one of those of s, and y0 is a point of that one's arc: w / Omega against (Omega - m L w) / ((1 - m L) Omega) = 1 /
    Omega. One item is exchanged (so `deniability` compares them, as K >= 1); if K >= 2 it can be a sensitive one for a
    sensitive one (so `samenon` does).
    """
    length, weight, values, ranges = _bounded(statement)
    where = statement["where"]
    require(statement["relation"] != "samenon" or implied(["sub", "K", 2], where), "K >= 2 is not stated")
    require(implied(TWO_SETS, where), "d > m is not stated")
    apart = is_nonnegative(1 - (values["m"] + 1) * length, ranges)
    require(apart, "m + 1 disjoint arcs are not shown to fit")
    require(weight == evaluate(statement["constant"], values), "the constant is another one")


def _bounded(statement: Any) -> Symbols:
    """The law of a statement all of whose compared ratios are at most w, given any published hash function.

    w >= 1: Q lies in [1 / Omega, w / Omega]. Off the cover Omega Q >= 1 because Omega - l w - (1 - l) = (m L - l)(w -
    1) >= 0, and Omega Q <= w because w - Omega = (1 - m L)(w - 1) >= 0. Of an output with invertible data: the points
    alone are compared by the marginal law; without non-sensitive items nothing else is sent; the point, h and a common
    s_non determine the rest (`samenon`).
    """
    own, relation = symbols(statement), statement["relation"]
    alone = is_plain(statement["law"]["term"]) or implied(["neg", "N"], statement["where"])
    require(alone or relation in ("marginal", "samenon"), "invertible data are compared")
    require(statement["sizes"] in ("exactm", "atmost"), "the cover of more than m items is not bounded")
    require(is_nonnegative(own.weight - 1, own.ranges), "the density is not shown to be larger on arcs")
    return own


def require_unbounded(statement: Any) -> None:
    """Raise `Rejected` unless at all stated sizes no constant bounds the compared ratios, whatever the hash function.

    d > m and N >= 1 give m-sets s = A + {a} with a sensitive and s' = A + {x} with x not. At a point outside all arcs
    of s' (they leave a gap) s' emits x; s, whose density is positive everywhere, does not: the output (y0, emitted
    items of A) is possible for s only.
    """
    own, where = symbols(statement), statement["where"]
    require(statement["relation"] in ("joint", "deniability"), "the pair is not compared by this reading")
    require(statement["law"]["term"][0] == "push", "the law has no invertible data")
    require(implied(TWO_SETS, where) and implied(["sub", "N", 1], where), "d > m, N >= 1 are not stated")
    require(is_nonnegative(own.weight, own.ranges, strictly=True), "the density on arcs is not shown to be > 0")


# --- exact instances ------------------------------------------------------------------------------------------------


def is_violation(statement: Any, evidence: Any) -> bool:
    """Whether the densities of a witness, of the reported point (and of the invertible data, if they are compared) from
    s and from s', exceed e^eps."""
    symbols(statement)
    at, relation, kept = evidence["instance"], statement["relation"], items(evidence["invertible"])
    c, s, other, h, tau = points.witness(statement, evidence, sizes_of(statement, at))
    require(related(relation, s, other, c.k), "the pair is not compared by this reading")
    require(relation != "marginal" or kept == (), "the marginal law is that of the point alone")
    require(relation != "joint" or set(kept) <= set(s) & set(other), "the output is not compared by this reading")
    first, second = (
        points.density_at(tau, held, h, c) * (relation == "marginal" or points.emitted(tau, held, h, c) == kept)
        for held in (s, other)
    )
    shown = rational(evidence["density"]), rational(evidence["other_density"])
    require(shown == (first, second), "the densities of the witness are not those of the law")
    return bool(first > e_eps(statement, point_values(statement["law"], at)) * second)


def chance_at(term: Any, at: Instance, s: Items, x: int, evidence: Any) -> Fraction:
    """The chance that a user who holds s is counted for x, on average over the listed hash functions: the point lies in
    the item's arc, or (`emit`, x not sensitive) the item is emitted."""
    c, total = points.circle(term, at), Fraction(0)
    shown = term[0] == "push" and x >= c.k
    for h, weight in points.family_of(evidence["hashes"], points.arcs_of(term)[0], c):
        parts = points.densities(s, h, c)
        require(points.is_density(parts), "no density: a set of more than m items")
        for low, width, q in parts:
            counted = x in points.emitted(low, s, h, c) if shown else points.in_arc(low, h[x], c.arc)
            total += weight * width * q * counted
    return total
