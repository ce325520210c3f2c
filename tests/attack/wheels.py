"""Random statements about laws on arcs, true and false ones: Wheel and suWheel with arcs and weights nearby."""

from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any

from attack import arcs, prover
from attack.prover import Attempt
from attack.terms import K, M, N, W, add, div, mul, sub
from dp_kernel.judgements import moments
from dp_kernel.laws import instances
from dp_kernel.numbers.polynomial import lift, substituted

Json = dict[str, Any]
LENGTH = div(1, sub(add(mul(2, M), mul(M, W)), 1))
LENGTHS = (
    LENGTH,
    LENGTH,
    LENGTH,
    div(1, add(mul(2, M), mul(M, W))),
    div(1, add(M, 1)),
    div(1, M),
    div(W, mul(M, add(W, 1))),
)
TWO_SETS = sub(sub(add(K, N), M), 1)
WHERE: tuple[list[Any], ...] = ([TWO_SETS], [TWO_SETS, sub(K, 2)], [TWO_SETS, sub(N, 1)], [sub(K, 2)], [["neg", N]], [])
COUNTED: Json = {"rule": "contributions"}


def law(rng: Random, family: str) -> Json:
    arcs = [
        "hashed",
        family,
        ["interval", rng.choice(LENGTHS), rng.choice((*[W] * 6, mul(W, W), div(1, W), add(W, 1)))],
    ]
    term = ["push", "emit", arcs] if rng.random() < 0.6 else arcs
    definition = {"mechanism": "attack", "base": W, "power": rng.choice((1, 1, 1, 2)), "parameters": [], "term": term}
    return definition if rng.random() < 0.95 else {**definition, "term": ["dummies", rng.choice(("sen", "non")), term]}


def attempts(rng: Random) -> Iterator[Attempt]:
    """Statements of one sort."""
    yield from rng.choice((_ratios, _ratios, _counts, _others))(rng)


def _ratios(rng: Random) -> Iterator[Attempt]:
    of = law(rng, rng.choice(("hash",) * 8 + ("ideal", "fixed")))
    hashed = of["term"][0] == "hashed"
    for _ in range(4):
        relation = rng.choice(("ldp", "ldp", "marginal") if hashed else ("marginal", "samenon", "joint", "deniability"))
        body: Json = {"type": "ratio", "law": of, "relation": relation, "counted": "all", "any_order": False}
        body |= {"sizes": rng.choice(("exactm", "exactm", "atmost", "all")), "where": rng.choice(WHERE)}
        yield body, "proved", {"rule": "cover"}
        yield {**body, "type": "smallest", "constant": rng.choice((W, W, mul(W, W)))}, "proved", {"rule": "cover"}
        where = rng.choice(([TWO_SETS, sub(N, 1)], [TWO_SETS, sub(K, 2)]))
        largest = {**body, "type": "smallest", "where": [TWO_SETS, sub(K, 2)], "constant": W, "sizes": "exactm"}
        yield largest, "proved", {"rule": "cover"}
        fields = {"type": "unbounded", "sizes": "exactm", "where": where}
        yield {**body, **fields, "relation": rng.choice(("joint", "deniability"))}, "proved", {"rule": "emitted"}
        with suppress(*prover.ERRORS):
            yield body, "refuted", _witness(body, rng)


def _witness(body: Json, rng: Random) -> Json:
    """The largest ratio under a function."""
    at = _instance(rng, body["law"])
    hashes = [[_function(rng, at), "1"]]
    comparisons = [*instances.comparisons(body, at, hashes=hashes)]
    s, other, y, p, q = max(comparisons, key=lambda row: row[3] / (row[4] or row[3] / 10**9))
    probabilities = {"probability": str(p), "other_probability": str(q)}
    return {"instance": at, "hashes": hashes, "s": s, "other": other, "output": y, **probabilities}


def _instance(rng: Random, of: Json) -> Json:
    m, k, n = rng.choice(((1, 1, 1), (1, 2, 0), (1, 1, 2), (2, 1, 2), (2, 2, 1)))
    return {"m": m, "K": k + n * (of["term"][0] == "hashed"), "N": n * (of["term"][0] != "hashed"), W: "2"}


def _function(rng: Random, at: Json) -> list[str]:
    step = 2 * at["m"] - 1 + 2 * at["m"]
    start = rng.choice((0, 1))
    return [f"{rng.choice((x + start, rng.randrange(step))) % step}/{step}" for x in range(at["K"] + at["N"])]


def _counts(rng: Random) -> Iterator[Attempt]:
    of = law(rng, rng.choice(("ideal", "ideal", "kwise", "pairwise", "disjoint", "fixed", "hash")))
    names = prover.own_names(of)
    item = rng.choice(("sensitive", "nonsensitive" if of["term"][0] == "push" else "sensitive"))
    common: Json = {"law": of, "item": item, "sizes": "exactm"}
    common["where"] = rng.choice(([], [], [sub(1, M)], [TWO_SETS], [sub(3, add(K, N))], [sub(add(M, 1), add(K, N))]))
    for event, held in (("held", 1), ("other", 0)):
        stated = {**common, "type": "chance", "event": event, "probability": div(W, add(W, 1))}
        with suppress(*prover.ERRORS):
            stated["probability"] = prover.tree_of(prover.per_user(stated, held)[0], names)
        yield stated, "proved", COUNTED
    common["estimator"] = {"slope": 1, "offset": 0}
    with suppress(*prover.ERRORS):
        own, other = (prover.per_user(common, held)[0] for held in (1, 0))
        offset = substituted(other, {moments.OTHERS: lift(0)})
        common["estimator"] = {"slope": prover.tree_of(own - other, names), "offset": prover.tree_of(offset, names)}
    yield {**common, "type": "unbiased"}, "proved", COUNTED
    for kind in ("mse", "variance", "mean"):
        stated = {**common, "type": kind, "data": "fixed", "formula": 0}
        with suppress(*prover.ERRORS):
            stated["formula"] = prover.tree_of(moments.derived(stated, moments.place_of(stated)), names)
        yield stated, "proved", COUNTED


def _others(rng: Random) -> Iterator[Attempt]:
    """Costs, equal laws."""
    of = law(rng, "hash")
    stated = {"law": of, "where": [["neg", N]], "sizes": "exactm"}
    scope = {"instances": [{"m": 1, "K": 2, "N": 0}]}
    yield {**stated, "type": "cost", "most": 100}, "verified", scope
    yield {**stated, "type": "cost", "most": 100}, "refuted", {"instance": {"m": 1, "K": 2, "N": 0, W: "2"}}
    arc_law = {**of, "term": arcs.part(of["term"])}
    for twin in (of, arc_law, law(rng, "hash")):
        yield {**stated, "type": "same-law", "other": twin}, "verified", scope
