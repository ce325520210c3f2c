"""Statements about the length of reports, and about mechanisms with the same law."""

from typing import Any

from dp_checks.kernel.defined import require_defined
from dp_checks.kernel.domains import bounds_of, require_inhabited, symbolic
from dp_checks.kernel.exact import integer
from dp_checks.kernel.fields import VIEWS
from dp_checks.kernel.formulas import prove
from dp_checks.kernel.polynomial import is_nonnegative, lift
from dp_checks.kernel.proving import require_sizes
from dp_checks.kernel.rejected import require
from dp_checks.kernel.slotwise import ranges_of, require_law, table, variables
from dp_checks.kernel.terms import evaluate


def cost(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: reports fit in symbols of ceil(log2 v) bits each, and that is O(sum of k log2 v over `entry`).

    Proved symbol by symbol, with a natural c for each: ceil(log2 v) <= (c + 1) log2 v' if v <= v'^c and v' >= 2, as
    ceil(log2 v) <= 1 + c log2 v'; if v = v' it holds for v = 1, too. Refuted for a point of a continuum: it is sent as
    it is, and the density of a law on arcs is positive on a whole interval, so that no number of bits is enough.
    """
    domain, law = statement["domain"], statement["law"]
    require_inhabited(domain)
    require(statement["view"] in VIEWS[law["unit"], law["draw"]], "a view that the law does not have")
    if verdict == "refuted":
        require(statement["output"] == "real" and evidence == {"lemma": "continuum"}, "unknown evidence")
        values, ranges = variables(law), ranges_of(law)
        uncovered = 1 - values["m"] * table(law, values)[1]
        require(is_nonnegative(lift(uncovered), ranges, strictly=True), "something is not covered by the arcs")
        return
    require(verdict == "proved" and statement["output"] == "finite", "unknown evidence")
    values, bounds = symbolic(domain), bounds_of(domain)
    symbols, entry, powers = statement["symbols"], statement["entry"], evidence["powers"]
    require(len(symbols) == len(entry) == len(powers), "a bound for every symbol")
    for (number, times), (bound, factor), power in zip(symbols, entry, powers, strict=True):
        for tree in (number, times, bound, factor):
            require_defined(tree, values, bounds)
        v, limit = lift(evaluate(number, values)), lift(evaluate(bound, values))
        require_sizes({"n": v}, domain)
        require_sizes({"N": lift(evaluate(times, values))}, domain)
        require(lift(evaluate(times, values)) == evaluate(factor, values), "the symbols occur another number of times")
        if v != limit:
            prove("le", lift(2), limit, domain, {})
            prove("le", v, limit ** integer(power, 1, 8), domain, {})


def same_law(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: two mechanisms have the same law of one item, or of the report.

    The law of a report is determined by unit, draw, table and what is seen of it; without non-sensitive items r does
    not occur in it.
    """
    require(verdict == "proved" and evidence == {"lemma": "equal tables"}, "unknown evidence")
    left, right = statement["left"], statement["right"]
    for law in (left, right):
        require_law(law, ranges_of(law))
        require(statement["view"] in VIEWS[law["unit"], law["draw"]], "a view that the law does not have")
    require((left["unit"], left["base"]) == (right["unit"], right["base"]), "tables of different things")
    require(left["parameters"] == right["parameters"] == [], "tables with parameters")
    values = variables(left)
    budgets = [lift(evaluate(["pow", law["base"], law["power"]], values)) for law in (left, right)]
    require(budgets[0] == budgets[1], "another budget is spent")
    require(statement["of"] == "item" or left["draw"] == right["draw"], "different numbers of items are reported")
    (p, q, r), (other_p, other_q, other_r) = table(left, values), table(right, values)
    require(lift(p) == other_p and lift(q) == other_q, "the tables differ")
    if not statement["without_others"]:
        require(r is not None and other_r is not None and lift(r) == other_r, "the tables differ")
