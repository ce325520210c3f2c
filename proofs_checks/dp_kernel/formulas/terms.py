"""Statements' expression trees ([operator, arguments...], a variable's name, or an integer) evaluated exactly, or
enclosed where they contain exp and log."""

import json
import operator as op
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import comb, prod
from typing import Any

from dp_kernel.meter import paid, pay, price, remembered, require
from dp_kernel.numbers.binomials import binomial
from dp_kernel.numbers.polynomial import ONE, Bound, Number, Ratio, is_nonnegative, lift, variable, variables_of

EXACT: Any = {"add": op.add, "sub": op.sub, "mul": op.mul, "div": op.truediv, "neg": op.neg}
DEFINED = ("exp", "sum")
"""What may have a definition of its own in a region."""


def evaluate(tree: Any, values: Mapping[str, Any], bits: int = 0, ranges: Mapping[str, Bound] | None = None) -> Any:
    """The value of a tree; e^x and log x are enclosed in intervals if their precision is given. With ranges of the
    variables it is shown to be defined everywhere: identities of rational functions say nothing at poles that cancel.
    """
    if isinstance(tree, str):
        require(tree in values, f"unbound symbol {tree}")
        value = values[tree]
        return Fraction(value) if isinstance(value, int) else value
    if isinstance(tree, int) and not isinstance(tree, bool):
        return Fraction(tree)
    if not isinstance(tree, list) or len(tree) < 2:
        raise ValueError(f"not an expression: {tree!r}")
    if tree[0] in (*DEFINED, "floor") and (name := written(tree)) in values:
        return values[name]  # under its text, which no identifier is
    if tree[0] == "sum":
        total: Any = Fraction(0)
        for at in _along(tree, values, ranges):
            term = evaluate(tree[4], at, bits, ranges)
            pay(1, total, term)
            total = total + term
        return total
    arguments = [evaluate(a, values, bits, ranges) for a in tree[1:]]
    if ranges is not None:
        _require_defined(tree, values, ranges)
    return calculated(tree, arguments, bits)


def calculated(tree: Any, arguments: Sequence[Any], bits: int = 0) -> Any:
    """The value of a tree whose arguments have these values."""
    pay(1, *arguments)
    if tree[0] in EXACT:
        return EXACT[tree[0]](*arguments)
    exact = set(map(type, arguments)) == {Fraction}
    match tree[0], arguments:
        case "pow", [a, b]:
            return _power(a, b)
        case ("exp" | "log") as name, [a] if bits:
            increasing, x = {"exp": exp, "log": log}[name], Interval.of(a)
            return Interval(increasing(x.low, bits).low, increasing(x.high, bits).high)
        case "floor", [a] if exact or bits:
            least, most = (Fraction(end // 1) for end in (Interval.of(a).low, Interval.of(a).high))
            return least if least == most else Interval(least, most)
        case "min", integers if exact:
            return min(integers)
        case "binom", [n, k] if exact:
            top, chosen = natural(n), natural(k)
            pay(price(*[min(chosen, max(top - chosen, 0)) * top.bit_length()] * 2))
            return Fraction(comb(top, chosen))
        case "binom", [n, k]:
            return binomial(lift(n), lift(k))
        case "exptrunc", [count, x] if isinstance(count, Fraction):
            total: Any = Fraction(1)
            for j in range(natural(count), 0, -1):
                pay(1, total, x)
                total = x * total / j + 1
            return total
    raise ValueError(f"not an expression: {tree!r}")


def _along(tree: Any, values: Mapping[str, Any], ranges: Mapping[str, Bound] | None) -> Iterator[Mapping[str, Any]]:
    """The values of the variables in every term of a sum. (What is written in it may have another value around it.)"""
    low, high = (natural(evaluate(end, values, ranges=ranges)) for end in tree[2:4])
    around = {name: x for name, x in paid(values.items()) if not name.startswith('["')}
    return ({**around, tree[1]: Fraction(x)} for x in paid(range(low, high + 1), *around.values()))


def _require_defined(tree: Any, values: Mapping[str, Any], bounds: Mapping[str, Bound]) -> None:
    """Raise `Rejected` unless no divisor, and no base of a power with a symbolic or negative exponent, is 0 anywhere,
    and real exponents have bases > 0; of a tree whose arguments are defined."""
    if tree[0] == "div":
        require(is_nonzero(tree[2], values, bounds), f"{tree[2]} is not shown to differ from 0")
    if tree[0] == "pow" and not (isinstance(tree[2], int) and tree[2] >= 0):
        require(is_nonzero(tree[1], values, bounds), f"{tree[1]} is not shown to differ from 0")
        base, exponent = (lift(evaluate(part, values)) for part in tree[1:])
        whole = all(name in bounds and bounds[name].whole for name in variables_of(exponent))
        require(whole or is_nonnegative(base, bounds, strictly=True), f"{tree[1]} is not shown to be > 0")


def is_nonzero(tree: Any, values: Mapping[str, Any], bounds: Mapping[str, Bound]) -> bool:
    """Whether a tree is shown to have one strict sign, factor by factor."""
    if isinstance(tree, list) and tree[0] in ("mul", "div", "neg", "pow"):
        factors = tree[1:2] if tree[0] == "pow" else tree[1:]
        return all(is_nonzero(factor, values, bounds) for factor in factors)
    value = lift(evaluate(tree, values))
    return is_nonnegative(value, bounds, strictly=True) or is_nonnegative(-value, bounds, strictly=True)


def put(tree: Any, values: Mapping[str, Any]) -> Any:
    """The tree with trees in the place of free variables."""
    if isinstance(tree, list):
        pay(len(tree))
        bound = {tree[1]} if tree[0] == "sum" else set()
        free = bound.isdisjoint(values.keys() | symbols(["", *values.values()]))
        require(free, "what is put into a sum may mean what it runs over")
        return [tree[0], *(put(argument, values) for argument in tree[1:])]
    return values.get(tree, tree) if isinstance(tree, str) else tree


def symbols(tree: Any) -> set[str]:
    """The variables of a tree."""
    names, rest = set(), [tree]
    while rest:
        pay(1)
        part = rest.pop()
        if isinstance(part, str):
            names.add(part)
        elif isinstance(part, list):
            rest += part[1:]
    return names


def written(tree: Any) -> str:
    """The text of a tree, by which it is called."""
    text = json.dumps(tree)
    pay(1 + (len(text) >> 4))
    return text


def _power(base: Any, exponent: Any) -> Any:
    """base^(a m + b) is (base^m)^a base^b."""
    form = lift(exponent)
    pay(len(form.num))
    linear = form.den == ONE and all(sum(e for _, e in monomial) <= 1 for monomial in form.num)
    require(linear, "exponents must be integer linear")
    constant = form.num.get((), 0)
    if isinstance(base, Fraction):  # paid for before it is computed
        bits = abs(constant) * max(base.numerator.bit_length(), base.denominator.bit_length())
        pay(price(bits, bits))
    result = base**constant
    for monomial, coefficient in form.num.items():
        for name, _ in monomial:
            root = lift(base)
            result = result * (_named(root.num, name) / _named(root.den, name)) ** coefficient
    return result


def _named(root: Mapping[Any, int], exponent: str) -> Ratio:
    """A name for a polynomial to the power of a variable; a monomial's power is a product of its variables' powers."""
    pay(1 + sum(map(len, root)))
    text = str(root[()]) if root.keys() == {()} else str(sorted(root.items()))
    pairs = next(iter(root)) if list(root.values()) == [1] else ((text, 1),)
    return prod((variable(f"({name})^{exponent}") ** power for name, power in pairs), start=lift(1))


def natural(number: Any) -> int:
    """An integer that is not negative."""
    if type(number) is int and number >= 0:
        return number
    if isinstance(number, Ratio) and not variables_of(number):
        number = Fraction(number.num.get((), 0), number.den[()])
    if not isinstance(number, Fraction) or number.denominator != 1 or number.numerator < 0:
        raise ValueError(f"{number if isinstance(number, Fraction | int) else 'what varies'} is not a natural number")
    return int(number)


class Interval(Number):
    """All numbers from `low` to `high`."""

    __slots__ = ("high", "low")

    def __init__(self, low: Fraction, high: Fraction) -> None:
        self.low, self.high = low, high

    @classmethod
    def of(cls, value: "Interval | Fraction | int") -> "Interval":
        return value if isinstance(value, Interval) else Interval(Fraction(value), Fraction(value))

    def _hull(
        self, operation: Callable[[Fraction, Fraction], Fraction], other: "Interval | Fraction | int"
    ) -> "Interval":
        """From the smallest to the largest result, which the operation has at ends."""
        b = Interval.of(other)
        pay(1, self.low, self.high, b.low, b.high)
        ends = [(x.low, x.high) if x.low != x.high else (x.low,) for x in (self, b)]
        numbers = [operation(x, y) for x in ends[0] for y in ends[1]]
        return Interval(min(numbers), max(numbers))

    def __add__(self, other: "Interval | Fraction | int") -> "Interval":
        return self._hull(op.add, other)

    def __mul__(self, other: "Interval | Fraction | int") -> "Interval":
        return self._hull(op.mul, other)

    def __truediv__(self, other: "Interval | Fraction | int") -> "Interval":
        b = Interval.of(other)
        if b.low <= 0 <= b.high:
            raise ZeroDivisionError("division by an interval around 0")
        return self._hull(op.truediv, b)


@remembered
def exp(x: Fraction, bits: int) -> Interval:
    """e^x for x >= 0 is e^y squared k times, y = x / 2^k, and 1 + y <= e^y <= 1 + y + y^2; every step is rounded
    outwards to multiples of 4^-k. Errors double in each: x^2 / 2^k and 2^k / 4^k of the result remain.
    """
    require(abs(x) <= 4096, "an exponential that is too large")
    if x < 0:
        return 1 / exp(-x, bits)
    k = bits + 2 * int(x).bit_length() + 4
    pay(1, x, 1 << 2 * k)
    one, shifted = 1 << 2 * k, x * (1 << k)
    low, high = one + shifted // 1, one - (-shifted // 1) - (-x * x // 1)
    for _ in range(k):
        pay(price(high.bit_length(), high.bit_length()))
        low, high = low * low >> 2 * k, -(-high * high >> 2 * k)
    return Interval(Fraction(low, one), Fraction(high, one))


@remembered
def log(x: Fraction, bits: int) -> Interval:
    """ln x for x > 0, by Newton's method: ln x = y + ln z with z = x e^-y, and 1 - 1/z <= ln z <= z - 1."""
    require(x > 0, "a logarithm of no positive number")
    y = Fraction(6931, 10_000) * (x.numerator.bit_length() - x.denominator.bit_length())
    while True:
        z = exp(-y, bits + 4) * x
        enclosure = Interval(y + 1 - 1 / z.low, y + z.high - 1)
        if (enclosure.high - enclosure.low) * 2**bits < 1:
            return enclosure
        y = Fraction(round((enclosure.low + enclosure.high) * 2 ** (bits - 1)), 2**bits)
