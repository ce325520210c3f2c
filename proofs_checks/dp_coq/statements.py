"""Statements of certificates as terms of Coq. This translation is trusted: a proof of a wrong one is a proof of another
statement. It is total on what it translates and raises `Outside` for the rest."""

import json
from collections.abc import Mapping
from itertools import permutations
from typing import Any

from dp_coq import laws
from dp_coq.expressions import Names, Outside, expression, flag, integer, listed, require_fields
from dp_coq.tables import TABLE, about_tables, is_channel, ratios
from dp_coq.trees import about_counts

OF_ONE = {"only": "Only", "events": "Events", "size": "Size", "not": "Not", "number": "Indicator", "log": "Log"}
OF_TWO = {
    "add": "Plus",
    "sub": "Minus",
    "mul": "Times",
    "div": "Over",
    "pow": "Raised",
    "binom": "Choose",
    "min": "Smaller",
    "from": "Between",
    "joined": "Joined",
    "lists": "Lists",
    "multisets": "Multisets",
    "at": "At",
    "count": "Count",
    "le": "AtMost",
    "eq": "Equal",
    "in": "Among",
}
RELATIONS = {"eq": "Eq", "le": "Le", "lt": "Lt"}
RANGE = {"min", "strict", "integer", "unit"}
DOMAIN = {"variables", "constraints"}
COMMON = {"type", "domain", "values", "of_data", "relations"}
FIELDS = {
    "formula": COMMON,
    "bounded": COMMON | {"fixed", "grows"},
    "arithmetic": {"type", "domain", "sentence"},
    "implies": {"type", "premises", "conclusions"},
}
RATIO = {"type", "law", "relation", "counted", "sizes", "where", "any_order"}
TABLES = {"ratio": RATIO, "smallest": RATIO | {"constant"}, "sentence": {"type", "law", "sizes", "where", "sentence"}}
"""All the fields that have a meaning here: what has another one is not translated."""
POWER = "[e "
"""How names of powers of e begin."""
CHANNEL = ("K", "N", "m", "e_eps", TABLE)
"""What there is of a channel, in the order of the numbers of these names."""


def sentence(tree: Any, names: Names) -> str:
    """A sentence, or a part of one. Bound names have numbers of their own, as the index of a sum has."""
    match tree:
        case int() if not isinstance(tree, bool):
            return f"(Const {integer(tree)})"
        case str() if tree in names:
            return f"(Name {names[tree]})"
        case ["neg", part]:
            return f"(Two Minus (Const 0) {sentence(part, names)})"
        case [("and" | "or") as word, first, second]:
            return f"({word.capitalize()} {sentence(first, names)} {sentence(second, names)})"
        case [("some" | "union" | "total" | "product" | "listed" | "those" | "all") as word, name, things, each]:
            number = max(names.values(), default=0) + 1
            parts = f"{number} {sentence(things, names)} {sentence(each, {**names, name: number})}"
            return f"(Exist {parts})" if word == "some" else f"(Each {word.capitalize()} {parts})"
        case ["empty", part]:
            return f"(Two Equal (One Size {sentence(part, names)}) (Const 0))"
        case ["laplace", *vectors]:
            return loss([sentence(part, names) for part in vectors], max(names.values(), default=0) + 1)
        case [str() as word, part] if word in OF_ONE:
            return f"(One {OF_ONE[word]} {sentence(part, names)})"
        case [str() as word, first, second] if word in OF_TWO:
            return f"(Two {OF_TWO[word]} {sentence(first, names)} {sentence(second, names)})"
        case [str() as word, *_]:
            raise Outside(f"{word} in sentences")
    raise TypeError(f"not a sentence: {tree!r}")


def loss(vectors: list[str], place: int) -> str:
    """The loss of independent Laplace noise on queries, by their values in two data sets and by scales: the sum of the
    distances of the values, each divided by its scale; nothing, where the three are not of the same length."""
    one, other, scales = (f"(Two At {vector} (Name {place}))" for vector in vectors)
    distance = larger(f"(Two Minus {one} {other})", f"(Two Minus {other} {one})")
    sizes = [f"(One Size {vector})" for vector in vectors]
    places = f"(Two Between (Const 0) {larger(sizes[0], larger(*sizes[1:]))})"
    return f"(Each Total {place} {places} (Two Over {distance} {scales}))"


def larger(one: str, other: str) -> str:
    """The larger of two numbers."""
    opposites = (f"(Two Minus (Const 0) {number})" for number in (one, other))
    return f"(Two Minus (Const 0) (Two Smaller {' '.join(opposites)}))"


def numbered(domain: Any) -> Names:
    return {name: number for number, name in enumerate(sorted(domain["variables"]), 1)}


def domain(domain: Any, beside: Names | None = None) -> str:
    """A domain, and the names beside its own, which are >= 0. As in the kernel, x > 0 with the constraint 1 - x >= 0 is
    a range up to 1."""
    require_fields(domain, DOMAIN)
    own, ranges = numbered(domain), []
    names = {**own, **(beside or {})}
    for name in own:
        spec = domain["variables"][name]
        require_fields(spec, RANGE)
        if spec["unit"] and (spec["min"] != 0 or spec["integer"]):
            raise Outside("ranges with other ends than 0 and 1, or integers between these")
        from_zero = spec["strict"] and spec["min"] == 0 and not spec["integer"] and not spec["unit"]
        closed = from_zero and ["sub", 1, name] in domain["constraints"]
        if spec["unit"] or closed:
            ranges.append(f"Unit {flag(closed)}")
        else:
            ranges.append(f"From {integer(spec['min'])} {flag(spec['strict'])} {flag(spec['integer'])}")
    ranges += ["From 0 false false"] * (len(names) - len(own))
    return f"(Domain {listed(ranges)} {listed([expression(tree, names) for tree in domain['constraints']])})"


def relations(trees: Any, names: Names) -> str:
    return listed(
        [f"({RELATIONS[op]}, {expression(left, names)}, {expression(right, names)})" for op, left, right in trees]
    )


def with_errors(statement: Any) -> Names:
    """The numbers of the names of a statement, those of errors after those of its domain."""
    names = numbered(statement["domain"])
    return {**names, **{name: number for number, name in enumerate(sorted(statement["values"]), len(names) + 1)}}


def budgeted(statement: Any) -> Any:
    """The domain of a statement; where a budget is stated, the points at which every root spends it."""
    around, at = numbered(statement["domain"]), statement["domain"]
    names = sorted(statement["values"]) if "budget" in statement else []
    powers = [laws.power_of(statement["values"][name], around) for name in names]
    gaps = [["sub", *pair] for power in powers for pair in permutations((power, statement["budget"]))]
    return {**at, "constraints": [*at["constraints"], *gaps]}


def of_errors(statement: Any) -> str:
    """A formula some of whose names are errors of mechanisms."""
    require_fields(statement, FIELDS["formula"] | ({"budget", "quantities"} & statement.keys()))
    around, names = numbered(statement["domain"]), with_errors(statement)
    errors = [
        f"({names[name]}%positive, {laws.error(value, around)})" for name, value in sorted(statement["values"].items())
    ]
    formula = f"(Formula {domain(budgeted(statement), names)} {relations(statement['relations'], names)})"
    return f"(Errors (ErrorFormula {listed(errors)} {formula}))"


def powers_in(tree: Any) -> list[Any]:
    """The powers of e in a tree, in order. Raises `Outside` where one lies in an exponent, or where a sum may bind what
    is in it."""
    if not isinstance(tree, list):
        return []
    inner = [power for part in tree[1:] for power in powers_in(part)]
    if inner and tree[0] in ("exp", "sum"):
        raise Outside("powers of e in exponents and sums")
    if tree[0] == "exp" and len(tree) != 2:
        raise TypeError(f"not a power of e: {tree!r}")
    return [tree] if tree[0] == "exp" else inner


def with_names(tree: Any, names: Mapping[str, str]) -> Any:
    """The tree with names in the place of powers of e, as these are written."""
    if isinstance(tree, list) and tree[0] == "exp":
        return names[json.dumps(tree)]
    return [tree[0], *(with_names(part, names) for part in tree[1:])] if isinstance(tree, list) else tree


def of_powers(statement: Any) -> tuple[Any, dict[str, Any]]:
    """The statement with names in the place of powers of e, and the exponent that each of these stands for. There is
    none in its domain or in the law of a mechanism. No name of a statement begins as these do."""
    values = statement["values"]
    beside = {"quantities", "budget"} if values else {"quantities"}
    require_fields(statement, FIELDS[statement["type"]] | (beside & statement.keys()))
    if statement.get("quantities") or POWER in json.dumps(statement):
        raise Outside("exp")
    first = 1 if statement["type"] == "formula" else 0
    trees = [side for relation in statement["relations"] for side in relation[first:]]
    if "budget" in statement:
        trees.append(statement["budget"])
    for _, value in sorted(values.items()):
        trees += [value["root"], *(tree for _, tree in sorted(value["at"].items()))]
    written = dict.fromkeys(json.dumps(power) for tree in trees for power in powers_in(tree))
    names = {text: f"{POWER}{number}]" for number, text in enumerate(written)}
    named = {
        "relations": [
            [*relation[:first], *(with_names(side, names) for side in relation[first:])]
            for relation in statement["relations"]
        ],
        "values": {
            name: {
                **value,
                "root": with_names(value["root"], names),
                "at": {own: with_names(tree, names) for own, tree in value["at"].items()},
            }
            for name, value in values.items()
        },
    }
    if "budget" in statement:
        named["budget"] = with_names(statement["budget"], names)
    return {**statement, **named}, {name: json.loads(text)[1] for text, name in names.items()}


def has_powers(statement: Any) -> bool:
    """Whether a formula or a bound has powers of e in it, or is a bound on errors."""
    if statement["type"] not in ("formula", "bounded") or statement["of_data"]:
        return False
    where = [[value.get("at"), value.get("root")] for value in statement["values"].values()]
    content = [statement["relations"], statement.get("budget"), where]
    return '"exp"' in json.dumps(content) or (statement["type"] == "bounded" and bool(statement["values"]))


def with_powers(named: Any, exponents: dict[str, Any]) -> Names:
    """The numbers of the names, those of powers of e last."""
    names = with_errors(named)
    return {**names, **{name: number for number, name in enumerate(exponents, len(names) + 1)}}


def of_exponentials(statement: Any) -> str:
    """A formula, or a bound, in which powers of e have names. Exponents are of the names of its domain."""
    named, exponents = of_powers(statement)
    own, names = numbered(named["domain"]), with_powers(named, exponents)
    around = {**own, **{name: names[name] for name in exponents}}
    pairs = listed([f"({names[name]}%positive, {expression(tree, own)})" for name, tree in exponents.items()])
    values = sorted(named["values"].items())
    errors = listed([f"({names[name]}%positive, {laws.error(value, around)})" for name, value in values])
    sides, up_to = named["relations"], "None"
    if named["type"] == "bounded":
        if named["grows"]:
            raise Outside("bounds on errors as names grow")
        sides = [["le", left, right] for left, right in sides]
        up_to = f"(Some {listed([f'{own[name]}%positive' for name in named['fixed']])})"
    formula = f"(Formula {domain(budgeted(named), names)} {relations(sides, names)})"
    return f"(PowersOfE (Exponentials {pairs} (ErrorFormula {errors} {formula}) {up_to}))"


def of_table(statement: Any) -> str:
    """A statement about the reports of all sets, at all sizes and budgets."""
    kind, law = statement["type"], statement["law"]
    require_fields(statement, TABLES[kind])
    require_fields(law, laws.LAW | ({"integers"} & law.keys()))
    names, shown = laws.names_of(law), law["term"][1] if law["term"][0] == "push" else ""
    if kind == "sentence" and shown in ("bits", "vectors"):
        raise Outside("bits in sentences")
    said = about_tables(statement["sentence"]) if kind == "sentence" else reading(statement, shown)
    number = len(names) + 1
    about = laws.sizes(law, [*statement["where"], ["sub", ["add", "K", "N"], "m"]])
    term, body = laws.term(law["term"], names), sentence(said, {**names, TABLE: number})
    return f"(Tables (LawSentence {about} {term} {number} {body}))"


def is_drawn(term: Any) -> bool:
    """Whether one of the held items is drawn."""
    return bool(term[0] == "drawn" or (term[0] == "push" and is_drawn(term[2])))


def reading(statement: Any, shown: str) -> Any:
    """The sentence of a ratio."""
    relation, sizes, bound = compared(statement, shown)
    return ratios(relation, statement["counted"], sizes, bound, "constant" in statement)


def compared(statement: Any, shown: str) -> tuple[str, tuple[Any, Any], Any]:
    """Which sets a ratio compares, of which sizes, and its bound. Where a report has no part of its own for other
    items, all of it is what is seen."""
    if statement["any_order"]:
        raise Outside("orders")
    if statement["counted"] == "nonempty" and shown in ("bits", "vectors"):
        raise Outside("bits that are counted")
    relation, law = statement["relation"], statement["law"]
    if relation in ("joint", "marginal") and shown in ("", "sorted"):
        relation = "ldp"
    least = 1 if is_drawn(law["term"]) or statement["sizes"] == "atmost" else 0
    most = "m" if statement["sizes"] == "atmost" else ["add", "K", "N"]
    sizes = ("m", "m") if statement["sizes"] == "exactm" else (least, most)
    return relation, sizes, statement.get("constant", ["pow", law["base"], law["power"]])


def statement(statement: Any) -> str:
    """A statement that is no conjunction and no negation."""
    if statement["type"] in laws.FIELDS:
        return laws.moment(statement)
    if statement["type"] in TABLES:
        return of_table(statement)
    if statement["type"] not in FIELDS:
        raise Outside("judgement: " + statement["type"])
    if statement["type"] == "arithmetic":
        require_fields(statement, FIELDS["arithmetic"])
        said = sentence(statement["sentence"], numbered(statement["domain"]))
        return f"(Sentences (Arithmetic {domain(statement['domain'])} {said}))"
    if statement["type"] == "implies":
        require_fields(statement, FIELDS["implies"])
        of = {name: number for number, name in enumerate(CHANNEL, 1)}
        premises = [is_channel(), *map(about_tables, statement["premises"])]
        both = (premises, map(about_tables, statement["conclusions"]))
        halves = [listed([sentence(tree, of) for tree in side]) for side in both]
        return f"(Implications (Implication {' '.join(halves)}))"
    if has_powers(statement):
        return of_exponentials(statement)
    if statement.get("quantities") and statement["type"] == "formula":
        statement = about_counts(statement)
    elif statement.get("quantities"):
        raise Outside("bounds on quantities")
    if statement["of_data"]:
        raise Outside("formulas about data sets")
    if statement["values"] and statement["type"] == "formula":
        return of_errors(statement)
    require_fields(statement, FIELDS[statement["type"]] | ({"quantities"} & statement.keys()))
    names, about = numbered(statement["domain"]), domain(statement["domain"])
    if statement["type"] == "formula":
        return f"(Formulas (Formula {about} {relations(statement['relations'], names)}))"
    fixed, grows = (listed([f"{names[name]}%positive" for name in statement[field]]) for field in ("fixed", "grows"))
    sides = [f"({expression(left, names)}, {expression(right, names)})" for left, right in statement["relations"]]
    return f"(Bounds (Bound {about} {fixed} {grows} {listed(sides)}))"
