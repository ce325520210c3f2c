"""Statements' expression trees ([operator, arguments...], a variable's name, or an integer) evaluated exactly."""

from collections.abc import Mapping
from fractions import Fraction
from math import comb, factorial
from typing import Any

from dp_checks.kernel.polynomial import Ratio, lift, variable

MAX_EXPONENT, MAX_POWER_BITS, MAX_CHOICES = 64, 1_000_000, 1000


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
            return Fraction(comb(_whole(n), _whole(k)))
        case "min", [*integers] if all(isinstance(i, int | Fraction) for i in integers):
            return min(integers)
        case "exptrunc", [count, x] if isinstance(count, int | Fraction):
            return sum((x**j / factorial(j) for j in range(1, _exponent(Fraction(count), x) + 1)), Fraction(1))
    raise ValueError(f"not an expression: {tree!r}")


def symbols(tree: Any) -> set[str]:
    """The variables of a tree."""
    if isinstance(tree, str):
        return {tree}
    return set().union(*(symbols(a) for a in tree[1:])) if isinstance(tree, list) else set()


def _power(base: Any, exponent: Any) -> Any:
    if isinstance(exponent, Ratio) and set(exponent.num) <= {()} and exponent.den == lift(1).den:
        exponent = exponent.num.get((), Fraction(0))
    if isinstance(exponent, Fraction | int) and Fraction(exponent).denominator == 1:
        power = base ** _exponent(abs(Fraction(exponent)), base)
        return power if exponent >= 0 else 1 / power
    if not isinstance(exponent, Ratio) or exponent.den != lift(1).den:
        raise ValueError(f"exponent {exponent} is not an integer combination of variables")
    return _symbolic_power(lift(base), exponent)


def _whole(number: Fraction | int) -> int:
    if Fraction(number).denominator != 1 or not 0 <= number <= MAX_CHOICES:
        raise ValueError(f"{number} is not in 0..{MAX_CHOICES}")
    return int(number)


def _exponent(number: Fraction, base: Any) -> int:
    """An exponent (or a number of terms) that is a natural number and does not keep the kernel busy for ever."""
    if number.denominator != 1 or not 0 <= number <= MAX_EXPONENT:
        raise ValueError(f"{number} is not in 0..{MAX_EXPONENT}")
    if (
        isinstance(base, Fraction)
        and number * (base.numerator.bit_length() + base.denominator.bit_length()) > MAX_POWER_BITS
    ):
        raise ValueError("a power with too many digits")
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
