"""Intervals of numbers with rational ends, and such enclosures of exp and log."""

import operator
from collections.abc import Callable
from fractions import Fraction

from dp_checks.kernel.polynomial import Number
from dp_checks.kernel.work import charge, price, remembered, spend


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
        charge(self.low, self.high, b.low, b.high)
        ends = [(x.low, x.high) if x.low != x.high else (x.low,) for x in (self, b)]
        found = [operation(x, y) for x in ends[0] for y in ends[1]]
        return Interval(min(found), max(found))

    def __add__(self, other: "Interval | Fraction | int") -> "Interval":
        b = Interval.of(other)
        charge(self.low, self.high, b.low, b.high)
        return Interval(self.low + b.low, self.high + b.high)

    def __mul__(self, other: "Interval | Fraction | int") -> "Interval":
        b = Interval.of(other)
        if self.low >= 0 <= b.low:
            charge(self.low, self.high, b.low, b.high)
            return Interval(self.low * b.low, self.high * b.high)
        return self._hull(operator.mul, b)

    def __truediv__(self, other: "Interval | Fraction | int") -> "Interval":
        b = Interval.of(other)
        if b.low <= 0 <= b.high:
            raise ZeroDivisionError("division by an interval around 0")
        return self._hull(operator.truediv, b)


@remembered
def exp(x: Fraction, bits: int) -> Interval:
    """e^x for x >= 0 is e^y squared k times, y = x / 2^k, and 1 + y <= e^y <= 1 + y + y^2; every step is rounded
    outwards to multiples of 4^-k. Errors double in each: x^2 / 2^k and 2^k / 4^k of the result remain.
    """
    if abs(x) > 4096:
        raise ValueError("an exponential that is too large")
    if x < 0:
        return 1 / exp(-x, bits)
    k = bits + 2 * int(x).bit_length() + 4
    charge(x, 1 << 2 * k)
    one, shifted = 1 << 2 * k, x * (1 << k)
    low, high = one + shifted // 1, one - (-shifted // 1) - (-x * x // 1)
    for _ in range(k):
        spend(price(high.bit_length(), high.bit_length()))
        low, high = low * low >> 2 * k, -(-high * high >> 2 * k)
    return Interval(Fraction(low, one), Fraction(high, one))


def log(x: Fraction, bits: int) -> Interval:
    """ln x for x > 0, by Newton's method: ln x = y + ln z with z = x e^-y, and 1 - 1/z <= ln z <= z - 1."""
    if x <= 0:
        raise ValueError("a logarithm of no positive number")
    y = Fraction(6931, 10_000) * (x.numerator.bit_length() - x.denominator.bit_length())
    while True:
        z = exp(-y, bits + 4) * x
        found = Interval(y + 1 - 1 / z.low, y + z.high - 1)
        if (found.high - found.low) * 2**bits < 1:
            return found
        y = Fraction(round((found.low + found.high) * 2 ** (bits - 1)), 2**bits)
