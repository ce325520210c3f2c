"""Statements' expression trees ([operator, arguments...], a variable's name, or an integer) evaluated exactly."""

import json
from collections.abc import Mapping
from fractions import Fraction
from math import factorial
from typing import Any

from dp_checks.kernel.polynomial import Ratio, lift, variable


def evaluate(tree: Any, values: Mapping[str, Any]) -> Any:
    """The value of a tree; powers with a symbolic exponent a*m + b become atom^a * base^b (see `_symbolic_power`)."""
    if isinstance(tree, str):
        if tree not in values:
            raise ValueError(f"unbound symbol {tree}")
        return values[tree]
    if isinstance(tree, int) and not isinstance(tree, bool):
        return Fraction(tree)
    if not isinstance(tree, list) or len(tree) < 2:
        raise ValueError(f"not an expression: {tree!r}")
    if tree[0] == "pow":
        return _power(tree[1], evaluate(tree[1], values), evaluate(tree[2], values), values)
    arguments = [evaluate(a, values) for a in tree[1:]]
    match tree[0], arguments:
        case "add", [a, b]:
            return a + b
        case "sub", [a, b]:
            return a - b
        case "mul", [a, b]:
            return a * b
        case "div", [a, b]:
            return a / b
        case "neg", [a]:
            return -a
        case "min", [*integers] if all(isinstance(i, int | Fraction) for i in integers):
            return min(integers)
        case "exptrunc", [count, x] if isinstance(count, int | Fraction):
            return sum((x**j / factorial(j) for j in range(1, int(count) + 1)), Fraction(1))
    raise ValueError(f"not an expression: {tree!r}")


def symbols(tree: Any) -> set[str]:
    """The variables of a tree."""
    if isinstance(tree, str):
        return {tree}
    return set().union(*(symbols(a) for a in tree[1:])) if isinstance(tree, list) else set()


def _power(tree: Any, base: Any, exponent: Any, values: Mapping[str, Any]) -> Any:
    if isinstance(exponent, Ratio) and set(exponent.num) <= {()} and exponent.den == lift(1).den:
        exponent = exponent.num.get((), Fraction(0))
    if isinstance(exponent, Fraction | int) and Fraction(exponent).denominator == 1:
        return base ** int(exponent)
    if not isinstance(exponent, Ratio) or exponent.den != lift(1).den:
        raise ValueError(f"exponent {exponent} is not an integer combination of variables")
    return _symbolic_power(tree, base, exponent)


def _symbolic_power(tree: Any, base: Any, exponent: Ratio) -> Ratio:
    """base^(a m + b) as atom^a base^b, the atom standing for base^m; a power of a monomial is a monomial of atoms."""
    root = _monomial(lift(base))
    names = dict(root) if root is not None else {json.dumps(tree): 1}
    result = lift(1)
    for monomial, coefficient in exponent.num.items():
        if coefficient.denominator != 1 or sum(e for _, e in monomial) > 1:
            raise ValueError("exponents must be integer linear")
        if not monomial:
            result = result * lift(base) ** int(coefficient)
            continue
        for name, power in names.items():
            result = result * variable(f"({name})^{monomial[0][0]}") ** (power * int(coefficient))
    return result


def _monomial(value: Ratio) -> dict[str, int] | None:
    if len(value.num) != 1 or len(value.den) != 1:
        return None
    [(top, c)], [(bottom, e)] = value.num.items(), value.den.items()
    if c != e:
        return None
    powers = dict(top)
    for name, exponent in bottom:
        powers[name] = powers.get(name, 0) - exponent
    return {name: e for name, e in powers.items() if e}
