"""Statements about arcs themselves: densities and their quotients, lengths of covers, readings of membership."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from dp_checks.kernel import fields
from dp_checks.kernel import interval_points as points
from dp_checks.kernel.exact import rational
from dp_checks.kernel.fields import Kind
from dp_checks.kernel.interval import symbols
from dp_checks.kernel.polynomial import is_nonnegative, lift, variable
from dp_checks.kernel.rejected import Rejected, require
from dp_checks.kernel.sizes import ZERO, point_values
from dp_checks.kernel.terms import evaluate, require_defined

SHARES = {"l": "(m L - l) / l", "k": "(m L - k) / k"}
"""Names that no expression tree of a statement can bind: numbers g >= 0 for which a length is m L / (1 + g)."""


def density_law(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: Q is a probability density for every hash function and every set of at most `items` items (all sets if
    there is no such field).

    Proved from m L < 1 and w >= 0 (Omega > 0) where the arcs of `items` items leave a gap and Omega - items L w >= 0,
    as Omega - l w is least for the longest cover. Refuted by a set and a hash function.
    """
    length, weight, values, ranges = symbols(statement)
    if verdict == "refuted":
        at = evidence["instance"]
        c = points.circle_of(statement, at)
        most = Fraction(evaluate(statement.get("items", c.d), point_values(statement["law"], at)))
        s, h = points.set_of(evidence["s"], c, range(int(most // 1) + 1)), points.hash_function(evidence["hash"], c.d)
        require(not points.is_density(points.densities(s, h, c)), "Q is a density at the witness")
        return
    require("items" in statement, "the cover of more items is not bounded")
    require_defined(statement["items"], values, ranges)
    covers = lift(evaluate(statement["items"], values)) * length
    require(is_nonnegative(covers, ranges), "a number of items is >= 0")
    require(is_nonnegative(1 - covers, ranges, strictly=True), "a cover is not shown to leave a gap")
    rest = points.normaliser(values["m"], length, weight) - covers * weight
    require(is_nonnegative(rest, ranges), "the density off the cover is not shown to be >= 0")


def density_ratio(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: Q(y0 | s) / Q(y0 | s') is `ratio` wherever y0 lies in (out of) the covers of s and s' as `case` says,
    for s != s' of 1 to m items and every hash function. In `ratio` l and k are the lengths of the covers of s' and s.

    Proved for all l and k in (0, m L], whether or not a cover has that length.
    """
    case, (length, weight, values, ranges) = statement["case"], symbols(statement)
    require(not values.keys() & SHARES.keys(), "l and k are lengths")
    if verdict == "refuted":
        c, s, other, h, tau = points.witness(statement, evidence, range(1, evidence["instance"]["m"] + 1))
        found = "".join("in" if points.covered(tau, held, h, c.arc) else "out" for held in (s, other))
        require(found == case, "the point is in another case")
        known = {"l": points.cover_length(other, h, c.arc), "k": points.cover_length(s, h, c.arc)}
        stated = evaluate(statement["ratio"], point_values(statement["law"], evidence["instance"]) | known)
        exact = points.density_at(tau, s, h, c) / points.density_at(tau, other, h, c)
        require(exact != stated, "the ratio is right at the witness")
        shown = rational(evidence["exact"]), rational(evidence["stated"])
        require(shown == (exact, stated), "the witness shows other numbers")
        return
    require(is_nonnegative(weight, ranges, strictly=True), "the density on arcs is not shown to be > 0")
    lengths = {name: values["m"] * length / (1 + variable(share)) for name, share in SHARES.items()}
    ranges |= dict.fromkeys(SHARES.values(), ZERO)
    require_defined(statement["ratio"], values | lengths, ranges)
    omega = points.normaliser(values["m"], length, weight)
    top = weight / omega if case.startswith("in") else points.outside(lengths["k"], weight, omega)
    bottom = weight / omega if case.endswith("in") else points.outside(lengths["l"], weight, omega)
    require(lift(evaluate(statement["ratio"], values | lengths)) == top / bottom, "the ratio is another one")


def cover_bound(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: the arcs of m items cover at most `bound`, for every hash function: length is subadditive, and every
    arc has length L."""
    length, _, values, ranges = symbols(statement)
    require_defined(statement["bound"], values, ranges)
    room = lift(evaluate(statement["bound"], values)) - length * values["m"]
    require(is_nonnegative(room, ranges), "the bound is not shown to be at least m arcs long")


# --- membership -----------------------------------------------------------------------------------------------------


def is_member(reading: str, tau: Fraction, v: Fraction, p: Fraction) -> bool:
    """Whether a point of [0, 1) belongs to the arc of the hash value v, as each reading has it."""
    match reading:
        case "mod1":
            return (tau - v) % 1 < p
        case "printed-open":  # [v, v + p) or [0, v + p - 1), within [0, 1)
            return v <= tau < v + p or tau < v + p - 1
        case "printed-closed":  # [v, v + p) or [0, v + p - 1], within [0, 1)
            return v <= tau < v + p or tau <= v + p - 1
        case "server":  # Algorithm 2, line 5
            return tau - p < v <= tau or tau - p + 1 < v <= 1
    raise Rejected(f"unknown reading {reading}")


def cover(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: the set that a membership reading gives for one hash value v in [0, 1] (or [0, 1)) is the half-open
    arc of length L that starts at v on the circle: at every point (`same` everywhere), or at all but finitely many.

    Proved for all arc lengths 0 < p < 1 by exhausted order types (see `order_types`). Finitely many: the points at
    which the two differ are ends 0, v, v + p or v + p - 1 in every order type; an arc is [0, p) turned by v: its length
    is p. Unions of arcs follow, point by point.
    """
    symbols(statement)  # of a law m L < 1: an arc is shorter than the circle
    reading, closed = statement["reading"], statement["values"] == "closed"
    if verdict == "refuted":
        require(statement["same"] == "everywhere", "one point shows nothing")
        c = points.circle_of(statement, evidence["instance"])
        v, tau = rational(evidence["value"]), points.point_of(evidence["point"])
        require(0 <= v < 1 or (v == 1 and closed), "a hash value lies in the stated range")
        require(
            is_member(reading, tau, v, c.arc) != points.in_arc(tau, v, c.arc), "the reading is right at the witness"
        )
        return
    for tau, v, p in order_types():
        if closed or v < 1:
            ends = (0, v, v + p, v + p - 1)
            agree = is_member(reading, tau, v, p) == points.in_arc(tau, v, p)
            require(agree or (statement["same"] == "almost" and tau in ends), f"they differ at {tau}, v = {v}, p = {p}")


def order_types() -> Iterator[tuple[Fraction, Fraction, Fraction]]:
    """A point (tau, v, p) with 0 <= tau < 1, 0 <= v <= 1, 0 < p < 1 of every order type.

    Membership compares tau, v, u = v + p and differences of two of these with integers: what matters is the integer
    parts, and the order of the fractional parts and 0. These are at most four numbers: multiples of 1/4 show all.
    """
    for tau, v, p in product(range(4), range(5), range(1, 4)):
        yield Fraction(tau, 4), Fraction(v, 4), Fraction(p, 4)


READINGS = ("mod1", "printed-open", "printed-closed", "server")
KINDS = {
    "cover": Kind(
        cover,
        fields.SEEN | {"reading": READINGS, "same": ("everywhere", "almost"), "values": ("closed", "halfopen")},
        proved="",
        refuted="instance value point",
    ),
    "cover-length": Kind(cover_bound, fields.SEEN | {"bound": fields.tree}, proved=""),
    "density": Kind(density_law, fields.SEEN | {"items?": fields.tree}, proved="", refuted="instance hash s"),
    "density-ratio": Kind(
        density_ratio,
        fields.SEEN | {"case": ("inout", "inin", "outin", "outout"), "ratio": fields.tree},
        proved="",
        refuted="instance hash s other point exact stated",
    ),
}
