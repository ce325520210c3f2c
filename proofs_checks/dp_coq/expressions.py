"""What statements and laws share: expressions and lists as terms of Coq. Trusted as they are."""

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


def flag(value: bool) -> str:
    return "true" if value else "false"


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


def put(tree: Any, values: Mapping[str, Any]) -> Any:
    """The tree with trees in the place of free names, all at once. Raises `Outside` where a name of these is bound by a
    sum."""
    if isinstance(tree, list):
        if tree[0] == "sum" and (tree[1] in values or any(tree[1] in free(value) for value in values.values())):
            raise Outside("names that sums bind")
        return [tree[0], *(put(part, values) for part in tree[1:])]
    return values.get(tree, tree) if isinstance(tree, str) else tree


def free(tree: Any) -> set[str]:
    """The names that occur in a tree and that no sum around them binds."""
    match tree:
        case ["sum", str() as index, low, high, term]:
            return free(low) | free(high) | (free(term) - {index})
        case [_, *parts]:
            return set().union(*map(free, parts))
    return {tree} if isinstance(tree, str) else set()
