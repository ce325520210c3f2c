"""Statements' expression trees ([operator, arguments...], a variable's name, or an integer) evaluated exactly."""

from collections.abc import Mapping
from fractions import Fraction
from math import comb
from typing import Any

from dp_checks.kernel.binomials import binomial
from dp_checks.kernel.polynomial import Ratio, lift, variable
from dp_checks.kernel.work import charge, counted, price, spend


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
        return _power(evaluate(tree[1], values), evaluate(tree[2], values))
    arguments = [evaluate(a, values) for a in tree[1:]]
    charge(*arguments)
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
        case "floor", [a] if isinstance(a, int | Fraction):
            return Fraction(a // 1)
        case "binom", [n, k] if all(isinstance(i, int | Fraction) for i in (n, k)):
            return _choices(_whole(n), _whole(k))
        case "binom", [n, k]:
            return binomial(lift(n), lift(k))
        case "min", [*integers] if all(isinstance(i, int | Fraction) for i in integers):
            return min(integers)
        case "exptrunc", [count, x] if isinstance(count, int | Fraction):
            total = term = Fraction(1)
            for j in counted(range(1, _whole(count) + 1)):
                charge(term, x)
                term = x * term / j
                charge(total, term)
                total = term + total
            return total
    raise ValueError(f"not an expression: {tree!r}")


def put(tree: Any, values: Mapping[str, Any]) -> Any:
    """The tree with trees in the place of variables."""
    if isinstance(tree, list):
        return [tree[0], *(put(argument, values) for argument in tree[1:])]
    return values.get(tree, tree) if isinstance(tree, str) else tree


def symbols(tree: Any) -> set[str]:
    """The variables of a tree."""
    found, rest = set(), [tree]
    while rest:
        spend(1)
        part = rest.pop()
        if isinstance(part, str):
            found.add(part)
        elif isinstance(part, list):
            rest += part[1:]
    return found


def _power(base: Any, exponent: Any) -> Any:
    if isinstance(exponent, Ratio) and set(exponent.num) <= {()} and exponent.den == lift(1).den:
        exponent = exponent.num.get((), Fraction(0))
    if isinstance(exponent, Fraction | int) and Fraction(exponent).denominator == 1:
        power = raised(base, abs(int(exponent)))
        return power if exponent >= 0 else 1 / power
    if not isinstance(exponent, Ratio) or exponent.den != lift(1).den:
        raise ValueError(f"exponent {exponent} is not an integer combination of variables")
    return _symbolic_power(lift(base), exponent)


def raised(base: Any, exponent: int) -> Any:
    """A power with an exponent >= 0, paid for before it is computed."""
    if isinstance(base, Fraction | int):
        bits = exponent * max(base.numerator.bit_length(), base.denominator.bit_length())
        spend(price(bits, bits))
    return base**exponent


def _choices(n: int, k: int) -> Fraction:
    bits = min(k, max(n - k, 0)) * n.bit_length()
    spend(price(bits, bits))
    return Fraction(comb(n, k))


def _whole(number: Fraction | int) -> int:
    if Fraction(number).denominator != 1 or number < 0:
        raise ValueError(f"{number} is not a natural number")
    return int(number)


def _written(value: Ratio) -> str:
    """A name for a value: of the value itself, so that one text with two meanings has two names."""
    return str([sorted((monomial, str(c)) for monomial, c in part.items()) for part in (value.num, value.den)])


def _symbolic_power(base: Ratio, exponent: Ratio) -> Ratio:
    """base^(a m + b) as atom^a base^b, the atom standing for base^m; a power of a monomial is a monomial of atoms."""
    root = _monomial(base)
    names = dict(root) if root is not None else {_written(base): 1}
    result = lift(1)
    for monomial, coefficient in exponent.num.items():
        if coefficient.denominator != 1 or sum(e for _, e in monomial) > 1:
            raise ValueError("exponents must be integer linear")
        if not monomial:
            result = result * base ** int(coefficient)
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
