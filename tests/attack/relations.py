"""Random relations between terms on random domains, with random evidence: identities, squares, covers, families.

What is proposed is often true and nearly as often true but for a sign, an exponent or a bound.
"""

from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

Json = dict[str, Any]
Attempt = tuple[Json, str, Json]
LEAST = {"m": 1, "K": 1, "n": 1, "k": 1, "N": 0, "r": 0}
"""Names that are integers wherever they occur."""
REALS = ("x", "y")
ENDS = ("-2", "-1", "0", "1/3", "1/2", "1", "3/2", "2", "3", "4", "5", "10")


def attempts(rng: Random) -> Iterator[Attempt]:
    """Statements `for all x in D` and `there is C` with what might be accepted as evidence."""
    domain = domain_of(rng)
    names = list(domain["variables"])
    relations = [relation(rng, names) for _ in range(rng.choice((1, 1, 1, 2)))]
    body = {"type": "formula", "domain": domain, "values": {}, "of_data": False, "relations": relations}
    yield body, "proved", {"steps": [{} for _ in relations]}
    for _ in range(3):
        yield body, "proved", {"steps": [step(rng, domain) for _ in relations]}
    ends = rng.sample(ENDS, rng.randint(2, 4))
    outer = [rng.choice(({}, step(rng, domain), {"multipliers": {str(rng.randrange(2)): 1}})) for _ in "12"]
    yield body, "proved", {"cover": ends if rng.random() < 0.1 else sorted(ends, key=Fraction), "steps": outer}
    low, high = sorted(Fraction(x) for x in rng.sample(ENDS, 2))
    fine = [str(low + (high - low) * i / 40) for i in range(41)]
    yield body, "proved", {"cover": fine, "steps": outer}
    for _ in range(2):
        values = {name: rng.choice(ENDS[2:]) for name in names}
        yield body, "refuted", {"relation": rng.randrange(len(relations)), "values": values}
    if whole := [name for name in names if domain["variables"][name]["integer"]]:
        listed = [{rng.choice(whole): rng.randint(0, 4)} for _ in range(2)]
        yield body, "verified", {"instances": listed, "steps": [{} for _ in relations]}
    fixed = [name for name in names if rng.random() < 0.4]
    grows = [name for name in names if name not in fixed and rng.random() < 0.6]
    pairs = [sides for _, *sides in relations]
    some = {**body, "type": "bounded", "relations": pairs, "fixed": fixed, "grows": grows}
    constants = [tree(rng, fixed, 1) for _ in pairs]
    yield some, "proved", {"constants": constants, "steps": [{} for _ in pairs]}
    family = {name: tree(rng, ["L"] * (name not in fixed), 1) for name in names}
    yield some, "refuted", {"relation": 0, "family": family, "constant": rng.choice((1, ["div", 1, 4], 0))}


def domain_of(rng: Random) -> Json:
    """One or two variables, some of them sizes, and constraints: intervals, half-planes, powers."""
    names = rng.sample([*REALS, *REALS, *LEAST], rng.choice((1, 1, 2)))
    variables: Json = {}
    for name in names:
        if name in LEAST:
            spec = {"min": LEAST[name] + rng.choice((0, 0, 1)), "strict": False, "integer": True, "unit": False}
        else:
            unit = rng.random() < 0.15
            low = 0 if unit else rng.choice((0, 0, 1, 1, -2, 2))
            integer = not unit and rng.random() < 0.2
            spec = {"min": low, "strict": unit or rng.random() < 0.4, "integer": integer, "unit": unit}
        variables[name] = spec
    constraints = []
    for _ in range(rng.choice((0, 1, 1, 2))):
        name, number = rng.choice(list(variables)), rng.randint(1, 5)
        drawn = tree(rng, list(variables), 2)
        bound = ["pow", name, rng.choice((2, 3, name))]
        constraints.append(
            rng.choice((["sub", number, name], ["sub", name, number], ["sub", number, bound], drawn, ["sub", drawn, 1]))
        )
    return {"variables": variables, "constraints": constraints}


def tree(rng: Random, names: list[str], depth: int) -> Any:
    """An expression of the names."""
    if depth == 0 or rng.random() < 0.2:
        return rng.choice([*names, *names, rng.randint(-2, 4)])
    parts = [tree(rng, names, depth - 1) for _ in range(2)]
    match rng.choice(("add", "add", "sub", "mul", "mul", "div", "pow", "neg", "named", "exp", "binom", "sum")):
        case "pow":
            return ["pow", parts[0], rng.choice((2, 2, 3, 0, -1, *names, parts[1]))]
        case "sum":
            index, first = rng.choice((*names, "j", "j", "j")), rng.randint(0, 2)
            return ["sum", index, first, first + rng.randint(-1, 3), tree(rng, [*names, index, index], depth - 1)]
        case "neg":
            return ["neg", parts[0]]
        case "exp":
            return ["exp", parts[0]] if rng.random() < 0.5 else parts[0]
        case "binom" if sizes := [name for name in names if name in LEAST]:
            top, low = rng.choice(sizes), rng.choice(sizes)
            return ["binom", ["add", top, rng.choice((low, rng.randint(0, 2)))], rng.choice((low, 1, 2))]
        case "named" | "binom":
            return rng.choice([*names, 1])
        case operator:
            return [operator, *parts]


def relation(rng: Random, names: list[str]) -> list[Any]:
    """A relation that is true, or was before something in it was changed, or anything."""
    a, b, c = (tree(rng, names, rng.randint(0, 2)) for _ in range(3))
    name = rng.choice(names)
    true = [
        ["eq", ["mul", ["add", a, b], c], ["add", ["mul", a, c], ["mul", b, c]]],
        ["eq", ["div", ["mul", a, b], b], a],
        ["eq", ["pow", a, ["add", name, 1]], ["mul", ["pow", a, name], a]],
        ["eq", ["pow", ["pow", a, 2], name], ["pow", a, ["mul", 2, name]]],
        ["eq", ["mul", ["pow", a, name], ["pow", b, name]], ["pow", ["mul", a, b], name]],
        ["le", 0, ["pow", ["sub", a, b], 2]],
        ["le", ["mul", 2, ["mul", a, b]], ["add", ["pow", a, 2], ["pow", b, 2]]],
        ["lt", a, ["add", a, ["add", 1, ["pow", b, 2]]]],
        ["le", ["add", 1, a], ["exp", a]],
        ["lt", name, ["exp", name]],
        ["le", name, rng.randint(1, 5)],
        [rng.choice(("le", "lt")), ["mul", rng.randint(1, 5), name], ["add", ["pow", name, 2], rng.randint(0, 6)]],
    ]
    if name in LEAST:
        true.append(["eq", ["binom", ["add", name, 2], 1], ["add", ["binom", ["add", name, 1], 1], ["binom", name, 0]]])
        true.append(["le", ["binom", ["add", name, 1], 2], ["binom", ["add", name, 2], 2]])
    if rng.random() < 0.15:
        return [rng.choice(("eq", "le", "lt")), a, b]
    inequality = rng.choice(true)
    return changed(rng, inequality, names) if rng.random() < 0.4 else inequality


def changed(rng: Random, inequality: Any, names: list[str]) -> Any:
    """Something in a relation is another: an operator, a number, a name, the order of the sides."""
    if not isinstance(inequality, list):
        return rng.choice([*names, rng.randint(-2, 4), inequality])
    if rng.random() < 0.25:
        other = {"eq": "le", "le": "lt", "lt": "le", "add": "sub", "sub": "add", "mul": "add", "div": "mul"}
        return [other.get(inequality[0], inequality[0]), *inequality[1:]]
    if len(inequality) == 3 and rng.random() < 0.2:
        return [inequality[0], inequality[2], inequality[1]]
    place = rng.randrange(1, len(inequality))
    return [*inequality[:place], changed(rng, inequality[place], names), *inequality[place + 1 :]]


def step(rng: Random, domain: Json) -> Json:
    """Fields of a proof step, guessed."""
    names, proof = list(domain["variables"]), {}
    if rng.random() < 0.3:
        proof["scale"] = tree(rng, names, 1)
    if domain["constraints"] and rng.random() < 0.7:
        index = rng.randint(-1, len(domain["constraints"]))
        proof["multipliers"] = {str(index): rng.choice((1, 1, 2, tree(rng, names, 1)))}
    if rng.random() < 0.4:
        proof["squares"] = [[rng.choice((1, 1, 2, tree(rng, names, 1))), tree(rng, names, 1)]]
    if rng.random() < 0.3:
        proof["ends"] = [rng.choice(names), rng.choice((rng.randint(1, 5), tree(rng, names, 1)))]
    return proof
