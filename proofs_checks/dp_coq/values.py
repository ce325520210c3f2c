"""Values of expressions, exactly: for evidence, which is not trusted."""

from collections.abc import Mapping
from fractions import Fraction
from math import comb
from typing import Any


def evaluate(tree: Any, values: Mapping[str, Any]) -> Fraction:
    """The value of a tree. Raises `KeyError` for a name without one, `ValueError` for what is not covered."""
    if isinstance(tree, str):
        return Fraction(values[tree])
    if isinstance(tree, int):
        return Fraction(tree)
    if tree[0] == "sum":
        low, high = (int(evaluate(end, values)) for end in tree[2:4])
        return sum((evaluate(tree[4], {**values, tree[1]: x}) for x in range(low, high + 1)), Fraction(0))
    match tree[0], [evaluate(part, values) for part in tree[1:]]:
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
        case "pow", [a, b] if b.denominator == 1:
            return a ** int(b)
        case "floor", [a]:
            return Fraction(a // 1)
        case "min", several:
            return min(several)
        case "binom", [a, b] if a.denominator == b.denominator == 1:
            return Fraction(comb(int(a), int(b)))
    raise ValueError(f"no number: {tree!r}")
