"""Statements that are decided case by case, at instances whose law is enumerated.

A rule lists the cases of an instance: what a reader is shown of each, and whether the statement holds in it. Verified
at listed sizes, for all eps > 0 at once (the base of e^eps is a variable); refuted by a case that is shown.
"""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import permutations, product
from math import prod
from typing import Any

from dp_checks.kernel import fields
from dp_checks.kernel.exact import integer, label
from dp_checks.kernel.fields import Kind
from dp_checks.kernel.instances import maximum, row_of
from dp_checks.kernel.laws import PUSHES, Items, Output, World, count, outcome_law, sets_of, shape, valued
from dp_checks.kernel.rejected import require
from dp_checks.kernel.sizes import fits, goal, point_values, ranges_of, variables
from dp_checks.kernel.terms import evaluate, is_nonzero, require_defined
from dp_checks.kernel.work import charge, counted

Values = Mapping[str, Any]
Cases = Iterator[tuple[dict[str, Any], bool]]


def by_cases(cases: Callable[[Any, Any, Values], Cases]) -> Callable[[Any, str, Any], None]:
    """The rule of a statement with these cases."""

    def rule(statement: Any, verdict: str, evidence: Any) -> None:
        stated = {"where": [], **statement}
        if verdict == "refuted":
            at, shown = evidence["instance"], {name: label(x) for name, x in evidence.items() if name != "instance"}
            require(fits(stated, at), "the instance lies outside the domain")
            found = cases(statement, at, point_values(statement["law"], at))
            require(any(case == shown and not holds for case, holds in found), "the statement holds in this case")
            return
        require(bool(evidence["instances"]), "an empty scope")
        for at in evidence["instances"]:
            require(set(at) == {"m", "K", "N"} and fits(stated, at), "the instance lies outside the domain")
            values = variables(statement["law"]) | {name: Fraction(x) for name, x in at.items()}
            judged = [holds for _, holds in cases(statement, at, values)]
            require(bool(judged) and all(judged), f"a case without what is stated, or no case, at {at}")

    return rule


def computable(statement: Any, at: Any, values: Values) -> Cases:
    """The server can compute F_x, the number of results that are x, from the report: two possible outcomes with one
    report have the same number."""
    term, reports = valued(statement["law"]["term"], values), dict[Output, list[tuple[Items, Any]]]()
    require(_is_of_slots(term), "a result for every item")
    for s in _sets(at):
        for z, chance in outcome_law(term[2], s, at["m"], World(at["K"], at["N"])).items():
            if chance != 0:
                reports.setdefault(PUSHES[term[1]].of(z, at["K"]), []).append((s, z))
    for alike in reports.values():
        for ((s, z), (other, v)), x in counted(product(product(alike, repeat=2), range(at["K"]))):
            yield {"item": x, "outcomes": (z, v), "sets": (s, other)}, z.count(x) == v.count(x)


def bernoulli_sum(statement: Any, at: Any, values: Values) -> Cases:
    """For x in X_sen, F_x is a sum of n f_x Bernoulli(p) and n (m - f_x) Bernoulli(q) variables, all independent, p the
    chance of a held item's own result, q of another one. Users are independent: it is about one user."""
    term = valued(statement["law"]["term"], values)
    require(_is_of_slots(term), "a result for every item")
    cells, seen = term[2][2][1]["sen"], shape(term)
    require(set(cells) == {"own", "other"}, "a row of p and q")
    p, q = cells["own"], cells["other"]
    for s in _sets(at):
        row = row_of(statement, at, s, term)
        for x in range(at["K"]):
            gaps: dict[int, Any] = {0: Fraction(1)}
            for success in [p] * (x in s) + [q] * (at["m"] - (x in s)):
                more = {c + 1: chance * success for c, chance in gaps.items()}
                gaps = {c: gaps.get(c, 0) * (1 - success) + more.get(c, 0) for c in {*gaps, *more}}
            for y, chance in row.items():
                charge(p, q, chance)
                number = count(seen, y, x, at["K"])
                gaps[number] = gaps.get(number, 0) - chance
            yield {"users": (s,), "item": x}, all(gap == 0 for gap in gaps.values())


def product_form(statement: Any, at: Any, values: Values) -> Cases:
    """For two m-sets P(y|s) / P(y|s') is a product of table ratios, results matched to items in some way (in place,
    where the report shows the places); for reports without invertible data, where items are reported."""
    term = valued(statement["law"]["term"], values)
    of_bits = term[:2] == ["push", "whole"] and term[2][:2] == ["each", "items"]
    require(of_bits or _is_of_slots(term), "a result for every item")
    rows = {s: row_of(statement, at, s, term) for s in _sets(at)}
    for s, other in permutations(rows, 2):
        for y, chance in rows[s].items():
            beside = rows[other].get(y, 0)
            charge(chance, beside)
            if chance != 0 and beside != 0 and (of_bits or (not y[1] and len(y[0]) == at["m"])):
                tops, bottoms = ([*_products(term, y, held, at)] for held in (s, other))
                holds = any(q != 0 and chance * q == beside * p for p in tops for q in bottoms)
                yield {"s": s, "other": other, "output": y[0]}, holds


def _products(term: Any, y: Output, s: Items, at: Any) -> Iterator[Any]:
    """The product of the chances of a report's results from the items of s, for every way to match them."""
    k, d, [name, of] = at["K"], at["K"] + at["N"], term[1:]
    if name == "whole":
        shown = [*y[0][0], *(int(x in y[1]) for x in range(k, d))]
        kinds = [("sen" if x < k else "non") + str(int(x in s)) for x in range(d)]
        yield prod(of[2][1][kind].get(str(bit), 0) for kind, bit in zip(kinds, shown, strict=True))
        return
    table = [outcome_law(of[2], (x,), 1, World(k, at["N"])) for x in s]
    for results in [y[0]] if name == "position" else counted(permutations(y[0]), *table[0].values()):
        yield prod(chances.get(z, 0) for chances, z in zip(table, results, strict=True))


def padding(statement: Any, at: Any, values: Values) -> Cases:
    """A user's expected estimate of f_x, after s was brought to m items (`sampled`, `filled`), is `mean`, in m, K, N,
    size = |s| and held = [x in s]."""
    term, seen, ranges = (
        valued(statement["law"]["term"], values),
        shape(statement["law"]["term"]),
        ranges_of(statement["law"]),
    )
    require(term[0] in ("sampled", "filled"), "sets that are sampled or filled up")
    for estimator in statement["estimator"]:
        require(is_nonzero(estimator["slope"], values, ranges), "the slope is not shown to differ from 0")
        for tree in estimator.values():
            require_defined(tree, values, ranges)
    k, m, d = at["K"], at["m"], at["K"] + at["N"]
    for s in sets_of(range(m + 1, d + 1) if term[0] == "sampled" else range(m), k, at["N"]):
        row = row_of(statement, at, s, term)
        for x in range(d):
            charge(*row.values())
            names, user = statement["estimator"][x >= k], {**values, "size": Fraction(len(s)), "held": Fraction(x in s)}
            slope, offset, share = (evaluate(names.get(x, 0), values) for x in ("slope", "offset", "per_invertible"))
            counts = sum((p * (count(seen, y, x, k) - share * len(y[1])) for y, p in row.items()), Fraction(0))
            require_defined(statement["mean"], user, ranges)
            yield {"s": s, "item": x}, counts == slope * evaluate(statement["mean"], user) + offset


def exceeds(statement: Any, at: Any, values: Values) -> Cases:
    """At all sizes of the domain some compared ratio is larger than e^eps."""
    worst = maximum(statement, at)
    yield {}, worst is None or worst > evaluate(goal(statement), values)


def frequencies(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: the f_x, counted item by item, sum to m for every data set of m-sets. All small ones are listed."""
    users, most = integer(evidence["users"], 1, 3), integer(evidence["items"], 1, 4)
    for n, d in product(range(1, users + 1), range(1, most + 1)):
        for m in range(1, d + 1):
            for data in counted(product(sets_of([m], d, 0), repeat=n), *range(d)):
                found = sum(Fraction(sum(x in s for s in data), n) for x in range(d))
                require(found == m, "frequencies of another sum")


def _sets(at: Any) -> list[Items]:
    return sets_of([at["m"]], at["K"], at["N"])


def _is_of_slots(term: Any) -> bool:
    """Whether a law has a result for every held item."""
    return bool(term[0] == "push" and shape(term[2]) in ("slots", "padded slots"))


_CASE, _SCOPE = "instance item", "instances"
_PADDED = {"estimator": [fields.estimator, fields.estimator], "mean": fields.tree}
KINDS = {
    "bernoulli-sum": Kind(by_cases(bernoulli_sum), fields.EXACT, verified=_SCOPE, refuted=f"{_CASE} users"),
    "computable": Kind(by_cases(computable), fields.SEEN, verified=_SCOPE, refuted=f"{_CASE} outcomes sets"),
    "exceeds": Kind(by_cases(exceeds), fields.COMPARED, refuted="instance", also=fields.compared),
    "frequencies": Kind(frequencies, {}, verified="users items"),
    "padding": Kind(by_cases(padding), fields.EXACT | _PADDED, verified=_SCOPE, refuted=f"{_CASE} s"),
    "product-form": Kind(by_cases(product_form), fields.EXACT, verified=_SCOPE, refuted="instance s other output"),
}
