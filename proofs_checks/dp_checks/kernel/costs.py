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
    values, bounds = symbolic(domain), bounds_of(domain)
    for tree in (tree for pair in (*statement["symbols"], *statement["entry"]) for tree in pair):
        require_defined(tree, values, bounds)
        evaluate(tree, values)
    if verdict == "refuted":
        require(statement["output"] == "real" and evidence == {"lemma": "continuum"}, "unknown evidence")
        of_law = variables(law)
        uncovered = 1 - of_law["m"] * table(law, of_law)[1]
        require(is_nonnegative(lift(uncovered), ranges_of(law), strictly=True), "all is covered by the arcs")
        return
    require(verdict == "proved" and statement["output"] == "finite", "unknown evidence")
    symbols, entry, powers = statement["symbols"], statement["entry"], evidence["powers"]
    _require_enough(law, statement["view"], symbols, domain)
    require(len(symbols) == len(entry) == len(powers), "a bound for every symbol")
    for (number, times), (bound, factor), power in zip(symbols, entry, powers, strict=True):
        v, limit = lift(evaluate(number, values)), lift(evaluate(bound, values))
        require_sizes({"n": v}, domain)
        require_sizes({"N": lift(evaluate(times, values))}, domain)
        require(lift(evaluate(times, values)) == evaluate(factor, values), "the symbols occur another number of times")
        exponent = integer(power, 1, 8)
        if v != limit:
            prove("le", lift(2), limit, domain, {})
            prove("le", v, limit**exponent, domain, {})


def _require_enough(law: Any, view: str, symbols: Any, domain: Any) -> None:
    """There are as many sequences of the symbols as reports.

    items: every reported item is one of X (of X_sen, if the law has no others), and blanks, repetitions and the order
    can be chosen so that y0 and I are read off m of them (one, if one is drawn). bits: a bit for every item of X (in
    each of m vectors). arcs: the ends of the arcs are multiples of their length q if w = e^eps is such that 1 / q is a
    natural number, so that z0 is one of 1 / q cells; then the items of z1, and the hash function.
    """
    values = symbolic(domain)
    of = [(lift(evaluate(number, values)), lift(evaluate(times, values))) for number, times in symbols]
    if law["unit"] == "arcs":
        require(len(of) == (2 if law["r"] is None else 3), "a cell, a hash function, and z1 if there is one")
        cells, items, functions = of[0], of[1:-1], of[-1]
        w = (cells[0] - 2 * values["m"] + 1) / values["m"]
        arc = lift(evaluate(law["q"], values | {law["base"]: w}))
        require(arc * cells[0] == 1 and cells[1] == 1, "not the number of cells of the circle")
        prove("lt", lift(1), w, domain, {})
        require(all(number == values["K"] + values["N"] for number, _ in items), "z1 is a set of items")
        require(functions[1] == 1, "one hash function is sent")
        return
    require(view != "padded", "padded reports have more than m items")
    everything = values["K"] if law["r"] is None else values["K"] + values["N"]
    slots = {"all": values["m"], "one": lift(1)} if law["unit"] == "items" else {"each": values["m"] * everything}
    number, times = (everything if law["unit"] == "items" else lift(2)), slots.get(law["draw"], everything)
    require(len(of) == 1 and of[0][0] == number and of[0][1] == times, "not as many symbols as a report needs")


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
