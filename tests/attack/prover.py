"""A prover without scruples: statements about a law that the kernel may believe, with evidence it may accept.

Moments, factors and weights are the kernel's own, so that what it derives wrongly is stated; the rest is chance.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

from attack.terms import HALF, K, M, N, add, div, mul, outermost, sub
from dp_checks.check import extremal_pairs
from dp_kernel.judgements import moments, ratios
from dp_kernel.laws import instances
from dp_kernel.laws.grammar import World, completed, output_law, sets_of, valued
from dp_kernel.laws.instances import observed
from dp_kernel.laws.sizes import EXCHANGES, numbers, point_values, vectors
from dp_kernel.meter import Rejected
from dp_kernel.numbers.polynomial import Ratio, lift, substituted

Json = dict[str, Any]
Attempt = tuple[Json, str, Json]
"""Statement, verdict, evidence."""

ERRORS = (Rejected, ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RecursionError)
"""What malformed certificates raise in the kernel."""

LONGEST = 120
"""Terms of a polynomial."""
LARGEST = ["min", M, K, sub(add(K, N), M)]
HALVES = ["min", M, ["floor", div(K, 2)], sub(add(K, N), M)]
MARGINAL = ["min", mul(2, M), K, mul(2, sub(add(K, N), M))]
EXPONENTS = (1, 2, M, mul(2, M), K, add(K, N), LARGEST, HALVES, mul(2, LARGEST), mul(2, HALVES), MARGINAL, sub(M, 1))
WHERE = (
    *(sub(K, 2), sub(K, M), sub(M, K), sub(K, mul(2, M)), sub(N, M), sub(1, M), sub(N, 1), ["neg", N], sub(M, 2)),
    *(sub(sub(K, M), 1), sub(add(K, N), mul(2, M)), sub(sub(add(K, N), M), 1), sub(add(K, mul(2, N)), mul(2, M))),
    *(sub(add(K, N), 2), sub(mul(2, M), K), sub(K, 3)),
)
MANY = {"ss": M, "o": sub(K, mul(2, M)), "u": N}
PLACES: tuple[tuple[Any, list[Any]], ...] = (
    (extremal_pairs.WIDE, [sub(K, mul(2, M))]),
    (extremal_pairs.SINGLE, [sub(1, M), sub(K, 2)]),
    (extremal_pairs.ONE, [sub(K, 2)]),
    (extremal_pairs.ONE_OF_ANY, [sub(sub(add(K, N), M), 1)]),
    (extremal_pairs.JOINT, [sub(sub(add(K, N), M), 1)]),
    (extremal_pairs.SHOWN, [sub(add(K, mul(2, N)), mul(2, M)), sub(sub(add(K, N), M), 1)]),
    (extremal_pairs.PLACES, [sub(sub(K, M), 1)]),
    (extremal_pairs.MARGINAL, [sub(sub(add(K, N), M), 1)]),
    (extremal_pairs.SAMENON, [sub(K, 2), sub(sub(add(K, N), M), 1)]),
    (extremal_pairs.SAMENON_SHOWN, [sub(K, 2), sub(sub(add(K, N), M), 1), sub(add(K, mul(2, N)), mul(2, M))]),
    (extremal_pairs.ALL_SENSITIVE, []),
    (extremal_pairs.ALL_APART, []),
)
"""Pairs that reach a bound, with constraints under which they exist."""


def tree_of(value: Ratio, names: Mapping[str, Any]) -> Any:
    """An expression for a fraction of polynomials; raises `LookupError` for names it has no expression for."""

    def polynomial(part: Any) -> Any:
        if len(part) > LONGEST:
            raise LookupError("a formula nobody would write")
        terms = []
        for monomial, c in part.items():
            term: Any = c
            for name, exponent in monomial:
                term = mul(term, ["pow", names[name], exponent])
            terms.append(term)
        return add(*terms) if terms else 0

    return div(polynomial(value.num), polynomial(value.den))


def own_names(law: Json) -> dict[str, Any]:
    """Names that a formula may have."""
    names = (law["base"], "m", "K", "N", "n", "f", "g", *law["parameters"], *law.get("integers", {}))
    return {name: name for name in names}


def where_of(rng: Random) -> list[Any]:
    return rng.sample(WHERE, rng.choice([0, 0, 1, 1, 2]))


def random_instance(law: Json, rng: Random) -> Json:
    """Small sizes and numbers for every name."""
    at: Json = {"m": rng.choice([1, 1, 2, 2, 3]), "K": rng.choice([1, 2, 2, 3]), "N": rng.choice([0, 0, 1, 2])}
    at[law["base"]] = rng.choice(["2", "3/2", "5", "101/100"])
    at |= {name: rng.choice(["1/2", "1/3"]) for name in law["parameters"]}
    return at | {name: least + rng.randrange(2) for name, least in law.get("integers", {}).items()}


# --- ratios ---------------------------------------------------------------------------------------------------------


def about_ratios(law: Json, rng: Random) -> Iterator[Attempt]:
    body: Json = {
        "type": "ratio",
        "law": law,
        "relation": rng.choice(["ldp", "marginal", "joint", "joint", "deniability", "samenon"]),
        "counted": "all",
        "sizes": rng.choice(["exactm"] * 4 + ["atmost", "all"]),
        "where": [],
        "any_order": False,
    }
    if body["relation"] in ("marginal", "joint") and rng.random() < 0.4:
        body["counted"] = "nonempty"
    if law["term"][:2] == ["push", "position"]:
        body["any_order"] = rng.random() < 0.5
    if law["term"][0] == "dummies":
        body["sizes"] = "atmost" if rng.random() < 0.8 else body["sizes"]
    if rng.random() < 0.3:
        body["where"] = where_of(rng)
    powers = powers_of(body, rng)
    if "subset" in law["term"] or "subset" in law["term"][-1]:
        yield {**body, "relation": "ldp"}, "proved", {"rule": "counting"}
        yield {**body, "relation": "ldp", "type": "smallest", "constant": law["base"]}, "proved", {"rule": "counting"}
    for power in rng.sample(EXPONENTS, 4):
        for evidence in ({"rule": "product", "powers": powers}, {"rule": "linear"}):
            yield {**body, "law": {**law, "power": power}}, "proved", evidence
    for place, where in rng.sample(PLACES, 4):
        stated = {**body, "type": "smallest", "where": [*where, *(body["where"] if rng.random() < 0.2 else [])]}
        for exponent in rng.sample(EXPONENTS, 3):
            evidence = {"rule": "product", "powers": powers, "cases": place}
            yield {**stated, "constant": outermost(["pow", law["base"], exponent])}, "proved", evidence
    yield from about_sums(body, rng)
    yield from about_witnesses(body, rng)


def powers_of(statement: Json, rng: Random) -> dict[str, int]:
    """For every exchange the least power of the base that the kernel's factors need, or a random one."""
    law = statement["law"]
    term = law["term"][-1] if law["term"][0] == "dummies" else law["term"]
    powers = {name: rng.choice([0, 1, 1, 2]) for name in ("ss", "sn", "ns", "nn", "sb", "bs", "nb", "bn")}
    try:
        for base in ("2", "101/100"):
            at = {**random_instance(law, rng), law["base"]: base}
            values = {name: Fraction(x) for name, x in at.items()}
            body = {**statement, "law": {**law, "term": term}}
            ratios.require_reading(body)
            for vector, name in product(vectors(body), EXCHANGES):
                if vector[name] != 0:
                    pairs = ratios.factors(valued(term, values), body, name)
                    powers[name] = max((_least(values[law["base"]], pair) for pair in pairs), default=0)
    except ERRORS:
        pass
    if rng.random() < 0.1:
        powers[rng.choice(list(powers))] = rng.randrange(3)
    return powers


def _least(base: Fraction, pair: ratios.Pair) -> int:
    p, other = (Fraction(x.num.get((), 0), x.den[()]) for x in map(lift, pair))
    return next((k for k in range(9) if base**k * other >= p), 8)


def about_sums(body: Json, rng: Random) -> Iterator[Attempt]:
    """Smallest constants of one drawn item, and of matched results."""
    law = body["law"]
    body = {**body, "type": "smallest", "sizes": "exactm", "any_order": False}
    constants: list[Any] = [["exptrunc", LARGEST, sub(law["base"], 1)], ["exptrunc", M, sub(law["base"], 1)]]
    rules = ["matching"]
    try:
        ratios.require_reading(body)
        one, *none = ratios._weights(body)
        names = own_names(law)
        a = tree_of(one, names)
        others = [tree_of(x, names) for x in none]
        rules = ["linear"]
        for b, c in product(others, others):
            constants += [div(add(a, mul(sub(M, 1), b)), mul(M, c)), div(a, b)]
            constants += [div(add(mul(x, a), mul(sub(M, x), b)), mul(M, c)) for x in (LARGEST, HALVES, M)]
    except ERRORS:
        if law["term"][:1] != ["push"]:
            return
    for constant in rng.sample(constants, min(2, len(constants))):
        for place, where in rng.sample(PLACES, 3):
            stated = {**body, "where": where, "constant": outermost(constant)}
            more: Json = {"multipliers": {}} if rules[0] == "linear" else {}
            yield stated, "proved", {"rule": rules[0], "cases": place, **more}
    base = law["base"]
    for place, factors in (
        (extremal_pairs.FEW, extremal_pairs.few_multipliers(base)),
        (extremal_pairs.BETWEEN, extremal_pairs.between_multipliers(base)),
    ):
        where = rng.choice([[sub(N, M), sub(M, K)], [sub(mul(2, M), K), sub(K, M), sub(N, M)]])
        for constant in rng.sample(constants, 1):
            yield (
                {**body, "where": where, "constant": outermost(constant)},
                "proved",
                {
                    "rule": "linear",
                    "cases": place,
                    "multipliers": factors,
                },
            )


def about_witnesses(body: Json, rng: Random) -> Iterator[Attempt]:
    """Refutations, and exhausted sizes, by what the kernel enumerates."""
    law, at = body["law"], random_instance(body["law"], rng)
    listed = {"instances": [{name: at[name] for name in ("m", "K", "N")}]}
    yield {**body, "type": "ratio-cases"}, "verified", listed
    try:
        term = numbers(body, at)
        sets = sets_of(instances.sizes_of(body, at), at["K"], at["N"])
        s, other = rng.choice(sets), rng.choice(sets)
        held, beside = (completed(law["term"], x, at["m"], World(at["K"], at["N"]))[1] for x in (s, other))
        world = instances.world_of(body, at, term)
        rows = (output_law(term, x, at["m"], world) for x in (s, other))
        a, b = (observed(row, body["relation"], held, beside, body["counted"]) for row in rows)
        y = max(a, key=lambda y: (b.get(y, 0) == 0, a[y] / (b.get(y, 0) or 1)))
        probabilities = {"probability": str(a[y]), "other_probability": str(b.get(y, 0))}
        yield body, "refuted", {"instance": at, "s": list(s), "other": list(other), "output": y, **probabilities}
        exact = worst([*instances.comparisons(body, at)])
        constant = ["pow", law["base"], rng.choice([1, M, 2, mul(2, M)])]
        from dp_kernel.formulas.terms import evaluate

        claimed = evaluate(constant, point_values(law, at))
        stated = {**body, "type": "smallest", "constant": constant}
        yield stated, "refuted", {"instance": at, "exact": exact, "stated": str(claimed)}
        yield {**stated, "type": "smallest-cases"}, "verified", listed
        yield {**body, "type": "exceeds"}, "refuted", {"instance": at}
        yield {**body, "type": "unbounded", "any_order": False}, "verified", listed
    except ERRORS:
        return


def worst(comparisons: list[Any]) -> str:
    """The largest of the ratios that are compared, as a certificate writes it. Raises `ValueError` if there is none."""
    return "unbounded" if any(not q for *_, q in comparisons) else str(max(p / q for *_, p, q in comparisons))


# --- counts ---------------------------------------------------------------------------------------------------------


def about_counts(law: Json, rng: Random) -> Iterator[Attempt]:
    """What the kernel derives is stated; and something else is, with a witness."""
    sizes = "atmost" if law["term"][0] == "dummies" else "exactm"
    item = rng.choice(["sensitive", "sensitive", "nonsensitive"])
    where = [] if rng.random() < 0.6 else where_of(rng)
    common: Json = {"law": law, "where": where, "item": item}
    rule, names = {"rule": "contributions"}, own_names(law)
    users = _users(law, item, rng)
    for event, held in (("held", 1), ("other", 0)):
        stated = {**common, "type": "chance", "sizes": "exactm", "event": event, "probability": HALF}
        try:
            mean, _ = per_user({**stated, "sizes": sizes}, held)
            stated["probability"] = tree_of(mean, names)
        except ERRORS:
            pass
        yield stated, "proved", rule
        if users:
            yield from _refuted(stated, users, rng)
    try:
        means = [per_user({**common, "sizes": sizes}, held)[0] for held in (1, 0)]
        offset: Any = tree_of(substituted(means[1], {moments.OTHERS: lift(0)}), names)
        slope: Any = tree_of(means[0] - means[1], names)
    except ERRORS:
        slope, offset = 1, 0
    estimator: Json = {"slope": slope, "offset": offset}
    if rng.random() < 0.15:
        estimator = {"slope": 1, "offset": 0}
    if rng.random() < 0.15 and item == "sensitive":
        estimator["per_invertible"] = rng.choice([1, 0, div(1, add(law["base"], K)), ["neg", div(1, K)]])
    common |= {"estimator": estimator, "sizes": sizes}
    unbiased = {**common, "type": "unbiased"}
    yield unbiased, "proved", rule
    for kind, data in (("mse", "fixed"), ("variance", "fixed"), ("mean", "fixed"), ("mse", "iid")):
        stated = {**common, "type": kind, "data": data, "formula": 0}
        try:
            derived = moments.derived(stated, moments.place_of(stated))
            stated["formula"] = tree_of(derived, names)
        except ERRORS:
            pass
        yield stated, "proved", rule
        if users:
            yield from _refuted(stated, users, rng)
    if users:
        yield from _refuted(unbiased, users, rng)
    stated = {"type": "bernoulli-sum", "law": law, "where": where, "sizes": "exactm"}
    yield stated, "verified", at_small_sizes(stated, rng)
    if users:
        yield stated, "refuted", {**users, "users": users["users"][:1]}


def at_small_sizes(statement: Json, rng: Random) -> Json:
    """A scope of one or two instances."""
    listed = [random_instance(statement["law"], rng) for _ in range(rng.choice([1, 2]))]
    return {"instances": [{name: at[name] for name in ("m", "K", "N")} for at in listed]}


def _users(law: Json, item: str, rng: Random) -> Json | None:
    at = random_instance(law, rng)
    try:
        sets = sets_of([at["m"]], at["K"], at["N"])
        users = [list(rng.choice(sets)) for _ in range(rng.choice([1, 2]))]
    except (IndexError, *ERRORS):
        return None
    return {"instance": at | {"n": len(users)}, "users": users, "item": 0 if item == "sensitive" else at["K"]}


def _refuted(statement: Json, witness: Json, rng: Random) -> Iterator[Attempt]:
    """A witness with the numbers that the kernel enumerates."""
    try:
        evidence = dict(witness)
        if statement["type"] == "chance":
            del evidence["users"]
            at = {name: x for name, x in witness["instance"].items() if name != "n"}
            evidence |= {"instance": at, "s": witness["users"][0]}
        elif statement.get("data") == "iid":
            evidence["population"] = [[s, f"1/{len(witness['users'])}"] for s in evidence.pop("users")]
        yield statement, "refuted", evidence | numbers_at(statement, evidence)
    except ERRORS:
        return


def numbers_at(statement: Json, evidence: Json) -> Json:
    """What the kernel derives at a witness, and what is stated there."""
    exact, stated = (Fraction(x.num.get((), 0), x.den[()]) for x in moments.compared_at(statement, evidence))
    return {"exact": str(exact), "stated": str(stated)}


def per_user(spec: Json, held: int) -> Any:
    """Mean and variance of what a user adds, at all sizes."""
    return moments.per_user(spec, held, moments.place_of(spec).values)


# --- reports --------------------------------------------------------------------------------------------------------


def about_reports(law: Json, rng: Random) -> Iterator[Attempt]:
    where = [] if rng.random() < 0.7 else where_of(rng)
    common = {"type": "chance", "law": law, "where": where, "sizes": "exactm", "item": "nonsensitive"}
    for event, held in (("held", 1), ("other", 0)):
        try:
            probability = tree_of(per_user(common, held)[0], own_names(law))
        except ERRORS:
            continue
        yield {**common, "event": event, "probability": probability}, "proved", {"rule": "contributions"}
    computed = {"type": "computable", "law": law}
    yield computed, "verified", at_small_sizes(computed, rng)
    at = random_instance(law, rng)
    sets = sets_of([at["m"]], at["K"], at["N"])
    if sets:
        picked = [list(rng.choice(sets)) for _ in "12"]
        labels = [[rng.choice([*s, 0, 0]) for _ in range(at["m"])] for s in picked]
        yield (
            computed,
            "refuted",
            {
                "instance": at,
                "item": 0,
                "outcomes": labels,
                "sets": picked,
            },
        )
    form = {"type": "product-form", "law": law, "where": where, "sizes": "exactm"}
    yield form, "verified", at_small_sizes(form, rng)
    if len(sets) > 1:
        s, other = rng.sample(sets, 2)
        output = sorted(rng.choice(range(at["K"])) for _ in range(at["m"]))
        yield form, "refuted", {"instance": at, "s": list(s), "other": list(other), "output": output}


REPORTS = (K, add(K, N), ["pow", K, M], ["pow", add(K, N), M], ["pow", 2, K], ["pow", 2, add(K, N)], mul(M, K))
"""Numbers of reports."""
ADDED = ["div", ["mul", ["sub", 1, "held"], ["sub", "m", "size"]], ["sub", ["add", "K", "N"], "size"]]
INCLUDED = {
    "sampled": ["mul", ["min", 1, ["div", "m", "size"]], "held"],
    "filled": ["add", "held", ADDED],
}
"""The chance that an item is in the set that is drawn."""


def about_padding(law: Json, rng: Random) -> Iterator[Attempt]:
    """Sampled and filled sets; two laws side by side."""
    inner = law["term"][-1] if law["term"][0] in ("sampled", "filled") else law["term"]
    name, names, estimators = rng.choice(["sampled", "filled"]), own_names(law), []
    for item in ("sensitive", "nonsensitive"):
        spec: Json = {"law": {**law, "term": inner}, "item": item, "where": []}
        try:
            means = [per_user(spec, held)[0] for held in (1, 0)]
            offset = substituted(means[1], {moments.OTHERS: lift(0)})
            estimator = {"slope": tree_of(means[0] - means[1], names), "offset": tree_of(offset, names)}
        except ERRORS:
            estimator = {"slope": 1, "offset": 0}
        estimators.append(estimator)
    stated = {
        "type": "padding",
        "law": {**law, "term": [name, inner]},
        "where": [],
        "sizes": "exactm",
        "estimator": estimators,
        "mean": INCLUDED[rng.choice([name, name, "sampled"])],
    }
    yield stated, "verified", at_small_sizes(stated, rng)
    at = random_instance(law, rng)
    d = at["K"] + at["N"]
    size = min(d, at["m"] + 1) if name == "sampled" else max(at["m"] - 1, 0)
    if size <= d:
        s = sorted(rng.sample(range(d), size))
        yield stated, "refuted", {"instance": at, "s": s, "item": rng.randrange(d)}
    twin = {**law, "families": law["families"]} if "families" in law else dict(law)
    if "families" in twin and rng.random() < 0.5:
        twin["families"] = {"h": rng.choice([HALF, div(3, 4)])}
    twin["power"] = rng.choice([law["power"], 1])
    same = {"type": "same-law", "law": law, "other": twin, "where": [], "sizes": "exactm"}
    yield same, "verified", at_small_sizes(same, rng)
    cost = {"type": "cost", "law": law, "most": rng.choice(REPORTS), "where": [], "sizes": "exactm"}
    yield cost, "verified", at_small_sizes(cost, rng)
    yield cost, "refuted", {"instance": at}


def about(law: Json, rng: Random) -> Iterator[Attempt]:
    """Statements of one sort."""
    sorts = (about_ratios, about_ratios, about_counts, about_reports, about_padding)
    return rng.choice(sorts)(law, rng)
