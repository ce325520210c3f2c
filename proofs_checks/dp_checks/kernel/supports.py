"""Judgements about which outputs are possible: shown items, what the report determines, ratios without a bound."""

from itertools import permutations
from math import prod
from typing import Any

from dp_checks.kernel import fields, interval
from dp_checks.kernel.exact import integer, items, label, rational
from dp_checks.kernel.fields import Kind
from dp_checks.kernel.instances import maximum, row_of, sizes_of
from dp_checks.kernel.laws import PUSHES, World, is_plain, outcome_law, sets_of, shape, valued
from dp_checks.kernel.moments import shown_if_held
from dp_checks.kernel.polynomial import is_nonnegative, lift
from dp_checks.kernel.ratios import bounded
from dp_checks.kernel.rejected import require
from dp_checks.kernel.sizes import Counts, fits, implied, numbers, ranges_of, require_witness, variables
from dp_checks.kernel.stochastic import require_stochastic
from dp_checks.kernel.terms import evaluate, require_defined
from dp_checks.kernel.work import counted


def invertible(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: (9) and (10): x in X_non is emitted with probability > 0 if x in s, never otherwise (eps > 0, or eps
    = 0). Refuted by a set one of whose items is never emitted at eps = 0.
    """
    law = statement["law"]
    require(not is_plain(law["term"]) and law["term"][0] == "push", "the law shows no items")
    if verdict == "refuted":
        at = evidence["instance"]
        require(statement["epsilon"] == "zero" and rational(at[law["base"]]) == 1, "the instance is not at eps = 0")
        require(fits(statement, at), "the instance lies outside the domain")
        s, x = items(evidence["s"]), integer(evidence["item"], at["K"])
        require(s in sets_of([at["m"]], at["K"], at["N"]) and x in s, "not an item of X_non in a set of m items")
        values = {name: lift(at[name]) for name in ("m", "K", "N")} | {law["base"]: lift(1)}
        require(not law["parameters"], "no parameters at eps = 0")
        found = row_of(statement, at, s, valued(law["term"], values))
        require(sum((p for y, p in found.items() if x in y[1]), lift(0)) == 0, "x is emitted with positive probability")
        return
    values, ranges = dict(variables(law)), ranges_of(law)
    if statement["epsilon"] == "zero":
        values[law["base"]] = lift(1)
        del ranges[law["base"]]
        require_stochastic(law, values, ranges)
    chance = shown_if_held(law["term"], values)
    require(is_nonnegative(chance, ranges, strictly=True), "not shown to be emitted with positive probability")
    if "probability" in statement:
        require_defined(statement["probability"], values, ranges)
        require(lift(evaluate(statement["probability"], values)) == chance, "x is emitted with another probability")


def invertible_within(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: I is a set of non-sensitive items of s (so t <= |s_non|), and the report determines I."""
    law = statement["law"]
    require(not is_plain(law["term"]) and law["term"][0] == "push", "the law shows no items")
    shown_if_held(law["term"], variables(law))


def computable(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: the server can compute F_x, the number of slots whose result is x, from the report.

    Proved for functions of the outcome that keep every slot's result: counting is additive over slots. Refuted by two
    possible outcomes of m-sets with one report in which x occurs different numbers of times.
    """
    law = statement["law"]
    require(law["term"][0] == "push" and law["term"][2][:2] == ["each", "held"], "results of all items of a set")
    name, _of = law["term"][1:]
    if verdict == "proved":
        require(name in ("multiset", "position"), "the report does not keep every slot's result")
        return
    at, x = evidence["instance"], integer(evidence["item"], 0)
    require(fits({**statement, "where": []}, at) and x < at["K"], "sizes, and a sensitive item")
    inner, shown, times = numbers(statement, at)[2], [], []
    for s, written in zip(evidence["sets"], evidence["outcomes"], strict=True):
        held, z = items(s), label(written)
        require(held in sets_of([at["m"]], at["K"], at["N"]), "not a set of m items")
        require(outcome_law(inner, held, at["m"], World(at["K"], at["N"])).get(z, 0) > 0, "an impossible outcome")
        shown.append(PUSHES[name].of(z, at["K"]))
        times.append(z.count(x))
    require(len(shown) == 2 and shown[0] == shown[1], "the reports differ")
    require(times[0] != times[1], "x occurs as often in both")


def product_form(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: for two m-sets P(y|s) / P(y|s') is a product of table ratios, results matched to items, and at most
    e^eps. Only outputs without invertible data where items are reported.

    Proved where the report shows every result in its place (the outcome is read off the report) and the bound has its
    derivation; refuted by an output for which no matching of its elements to the items of s and of s' gives the ratio.
    """
    law, values = statement["law"], variables(statement["law"])
    of_items = law["term"][0] == "push" and law["term"][2][:2] == ["each", "held"] and law["term"][2][2][0] == "row"
    if verdict == "refuted":
        require(of_items, "results of items")
        at, y0 = evidence["instance"], items(evidence["output"])
        s, other = items(evidence["s"]), items(evidence["other"])
        require(fits(statement, at) and len(y0) == at["m"], "m-sets and m elements of y0")
        sets = sets_of([at["m"]], at["K"], at["N"])
        require(s in sets and other in sets and all(integer(z, 0) < at["K"] for z in y0), "unknown items")
        term = numbers(statement, at)
        cells = term[2][2][1]["sen"]
        require(set(cells) == {"own", "other"}, "a row of p and q")
        a, b = (row_of(statement, at, x, term).get((y0, ()), 0) for x in (s, other))
        require(a > 0 and b > 0, "an output of both sets")
        tops, bottoms = (
            {
                prod(cells["own" if z == x else "other"] for z, x in zip(v, c, strict=True))
                for v in counted(permutations(y0), *cells.values())
            }
            for c in (s, other)
        )
        require(all(a * bottom != b * top for top in tops for bottom in bottoms), "some matching gives the ratio")
        return
    name = law["term"][1]
    if not of_items:
        require(name == "whole" and law["term"][2][:2] == ["each", "items"], "the report does not show every result")
        bounded(statement | {"relation": "joint", "counted": "all"}, evidence["powers"])
        return
    require(name == "position", "the report does not show every result")
    slots = {kind: cells for kind, cells in law["term"][2][2][1].items() if kind == "sen"}
    third = [lift(evaluate(cells["other"], values)) for cells in law["term"][2][2][1].values()]
    require(all(third[0] == other for other in third), "a slot's other results depend on its item")
    # without invertible data a slot of any item has a sensitive result: its own with `own`, else `other`
    plain = {**law, "term": ["each", "held", ["row", slots]]}
    bounded({**statement, "law": plain, "relation": "ldp", "counted": "all"}, evidence["powers"])


def unbounded(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: at all sizes of the domain, for all eps > 0, no constant bounds the compared ratios (marginal laws).
    Refuted by an instance with a largest ratio.

    An item is shown with probability > 0 if it is held, never otherwise, and y0 tells of shown items: `whole` which,
    `one` whether there is one, `multiset` how many (m - |y0|), `set` whether all m were (y0 empty). s shows what s'
    cannot: an item that s' does not hold; some while s' holds none; more than s' holds; all while s' holds a sensitive.
    """
    if verdict == "refuted":
        worst = maximum(statement, evidence["instance"])
        require(worst is not None and rational(evidence["exact"]) == worst, "no constant, or another number is shown")
        return
    if evidence.get("rule") == "emitted":
        interval.require_unbounded(statement)
        return
    law, nonempty = statement["law"], statement["counted"] == "nonempty"
    require(statement["relation"] == "marginal" and statement["sizes"] == "exactm", "no such rule")
    term, chance = law["term"], shown_if_held(law["term"], variables(law))
    require(is_nonnegative(chance, ranges_of(law), strictly=True), "an item is not shown with positive probability")
    name = term[1]
    require(name in ("whole", "multiset") or (name in ("one", "set") and not nonempty), "no such rule")
    require(name != "multiset" or term[2][:2] == ["each", "held"], "a result for every item")
    require(shape(law["term"]) != "padded slots", "slots of shown items are filled")

    def reached(count: Counts, where: tuple[Any, ...], _: Any) -> None:
        held, beside = (count[x] + count["nn"] + count["h"] for x in ("ns", "sn"))
        if name == "whole":
            require(implied(count["ns"] + count["nn"] - 1, where), "s' holds what s shows")
        elif name == "one":
            require(beside == 0 and implied(held - 1, where), "s' may show an item, or s may not")
        elif name == "set":
            sensitive = count["ss"] + count["sn"] + count["g"]
            require(
                sensitive == 0 and implied(count["ns"] + count["ss"] - 1, where), "s shows less, or s' nothing else"
            )
        else:
            require(implied(held - beside - 1, where), "s' can show as many")
            rest = count["ss"] + count["sn"] + count["g"]
            require(not nonempty or implied(rest - 1, where), "y0 may be empty")

    require_witness(statement, evidence["cases"], reached)


def admissible(statement: Any, at: Any, s: Any) -> tuple[int, ...]:
    """A set of an admissible size of known items."""
    held = items(s)
    require(held in sets_of(sizes_of(statement, at), at["K"], at["N"]), f"{held} is no admissible set")
    return held


KINDS = {
    "computable": Kind(computable, fields.SEEN, proved="rule=slots", refuted="instance item outcomes sets"),
    "invertible": Kind(
        invertible,
        fields.EXACT | {"epsilon": ("positive", "zero"), "probability?": fields.tree},
        proved="rule=support",
        refuted="instance s item",
    ),
    "invertible-within": Kind(invertible_within, fields.SEEN, proved="rule=support"),
    "product-form": Kind(product_form, fields.EXACT, proved="powers", refuted="instance s other output"),
    "unbounded": Kind(
        unbounded, fields.COMPARED, proved="cases | rule=emitted", refuted="instance exact", also=fields.compared
    ),
}
