"""Random statements about shuffled reports, with evidence that might be accepted: nearly true and nearly false ones, by
the kernel's own numbers."""

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from itertools import combinations_with_replacement, permutations
from random import Random
from typing import Any

from attack.relations import changed
from dp_kernel.shuffle import divergences

Json = dict[str, Any]
Attempt = tuple[Json, str, Json]
DEN: Any = ["sub", ["add", "x", "K"], 1]
OWN, OTHER = ["div", "x", DEN], ["div", 1, DEN]
CHANGED = 0.15
NATURAL: Json = {"min": 1, "strict": False, "integer": True, "unit": False}


def attempts(rng: Random) -> Iterator[Attempt]:
    """A law and a data set, or every randomizer; both sides."""
    body = statement(rng)
    exact: list[Fraction] = []
    with suppress(ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        at = divergences.point(body, {})
        a = divergences.ends(body, at)[0].low
        if "law" in body:
            exact = [x for *_, x in divergences.enumerated(body, at, a, {"hashes": hashes(rng, body)})]
        else:
            exact = [divergences.every(body, at, a, some_hint(rng) | {"by": "blanket"})]
    for _ in range(3):
        delta = max(exact, default=Fraction(rng.randint(1, 9), 20)) * Fraction(rng.choice((20, 20, 19, 21, 12, 30)), 20)
        relation = rng.choice(("le", "le", "lt", "eq"))
        claim = {**body, "delta": ["div", *delta.limit_denominator(10**9).as_integer_ratio()], "relation": relation}
        if rng.random() < 0.2 and "law" in body:
            claim |= {"delta": 0, "than": {"law": law(rng), "dummies": rng.choice((0, 0, 1, 2))}}
        if rng.random() < CHANGED:
            name = rng.choice(("users", "dummies", "e_eps", "delta"))
            claim[name] = changed(rng, claim[name], ["x", "K", "b"])
        if rng.random() < CHANGED:
            name = rng.choice(("x", "K", "b", "m", "N"))
            claim["at"] = {**claim["at"], name: rng.choice((1, 2, 3, ["div", 5, 2], ["div", 1, 2], ["exp", 1]))}
        values: Json = {}
        if rng.random() < 0.3:
            values = {"n": rng.choice((claim["users"], claim["users"], 1, 0, "1/2"))}
            constraints = [["sub", 2, "n"]] if rng.random() < 0.2 else []
            claim |= {"users": "n", "domain": {"variables": {"n": NATURAL}, "constraints": constraints}}
        yield from evidence(rng, claim, values)


def evidence(rng: Random, body: Json, values: Json) -> Iterator[Attempt]:
    """For both verdicts, every rule."""
    hint = some_hint(rng)
    for by in ("blanket", "broken line", "two labels", "all data sets"):
        verdict = "verified" if bool(values) != (rng.random() < 0.1) else "proved"
        listed = {"hashes": hashes(rng, body)} if rng.random() < 0.2 else {}
        blocks = {"knots": [0, *sorted(rng.sample((1, 2, 3), rng.randint(0, 2)))]} if by == "two labels" else {}
        yield body, verdict, {"instances": [{"values": values, "by": by, **hint, **listed, **blocks}]}
    for by in ("third", "beside messages", "separate labels", "one label"):
        yield body, "refuted", {"values": values, "by": by, "data": [rng.randint(0, 4)], **hint}
    users = next((x for x in (body["users"], values.get("n")) if isinstance(x, int)), 2)
    data = [(*pair, *others) for others in combinations_with_replacement(range(3), max(0, users - 1)) for pair in PAIRS]
    for chosen in rng.sample(data, min(3, len(data))):
        proof: Json = {"values": values, "by": "all data sets", "data": list(chosen)}
        listed = {"hashes": hashes(rng, body)} if "mix" in str(body.get("law")) or rng.random() < 0.05 else {}
        yield body, "refuted", {**proof, **listed}


PAIRS = [*permutations(range(3), 2), (0, 0)]


def some_hint(rng: Random) -> Json:
    knots = sorted({0, *(rng.randint(1, 6) for _ in range(3))}) if rng.random() < 0.95 else [rng.randint(0, 3)]
    return {"width": rng.choice((1, 2, 9)), "bits": rng.choice((8, 10, 16, 60)), "knots": knots}


def hashes(rng: Random, body: Json) -> Json:
    if "mix" not in str(body.get("law")):
        return {}
    labels, items = (body["at"].get(name) for name in "bK")
    if not isinstance(labels, int) or not isinstance(items, int):
        return {"h": [[1, [0, 1]]]}
    return {"h": [["1/2", [rng.randrange(max(labels, 1)) for _ in range(items)]] for _ in "12"]}


def statement(rng: Random) -> Json:
    body: Json = {"type": "divergence", "domain": {"variables": {}, "constraints": []}, "relation": "le", "delta": 0}
    e, a = (Fraction(rng.randint(4, 24), 4), Fraction(rng.randint(4, 14), 4))
    body |= {"users": rng.choice((1, 2, 2, 3)), "dummies": rng.choice((0, 0, 0, 1, 2))}
    body["e_eps"] = ["div", *a.as_integer_ratio()]
    base = ["div", *e.as_integer_ratio()]
    if rng.random() < 0.15:
        return body | {"dummies": 0, "at": {"x": base}}
    at: Json = {"x": base, "K": rng.choice((2, 2, 3))}
    of = law(rng)
    return body | {"law": of, "at": at | ({"b": rng.choice((2, 2, 3))} if "mix" in str(of) else {})}


def law(rng: Random) -> Json:
    """Randomized response, with a part that is uniform, of a hash value, several times, sometimes; bits."""
    cells = {"own": OWN, "other": OTHER}
    if rng.random() < 0.2:
        cells = {"own": ["div", ["sub", "x", 1], DEN], "other": ["sub", 1, 1], "any": OTHER}
    if rng.random() < 0.1:
        less = ["div", OTHER, rng.choice((2, "m", ["add", "N", 1]))]
        cells = {"own": ["sub", 1, ["mul", ["sub", "K", 1], less]], "other": less}
    response: Any = ["row", {"sen": cells}]
    if rng.random() < 0.05:
        response[1]["non"] = {"own": ["sub", 1, ["div", "K", DEN]], "other": OTHER}
    share = {"1": ["div", "x", ["add", "x", 1]], "0": ["div", 1, ["add", "x", 1]]}
    bits = ["each", "items", ["row", {"sen1": share, "sen0": {"1": share["0"], "0": share["1"]}}]]
    hashed = ["mix", "h", "b", response]
    terms = [response, response, ["drawn", response], hashed, hashed, ["copies", 2, response], bits]
    terms += [["thinned", ["div", 1, 2], response], ["mix", "h", "b", ["drawn", response]]]
    definition = {"mechanism": "attack", "base": "x", "power": 1, "parameters": [], "term": rng.choice(terms)}
    if definition["term"][0] == "mix":
        definition["integers"] = {"b": rng.choice((1, 2))}
        if rng.random() < 0.4:
            definition["families"] = {"h": rng.choice((["div", 1, "b"], 1, "separating"))}
    return definition


# --- data sets that are named, and bounds for all of them -----------------------------------------------------------

BESIDE: Any = ["copies", "c", ["row", {"*": {"any": ["div", 1, "K"]}}]]
RESPONSE: Any = ["row", {"sen": {"own": OWN, "other": OTHER}}]
HASHED: Any = ["mix", "h", "b", ["row", {"sen": {"own": OWN, "other": OTHER}}]]


RULES = {
    "third": "third",
    "fresh": "third",
    "beside": "beside messages",
    "apart": "separate labels",
    "one label": "one label",
    "every": "blanket",
    "sorted": "blanket",
    "bent": "broken line",
    "told": "two labels",
}
"""The rule of each kind of bound."""


def bounds(rng: Random) -> Iterator[Attempt]:
    """A lower or an upper end of the kernel's for a law, and claims just below and just above it."""
    body: Json = {"type": "divergence", "domain": {"variables": {}, "constraints": []}, "relation": "le", "delta": 0}
    x, users = rng.choice((2, 3, 5)), rng.choice((2, 2, 3))
    body |= {"users": users, "dummies": rng.choice((0, 0, 0, 1)), "e_eps": ["div", rng.choice((5, 6, 8)), 4]}
    fields: Json = {"mechanism": "attack", "base": "x", "power": 1, "parameters": []}
    evidence: Json = {"values": {}, "width": 9, "bits": rng.choice((40, 60)), "knots": [0]}
    kind = rng.choice((*RULES, "third", "functions", "listed"))
    labels = {"third": 3, "beside": 3, "apart": 4, "fresh": 3, "bent": rng.choice((3, 4))}.get(kind, 2)
    body |= {"at": {"x": x, "K": labels}, "law": {**fields, "term": RESPONSE}}
    evidence |= {"by": RULES.get(kind, kind), "data": [3] if kind == "third" else [rng.randint(0, users - 1)]}
    match kind:
        case "apart" | "bent" | "third":
            body["dummies"] = rng.choice((0, 0, 0, 1)) if kind == "third" else 0
            evidence["knots"] = [0] if kind == "third" else [0, 1, *rng.sample((2, 3), 1)]
        case "every" if rng.random() < 0.5:
            evidence["knots"] = [0, *sorted(rng.sample((1, 2, 3), 2))]
        case "fresh" | "functions":
            body["law"] = {**fields, "term": HASHED, "integers": {"b": 2}}
            body["at"] = {**body["at"], "b": 2, "K": rng.choice((2, 3))}
            if kind == "fresh":
                body["law"]["families"] = {"h": rng.choice((["div", 1, "b"], ["div", 1, "b"], "separating", 1))}
            elif rng.random() < 0.9:
                body["functions"] = "all"
        case "listed":
            terms = (["copies", 2, RESPONSE], ["thinned", ["div", 1, 2], RESPONSE], ["drawn", RESPONSE])
            term: Any = rng.choice((*terms, ["push", "sorted", ["pair", RESPONSE, BESIDE]]))
            body["law"] = {**fields, "term": term}
            if term[0] == "push":
                body["at"] = {**body["at"], "c": 1}
                body["law"]["integers"] = {"c": 0}
        case "sorted":
            copies = rng.choice((0, 1))
            body |= {"dummies": 0, "at": {**body["at"], "c": copies}}
            body["law"] = {**fields, "integers": {"c": 0}, "term": ["push", "sorted", ["pair", RESPONSE, BESIDE]]}
        case "one label" | "told" if rng.random() < 0.3:
            body |= {"at": {"x": x}, "dummies": 0}
            del body["law"]
            evidence["by"] = "blanket" if kind == "told" else kind
    yield from _near(rng, body, evidence, kind)


def _near(rng: Random, body: Json, evidence: Json, kind: str) -> Iterator[Attempt]:
    above = kind in ("every", "bent", "sorted", "told")
    deltas: list[Fraction] = []
    with suppress(ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        at = divergences.point(body, {})
        a = divergences.ends(body, at)[0].low
        if above:
            deltas = [divergences.every(body, at, a, evidence)]
        elif kind in ("functions", "listed"):
            deltas = [max(x for *_, x in divergences.enumerated(body, at, a, {}))]
        else:
            deltas = [divergences.shown(body, at, a, evidence)]
    end = max(deltas, default=Fraction(1, 4))
    for factor in (Fraction(1), Fraction(99, 100), Fraction(101, 100), Fraction(rng.randint(50, 150), 100)):
        claim = {**body, "delta": ["div", *(end * factor).limit_denominator(10**9).as_integer_ratio()]}
        claim["relation"] = rng.choice(("le", "le", "lt", "eq"))
        if rng.random() < CHANGED:
            claim["at"] = {**claim["at"], rng.choice(("K", "x", "b", "y")): rng.choice((1, 2, 3, 4))}
        hints = {name: x for name, x in evidence.items() if name in ("values", "by", "width", "bits", "knots")}
        if kind in ("functions", "listed"):
            exact = claim if rng.random() < 0.5 else {**claim, "delta": ["div", *end.as_integer_ratio()]}
            yield exact, "proved", {"instances": [{"values": {}, "by": "all data sets"}]}
            yield exact, "refuted", {"values": {}, "by": "all data sets", "data": [0, 1, *[0] * (body["users"] - 1)]}
        elif above:
            yield claim, "proved", {"instances": [hints]}
            yield {**claim, "relation": "eq"}, "refuted", evidence
        else:
            yield claim, "refuted", evidence
