"""Random statements about channels, true and false ones: definitions, implications, readings of an equation."""

from collections.abc import Iterator
from random import Random
from typing import Any

from attack.prover import Attempt
from dp_spec.vocabulary.sentences import PREDICATES as SENTENCES

Json = dict[str, Any]
PREDICATES = SENTENCES.keys() - {"singletons"}
ALIKE = (
    *(("uldp-inversion", "uldp-inversion-rows"), ("eq9-membership", "eq9-sets", "eq9-coordinate-some")),
    *((f"{x}-membership", f"{x}-sets") for x in ("eq9", "eq10")),
    *((name.removesuffix("-events"), name) for name in sorted(PREDICATES) if name.endswith("-events")),
    ("eq10-membership", "eq10-coordinate"),
)
"""Forms that agree."""
TRUE = (
    (("ldp",), ("split-2", "split-3"), "singletons"),
    (("uldp-inversion", "uldp-protection"), ("unmixed-inputs",), "sets as items"),
    (("eq10-membership", "eq11-joint"), ("eq11-deniability",), "singletons"),
    (("eq9-membership", "eq10-membership"), ("one-image",), "m-sets"),
    (("eq10-membership",), ("random-t",), "m-sets"),
    (("ldp",), ("eq11-marginal",), "m-sets"),
    (("eq11-samenon", "fixed-t"), ("eq11-samenon-events",), "m-sets"),
)
"""Implications, most of which hold."""
FALSE = (
    (("eq11-samenon",), ("ldp",), "m-sets"),
    (("eq10-membership", "random-t"), ("fixed-t",), "m-sets"),
    (("eq10-membership", "eq11-marginal"), ("eq11-joint",), "singletons"),
    (("eq9-coordinate-some",), ("eq9-coordinate-every",), "m-sets"),
    (("ldp",), ("no-sensitive-element-beside-invertible-data",), "m-sets"),
    (("eq11-marginal",), ("eq11-marginal-nonempty",), "m-sets"),
)
Y0 = (0, 1, None)


def attempts(rng: Random) -> Iterator[Attempt]:
    """Statements of one of the kinds, each with families and with channels."""
    names = sorted(PREDICATES)
    for _ in range(3):
        alike = [*rng.choice(ALIKE)] if rng.random() < 0.7 else rng.sample(names, 2)
        yield {"type": "definition", "forms": alike}, "verified", {"families": [family(rng)]}
        premises: tuple[str, ...]
        conclusions: tuple[str, ...]
        premises, conclusions, inputs = rng.choice((*TRUE, *FALSE))
        if rng.random() < 0.3:
            premises = tuple(rng.sample(names, rng.choice((1, 2))))
        if rng.random() < 0.3:
            conclusions = (rng.choice(names),)
        body: Json = {"type": "implies", "premises": premises, "conclusions": conclusions, "inputs": inputs}
        yield body, "verified", {"families": [family(rng, inputs) for _ in range(rng.choice((1, 1, 2)))]}
        for _ in range(3):
            yield body, "refuted", {"channel": channel(rng, inputs)}
        readings = dict(enumerate(rng.choice((("eq9-coordinate-some", "eq9-coordinate-every"), rng.sample(names, 2)))))
        some = rng.sample(names, rng.choice((0, 0, 1)))
        body = {
            "type": "completions",
            "premises": some,
            "inputs": rng.choice(("m-sets", "m-sets", "singletons", "sets as items")),
        }
        body["readings"] = {f"r{i}": name for i, name in readings.items()}
        yield body, "ill_posed", {"channel": channel(rng)}


def _shape(rng: Random, most: int, inputs: str) -> Json:
    """Sizes, a budget, and a few outputs."""
    k, n, m = rng.choice(
        SINGLE
        if inputs == "singletons"
        else ((1, 1, 1), (1, 1, 1), (1, 1, 1), (2, 0, 1), (1, 2, 1), (1, 2, 2), (2, 1, 2), (1, 2, 3))
    )
    sets = [[x] for x in range(k, k + n)] + [[0]] * (rng.random() < 0.1) + [[*range(k, k + n)][::-1]] * (n > 1)
    every = [[y0, kept] for kept in ([], *sets) for y0 in Y0]
    outputs = rng.sample(every, min(len(every), rng.choice((2, 2, most))))
    return {"K": k, "N": n, "m": m, "e_eps": rng.choice(("2", "3", "3/2")), "outputs": outputs}


SINGLE = ((1, 1, 1), (2, 0, 1), (1, 2, 1), (2, 1, 1))


def family(rng: Random, inputs: str = "m-sets") -> Json:
    """All channels of a shape."""
    return {**_shape(rng, 3, inputs), "parts": rng.choice((1, 2, 3))}


def channel(rng: Random, inputs: str = "m-sets") -> Json:
    """A channel, mostly with laws that hardly differ."""
    shape = _shape(rng, 4, inputs)
    d, parts = shape["K"] + shape["N"], rng.choice((1, 2, 4, 6))
    number = {1: d, 2: d * (d - 1) // 2, 3: 1}[shape["m"]]
    rows = []
    for _ in range(number):
        drawn = [rng.randrange(len(shape["outputs"])) for _ in range(parts)]
        rows.append([f"{drawn.count(y)}/{parts}" for y in range(len(shape["outputs"]))])
    if rng.random() < 0.3:
        rows = [rows[0], *(rng.choice(rows) for _ in rows[1:])]
    return {**shape, "rows": rows}
