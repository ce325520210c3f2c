"""Statements about what a report shows: invertible data, what the server can compute, and padding."""

from fractions import Fraction
from itertools import combinations, permutations, product
from math import prod
from typing import Any

from dp_checks.kernel.exact import integer, items, rational
from dp_checks.kernel.laws import Items, _observe, count, report_law, sets_of
from dp_checks.kernel.moments import unbiased
from dp_checks.kernel.polynomial import is_nonnegative, lift, variable
from dp_checks.kernel.privacy import numbers_of
from dp_checks.kernel.rejected import require
from dp_checks.kernel.slotwise import MAX_ITEMS, fits, point_values, ranges_of, table, variables
from dp_checks.kernel.terms import evaluate


def invertible(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: (9) and (10): x in X_non is emitted with probability > 0 if x in s, never otherwise (eps > 0, or eps
    = 0).

    (10) is the shape of the tables: a non-sensitive output has only its own item as source. (9): r > 0 (r / m for a
    drawn item).
    """
    law = statement["law"]
    require(law["r"] is not None and law["draw"] in ("all", "one"), "the law has no invertible data")
    if verdict == "refuted":
        at = evidence["instance"]
        require(statement["epsilon"] == "zero" and rational(at[law["base"]]) == 1, "the instance is not at eps = 0")
        require(fits(statement, at), "the instance lies outside the domain")
        s, x = items(evidence["s"]), integer(evidence["item"], at["K"])
        require(s in sets_of([at["m"]], at["K"], at["N"]) and x in s, "not an item of X_non in a set of m items")
        numbers = table(law, {"K": Fraction(at["K"]), "m": Fraction(at["m"]), law["base"]: Fraction(1)})
        order = tuple(range(at["K"] + at["N"]))
        chance = sum(
            p for y, p in report_law(law, statement["view"], s, at["K"], at["N"], order, numbers).items() if x in y[1]
        )
        require(chance == 0, "x is emitted with positive probability")
        return
    require(
        verdict == "proved" and evidence["lemma"] == "kept" and statement["epsilon"] == "positive", "unknown evidence"
    )
    values, ranges = variables(law), ranges_of(law)
    r = lift(table(law, values)[2])
    require(
        is_nonnegative(r, ranges, strictly=True) and is_nonnegative(1 - r, ranges), "r is not shown to be in (0, 1]"
    )
    if "probability" in statement:
        emitted = r if law["draw"] == "all" else r / variable("m")
        require(lift(evaluate(statement["probability"], values)) == emitted, "x is emitted with another probability")


def invertible_within(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: I is a set of non-sensitive items of s (so t <= |s_non|), and the report determines I.

    The shape of the tables: a position of X_non is 1, a slot shows an item of X_non, only if the item is held.
    """
    require(
        verdict == "proved" and evidence == {"lemma": "kept"} and statement["law"]["r"] is not None, "unknown evidence"
    )
    law = statement["law"]
    one = (Fraction(2, 3), Fraction(1, 6), Fraction(1, 2))  # any p, q, r: only which outputs are possible matters
    for held in [(x,) for x in range(4)] + [(0, 2), (2, 3)]:
        for _, kept in report_law(law, statement["view"], held, 2, 2, (0, 1, 2, 3), one):
            require(set(kept) <= {x for x in held if x >= 2}, "an item outside s_non is emitted")


def computable(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: the server can compute F_x, the number of results equal to x, from the report in a view of y0.

    Refuted by two results vectors that can show the same report and contain x different numbers of times. Proved for
    views that keep every slot's result (multiset, position): counting is additive over slots and right for one slot.
    """
    view = statement["view"]
    require((statement["law"]["unit"], statement["law"]["draw"]) == ("items", "all"), "results of all items of a set")
    if verdict == "refuted":
        k, n, x = (
            integer(evidence["K"], 1, MAX_ITEMS),
            integer(evidence["N"], 0, MAX_ITEMS),
            integer(evidence["item"], 0),
        )
        require(k + n <= MAX_ITEMS, f"at most {MAX_ITEMS} items")
        vectors = [items(z) for z in evidence["results"]]
        require(len(vectors) == 2 and x < k, "two vectors of results, a sensitive item")
        for z, s in zip(vectors, evidence["sets"], strict=True):
            require(items(s) in sets_of([len(z)], k, n), "a result for every item of a set")
            require(
                all(integer(b, 0) < k or a == b for a, b in zip(s, z, strict=True)), "a result the table does not give"
            )
        shown = [{y for y, _ in _observe("items", view, z, k)} for z in vectors]
        require(bool(shown[0] & shown[1]), "the reports differ")
        require(vectors[0].count(x) != vectors[1].count(x), "x occurs as often in both")
        return
    require(verdict == "proved" and evidence == {"lemma": "slotwise count"}, "unknown evidence")
    require(view in ("multiset", "position"), "the view does not keep every slot's result")
    for z in product(range(4), repeat=2):
        for y, _ in _observe("items", view, z, 2):
            require(all(count(statement["law"], view, y, x, 2) == z.count(x) for x in (0, 1)), "a count is wrong")


def product_form(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: for two m-sets P(y|s) / P(y|s') is a product of table ratios, results matched to items, and at most
    e^eps.

    Only outputs without invertible data where items are reported. Proved for views that show every result in its place;
    refuted by an output for which no matching of its elements to the items of s and of s' gives the ratio.
    """
    law, view = statement["law"], statement["view"]
    require(law["draw"] == "all", "the probability of one drawn item is an average")
    if verdict == "refuted":
        require(law["unit"] == "items", "results of items")
        at, y0 = evidence["instance"], items(evidence["output"])
        s, other = items(evidence["s"]), items(evidence["other"])
        require(fits(statement, at) and len(y0) == at["m"], "m-sets and m elements of y0")
        sets = sets_of([at["m"]], at["K"], at["N"])
        require(s in sets and other in sets and all(integer(z, 0) < at["K"] for z in y0), "unknown items")
        numbers, order = numbers_of(statement, at), tuple(range(at["K"] + at["N"]))
        p, q, _ = numbers
        a, b = (report_law(law, view, x, at["K"], at["N"], order, numbers).get((y0, ()), 0) for x in (s, other))
        require(a > 0 and b > 0, "an output of both sets")
        tops, bottoms = (
            {prod(p if z == x else q for z, x in zip(v, c, strict=True)) for v in permutations(y0)} for c in (s, other)
        )
        require(all(a * bottom != b * top for top in tops for bottom in bottoms), "some matching gives the ratio")
        return
    require(verdict == "proved" and evidence["lemma"] == "results in place", "unknown evidence")
    require((law["unit"], view) in (("items", "position"), ("bits", "whole")), "the view does not show every result")
    shown = [
        y
        for z in product(range(2), repeat=2)
        for y, _ in _observe(law["unit"], view, z, 2 if law["unit"] == "items" else 1)
    ]
    require(len(set(shown)) == 4, "two results share a report")
    if law["unit"] == "items":
        values, ranges = variables(law), ranges_of(law)
        p, q, _ = table(law, values)
        factor = evaluate(evidence["factor"], values)
        for smaller, larger in ((p, factor * q), (q, factor * p), (q, factor * q)):
            require(is_nonnegative(lift(larger - smaller), ranges), "a table ratio exceeds the factor")
        require(
            evaluate(["pow", evidence["factor"], "m"], values) == evaluate(["pow", law["base"], law["power"]], values),
            "not e^eps",
        )


def padding(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: a user's expected estimate of f_x after bringing s to m items equals `mean` (0 or 1 for an unbiased
    one).

    `mode` long: m items of s drawn uniformly; existing: filled up with items drawn uniformly from X minus s.
    """
    if verdict == "refuted":
        require(
            not _padded_mean_is(statement, evidence["instance"], evidence, None), "the mean is right at the witness"
        )
        return
    if verdict == "proved":
        require(evidence["lemma"] == "inclusion", f"unknown lemma {evidence['lemma']!r}")
        _require_inclusion(statement)
        return
    require(verdict == "verified" and bool(evidence["instances"]), "unknown evidence")
    for case in evidence["instances"]:
        require(
            _padded_mean_is(statement, case, case, variable(statement["law"]["base"])), f"the mean is wrong at {case}"
        )


def _require_inclusion(statement: Any) -> None:
    """Given the drawn m-set the estimate has mean [x in it] (unbiased for every size); its chance is that of the
    draw.
    """
    for item, estimator in zip(("sensitive", "nonsensitive"), statement["estimator"], strict=True):
        part = {
            **{k: statement[k] for k in ("law", "view", "sizes")},
            "where": [],
            "item": item,
            "estimator": estimator,
        }
        unbiased(part, "proved", {"lemma": "contributions"})
    require(not statement["where"], "the inclusion lemma is about all sizes")
    left, d = ["sub", "m", "size"], ["add", "K", "N"]
    chance = {
        "long": ["mul", ["min", 1, ["div", "m", "size"]], "held"],
        "existing": ["add", "held", ["div", ["mul", ["sub", 1, "held"], left], ["sub", d, "size"]]],
    }
    require(statement["mean"] == chance[statement["mode"]], "the lemma's mean is another one")


def _padded_mean_is(statement: Any, at: Any, case: Any, base: Any) -> bool:
    law, s, x = statement["law"], items(case["s"]), integer(case["item"], 0)
    require(
        fits(statement, {name: y for name, y in at.items() if name not in ("s", "item")}),
        "the instance lies outside the domain",
    )
    require(base is None or set(case) == {"m", "K", "N", "s", "item"}, "a case with unknown names")
    require(s in sets_of([len(s)], at["K"], at["N"]) and x < at["K"] + at["N"], "unknown items")
    require(
        all("per_invertible" not in estimator for estimator in statement["estimator"]), "no cases for this estimator"
    )
    values = {"m": Fraction(at["m"]), "K": Fraction(at["K"]), "N": Fraction(at["N"]), law["base"]: base}
    numbers = numbers_of(statement, at) if base is None else table(law, values)
    if base is None:
        values = dict(point_values(statement, at))
    draws = _brought_to_m(statement["mode"], s, at["m"], at["K"] + at["N"])
    mean: Any = Fraction(0)
    order = tuple(range(at["K"] + at["N"]))
    for drawn in draws:
        for y, p in report_law(law, statement["view"], drawn, at["K"], at["N"], order, numbers).items():
            mean = mean + p * count(law, statement["view"], y, x, at["K"]) / len(draws)
    slope, offset = (evaluate(statement["estimator"][x >= at["K"]][part], values) for part in ("slope", "offset"))
    expected = evaluate(statement["mean"], values | {"size": Fraction(len(s)), "held": Fraction(int(x in s))})
    return bool((mean - offset) / slope == expected)


def _brought_to_m(mode: str, s: Items, m: int, d: int) -> list[Items]:
    if mode == "long":
        require(len(s) > m, "a set of more than m items")
        return list(combinations(s, m))
    require(mode == "existing" and len(s) < m, "a set of fewer than m items")
    rest = [y for y in range(d) if y not in s]
    return [tuple(sorted((*s, *extra))) for extra in combinations(rest, m - len(s))]
