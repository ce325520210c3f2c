"""Statements about the length of reports, and about mechanisms with the same law."""

from typing import Any

from dp_checks.kernel import fields
from dp_checks.kernel.domains import prove, region, require_inhabited, require_integer
from dp_checks.kernel.exact import integer
from dp_checks.kernel.fields import Kind
from dp_checks.kernel.laws import is_plain, shape, valued
from dp_checks.kernel.polynomial import lift
from dp_checks.kernel.rejected import Rejected, require
from dp_checks.kernel.sizes import variables
from dp_checks.kernel.stochastic import require_law
from dp_checks.kernel.terms import evaluate, symbols

FREE = {"emitted": 0, "hashes": 1}
"""The number of emitted items and the size of the hash family, with their least values: a statement is about all."""
LIMITS = (["sub", "m", "emitted"], ["sub", "N", "emitted"])


def cost(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: reports fit in symbols of ceil(log2 v) bits each, and that is O(sum of k log2 v over `entry`).

    Proved symbol by symbol, with a natural c for each: ceil(log2 v) <= (c + 1) log2 v' if v <= v'^c and v' >= 2, as
    ceil(log2 v) <= 1 + c log2 v'; if v = v' it holds for v = 1, too. Refuted for a point of a continuum: it is sent as
    it is, and the density of a law on arcs is positive on a whole interval, so that no number of bits is enough.
    """
    domain, law = statement["domain"], statement["law"]
    require_inhabited(domain)
    for tree in domain["constraints"]:
        require(tree in LIMITS or not symbols(tree) & FREE.keys(), "the law does not choose these numbers")
    ranges = domain["variables"]
    require(all(ranges[x]["min"] == FREE[x] for x in FREE.keys() & ranges.keys()), "the law does not choose them")
    place = region(domain)
    values = dict(place.values)
    sent, entry = ([(place.value(v), place.value(k)) for v, k in statement[x]] for x in ("symbols", "entry"))
    require((statement["output"] == "real") == (verdict == "refuted"), "a point that is sent as it is")
    if verdict == "refuted":
        require(shape(law["term"]) == "point", "not a point of the circle")
        return
    everything = values["K"] if is_plain(law["term"]) else values["K"] + values["N"]
    if "more" in values:
        values[law["base"]] = (values["m"] + 1 + values["more"]) / values["m"]
        prove("lt", 1, values[law["base"]], place, {})
    require(sent == _symbols(law["term"], everything, values), "not as many symbols as a report needs")
    for (v, times), (limit, factor), power in zip(sent, entry, evidence["powers"], strict=True):
        for least, number in ((1, v), (0, times)):
            prove("le", least, number, place, {})
            require_integer(number, place)
        require(times == factor, "the symbols occur another number of times")
        exponent = integer(power, 1, 8)
        if v != limit:
            prove("le", 2, limit, place, {})
            prove("le", v, limit**exponent, place, {})


def _symbols(term: Any, everything: Any, values: Any) -> list[tuple[Any, Any]]:
    """How many values the symbols of a report have, and how many of each there are.

    A result of an item is one of X (of X_sen, if the law has no others), and blanks, repetitions and the order can be
    chosen so that y0 and I are read off the slots; a bit for every item of X. Arcs of length q, where 1 / q is a
    natural number, as for m e^eps = m + 1 + more: their ends are multiples of q, so that z0 is one of 1 / q cells; then
    the items of z1, `emitted` of them, and one of `hashes` functions.
    """
    match term:
        case ["row", kinds] if all(set(cells) <= {"own", "other", "any"} for cells in kinds.values()):
            return [(everything, lift(1))]
        case ["each", "items", _]:
            return [(lift(2), everything)]
        case ["each", "held", of]:
            return [(v, times * values["m"]) for v, times in _symbols(of, everything, values)]
        case ["hashed", _, ["interval", length, _]]:
            require("hashes" in values, "the number of hash functions has no name")
            return [(1 / lift(evaluate(length, values)), lift(1)), (values["hashes"], lift(1))]
        case ["push", "emit", of]:
            require("emitted" in values, "the number of emitted items has no name")
            cell, function = _symbols(of, everything, values)
            return [cell, (everything, values["emitted"]), function]
        case ["drawn", of] | ["push", _, of] if term[1] != "padded":
            return _symbols(of, everything, values)
    raise Rejected("no count of reports")


def same_law(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: two mechanisms have the same law of the report: equal terms, with equal numbers in them, and equal
    budgets (`without_others`: X_non is empty, what is said of its items does not occur)."""
    left, right = statement["left"], statement["right"]
    same = all(left.get(name) == right.get(name) for name in ("base", "families", "integers"))
    require(same and left["parameters"] == right["parameters"] == [], "other variables, sizes or premises")
    values, found = variables(left), []
    for law in (left, right):
        require_law(law)
        term = valued(law["term"], values)
        budget = evaluate(["pow", law["base"], law["power"]], values)
        found.append([budget, _without_others(term) if statement["without_others"] else term])
    require(found[0] == found[1], "the laws or the budgets differ")


def _without_others(term: Any) -> Any:
    """The term without what is said of non-sensitive items (but of dummies), and a function that is only about them."""
    match term:
        case ["row", kinds]:
            return ["row", {kind: cells for kind, cells in kinds.items() if not kind.startswith("non")}]
        case ["push", "emit", of]:
            return _without_others(of)
        case [name, *parts] if name != "dummies":
            return [name, *map(_without_others, parts)]
    return term


_COUNTS = fields.some([fields.pair, ...])
"""A number of values and how often."""
_SYMBOLS = {"symbols": _COUNTS, "entry": _COUNTS, "output": ("finite", "real")}
KINDS = {
    "cost": Kind(cost, fields.SEEN | {"domain": fields.domain} | _SYMBOLS, proved="powers", refuted="lemma=continuum"),
    "same-law": Kind(
        same_law,
        {"left": fields.law, "right": fields.law, "without_others": fields.flag},
        proved="",
    ),
}
