"""Rational enclosures of exp, log and sqrt, and interval arithmetic on expression trees that contain them."""

from collections.abc import Mapping
from fractions import Fraction
from math import isqrt
from typing import Any

Interval = tuple[Fraction, Fraction]


def exp(x: Fraction, bits: int) -> Interval:
    """e^x: Taylor's series at x / 2^k in [-1/2, 1/2] with its remainder, squared k times."""
    if abs(x) > 4096:
        raise ValueError(f"e^{x} is too large")
    if x < 0:
        low, high = exp(-x, bits)
        return 1 / high, 1 / low
    halvings = max(0, (2 * x.numerator // x.denominator).bit_length() + 1)
    small = x / 2**halvings
    work = bits + 2 * halvings + 8
    total, term, j = Fraction(1), Fraction(1), 0
    while term > Fraction(1, 2**work):
        j += 1
        term = term * small / j
        total += term
    # the terms left out are smaller than those of a geometric series with ratio 1/2
    low, high = _rounded((total, total + 2 * term), work)
    for _ in range(halvings):
        low, high = _rounded((low * low, high * high), work)
    return low, high


def log(x: Fraction, bits: int) -> Interval:
    """ln x for x > 0: ln(x) = k ln 2 + 2 artanh((y - 1)/(y + 1)) with y = x / 2^k in [1, 2]."""
    if x <= 0:
        raise ValueError(f"log of {x}")
    k = 0
    while x >= 2:
        x, k = x / 2, k + 1
    while x < 1:
        x, k = x * 2, k - 1
    low, high = _artanh_series((x - 1) / (x + 1), bits)
    two_low, two_high = _artanh_series(Fraction(1, 3), bits + abs(k).bit_length())
    return (low + k * (two_low if k >= 0 else two_high), high + k * (two_high if k >= 0 else two_low))


def sqrt(x: Fraction, bits: int) -> Interval:
    """The square root of x >= 0 from the integer square root."""
    if x < 0:
        raise ValueError(f"square root of {x}")
    scale = 4**bits
    root = isqrt(x.numerator * scale // x.denominator)
    return Fraction(root, 2**bits), Fraction(root + 1, 2**bits)


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
    match tree[0], arguments:
        case "exp", [(low, high)]:
            return exp(low, bits)[0], exp(high, bits)[1]
        case "log", [(low, high)]:
            return log(low, bits)[0], log(high, bits)[1]
        case "sqrt", [(low, high)]:
            return sqrt(low, bits)[0], sqrt(high, bits)[1]
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
            digits = max(n.bit_length() for x in a for n in x.as_integer_ratio())
            if abs(exponent) * digits > 1_000_000:
                raise ValueError("a power with too many digits")
            result = (Fraction(1), Fraction(1))
            for _ in range(abs(int(exponent))):
                result = _hull([x * y for x in result for y in a])
            return result if exponent >= 0 else quotient((Fraction(1), Fraction(1)), result)
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
    total, power, j = Fraction(0), z, 0
    while power > Fraction(1, 2 ** (bits + 4)):
        total += power / (2 * j + 1)
        power, j = power * z * z, j + 1
    return _rounded((2 * total, 2 * (total + 2 * power)), bits + 8)


def _rounded(interval: Interval, bits: int) -> Interval:
    """The interval widened to denominators 2^bits, so that numbers stay small."""
    scale = 2**bits
    low, high = interval
    return Fraction(low.numerator * scale // low.denominator, scale), Fraction(
        -(-high.numerator * scale // high.denominator), scale
    )
