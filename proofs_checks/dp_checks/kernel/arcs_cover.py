"""Statements about arcs themselves: membership readings, lengths of covers, the best length of an arc."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from dp_checks.kernel.arcs_law import hash_function, in_arc, length, numbers, point_of, set_of
from dp_checks.kernel.arcs_lemmas import symbols
from dp_checks.kernel.defined import require_defined
from dp_checks.kernel.exact import integer, rational
from dp_checks.kernel.polynomial import Bound, is_nonnegative, lift, variable
from dp_checks.kernel.rejected import Rejected, require
from dp_checks.kernel.slotwise import point_values, variables
from dp_checks.kernel.terms import evaluate
from dp_checks.kernel.terms import symbols as names_in


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
    arc of length q that starts at v on the circle: at every point (`same` everywhere), or at all but finitely many.

    Proved for all arc lengths 0 < p < 1 by exhausted order types (see `order_types`). Finitely many: the points at
    which the two differ are ends 0, v, v + p or v + p - 1 in every order type; an arc is [0, p) turned by v: its length
    is p. Unions of arcs follow, point by point.
    """
    reading, closed = statement["reading"], statement["values"] == "closed"
    if verdict == "refuted":
        require(statement["same"] == "everywhere", "one point shows nothing")
        n = numbers(statement, evidence["instance"])
        v, tau = rational(evidence["value"]), point_of(evidence["point"])
        require(0 <= v < 1 or (v == 1 and closed), "a hash value lies in the stated range")
        require(is_member(reading, tau, v, n.arc) != in_arc(tau, v, n.arc), "the reading is right at the witness")
        return
    require(verdict == "proved" and evidence == {"lemma": "order types"}, "unknown evidence")
    own = symbols(statement["law"])
    require(is_nonnegative(1 - own.arc, own.ranges, strictly=True), "an arc is not shown to be shorter than the circle")
    for tau, v, p in order_types():
        if closed or v < 1:
            ends = (0, v, v + p, v + p - 1)
            agree = is_member(reading, tau, v, p) == in_arc(tau, v, p)
            require(agree or (statement["same"] == "almost" and tau in ends), f"they differ at {tau}, v = {v}, p = {p}")


def order_types() -> Iterator[tuple[Fraction, Fraction, Fraction]]:
    """A point (tau, v, p) with 0 <= tau < 1, 0 <= v <= 1, 0 < p < 1 of every order type.

    Membership compares tau, v, u = v + p and integers, and differences of two of these with integers: the order type
    is the face of an arrangement of planes x = integer, x - y = integer in the coordinates (tau, v, u). Such a system
    is totally unimodular: all vertices of the arrangement are integral. A face of dimension k has k + 1 vertices in
    general position, and their barycentre lies inside the face: barycentres of one to four integral points of the
    closed domain show every face.
    """
    corners = [
        tuple(map(Fraction, point)) for point in product((0, 1), (0, 1), (0, 1, 2)) if 0 <= point[2] - point[1] <= 1
    ]
    seen = set()
    for count in range(1, 5):
        for chosen in combinations(corners, count):
            tau, v, u = (sum(coordinates) / Fraction(count) for coordinates in zip(*chosen, strict=True))
            if tau < 1 and 0 < u - v < 1:
                seen.add((tau, v, u - v))
    yield from sorted(seen)


def cover_length(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: the arcs of m items cover at most `bound`, for every hash function: length is subadditive, and every
    arc has length q.
    """
    if verdict == "refuted":
        n = numbers(statement, evidence["instance"])
        s, h = set_of(evidence["s"], n, n.m, n.m), hash_function(evidence["hash"], n.d)
        exact = length(s, h, n.arc)
        stated = evaluate(statement["bound"], point_values(statement, evidence["instance"]))
        shown = rational(evidence["exact"]), rational(evidence["stated"])
        require(shown == (exact, stated) and exact > stated, "the cover is not longer, or the witness shows others")
        return
    require(verdict == "proved" and evidence == {"lemma": "union of arcs"}, "unknown evidence")
    own, values = symbols(statement["law"]), variables(statement["law"])
    require_defined(statement["bound"], values, own.ranges)
    bound = lift(evaluate(statement["bound"], values))
    require(is_nonnegative(bound - own.m * own.arc, own.ranges), "the bound is not shown to be at least m arcs long")


def best_arc(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: for all integers m >= 1 and base > 1, the error at p = arc is at most the error at any p in (0, most).

    Refuted by a better p. Proved on either side: 1/p - 1/most = (1/arc - 1/most) (1 + s) or (1/arc - 1/most) / (1 + s),
    s >= 0, reaches every p in (0, arc] and [arc, most).
    """
    base, error = statement["base"], statement["error"]
    require(base not in ("m", "p") and names_in(error) <= {"p", "m", base}, "an error in p, m and the base")
    require(names_in(statement["arc"]) | names_in(statement["most"]) <= {"m", base}, "lengths in m and the base")
    if verdict == "refuted":
        at = evidence["instance"]
        require(set(at) == {"m", base}, "an instance gives m and the base")
        values = {"m": Fraction(integer(at["m"], 1)), base: rational(at[base])}
        require(values[base] > 1, "the instance lies outside the domain")
        most, arc = (Fraction(evaluate(statement[name], values)) for name in ("most", "arc"))
        better = rational(evidence["better"])
        require(0 < better < most and 0 < arc < most, "arc lengths outside the domain")
        exact, stated = (evaluate(error, values | {"p": p}) for p in (better, arc))
        shown = rational(evidence["exact"]), rational(evidence["stated"])
        require(shown == (exact, stated) and exact < stated, "the error is not smaller, or the witness shows others")
        return
    require(verdict == "proved" and evidence == {"lemma": "either side"}, "unknown evidence")
    step = "s >= 0"
    ranges = {"m": Bound(Fraction(1), False), base: Bound(Fraction(1), True), step: Bound(Fraction(0), False)}
    own = {"m": variable("m"), base: variable(base)}
    for tree in (statement["arc"], statement["most"]):
        require_defined(tree, own, ranges)
    length_of = {name: lift(evaluate(statement[name], own)) for name in ("arc", "most")}
    inner, outer = 1 / length_of["arc"], 1 / length_of["most"]
    for gap in (length_of["arc"], length_of["most"] - length_of["arc"]):
        require(is_nonnegative(gap, ranges, strictly=True), "not shown: 0 < arc < most")
    least = evaluate(error, own | {"p": length_of["arc"]})
    require_defined(error, own | {"p": length_of["arc"]}, ranges)
    for other in ((inner - outer) * (1 + variable(step)), (inner - outer) / (1 + variable(step))):
        at_p = own | {"p": 1 / (outer + other)}
        require_defined(error, at_p, ranges)
        require(is_nonnegative(lift(evaluate(error, at_p)) - least, ranges), "not shown to be larger")


CHECKS: dict[str, Callable[[Any, str, Any], None]] = {
    "arcs-cover": cover,
    "arcs-cover-length": cover_length,
    "best-arc": best_arc,
}
