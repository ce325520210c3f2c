"""Attempts about sketches: laws with public choices, thinned reports, and draws that all users share."""

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

from attack import prover
from attack.families import functions, worlds
from attack.terms import HALF, K, M, add, bit_rows, div, item_row, mul, sub
from attack.worlds import MeaninglessError, World
from dp_kernel.formulas.terms import evaluate
from dp_kernel.judgements import moments
from dp_kernel.laws import instances
from dp_kernel.laws.sizes import point_values
from dp_kernel.numbers.polynomial import lift, substituted, variable

Json = dict[str, Any]
ONE, PREMISES = sub(1, M), ("separating", "separating", div(1, "b"), HALF, 1, div(1, 3), add(div(1, "b"), "rho"))
INDEPENDENCE = ("threewise", "threewise", "threewise", "pairwise", "distinct")


def law(rng: Random) -> Json:
    """One choice or two, perhaps thinned, perhaps for every one of several items; often just the sketch."""
    if rng.random() < 0.3:
        sketch = ["mix", "rows", "b", rng.choice((item_row, bit_rows))(rng, all_sensitive=True)]
        parameters = ["theta"] if "'theta'" in str(sketch) else []
        fields: Json = {"mechanism": "attack", "base": "w", "power": 1, "term": sketch, "parameters": parameters}
        return fields | {"integers": {"b": 2}}
    labels = rng.choice(("b", "b", "b", 2, 1, 3))
    of = rng.choice((item_row, bit_rows, bit_rows))(rng, all_sensitive=True)
    used = ["rows"]
    if rng.random() < 0.3:
        used.append(rng.choice(("columns", "columns", "None", "rows")))
        of = ["mix", used[1], rng.choice((2, 2, "b", 1)), of]
    term: Any = ["mix", "rows", labels, of]
    if rng.random() < 0.3:
        term = ["thinned", rng.choice(("rho", "rho", HALF, 1, 2, sub(1, "rho"))), term]
    elif rng.random() < 0.2:
        term = ["each", "held", term]
    elif rng.random() < 0.1:
        term = rng.choice((["copies", 2, term], ["push", "sorted", term], ["pair", term, term]))
    definition: Json = {"mechanism": "attack", "base": "w", "power": rng.choice((1, 1, 2, M)), "term": term}
    premises = {name: rng.choice(PREMISES) for name in used if rng.random() < 0.5}
    if rng.random() < 0.03:
        premises["e^1"] = HALF
    if premises:
        definition["families"] = premises
    texts = str([term, premises])
    definition["parameters"] = [name for name in ("rho", "theta") if f"'{name}'" in texts]
    definition["integers"] = {name: rng.choice((2, 2, 1)) for name in ("b",) if f"'{name}'" in texts}
    return definition


def about(law: Json, rng: Random) -> Iterator[prover.Attempt]:
    """Statements about a law with choices."""
    yield from rng.choice((_counts, _counts, _ratios))(law, rng)


def _instance(law: Json, rng: Random) -> Json:
    at = prover.random_instance(law, rng) | {"N": 0, "K": rng.choice((1, 2, 2, 3))}
    return at | {"m": 1 if law["term"][0] != "each" else rng.choice((1, 2))}


def _listed(law: Json, at: Json, rng: Random) -> Json:
    """Random families for an instance, or such of which any two items share a label with the same chance."""
    values = {name: Fraction(x) for name, x in at.items() if name not in ("m", "K", "N", "n")}
    world, hashes = World(at["m"], at["K"], at["N"], values), {}
    for name, items, labels in worlds(law["term"], world):
        family = functions(items, labels, rng.randrange)
        if labels <= 3 and items <= 3 and rng.random() < 0.5:
            every = list(product(range(labels), repeat=items))
            family = [(image, Fraction(1, len(every))) for image in every]
        hashes[name] = [[str(p), list(image)] for image, p in family]
    return hashes


def _ratios(law: Json, rng: Random) -> Iterator[prover.Attempt]:
    sets: list[Any] = [[ONE, sub(K, 2)], [ONE, sub(K, 2)], [sub(M, 2), sub(2, M), sub(K, 4)], []]
    for _ in range(4):
        body: Json = {"type": "ratio", "law": law, "relation": "ldp", "counted": "all", "sizes": "exactm"}
        body |= {"where": rng.choice(sets), "any_order": False}
        powers = {"ss": prover.powers_of(body, rng)["ss"] if rng.random() < 0.9 else rng.choice((0, 1, 2))}
        yield body, "proved", {"rule": "product", "powers": powers}
        exponent = rng.choice((powers["ss"], powers["ss"], mul(powers["ss"], M), 1, 2, M))
        place = rng.choice(({"ss": 1, "o": sub(K, 2)}, {"ss": M, "o": sub(sub(K, M), M)}))
        largest = {**body, "type": "smallest", "constant": ["pow", "w", exponent]}
        yield largest, "proved", {"rule": "product", "powers": powers, "cases": place}
        at = _instance(law, rng)
        try:
            hashes = _listed(law, at, rng)
            yield from _seen(body, largest, at, hashes, rng)
        except (*prover.ERRORS, MeaninglessError):
            continue


def _seen(body: Json, largest: Json, at: Json, hashes: Json, rng: Random) -> Iterator[prover.Attempt]:
    comparisons = [*instances.comparisons(body, at, hashes=hashes)]
    claimed = evaluate(largest["constant"], point_values(body["law"], at))
    yield (
        largest,
        "refuted",
        {"instance": at, "hashes": hashes, "exact": prover.worst(comparisons), "stated": str(claimed)},
    )
    s, other, y, p, q = max(comparisons, key=lambda row: row[3] / (row[4] or Fraction(1, 10**9)))
    evidence: Json = {"instance": at, "hashes": hashes, "s": list(s), "other": list(other), "output": y}
    yield body, "refuted", evidence | {"probability": str(p), "other_probability": str(q)}


def _counts(law: Json, rng: Random) -> Iterator[prover.Attempt]:
    names = prover.own_names(law) | {name: name for name in ("kappa1", "kappa2", "squared")}
    rule: Json = {"rule": "contributions"}
    common: Json = {"law": law, "where": rng.choice(([ONE], [ONE], [])), "item": "sensitive", "sizes": "exactm"}
    common["estimator"] = _estimator(common, names, rng)
    at = _instance(law, rng)
    users = [rng.sample(range(at["K"]), min(at["m"], at["K"])) for _ in range(rng.choice((1, 2, 3)))]
    evidence: Json = {"instance": at | {"n": len(users)}, "users": [sorted(s) for s in users], "item": 0}
    for kind in ("unbiased", "mean", "variance", "mse", "mse", "shared"):
        stated: Json = {**common, "type": kind}
        if kind != "unbiased":
            stated |= {"data": "iid" if kind == "mse" and rng.random() < 0.3 else "fixed", "formula": "f"}
        if kind == "shared":
            labels = rng.choice(("b", "b", "b", 2, mul(2, "b")))
            rows = rng.choice(("k", "k", 1, 2, div("k", 2)))
            stated |= {"labels": labels, "rows": rows, "independence": rng.choice(INDEPENDENCE)}
            if "k" in str(rows):  # a number that only such statements read
                stated["law"] = {**law, "integers": {**law["integers"], "k": 1}}
                evidence = {**evidence, "instance": evidence["instance"] | {"k": rng.choice((1, 2))}}
        if kind != "unbiased" and rng.random() < 0.8:
            with suppress(*prover.ERRORS):
                stated["formula"] = prover.tree_of(_derived(stated), names)
        yield stated, "proved", {"rule": "total"} if kind == "shared" else rule
        try:
            yield from _refuted(stated, evidence, rng)
        except (*prover.ERRORS, MeaninglessError):
            continue


def _estimator(common: Json, names: Json, rng: Random) -> Json:
    """Unbiased where nothing collides, or always."""
    try:
        means = [prover.per_user(common, held)[0] for held in (1, 0)]
        alike = rng.choice((lift(0), lift(1) / 2, lift(1) / variable("b")))
        own, other = (substituted(mean, {moments.SHARED: alike, moments.OTHERS: lift(0)}) for mean in means)
        slope, offset = prover.tree_of(own - other, names), prover.tree_of(other, names)
    except prover.ERRORS:
        slope, offset = rng.choice((1, 2)), rng.choice((0, HALF))
    if rng.random() < 0.25:
        return {"slope": slope, "offset": 0, "per_invertible": div(offset, rng.choice(("rho", 1)))}
    return {"slope": slope, "offset": offset}


def _derived(stated: Json) -> Any:
    """What the kernel's moments are, or would be without one of their checks."""
    place = moments.place_of(stated)
    if stated["type"] == "mse":
        return moments.derived(stated, place)
    mean, variance = moments.mean_and_variance(stated, place)
    if stated["type"] != "shared":
        return mean if stated["type"] == "mean" else variance
    chance, rows = (place.value(stated[name]) for name in ("labels", "rows"))
    chance = 1 / chance
    spread, f = chance * (1 - chance) / rows, variable("f")
    gain = substituted(mean, {"kappa1": 1}) - substituted(mean, {"kappa1": 0})
    within = substituted(variance, {"kappa1": (1 - f) * chance, "kappa2": (1 - f) * (chance * chance + spread)})
    return within + gain * gain * variable("squared") * spread


def _refuted(stated: Json, evidence: Json, rng: Random) -> Iterator[prover.Attempt]:
    """A witness with the numbers that the kernel enumerates."""
    law, at, refutation = stated["law"], evidence["instance"], dict(evidence)
    if stated["type"] != "shared":
        refutation["hashes"] = _listed(law, at, rng)
    if stated.get("data") == "iid":
        refutation["population"] = [[s, f"1/{at['n']}"] for s in refutation.pop("users")]
    yield stated, "refuted", refutation | prover.numbers_at(stated, refutation)
