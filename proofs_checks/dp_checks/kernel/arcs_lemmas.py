"""Lemmas about laws on arcs for all sizes and all hash functions: covers, densities, hit probabilities."""

from fractions import Fraction
from typing import Any, NamedTuple

from dp_checks.kernel.constants_sizes import implied
from dp_checks.kernel.polynomial import Bound, Ratio, is_nonnegative, lift, variable
from dp_checks.kernel.rejected import require
from dp_checks.kernel.slotwise import ranges_of, table, variables

SHRUNK = ("a cover's share", "another cover's share")
"""g >= 0, so that 1 / (1 + g) ranges over (0, 1]. Names that no expression tree of a statement can bind."""


class Symbols(NamedTuple):
    """A law on arcs in symbols: w = e^eps, arc length, m, normaliser, and the ranges of all variables."""

    w: Ratio
    arc: Ratio
    m: Ratio
    omega: Ratio
    ranges: dict[str, Bound]


def symbols(law: Any, *, m: Any = None) -> Symbols:
    """The law's numbers as rational functions; m may be fixed."""
    require(law["unit"] == "arcs" and not law["parameters"], "a law on arcs")
    values = variables(law) | ({} if m is None else {"m": m})
    w, arc, size = lift(values[law["base"]]), lift(table(law, values)[1]), lift(values["m"])
    ranges = ranges_of(law) | {name: Bound(Fraction(0), False) for name in SHRUNK}
    require(is_nonnegative(arc, ranges, strictly=True), "an arc is not shown to have a length")
    require(is_nonnegative(1 - size * arc, ranges, strictly=True), "m arcs are not shown to leave a gap")
    return Symbols(w, arc, size, size * arc * w + 1 - size * arc, ranges)


def cover_length(n: Symbols, items: Any, share: str = SHRUNK[0]) -> Ratio:
    """The length of a cover of 1 to `items` arcs: any number in (0, items * arc].

    Length is subadditive: a union of arcs is at most as long as they are together. Every number in the interval is
    admitted, whether or not a cover has it; what holds for all of them holds for covers.
    """
    return lift(items) * n.arc / (1 + variable(share))


def outside(n: Symbols, covers: Ratio) -> Ratio:
    """Q off a cover of the given length."""
    return (n.omega - covers * n.w) / ((1 - covers) * n.omega)


def require_density(law: Any, items: Any) -> None:
    """Q is a density for every set of at most `items` items: l w / Omega + (1 - l) Q_outside = 1 for l < 1, and both
    values are >= 0. The empty set has l = 0.
    """
    n = symbols(law)
    require(is_nonnegative(lift(items), n.ranges), "a number of items is >= 0")
    require(is_nonnegative(n.w / n.omega, n.ranges), "the density on the cover is not shown to be >= 0")
    for covers in (cover_length(n, items), lift(0)):
        require(is_nonnegative(1 - covers, n.ranges, strictly=True), "a cover is not shown to leave a gap")
        off = outside(n, covers)
        require(covers * n.w / n.omega + (1 - covers) * off == 1, "the integral is not 1")
        require(is_nonnegative(off, n.ranges), "the density off the cover is not shown to be >= 0")


def require_cover_bounds(law: Any) -> None:
    """For |s| <= m and every hash function Q lies in [1 / Omega, w / Omega]: a ratio of two densities is at most w.

    On a cover Q is w / Omega. Off it, l <= m * arc by subadditivity, and positivity shows 1 <= Omega Q <= w.
    """
    require_density(law, symbols(law).m)
    n = symbols(law)
    require(is_nonnegative(n.w - 1, n.ranges), "e^eps is not shown to be at least 1")
    off = outside(n, cover_length(n, n.m)) * n.omega
    require(is_nonnegative(off - 1, n.ranges), "the density off the cover is not shown to be >= 1 / Omega")
    require(is_nonnegative(n.w - off, n.ranges), "the density off the cover is not shown to be <= w / Omega")


def require_attained(law: Any) -> None:
    """For d > m the ratio w is reached: m + 1 arcs fit, so that some hash function makes those of m + 1 items disjoint;
    s holds one of them that s' (the other m) does not, and y0 is a point of its arc: w / Omega against Q off a cover of
    length m * arc. The two sets differ by one item each (so `deniability` compares them), and if K >= 2 these two can
    be sensitive (so does `samenon`).
    """
    n = symbols(law)
    require(is_nonnegative(1 - (n.m + 1) * n.arc, n.ranges), "m + 1 disjoint arcs are not shown to fit")
    require((n.w / n.omega) / outside(n, n.m * n.arc) == n.w, "disjoint arcs do not reach e^eps")


def hit_chances(spec: Any) -> tuple[Any, Any]:
    """Probabilities that the point lies in the arc of a held item, and of another one, for every set of m items.

    held (every hash function): the item's arc lies inside the cover, where Q = w / Omega: arc * w / Omega = p, however
    the other arcs lie. other, `ideal` and `kwise` (`pairwise` if m = 1): given the point, which depends on the values
    of the m held items only, the item's value is uniform, and an interval of length `arc` of values gives an arc that
    holds the point: q. other, `disjoint`: m * arc is covered, the item's arc lies outside the cover, where Q = 1 /
    Omega: q / Omega.
    """
    law, view = spec["law"], spec["view"]
    single = ["sub", 1, "m"] in spec["where"]
    values = variables(law) | ({"m": lift(1)} if single else {})
    n = symbols(law, m=lift(1) if single else None)
    p, q, _ = table(law, values)
    require(lift(p * n.omega) == n.arc * n.w, "not the chance of a held item's arc")
    if view in ("ideal", "kwise") or (view == "pairwise" and single):
        return p, q
    require(view == "disjoint", f"no lemma about another item's arc for {view} hash functions")
    return p, q / n.omega


def without_invertible(statement: Any) -> bool:
    """Whether a ratio statement compares points only: no non-sensitive items, or the marginal law of the point; or
    (`samenon`) invertible data that the point, h and the common s_non determine.
    """
    return (
        statement["law"]["r"] is None
        or statement["relation"] in ("marginal", "samenon")
        or implied(["neg", "N"], statement["where"])
    )
