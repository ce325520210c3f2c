"""Statements of certificates as terms of Coq. This translation is trusted: a proof of a wrong one is a proof of another
statement. It is total on what it translates and raises `Outside` for the rest."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

OPERATORS = {
    "add": "Add",
    "sub": "Sub",
    "mul": "Mul",
    "div": "Div",
    "neg": "Neg",
    "pow": "Pow",
    "floor": "Floor",
    "binom": "Binom",
}
OF_ONE = {"only": "Only", "events": "Events", "size": "Size", "not": "Not", "number": "Indicator"}
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
FIELDS = {"formula": COMMON, "bounded": COMMON | {"fixed", "grows"}, "arithmetic": {"type", "domain", "sentence"}}
"""All the fields that have a meaning here: what has another one is not translated."""
Names = Mapping[str, int]
"""The numbers of the names of a statement, from 1 on."""


class Outside(Exception):
    """What the definitions in Coq do not cover yet: a short phrase."""


def require_fields(value: Any, fields: set[str]) -> None:
    """Raise `Outside` where a field is missing, or would be dropped."""
    if value.keys() != fields:
        raise Outside(f"fields: {', '.join(sorted(value.keys() ^ fields))}")


def integer(number: int) -> str:
    return f"({number})" if number < 0 else str(number)


def rational(number: Fraction) -> str:
    return f"({integer(number.numerator)} # {number.denominator})%Q"


def listed(items: list[str]) -> str:
    return f"[{'; '.join(items)}]"


def expression(tree: Any, names: Names) -> str:
    """A tree. The index of a sum has a number of its own, larger than those of all names around it."""
    match tree:
        case bool():
            raise TypeError(f"not an expression: {tree!r}")
        case int():
            return f"(Cst {integer(tree)})"
        case str() if tree in names:
            return f"(Var {names[tree]})"
        case str():
            raise Outside("names of quantities")
        case ["min", first]:
            return expression(first, names)
        case ["min", first, *others]:
            return f"(Min {expression(first, names)} {expression(['min', *others], names)})"
        case ["sum", index, low, high, term]:
            number = max(names.values(), default=0) + 1
            ends = f"{expression(low, names)} {expression(high, names)}"
            return f"(Sum {number} {ends} {expression(term, {**names, index: number})})"
        case [str() as operator, *arguments] if operator in OPERATORS:
            return f"({OPERATORS[operator]} {' '.join(expression(part, names) for part in arguments)})"
        case [str() as operator, *_]:
            raise Outside(operator)
    raise TypeError(f"not an expression: {tree!r}")


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
        case [str() as word, part] if word in OF_ONE:
            return f"(One {OF_ONE[word]} {sentence(part, names)})"
        case [str() as word, first, second] if word in OF_TWO:
            return f"(Two {OF_TWO[word]} {sentence(first, names)} {sentence(second, names)})"
        case [str() as word, *_]:
            raise Outside(f"{word} in sentences")
    raise TypeError(f"not a sentence: {tree!r}")


def numbered(domain: Any) -> Names:
    return {name: number for number, name in enumerate(sorted(domain["variables"]), 1)}


def flag(value: bool) -> str:
    return "true" if value else "false"


def domain(domain: Any) -> str:
    """A domain. As in the kernel, x > 0 with the constraint 1 - x >= 0 is a range up to 1."""
    require_fields(domain, DOMAIN)
    names, ranges = numbered(domain), []
    for name in names:
        spec = domain["variables"][name]
        require_fields(spec, RANGE)
        from_zero = spec["strict"] and spec["min"] == 0 and not spec["integer"] and not spec["unit"]
        closed = from_zero and ["sub", 1, name] in domain["constraints"]
        if spec["unit"] or closed:
            ranges.append(f"Unit {flag(closed)}")
        else:
            ranges.append(f"From {integer(spec['min'])} {flag(spec['strict'])} {flag(spec['integer'])}")
    return f"(Domain {listed(ranges)} {listed([expression(tree, names) for tree in domain['constraints']])})"


def statement(statement: Any) -> str:
    """A statement that is no conjunction and no negation."""
    if statement["type"] not in FIELDS:
        raise Outside("judgement: " + statement["type"])
    if statement["type"] == "arithmetic":
        require_fields(statement, FIELDS["arithmetic"])
        said = sentence(statement["sentence"], numbered(statement["domain"]))
        return f"(Sentences (Arithmetic {domain(statement['domain'])} {said}))"
    if statement["of_data"] or statement["values"]:
        raise Outside("errors of mechanisms")
    if statement.get("quantities"):
        raise Outside("quantities")
    require_fields(statement, FIELDS[statement["type"]] | ({"quantities"} & statement.keys()))
    names, about = numbered(statement["domain"]), domain(statement["domain"])
    if statement["type"] == "formula":
        relations = [
            f"({RELATIONS[op]}, {expression(left, names)}, {expression(right, names)})"
            for op, left, right in statement["relations"]
        ]
        return f"(Formulas (Formula {about} {listed(relations)}))"
    if statement["grows"]:
        raise Outside("names that grow")
    fixed = listed([f"{names[name]}%positive" for name in statement["fixed"]])
    sides = [f"({expression(left, names)}, {expression(right, names)})" for left, right in statement["relations"]]
    return f"(Bounds (Bound {about} {fixed} {listed(sides)}))"
