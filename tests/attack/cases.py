"""Random statements that are decided case by case, with the scope or the case that the kernel's enumeration finds."""

from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any

from attack import prover
from attack.prover import Attempt
from attack.terms import HALF, K, M, N, W, add, bit_rows, div, item_row, mul, outermost, sub
from dp_kernel.finite.models import model_at
from dp_kernel.finite.sentences import cases, truth
from dp_spec.vocabulary.sentences import WRITTEN, written

Json = dict[str, Any]
TYPES = sorted(WRITTEN)
FLIP: Any = [
    "each",
    "items",
    ["row", {"sen1": {"1": div(W, add(W, 1)), "0": div(1, add(W, 1))}, "sen0": {"1": HALF, "0": HALF}}],
]


def laws(rng: Random) -> Json:
    """Results of all held items, one drawn item, bits."""
    all_sensitive = rng.random() < 0.6
    rows = item_row(rng, all_sensitive=all_sensitive)
    if all_sensitive and rng.random() < 0.6:
        rows = ["row", {"sen": {"own": div(W, sub(add(W, K), 1)), "other": div(1, sub(add(W, K), 1))}}]
    slots: Any = ["each", "held", rows]
    term: Any = rng.choice(
        (
            *(["push", name, slots] for name in ("multiset", "multiset", "set", "position", "padded")),
            *(
                ["push", "whole", FLIP],
                ["push", "bits", bit_rows(rng, all_sensitive=all_sensitive)],
                ["push", "one", ["drawn", rows]],
            ),
            ["push", "vectors", ["each", "held", bit_rows(rng, all_sensitive=all_sensitive)]],
        )
    )
    law = {
        "mechanism": "attack",
        "base": W,
        "power": rng.choice((1, 1, M, mul(2, M))),
        "parameters": [],
        "term": term,
    }
    return {**law, "parameters": ["theta"]} if "'theta'" in str(term) else law


def attempts(rng: Random) -> Iterator[Attempt]:
    """A statement of each kind about a law."""
    law, other = laws(rng), laws(rng)
    twin = law if rng.random() < 0.7 else {**other, "parameters": law["parameters"]}
    compared: Json = {
        "relation": rng.choice(("ldp", "marginal", "joint", "deniability", "samenon")),
        "any_order": False,
    }
    compared |= {"counted": "all", "sizes": rng.choice(("exactm", "exactm", "atmost", "all"))}
    if compared["relation"] in ("marginal", "joint") and rng.random() < 0.4:
        compared["counted"] = "nonempty"
    of_sets = rng.choice(("sampled", "filled"))
    slope, offset = rng.choice(((1, 0), (div(sub(W, 1), sub(add(W, K), 1)), div(M, sub(add(W, K), 1)))))
    estimators = [{"slope": slope, "offset": offset} for _ in "12"]
    more: Json = {
        "padding": {"law": {**law, "term": [of_sets, law["term"]]}, "estimator": estimators},
        "same-law": {"other": twin},
        "cost": {"most": rng.choice((K, mul(K, K), ["pow", K, M], ["pow", 2, add(K, N)], add(K, N), 10))},
        "exceeds": compared,
        "unbounded": compared,
        "ratio-cases": compared,
        "smallest-cases": {**compared, "constant": rng.choice((W, mul(W, W), ["pow", W, M], 1))},
    }
    more["padding"]["mean"] = prover.INCLUDED[rng.choice((of_sets, "sampled", "filled"))]
    for kind in rng.sample(TYPES, 4):
        body = {"type": kind, "law": law, "sizes": "exactm", "where": [], **more.get(kind, {})}
        for _ in range(2):
            at = prover.random_instance(body["law"], rng)
            with suppress(*prover.ERRORS):
                stated = written(body)
                model = model_at(stated, at)
                listed = [*cases(stated["sentence"], model, {})]
                models = [dict(case) for case, said in listed if truth(said, model, case) is False]
                if models:
                    case = rng.choice(models)
                    yield body, "refuted", {"instance": at, "case": case, **case}
                if not models or rng.random() < 0.1:
                    yield body, "verified", {"instances": [{x: at[x] for x in ("m", "K", "N")}]}


def cards(rng: Random) -> Iterator[Attempt]:
    """Reports that are subsets; unordered results of all held items, with the constants that matched results have."""
    if rng.random() < 0.5:
        size = rng.choice(("k", "k", 1, 2))
        missing, every = ["binom", sub(K, M), size], ["binom", K, size]
        weight = rng.choice((W, W, mul(W, W), 2))
        total = add(missing, mul(weight, sub(every, missing)))
        term: Any = ["subset", size, div(weight, total), div(1, total)]
        law: Json = {"mechanism": "attack", "base": W, "power": rng.choice((1, 1, 2)), "parameters": [], "term": term}
        law |= {"integers": {"k": 1}} if size == "k" else {}
        completed = {**law, "term": ["dummies", "sen", term]}
        for of, sizes in ((law, "exactm"), (law, rng.choice(("atmost", "all"))), (completed, "atmost")):
            body: Json = {"type": "ratio", "law": of, "relation": "ldp", "counted": "all", "sizes": sizes, "where": []}
            body |= {"any_order": False}
            yield body, "proved", {"rule": "counting"}
            largest = {**body, "type": "smallest", "constant": rng.choice((W, W, mul(W, W)))}
            yield largest, "proved", {"rule": "counting"}
        yield from prover.about_counts(law, rng)
        return
    all_sensitive = rng.random() < 0.5
    each = div(1, sub(add(W, K), 1))
    kinds = {"sen": {"own": mul(W, each), "other": each}}
    kinds |= {} if all_sensitive else {"non": {"own": sub(1, mul(K, each)), "other": each}}
    term = ["push", rng.choice(("multiset", "multiset", "set")), ["each", "held", ["row", kinds]]]
    law = {"mechanism": "attack", "base": W, "power": M, "parameters": [], "term": term}
    relations = ("ldp", "marginal") if all_sensitive else ("joint", "deniability", "samenon", "marginal")
    constants: tuple[Any, ...] = (prover.LARGEST, M, prover.HALVES, 1)
    for place, where in prover.PLACES:
        body = {"type": "smallest", "law": law, "relation": rng.choice(relations), "counted": "all", "sizes": "exactm"}
        most = rng.choice(constants)
        body |= {"where": where, "any_order": False, "constant": outermost(["exptrunc", most, sub(W, 1)])}
        if where == [sub(1, M), sub(K, 2)] or rng.random() < 0.2:
            body["constant"] = W
        yield body, "proved", {"rule": "matching", "cases": place}
