"""Laws on arcs (Wheel, suWheel) for all sizes and all hash functions: densities, ratios, hit chances.

Given the hash values, the cover C of s is the union of the arcs [h(x), h(x) + L) of its items on the circle, l its
length. With Omega = m L w + 1 - m L the density is w / Omega on C and (Omega - l w) / ((1 - l) Omega) off C: for l < 1
it integrates to 1. Length is subadditive: at most m items have 0 <= l <= m L (l = 0 for the empty set).
"""

from collections.abc import Mapping
from typing import Any

from dp_kernel import schema
from dp_kernel.formulas.domains import Region
from dp_kernel.laws.arc_instances import arcs_of, normalizer
from dp_kernel.laws.grammar import all_sensitive
from dp_kernel.laws.sizes import goal, implied, region_of
from dp_kernel.meter import require
from dp_kernel.numbers.polynomial import Ratio, is_nonnegative, lift, variable

M, K, N = map(variable, "mKN")


def symbols(law: Any, family: str = "hash") -> tuple[Ratio, Ratio, Region]:
    """L and w of a law (that `check` has shown to be one) with the given family (`hash`: whatever function is
    published), and all of its sizes."""
    own, (_, *trees) = arcs_of(law["term"])
    require(own == family, "a statement conditional on the published hash function, whatever it is")
    place = region_of(law)
    length, weight = map(place.value, trees)
    return length, weight, place


def require_density(arcs: Any, place: Region) -> None:
    """Raise `Rejected` unless the density is one for at most m items, whatever the hash function is.

    L > 0, m L < 1 and w >= 0 are enough: Omega >= 1 - m L > 0, l < 1 and Omega - l w = (m L - l) w + 1 - m L > 0.
    """
    (length, weight), ranges = map(place.value, arcs[1:]), place.ranges
    require(is_nonnegative(length, ranges, strictly=True), "an arc is not shown to have a length")
    gap = is_nonnegative(1 - length * place.values["m"], ranges, strictly=True)
    require(gap, "m arcs are not shown to leave a gap")
    require(is_nonnegative(weight, ranges), "the density on arcs is not shown to be >= 0")


def require_exists(spec: Any) -> None:
    """Raise `Rejected` unless the law's hash functions exist at all stated sizes.

    Independent values do, and so does some function; disjoint arcs of all items do if d L <= 1, which a stated bound
    on d must imply: a constraint a >= 0 gives d <= d + a.
    """
    term = spec["law"]["term"]
    of = term[-1] if term[0] in ("dummies", "sampled", "filled") else term
    if (of[0] == "hashed" or of[:2] == ["push", "emit"]) and arcs_of(of)[0] == "disjoint":
        length, _, place = symbols(spec["law"], "disjoint")
        most = [place.value(["add", tree, ["add", "K", "N"]]) for tree in spec.get("where", [])]
        fit = any(is_nonnegative(1 - d * length, place.ranges) for d in most)
        require(fit, "the arcs of all items are not shown to fit")


def hit_chance(arcs: Any, family: str, values: Mapping[str, Any], *, held: bool) -> Any:
    """The chance that the point lies in the arc of a held item, or of another one, for every set of m items.

    held (every hash function): the item's arc lies inside the cover, where Q = w / Omega, however the other arcs lie.
    other, `ideal` and `kwise` (`pairwise` if m = 1): given the point, which depends on the values of the m held items
    only, the item's value is uniform, and an interval of length L of values gives an arc that holds the point. other,
    `disjoint`: m L is covered, the item's arc lies outside the cover, where Q = 1 / Omega.
    """
    _, length, weight = arcs
    omega = normalizer(values["m"], length, weight)
    if held:
        return length * weight / omega
    if family in ("ideal", "kwise") or (family == "pairwise" and lift(values["m"]) == 1):
        return length
    require(family == "disjoint", f"no rule for another item's arc under {family} hash functions")
    return length / omega


def require_ratio(statement: Any, evidence: Any) -> None:
    """Raise `Rejected` unless w, which no compared ratio of densities exceeds, is at most e^eps or, where a constant is
    stated, is the smallest one over all hash functions.

    w >= 1: Q lies in [1 / Omega, w / Omega]. Off the cover Omega Q >= 1 because Omega - l w - (1 - l) = (m L - l)(w -
    1) >= 0, and Omega Q <= w because w - Omega = (1 - m L)(w - 1) >= 0. Of an output with invertible data: the points
    alone are compared by the marginal law; without non-sensitive items nothing else is sent; the point, h and a common
    s_non determine the rest (`samenon`).

    Reached, d > m: under some hash function the arcs of s' are disjoint, and one of s begins in the gap they leave, at
    y0: w / Omega against (Omega - m L w) / ((1 - m L) Omega) = 1 / Omega. One item is exchanged (so `deniability`
    compares them, as K >= 1); if K >= 2 it can be a sensitive one for a sensitive one (so `samenon` does).
    """
    (_, weight, place), relation = symbols(statement["law"]), statement["relation"]
    where = tuple(map(place.value, statement["where"]))
    alone = all_sensitive(statement["law"]["term"]) or implied(-N, where)
    require(alone or relation in ("marginal", "samenon"), "invertible data are compared")
    require(statement["sizes"] in ("exactm", "atmost"), "the cover of more than m items is not bounded")
    require(is_nonnegative(weight - 1, place.ranges), "the density is not shown to be larger on arcs")
    room = place.value(goal(statement)) - weight
    if "constant" not in statement:
        require(is_nonnegative(room, place.ranges), "the density on arcs is not shown to be at most e^eps / Omega")
        return
    require(relation != "samenon" or implied(K - 2, where), "K >= 2 is not stated")
    require(implied(K + N - M - 1, where), "d > m is not stated")
    require(room == 0, "the constant is another one")


def unbounded(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: at all stated sizes no constant bounds the compared ratios, whatever the hash function.

    d > m and N >= 1 give m-sets s = A + {a} with a sensitive and s' = A + {x} with x not. At a point outside all arcs
    of s' (they leave a gap) s' emits x; s, whose density is positive everywhere, does not: the output (y0, emitted
    items of A) is possible for s only.
    """
    _, weight, place = symbols(statement["law"])
    require(statement["relation"] in ("joint", "deniability"), "the pair is not compared by this reading")
    require(statement["law"]["term"][0] == "push", "the law has no invertible data")
    where = tuple(map(place.value, statement["where"]))
    require(implied(K + N - M - 1, where) and implied(N - 1, where), "d > m, N >= 1 are not stated")
    require(is_nonnegative(weight, place.ranges, strictly=True), "the density on arcs is not shown to be > 0")


KINDS = {
    "unbounded": schema.Kind(unbounded, schema.COMPARED, proved=[["rule=emitted"]], also=schema.compared),
}
