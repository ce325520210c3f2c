"""Statements about shuffled reports: how close the multisets of messages of neighboring data sets are.

n users send the messages of a law of one item, uniform dummy messages join them, and what is seen is the multiset. Two
data sets are neighbors if one user holds another value. delta(eps) is the largest sum over multisets of
(P[M(D)] - e^eps P[M(D')])_+.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from typing import Any

from dp_kernel import amplification, schema
from dp_kernel.cards.blanket import Hint, Shuffled, above, third
from dp_kernel.formulas.domains import Region, require_inside
from dp_kernel.formulas.terms import Interval, evaluate, natural
from dp_kernel.judgements.relations import decided
from dp_kernel.judgements.stochastic import require_law
from dp_kernel.laws.families import families_at
from dp_kernel.laws.grammar import SEPARATING, Distribution, World, all_sensitive, mixed, nodes, outcome_law, valued
from dp_kernel.laws.sizes import point_values, ranges_of
from dp_kernel.meter import Rejected, paid, pay, require
from dp_kernel.numbers.json_numbers import MAX_FUNCTIONS, integer, rational

BITS = 160
"""Precision of budgets that are no fractions."""
LISTED, FOR_ALL = "all data sets", ("blanket", *amplification.ABOVE)
"""Ways to look at all data sets: one by one, or at once."""


def divergence(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: everywhere on the domain, for all neighboring data sets of `users` users, delta(eps) is at most (less
    than) `delta`, or what the law `than` has for the same data sets; `eq`: the largest delta(eps) is `delta`.

    Verified at listed points, proved if the domain is one; refuted at a point, by data sets.
    """
    if verdict == "refuted":
        require(judged(statement, evidence) is False, "not refuted by these data sets")
        return
    points = evidence["instances"]
    require(bool(points), "an empty scope")
    require((verdict == "verified") == bool(statement["domain"]["variables"]), "proved, if the domain is one point")
    for instance in points:
        schema.require_shape(INSTANCE, instance)
        require(judged(statement, instance) is True, "not shown for all data sets")


def judged(statement: Any, evidence: Any) -> bool | None:
    """Whether the statement is shown to hold at a point (for the data sets that are looked at), or to fail; None if
    neither."""
    at = point(statement, evidence["values"])
    a, delta = ends(statement, at)
    if "than" not in statement:
        return decided(statement["relation"], enclosed(statement, at, a, evidence), delta)
    require(a.low == a.high and evidence["by"] == LISTED, "two bounds show no relation")
    require_law(statement["than"]["law"])
    laws = statement, {**statement, **statement["than"]}
    both = zip(*(enumerated(of, at, a.low, evidence) for of in laws), strict=True)
    return all(decided(statement["relation"], x[-1], y[-1]) for x, y in both)


def enclosed(statement: Any, at: Mapping[str, Any], a: Interval, evidence: Any) -> Interval:
    """What the largest delta(ln a) of all data sets lies in: seen by enumeration, below a bound for all of them, or
    above what named ones show."""
    if evidence["by"] in FOR_ALL:
        return Interval(Fraction(0), every(statement, at, a.low, evidence))
    if evidence["by"] != LISTED:
        return Interval(shown(statement, at, a.high, evidence), Fraction(1))
    if evidence.get("data"):
        return Interval(next(enumerated(statement, at, a.high, evidence))[-1], Fraction(1))
    most = max(x[-1] for x in enumerated(statement, at, a.low, evidence))
    return Interval(most if a.low == a.high else Fraction(0), most)


def point(statement: Any, values: Any) -> Mapping[str, Any]:
    """The values of all names at a point of the domain, in the ranges of the laws: fractions, or intervals."""
    require(set(values) == set(statement["domain"]["variables"]), "every variable has a value")
    at: dict[str, Any] = {name: rational(value) for name, value in values.items()}
    require_inside(statement["domain"], Region(at, {}, bits=BITS))
    for name, tree in statement["at"].items():
        at[name] = evaluate(tree, at, BITS)
    for law in _laws(statement):
        ranges = ranges_of(law)
        for name in (law["base"], *law["parameters"], *law.get("integers", {})):
            x, bound = Interval.of(at[name]), ranges[name]
            inside = (x.low > bound.low if bound.strict else x.low >= bound.low) and (not bound.unit or x.high < 1)
            whole = not bound.whole or (x.low == x.high and x.low.denominator == 1)
            require(inside and whole, f"{name} lies outside its range")
    return at


def _laws(statement: Any) -> list[Any]:
    """The law, and the one it is compared with."""
    return [part["law"] for part in (statement, statement.get("than", {})) if "law" in part]


def ends(statement: Any, at: Mapping[str, Any]) -> tuple[Interval, Interval]:
    """e^eps and delta."""
    a, delta = (Interval.of(evaluate(statement[name], at, BITS)) for name in ("e_eps", "delta"))
    require(a.low >= 1 and delta.low >= 0, "eps >= 0 and delta >= 0")
    return a, delta


def every(statement: Any, at: Mapping[str, Any], a: Fraction, instance: Any) -> Fraction:
    """An upper bound of delta(ln a) for every data set, at the point or at a harder one (card, *Harder points*)."""
    point = randomized_response(statement, at, a, high=True)
    users, extra = integer(instance.get("users", point.users)), integer(instance.get("dummies", point.extra))
    eased = rational(instance["e_eps"]) if "e_eps" in instance else a
    require(users <= point.users and extra <= point.extra and eased <= a, "an easier point")
    shuffled, windows = point._replace(users=users, extra=extra, a=eased), hint(instance)
    if instance["by"] == "blanket":
        return above(shuffled, windows)
    return amplification.above(instance["by"], statement.get("law", {}).get("term"), shuffled, windows)


def shown(statement: Any, at: Mapping[str, Any], a: Fraction, evidence: Any) -> Fraction:
    """A lower bound of delta(ln a), of data sets that a rule names."""
    items = 2 if evidence["by"] == "one label" else 3
    _require_family(statement, at, items)
    labels = 2 if "law" in statement or items == 2 else integer(evidence["data"][0])
    shuffled, windows = randomized_response(statement, at, a, high=False, labels=labels), hint(evidence)
    return third(shuffled, windows) if evidence["by"] == "third" else amplification.below(evidence, shuffled, windows)


def randomized_response(statement: Any, at: Mapping[str, Any], a: Fraction, *, high: bool, labels: int = 2) -> Shuffled:
    """The numbers of the card: of randomized response, of its reports of a hash value, or (without a law) of every
    randomizer with ratios at most x, of which the one on so many labels is one.

    q, which may be known in an interval, is taken from the side that the bound needs: a smaller one is harder.
    """
    k, users, extra = _counts(statement, at)
    term = statement["law"]["term"] if "law" in statement else None
    match term:
        case ["push", "sorted", ["pair", report, ["copies", number, ["row", {"*": {"any": ["div", 1, "K"]}}]]]]:
            term, extra = report, extra + users * natural(evaluate(number, at))
    match term:
        case ["row", kinds] | ["drawn", ["row", kinds]]:
            pass
        case ["mix", _, inner, ["row", kinds]]:
            k = natural(evaluate(inner, at))
        case None:
            require(extra == 0, "no uniform messages of every randomizer")
            k, kinds = labels, {"sen": {"own": 0, "other": ["div", 1, ["add", "x", labels - 1]]}}
        case _:
            raise Rejected("not randomized response")
    require(kinds.keys() == {"sen"} and kinds["sen"].keys() <= {"own", "other"}, "not randomized response")
    q = Interval.of(evaluate(kinds["sen"].get("other", 0), {**at, "K": Fraction(k)}, BITS))
    return Shuffled(k, users, extra, q.low if high else q.high, a)


def _require_family(statement: Any, at: Mapping[str, Any], items: int) -> None:
    """So many values exist, and the law may have a public function that keeps them apart, if it has functions."""
    match statement.get("law", {}).get("term"):
        case ["mix", family, *_]:
            separating = statement["law"].get("families", {}).get(family, SEPARATING) == SEPARATING
            free = separating and "functions" not in statement
            require(at["K"] >= items and free, "another family of functions, or too few values")


def _counts(statement: Any, at: Mapping[str, Any]) -> tuple[int, int, int]:
    """Labels, users, dummies."""
    numbers = [at.get("K", Fraction(1)), *(evaluate(statement[name], at, BITS) for name in ("users", "dummies"))]
    labels, users, extra = map(natural, numbers)
    require(labels >= (2 if "law" in statement else 1), "two values")
    return labels, users, extra


def hint(evidence: Any) -> Hint:
    """What makes bounds tight: untrusted numbers."""
    return Hint(integer(evidence["width"]), integer(evidence["bits"]), tuple(map(integer, evidence["knots"])))


def enumerated(
    statement: Any, at: Mapping[str, Any], a: Fraction, evidence: Any
) -> Iterator[tuple[int, int, tuple[int, ...], Fraction]]:
    """(x0, x1, what the others hold, delta) for all neighboring data sets, or for the pair of them that is named, by
    enumeration."""
    labels, users, extra = _counts(statement, at)
    require(labels <= 8 and users + extra <= 64, "too large to be enumerated")
    only = tuple(evidence.get("data", ()))
    require(not only or (len(only) == users + 1 > 1 and only[0] != only[1]), "no neighboring data sets of so many")
    require(all(isinstance(x, Fraction) for x in at.values()), "a law that is no fraction")
    numbers = {name: int(x) if x.denominator == 1 else str(x) for name, x in at.items()}
    law, instance = statement["law"], {**numbers, "m": 1, "K": labels, "N": 0}
    values = point_values(law, instance)
    families = families_at(_functions(statement, values, evidence), law, instance)
    world, term = World(labels, 0, (), families), valued(law["term"], values)
    sent = [bag(term, outcome_law(term, (x,), 1, world), world) for x in range(labels)]
    noise: Distribution = {(): Fraction(1)}
    for _ in range(extra):
        uniform = _uniform(term, labels)
        noise = together(noise, bag(uniform, outcome_law(uniform, (0,), 1, world), world))
    beside: dict[tuple[int, ...], Distribution] = {(): noise}
    for others in [only[2:]] if only else combinations_with_replacement(range(labels), users - 1):
        for held in (others[:i] for i in range(1, len(others) + 1)):
            if held not in beside:
                beside[held] = together(beside[held[:-1]], sent[integer(held[-1], 0, labels - 1)])
        for x0, x1 in [only[:2]] if only else permutations(range(labels), 2):
            one, two = (together(beside[others], sent[integer(x, 0, labels - 1)]) for x in (x0, x1))
            pay(1, a, *one.values())
            yield x0, x1, others, sum((max(Fraction(0), p - a * two.get(y, 0)) for y, p in one.items()), Fraction(0))


def _functions(statement: Any, values: Mapping[str, Any], evidence: Any) -> Any:
    """The families of a law: the listed ones, or all functions to so many labels."""
    if "functions" not in statement:
        return evidence.get("hashes", {})
    families, items = {}, int(values["K"])
    for node, world in nodes(statement["law"]["term"], values):
        if node[0] == "mix":
            labels = natural(evaluate(node[2], world))
            require(labels**items <= MAX_FUNCTIONS, "too many functions")
            images = paid(product(range(labels), repeat=items), *range(items))
            families[node[1]] = [[f"1/{labels**items}", list(image)] for image in images]
    return families


def bag(term: Any, law: Distribution, world: World) -> Distribution:
    """The multisets of messages in outcomes."""
    return mixed((chance, {tuple(sorted(messages(term, y, world))): Fraction(1)}) for y, chance in law.items())


def together(first: Distribution, second: Distribution) -> Distribution:
    """The union of two independent multisets."""
    pay(8 * len(first) * len(second))
    return mixed((p, {tuple(sorted((*x, *y))): q for y, q in second.items()}) for x, p in first.items())


def messages(term: Any, outcome: Any, world: World) -> list[Any]:
    """The messages that are sent: labels; of a published choice each beside the function; of bits those that are 1."""
    match term:
        case ["row", _]:
            return [outcome]
        case ["each", "items", _]:
            return [i for i, bit in enumerate(outcome) if bit]
        case ["push", "sorted", _]:
            return [*outcome[0]]
        case ["mix", family, _, of]:
            return [(world.families[family][outcome[0]][1], z) for z in messages(of, outcome[1], world)]
        case ["drawn", of]:
            return messages(of, outcome, world)
        case ["pair", *laws]:
            parts = [*zip(laws, outcome, strict=True)]
        case ["copies" | "thinned", _, of]:
            parts = [(of, y) for y in outcome]
        case _:
            raise Rejected(f"{term[0]} sends no messages")
    return [z for of, y in parts for z in messages(of, y, world)]


def _uniform(term: Any, labels: int) -> Any:
    """The law of a uniform message: of a report that forgets its item."""
    match term:
        case ["row", _] | ["drawn", ["row", _]]:
            return ["row", {"*": {"any": Fraction(1, labels)}}]
        case ["mix", family, inner, of]:
            return ["mix", family, inner, _uniform(of, int(inner))]
        case ["push", "sorted", ["pair", of, _]]:
            return _uniform(of, labels)
    raise Rejected("no uniform message")


def _free(statement: Any) -> None:
    variables = statement["domain"]["variables"].keys()
    require(variables.isdisjoint(statement["at"]), "a variable that has a value")
    sensitive = all(all_sensitive(law["term"]) for law in _laws(statement))
    require(sensitive and {"m", "N"}.isdisjoint({*statement["at"], *variables}), "one sensitive item")
    require("than" not in statement or statement["delta"] == 0, "a law is compared with another one alone")


_TOLD = {"width?": integer, "bits?": integer, "knots?": [integer, ...]}
_HARDER = {"users?": integer, "dummies?": integer, "e_eps?": rational}
INSTANCE = {"values": {"*": rational}, "by": (LISTED, *FOR_ALL), **_TOLD, **_HARDER}
"""No functions are listed: a statement is about all families, or about all functions."""
KINDS = {
    "divergence": schema.Kind(
        divergence,
        {
            "law?": schema.law,
            "domain": schema.domain,
            "at": {"*": schema.tree},
            "users": schema.tree,
            "dummies": schema.tree,
            "e_eps": schema.tree,
            "relation": ("le", "lt", "eq"),
            "delta": schema.tree,
            "functions?": ("all",),
            "than?": {"law": schema.law, "dummies": schema.tree},
        },
        proved=[["instances"]],
        verified=[["instances"]],
        refuted=[["values", "by", "data", "width?", "bits?", "knots?", "hashes?"]],
        also=_free,
    )
}
