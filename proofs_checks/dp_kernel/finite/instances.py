"""Statements at exact instances, whose law is enumerated: ratios that are compared, and what is decided case by case.

A rule lists the cases of an instance: what a reader is shown of each, and whether the statement holds in it. Verified
at listed sizes, for all eps > 0 at once (the base of e^eps is a variable); refuted by a case that is shown.
"""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import permutations, product
from typing import Any

from dp_kernel.certificate import schema
from dp_kernel.certificate.schema import Kind
from dp_kernel.formulas.domains import Region
from dp_kernel.formulas.terms import evaluate, is_nonzero
from dp_kernel.laws import arcs, grammar
from dp_kernel.laws.arc_instances import arcs_of, functions_of
from dp_kernel.laws.families import families_at
from dp_kernel.laws.grammar import Items, Output, World, mixed, outcome_law, output_law, sets_of, shape, valued
from dp_kernel.laws.sizes import Instance, fits, goal, is_drawn, numbers, point_values, ranges_of, variables
from dp_kernel.laws.stochastic import require_law
from dp_kernel.meter import Rejected, paid, pay, require
from dp_kernel.numbers.json_numbers import integer, items, label, rational
from dp_kernel.numbers.polynomial import is_nonnegative, lift

Values = Mapping[str, Any]
Cases = Iterator[tuple[dict[str, Any], bool]]


def sizes_of(statement: Any, at: Instance) -> range:
    """The admissible set sizes of a statement at an instance."""
    term, m, d = statement["law"]["term"], at["m"], at["K"] + at["N"]
    require(term[0] != "subset" or statement["sizes"] == "exactm", "the law of a subset is one for sets of m items")
    least = 0 if term[0] == "dummies" else 1
    least, most = {"exactm": (m, m), "atmost": (least, m), "all": (0, d)}[statement["sizes"]]
    return range(max(least, 1) if is_drawn(term) else least, most + 1)


def world_of(statement: Any, at: Instance, term: Any, hashes: Any = None) -> World:
    """The items, and the listed functions: on arcs a law on hash functions, or families of published choices."""
    families: Any = families_at(hashes, statement["law"], at) if isinstance(hashes, dict) else {}
    if isinstance(hashes, list):
        families = functions_of(hashes, term, at["m"], at["K"] + at["N"])
    return World(at["K"], at["N"], items(at.get("order", [])), families)


def row_of(statement: Any, at: Instance, s: Items, term: Any) -> dict[Output, Any]:
    """The law of the output of a user who holds s."""
    return output_law(term, s, at["m"], world_of(statement, at, term))


def is_violation(statement: Any, at: Instance, witness: Any) -> bool:
    """Whether the witness (s, other, output) is compared by the statement and exceeds e^eps, in the recomputed law."""
    pair, shown = (items(witness["s"]), items(witness["other"])), label(witness["output"])
    for *sets, y, p, q in comparisons(statement, at, numbers(statement, at), pair, witness.get("hashes")):
        if (*sets, y) == (*pair, shown):
            stated = rational(witness["probability"]), rational(witness["other_probability"])
            require((p, q) == stated, "the probabilities of the witness are not those of the law")
            return bool(p > evaluate(goal(statement), point_values(statement["law"], at)) * q)
    raise Rejected("the pair is not compared by this reading, or not in an output of s")


def maximum(statement: Any, at: Instance, hashes: Any = None) -> Fraction | None:
    """The largest compared ratio at an instance with rational e^eps; None if it is unbounded. Raises `Rejected` if
    there is none, or the instance lies outside the domain."""
    worst = Fraction(0)
    for *_, p, q in comparisons(statement, at, numbers(statement, at), None, hashes):
        if not q:
            return None
        worst = max(worst, p / q)
    require(worst > 0, "nothing is compared there")
    return worst


def require_bounded(statement: Any, at: Instance) -> tuple[bool, bool]:
    """Check every compared ratio against the bound for all eps > 0 at one size; whether there is one, whether one
    equals the bound."""
    law, d = statement["law"], at["K"] + at["N"]
    require(set(at) <= {"m", "K", "N", "order", *law.get("integers", {})}, "sizes only")
    at_numbers = variables(law) | {name: Fraction(at[name]) for name in ("m", "K", "N")}
    bound, ranges, compared, attained = evaluate(goal(statement), at_numbers), ranges_of(law), False, False
    term = valued(law["term"], at_numbers)
    every = statement["any_order"] and "order" not in at
    for instance in paid(({**at, "order": order} for order in permutations(range(d))) if every else [at]):
        for *_, y, p, q in comparisons(statement, instance, term):
            gap = bound * q - p
            compared, attained = True, attained or bool(gap == 0)
            require(is_nonnegative(lift(gap), ranges), f"output {y} may exceed the bound at {at}")
    return compared, attained


def comparisons(
    statement: Any, at: Instance, term: Any, only: tuple[Items, ...] | None = None, hashes: Any = None
) -> Iterator[tuple[Items, Items, Any, Any, Any]]:
    """The compared pairs of sets (all of them, or of some), and every output that the reading looks at and that the
    first one has, with its probabilities for both: dummies are items like others."""
    require(fits(statement, at), "the instance lies outside the domain")
    law, world = statement["law"]["term"], world_of(statement, at, term, hashes)
    sets = sets_of(sizes_of(statement, at), at["K"], at["N"])
    require(only is None or set(only) <= set(sets), "inputs outside the domain")
    rows = {s: output_law(term, s, at["m"], world) for s in (only or sets)}
    for s, other in product(rows, repeat=2):
        pay(1, *rows[s].values())
        (inner, held), (_, beside) = (grammar.completed(law, x, at["m"], world) for x in (s, other))
        if s != other and related(statement["relation"], held, beside, inner.k):
            a, b = (observed(rows[x], statement["relation"], held, beside, statement["counted"]) for x in (s, other))
            yield from ((s, other, y, p, b.get(y, 0)) for y, p in a.items() if p != 0)


def related(relation: str, s: Items, other: Items, k: int) -> bool:
    """Whether the ordered pair (s, other) is compared by a reading of (11); the others compare all pairs."""
    a, b = set(s), set(other)
    if relation == "deniability":
        return len(a - b) == 1 == len(b - a) and min(a - b) < k
    return relation != "samenon" or {x for x in a if x >= k} == {x for x in b if x >= k}


def observed(law: dict[Output, Any], relation: str, s: Items, other: Items, counted: str) -> dict[Any, Any]:
    """What the relation compares: the marginal law of y0, or the joint law on the outputs it speaks of.

    With `counted` "nonempty" outputs whose y0 carries no sensitive element are not subject to it.
    """
    pay(1, *law.values())
    subject = {y: pr for y, pr in law.items() if counted == "all" or not is_empty(y[0])}
    if relation == "marginal":
        return mixed((pr, {y0: Fraction(1)}) for (y0, _), pr in subject.items())
    return {y: pr for y, pr in subject.items() if relation != "joint" or set(y[1]) <= set(s) & set(other)}


def is_empty(y0: Any) -> bool:
    """Whether y0 carries no sensitive element."""
    return y0 is None or (isinstance(y0, tuple) and all(z is None for z in y0))


def by_cases(cases: Callable[[Any, Any, Values], Cases]) -> Callable[[Any, str, Any], None]:
    """The rule of a statement with these cases."""

    def rule(statement: Any, verdict: str, evidence: Any) -> None:
        if verdict == "refuted":
            at, shown = evidence["instance"], {name: label(x) for name, x in evidence.items() if name != "instance"}
            require(fits(statement, at), "the instance lies outside the domain")
            found = cases(statement, at, point_values(statement["law"], at))
            require(any(case == shown and not holds for case, holds in found), "the statement holds in this case")
            return
        for at in evidence["instances"]:
            require(set(at) == {"m", "K", "N"} and fits(statement, at), "the instance lies outside the domain")
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
        for y, outcomes in _behind(term, at, s).items():
            reports.setdefault(y, []).extend((s, z) for z in outcomes)
    for alike in reports.values():
        for ((s, z), (other, v)), x in paid(product(product(alike, repeat=2), range(at["K"]))):
            yield {"item": x, "outcomes": (z, v), "sets": (s, other)}, z.count(x) == v.count(x)


def bernoulli_sum(statement: Any, at: Any, values: Values) -> Cases:
    """For x in X_sen, F_x is a sum of n f_x Bernoulli(p) and n (m - f_x) Bernoulli(q) variables, all independent, p the
    chance of a held item's own result, q of another one. Users are independent: it is about one user."""
    term = valued(statement["law"]["term"], values)
    require(_is_of_slots(term), "a result for every item")
    cells = term[2][2][1]["sen"]
    require(set(cells) == {"own", "other"}, "a row of p and q")
    for s in _sets(at):
        row = row_of(statement, at, s, term)
        for x in range(at["K"]):
            stated: dict[Any, Any] = {0: Fraction(1)}
            for success in [cells["own"]] * (x in s) + [cells["other"]] * (at["m"] - (x in s)):
                stated = mixed((chance, {c: 1 - success, c + 1: success}) for c, chance in stated.items())
            found = mixed((chance, {y[0].count(x): Fraction(1)}) for y, chance in row.items())
            yield {"users": (s,), "item": x}, _alike(found, stated)


def product_form(statement: Any, at: Any, values: Values) -> Cases:
    """For two m-sets P(y|s) / P(y|s') is a product of table ratios, results matched to items in some way: it is the
    quotient of the chances of two outcomes, which are products of entries. For reports without invertible data, where
    items are reported."""
    term = valued(statement["law"]["term"], values)
    of_bits = term[:2] == ["push", "whole"] and term[2][:2] == ["each", "items"]
    require(of_bits or _is_of_slots(term), "a result for every item")
    behind = {s: _behind(term, at, s) for s in _sets(at)}
    for s, other in permutations(behind, 2):
        for y in behind[s]:
            if y in behind[other] and (of_bits or (not y[1] and len(y[0]) == at["m"])):
                tops, bottoms = ([*behind[x][y].values()] for x in (s, other))
                pay(1, *tops, *bottoms)
                chance, beside = sum(tops, Fraction(0)), sum(bottoms, Fraction(0))
                holds = any(chance * q == beside * p for p in tops for q in bottoms)
                yield {"s": s, "other": other, "output": y[0]}, holds


def padding(statement: Any, at: Any, values: Values) -> Cases:
    """A user's expected estimate of f_x, after s was brought to m items (`sampled`, `filled`), is `mean`, in m, K, N,
    size = |s| and held = [x in s]."""
    term, place = valued(statement["law"]["term"], values), Region(values, ranges_of(statement["law"]))
    require(term[0] in ("sampled", "filled"), "sets that are sampled or filled up")
    require(shape(term) == "bits", "a report of bits")
    nonzero = (is_nonzero(estimator["slope"], values, place.ranges) for estimator in statement["estimator"])
    require(all(nonzero), "the slope is not shown to differ from 0")
    estimators = [[place.value(estimator[x]) for x in ("slope", "offset")] for estimator in statement["estimator"]]
    k, m, d = at["K"], at["m"], at["K"] + at["N"]
    for s in sets_of(range(m + 1, d + 1) if term[0] == "sampled" else range(m), k, at["N"]):
        row = row_of(statement, at, s, term)
        for x in range(d):
            pay(1, *row.values())
            slope, offset = estimators[x >= k]
            user = Region({**values, "size": Fraction(len(s)), "held": Fraction(x in s)}, place.ranges)
            counts = sum((p * (y0[x] if x < k else kept.count(x)) for (y0, kept), p in row.items()), Fraction(0))
            yield {"s": s, "item": x}, counts == slope * user.value(statement["mean"]) + offset


def exceeds(statement: Any, at: Any, values: Values) -> Cases:
    """Some compared ratio is larger than e^eps; `unbounded`: than any number, its output is impossible for s'."""
    law, none = statement["law"], statement["type"] == "unbounded"
    term, bound, ranges = valued(law["term"], values), evaluate(goal(statement), values), ranges_of(law)
    pairs = comparisons(statement, at, term)
    larger = (is_nonnegative(lift(p - bound * q), ranges, strictly=True) for *_, p, q in pairs if q == 0 or not none)
    yield {}, any(larger)


def unbounded(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: at all sizes of the domain, for all eps > 0, no constant bounds the compared ratios."""
    if verdict == "proved":
        arcs.require_unbounded(statement)
    else:
        by_cases(exceeds)(statement, verdict, evidence)


def same_law(statement: Any, at: Any, values: Values) -> Cases:
    """`other` has the same e^eps, and the same law of the report for every set. On arcs: the same arcs and weight under
    the same hash functions; where X_non is empty nothing is emitted."""
    law, other = statement["law"], statement["other"]
    require(all(law.get(name) == other.get(name) for name in ("base", "parameters", "integers")), "other variables")
    require(fits({**statement, "law": other}, at), "the other law has no such sizes")
    require_law(other)
    alike = evaluate(goal(statement), values) == evaluate(goal({"law": other}), values)
    term, beside = (valued(spec["term"], values) for spec in (law, other))
    if shape(term) == "point":
        yield {}, alike and arcs_of(term) == arcs_of(beside) and at["N"] == 0
        return
    for s in _sets(at):
        yield {"s": s}, alike and _alike(*(row_of(statement, at, s, of) for of in (term, beside)))


def cost(statement: Any, at: Any, values: Values) -> Cases:
    """There are at most `most` reports: ceil(log2 most) bits are enough. A law on arcs has a density, hence more points
    that may be sent than any number."""
    term = valued(statement["law"]["term"], values)
    if shape(term) == "point":
        yield {}, False
        return
    reports = {y for s in _sets(at) for y, chance in row_of(statement, at, s, term).items() if chance != 0}
    yield {}, len(reports) <= evaluate(statement["most"], values)


def frequencies(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: the f_x, counted item by item, sum to m for every data set of m-sets. All small ones are listed."""
    users, most = integer(evidence["users"], 1, 3), integer(evidence["items"], 1, 4)
    for n, d, m in product(range(1, users + 1), range(1, most + 1), range(1, most + 1)):
        for data in paid(product(sets_of([m], d, 0), repeat=n), *range(d)):
            found = sum(Fraction(sum(x in s for s in data), n) for x in range(d))
            require(found == m, "frequencies of another sum")


def _sets(at: Any) -> list[Items]:
    return sets_of([at["m"]], at["K"], at["N"])


def _alike(law: Mapping[Any, Any], other: Mapping[Any, Any]) -> bool:
    """Whether all outcomes have the same probabilities."""
    return all(law.get(y, 0) == other.get(y, 0) for y in law.keys() | other.keys())


def _behind(term: Any, at: Any, s: Items) -> dict[Output, dict[Any, Any]]:
    """The possible outcomes behind every report, with their chances."""
    found: dict[Output, dict[Any, Any]] = {}
    for z, chance in outcome_law(term[2], s, at["m"], World(at["K"], at["N"])).items():
        if chance != 0:
            found.setdefault(grammar.PUSHES[term[1]].of(z, at["K"]), {})[z] = chance
    return found


def _is_of_slots(term: Any) -> bool:
    """Whether a law has a result for every held item."""
    return bool(term[0] == "push" and shape(term[2]) in ("slots", "padded slots"))


_CASE, _PAIR, _SCOPE = ("instance", "item"), ("s", "other", "output"), [["instances"]]
_AFFINE = {"slope": schema.tree, "offset": schema.tree}
_PADDED = {"estimator": [_AFFINE, _AFFINE], "mean": schema.tree}
KINDS = {
    "bernoulli-sum": Kind(by_cases(bernoulli_sum), schema.EXACT, verified=_SCOPE, refuted=[[*_CASE, "users"]]),
    "computable": Kind(by_cases(computable), schema.EXACT, verified=_SCOPE, refuted=[[*_CASE, "outcomes", "sets"]]),
    "cost": Kind(by_cases(cost), schema.EXACT | {"most": schema.tree}, verified=_SCOPE, refuted=[["instance"]]),
    "exceeds": Kind(by_cases(exceeds), schema.COMPARED, refuted=[["instance"]], also=schema.compared),
    "frequencies": Kind(frequencies, {}, verified=[["users", "items"]]),
    "padding": Kind(by_cases(padding), schema.EXACT | _PADDED, verified=_SCOPE, refuted=[[*_CASE, "s"]]),
    "product-form": Kind(by_cases(product_form), schema.EXACT, verified=_SCOPE, refuted=[["instance", *_PAIR]]),
    "same-law": Kind(by_cases(same_law), schema.EXACT | {"other": schema.law}, verified=_SCOPE),
    "unbounded": Kind(unbounded, schema.COMPARED, proved={"emitted": ()}, verified=_SCOPE, also=schema.compared),
}
