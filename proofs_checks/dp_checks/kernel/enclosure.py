"""Rational enclosures of exp and log, and interval arithmetic on expression trees that contain them."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from dp_checks.kernel import terms
from dp_checks.kernel.work import charge, price, spend

Interval = tuple[Fraction, Fraction]


def exp(x: Fraction, bits: int) -> Interval:
    """e^x: Taylor's series at x / 2^k in [0, 1/2] with its remainder, squared k times; every step rounded outwards."""
    if abs(x) > 4096:
        raise ValueError("an exponential that is too large")
    if x < 0:
        least, most = exp(-x, bits)
        return 1 / most, 1 / least
    halvings = int(2 * x).bit_length() + 1
    work = bits + 2 * halvings + 8
    charge(x, 1 << work)
    below, above = _fixed(x, work - halvings)
    lows, highs, j = [1 << work], [1 << work], 0
    while highs[-1] > 1:
        j += 1
        spend(price(work, work))
        lows.append(lows[-1] * below // (j << work))
        highs.append(-(-highs[-1] * above // (j << work)))
    # the terms left out are smaller than those of a geometric series with ratio 1/2
    low, high = sum(lows), sum(highs) + 2 * highs[-1]
    for _ in range(halvings):
        spend(price(high.bit_length(), high.bit_length()))
        low, high = low * low >> work, -(-high * high >> work)
    return Fraction(low, 1 << work), Fraction(high, 1 << work)


def log(x: Fraction, bits: int) -> Interval:
    """ln x for x > 0: ln(x) = k ln 2 + 2 artanh((y - 1)/(y + 1)) with y = x / 2^k in [1, 2]."""
    if x <= 0:
        raise ValueError("a logarithm of no positive number")
    charge(x, x)
    k = x.numerator.bit_length() - x.denominator.bit_length()
    k -= x < Fraction(2) ** k
    y = x / Fraction(2) ** k
    low, high = _artanh_series((y - 1) / (y + 1), bits)
    two_low, two_high = _artanh_series(Fraction(1, 3), bits + abs(k).bit_length())
    return (low + k * (two_low if k >= 0 else two_high), high + k * (two_high if k >= 0 else two_low))


def evaluate(tree: Any, values: "Mapping[str, Fraction] | Mapping[str, Interval]", bits: int) -> Interval:
    """An interval that contains the values of a tree at a rational point, or on a box of intervals."""
    if isinstance(tree, str):
        if tree not in values:
            raise ValueError(f"unbound symbol {tree}")
        value = values[tree]
        return value if isinstance(value, tuple) else (value, value)
    if isinstance(tree, int) and not isinstance(tree, bool):
        return Fraction(tree), Fraction(tree)
    if not isinstance(tree, list) or len(tree) < 2:
        raise ValueError(f"not an expression: {tree!r}")
    arguments = [evaluate(a, values, bits) for a in tree[1:]]
    charge(*(end for argument in arguments for end in argument))
    match tree[0], arguments:
        case "exp", [(low, high)]:
            return exp(low, bits)[0], exp(high, bits)[1]
        case "log", [(low, high)]:
            return log(low, bits)[0], log(high, bits)[1]
        case "add", [a, b]:
            return a[0] + b[0], a[1] + b[1]
        case "sub", [a, b]:
            return a[0] - b[1], a[1] - b[0]
        case "neg", [a]:
            return -a[1], -a[0]
        case "mul", [a, b]:
            return _hull([x * y for x in a for y in b])
        case "div", [a, b]:
            return quotient(a, b)
        case "pow", [a, (exponent, same)] if exponent == same and exponent.denominator == 1:
            result = (Fraction(1), Fraction(1))
            for _ in range(abs(int(exponent))):
                charge(*result, *a)
                result = _hull([x * y for x in result for y in a])
            return result if exponent >= 0 else quotient((Fraction(1), Fraction(1)), result)
        case operator, _ if all(low == high for low, high in arguments):
            exact = {str(i): low for i, (low, _) in enumerate(arguments)}
            value = Fraction(terms.evaluate([operator, *exact], exact))
            return value, value
    raise ValueError(f"not an expression: {tree!r}")


def quotient(a: Interval, b: Interval) -> Interval:
    """All a / b; raises `ValueError` if b may be 0."""
    if b[0] <= 0 <= b[1]:
        raise ValueError("division by an interval around 0")
    return _hull([x / y for x in a for y in b])


def _hull(numbers: list[Fraction]) -> Interval:
    return min(numbers), max(numbers)


def _artanh_series(z: Fraction, bits: int) -> Interval:
    """2 artanh(z) for 0 <= z <= 1/3: odd powers; what is left out is at most the next term times 9/8."""
    work = bits + 16
    charge(z, 1 << work)
    low, high = _fixed(z, work)
    squares, low_total, high_total, j = (low * low >> work, -(-high * high >> work)), 0, 0, 1
    while high > 1:
        spend(price(work, work))
        low_total, high_total = low_total + low // j, high_total - (-high // j)
        low, high, j = low * squares[0] >> work, -(-high * squares[1] >> work), j + 2
    return Fraction(2 * low_total, 1 << work), Fraction(2 * (high_total + 2 * high), 1 << work)


def _fixed(x: Fraction, bits: int) -> tuple[int, int]:
    """The multiples of 2^-bits around x."""
    return (x.numerator << bits) // x.denominator, -((-x.numerator << bits) // x.denominator)
