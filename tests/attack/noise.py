"""Random statements about sums with symbolic ends, limits, and noise on trees, with evidence that might be
accepted.

What is proposed is often true and nearly as often true but for a sign, an end, a height or a name.
"""

from collections.abc import Iterator
from random import Random
from typing import Any

from attack.relations import changed
from attack.worlds import names
from dp_checks.check.inhabitants import inhabitant
from dp_checks.check.telescoping import forms
from dp_kernel.judgements.error_terms import opened

Json = dict[str, Any]
Attempt = tuple[Json, str, Json]
NATURAL = {"min": 1, "strict": False, "integer": True, "unit": False}
REAL = {"min": 0, "strict": True, "integer": False, "unit": False}
SAMPLES = 3


def attempts(rng: Random) -> Iterator[Attempt]:
    """Attempts of one of the sorts."""
    yield from rng.choice((sums, induction, limits, quantities, quantities, quantities))(rng)


def formula(variables: Json, relation: Any, **more: Any) -> Json:
    domain = {"variables": variables, "constraints": []}
    return {"type": "formula", "domain": domain, "values": {}, "of_data": False, "relations": [relation], **more}


def sums(rng: Random) -> Iterator[Attempt]:
    """A sum that telescopes, or nearly."""
    name = rng.choice(("n", "n", "x", "s"))
    spec = NATURAL if name == "n" else rng.choice((NATURAL, {**NATURAL, "min": 0}, REAL))
    form = rng.choice(("s", ["mul", "s", "s"], ["pow", 2, "s"], ["div", -1, ["add", "s", 1]], ["mul", name, "s"]))
    first, last = rng.choice((0, 1, 1, 2, name)), rng.choice((name, name, ["add", name, 1], ["div", name, 2], 3))
    before, last_of, start = (at(form, x) for x in (["sub", "s", 1], last, ["sub", first, 1]))
    term = ["sub", form, before]
    if rng.random() < 0.4:
        term = changed(rng, term, [name, "s"])
    total = ["sum", "s", first, last, term]
    claimed = ["sub", last_of, start]
    for _ in range(SAMPLES):
        relation = [rng.choice(("eq", "eq", "le", "lt")), *rng.sample([total, claimed], 2)]
        relation = changed(rng, relation, [name]) if rng.random() < 0.3 else relation
        low, high = (changed(rng, form, [name, "s"]) if rng.random() < 0.3 else form for _ in "12")
        step = rng.choice(({}, {"multipliers": {"0": 1}}))
        yield formula({name: spec}, relation), "proved", {"steps": [step], "sums": [[total, low, high]]}


def at(form: Any, x: Any) -> Any:
    if isinstance(form, list):
        return [form[0], *(at(part, x) for part in form[1:])]
    return x if form == "s" else form


def induction(rng: Random) -> Iterator[Attempt]:
    """Growth of powers; and lemmas."""
    variables = {"n": {**NATURAL, "min": rng.choice((1, 1, 2, 4))}}
    ones = ["sum", "s", 1, "n", 1]
    true: list[Any] = [
        ["lt", "n", ["pow", 2, "n"]],
        ["le", ["add", "n", 1], ["pow", 2, "n"]],
        ["le", ["mul", "n", "n"], ["pow", rng.choice((2, 3)), "n"]],
        ["le", ones, "n"],
        ["eq", ones, "n"],
    ]
    for _ in range(SAMPLES):
        relation = rng.choice(true)
        relation = changed(rng, relation, ["n"]) if rng.random() < 0.5 else relation
        factor = rng.choice((1, 1, 2, 0, -1, "n", ["div", 1, 2]))
        step: Json = {"induct": "n", "factor": factor, "first": {}, "next": {}}
        more = {"sums": [[ones, rng.choice(("s", 0)), "s"]]} if rng.random() < 0.5 else {}
        yield formula(variables, relation), "proved", {"steps": [step], **more}
        lemma = ["sub", *relation[:0:-1]] if len(relation) == 3 else 0
        evidence = {"steps": [rng.choice(({}, {"multipliers": {"0": 1}}))], "lemmas": [[lemma, step]], **more}
        yield formula(variables, relation), "proved", evidence


def limits(rng: Random) -> Iterator[Attempt]:
    """Limits that are 0, 1, infinity or none."""
    ones = ["sum", "s", 1, "n", 1]
    term = rng.choice(
        (
            *(["div", 1, "n"], ["div", "n", ["add", "n", 1]], ["pow", 2, ["neg", "n"]], ["mul", "n", "n"], "n", ones),
            *(["div", ones, "n"], ["div", ["mul", "n", "n"], ["add", 1, ["mul", "n", "n"]]], ["sub", "n", ones]),
        )
    )
    term = changed(rng, term, ["n"]) if rng.random() < 0.3 else term
    domain = {"variables": {"n": NATURAL}, "constraints": []}
    for _ in range(2 * SAMPLES):
        value = None if rng.random() < 0.3 else rng.choice((0, 1, 1, 2, -1))
        body, sums = limit(domain, "n", term, value), [[ones, "s", "s"]]
        if rng.random() < 0.5:
            far, near = ["add", "L", rng.choice((1, 20, 20))], rng.choice((1, 2, 2, 8, "L"))
            evidence: Json = {"family": {"n": far, "R": near}, "relation": rng.randrange(len(body["relations"]))}
            counted = [["sum", "s", 1, far, 1], "s", "s"]
            yield (
                body,
                "refuted",
                {**evidence, "constant": rng.choice((["div", 1, 16], 1, 0)), "sums": [*sums, counted]},
            )
            continue
        c = rng.choice((1, 2, 4, "n", -1))
        constant = ["mul", c, ["pow", "R", 2] if value is None else "R"]
        step = {"squares": [[["div", 1, c], ["sub", ["mul", c, "R"], ["div", "n", 2]]]]} if value is None else {}
        pairs = len(body["relations"])
        yield body, "proved", {"constants": [constant] * pairs, "steps": [step] * pairs, "sums": sums}


def limit(domain: Json, grows: str, term: Any, value: Any) -> Json:
    """The term tends to the value (None: to infinity): for every R > 0 some C has grows (R |term - value| - 1) <= C."""
    near = {"min": 0, "strict": True, "integer": False, "unit": False}
    gaps = [["sub", "R", term]]
    if value is not None:
        gaps = [["sub", ["mul", "R", gap], 1] for gap in (["sub", term, value], ["sub", value, term])]
    variables = {**domain["variables"], "R": near}
    return {
        "type": "bounded",
        "domain": {**domain, "variables": variables},
        "relations": [[["mul", grows, gap], 1] for gap in gaps],
        "fixed": [name for name in variables if name != grows],
        "grows": [grows],
        "values": {},
        "of_data": False,
    }


def quantities(rng: Random) -> Iterator[Attempt]:
    """Two quantities of laws that are alike, compared, at numbers and for all heights."""
    law, of = _law(rng), _of(rng)
    other = changed_law(rng, law) if rng.random() < 0.6 else law
    numbers: Json = {"h": rng.randint(0, 3), "k": rng.randint(0, 3), "x": rng.randint(1, 2)}
    heights: Json = {"h": ["add", "j", "u"], "k": "j", "x": 1}
    if rng.random() < 0.1:
        heights["k"] = rng.choice(("u", ["add", "j", 1], ["div", "j", 2]))
    claimed = rng.choice(("b", "b", rng.randint(0, 3), ["mul", 2, "b"]))
    for variables, places in (({}, numbers), ({"j": NATURAL, "u": {**NATURAL, "min": 0}}, heights)):
        stated: Json = {"a": {"law": law, "of": of}, "b": {"law": other, "of": _of(rng, of)}}
        for spec in stated.values():  # what nothing reads is rejected
            read = names([spec["law"], "h", "k" if spec["of"][1] in ("pair", "contrast") else 0])
            spec["at"] = {name: tree for name, tree in places.items() if name in read}
        for op in ("eq", "le", "lt"):
            body = formula(variables, [op, "a", claimed], quantities=stated)
            if not variables:
                yield body, "proved", {"cover": []}
                yield body, "refuted", {"relation": 0, "values": {}}
                continue
            trees = [tree for _, *sides in body["relations"] for tree in sides]
            yield body, "proved", {"steps": [{}], "sums": forms(body, opened(body, inhabitant(body))[0], trees, [])}


def _of(rng: Random, like: Any = None) -> Any:
    if like is not None and rng.random() < 0.8:
        return like
    if rng.random() < 0.4:
        return [rng.choice(("loss", "sensitivity")), rng.choice(("addremove", "replace"))]
    products = ("gram", "returned", "coefficient", "covariance", "least squares")
    return [rng.choice(products), rng.choice(("pair", "diagonal", "ranges", "constant", "contrast"))]


def _law(rng: Random) -> Json:
    down: Any = ["pow", 2, ["neg", "s"]]
    rows: Any = [
        [["sums", 0, "h", 1, rng.choice((1, ["add", "h", 1]))]],
        [["sums", "h", "h", 1, 2], ["differences", 1, "h", rng.choice((1, down)), rng.choice((1, "x", down))]],
        [["sums", 0, ["sub", "h", 1], rng.choice((1, 2, "x")), 1]],
        [["sums", 0, 0, 1, "x"], ["sums", 1, "h", 1, 1]],
        [["sums", 0, "h", rng.choice((1, "s", down)), ["add", "s", 1]]],
    ]
    chosen = rng.choice(rows)
    law: Json = {"mechanism": "attack", "noise": rng.choice(("laplace", "laplace", "discrete")), "rows": chosen}
    law["branching"] = 2 if any(row[0] == "differences" for row in chosen) else rng.choice((2, 2, 3, "x"))
    if rng.random() < 0.7:
        law["restored"] = [rng.choice((1, down, ["sub", "s", 1])) for _ in chosen]
    return law


def changed_law(rng: Random, law: Json) -> Json:
    """Another height, weight, scale, kind, or number of children."""
    rows = [list(row) for row in law["rows"]]
    row, place = rng.choice(rows), rng.randrange(5)
    names = ["h", "x", "s", "k", "q"]
    row[place] = rng.choice(("sums", "differences")) if place == 0 else changed(rng, row[place], names)
    branching = law["branching"] if rng.random() < 0.9 else changed(rng, law["branching"], names)
    return {**law, "rows": rows, "branching": branching}
