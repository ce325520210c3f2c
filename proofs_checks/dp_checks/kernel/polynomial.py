"""Sparse polynomials over Q and their fractions, just enough to expand, compare and read off signs."""

from collections.abc import Mapping
from fractions import Fraction
from math import prod
from typing import NamedTuple

Monomial = tuple[tuple[str, int], ...]
Polynomial = dict[Monomial, Fraction]
MAX_PRODUCTS, MAX_SHIFTED = 1_000_000, 20_000_000
"""Products of terms in one multiplication, and in one shift: more would keep the kernel busy for ever."""


def constant(value: Fraction | int) -> Polynomial:
    return {(): Fraction(value)} if value else {}


def add(a: Polynomial, b: Polynomial) -> Polynomial:
    total = dict(a)
    for monomial, coefficient in b.items():
        total[monomial] = total.get(monomial, Fraction(0)) + coefficient
    return {k: c for k, c in total.items() if c}


def multiply(a: Polynomial, b: Polynomial) -> Polynomial:
    if len(a) * len(b) > MAX_PRODUCTS:
        raise ValueError("an expression with too many terms")
    total: Polynomial = {}
    for left, c in a.items():
        for right, e in b.items():
            powers = dict(left)
            for name, exponent in right:
                powers[name] = powers.get(name, 0) + exponent
            monomial = tuple(sorted(powers.items()))
            total[monomial] = total.get(monomial, Fraction(0)) + c * e
    return {k: c for k, c in total.items() if c}


class Ratio:
    """A fraction of polynomials, not reduced; equality is by cross-multiplication."""

    __slots__ = ("den", "num")

    def __init__(self, num: Polynomial, den: Polynomial) -> None:
        if not den:
            raise ZeroDivisionError("denominator 0")
        self.num, self.den = num, den

    def __add__(self, other: "Ratio | Fraction | int") -> "Ratio":
        b = lift(other)
        if self.den == b.den:
            return Ratio(add(self.num, b.num), self.den)
        return Ratio(add(multiply(self.num, b.den), multiply(b.num, self.den)), multiply(self.den, b.den))

    def __mul__(self, other: "Ratio | Fraction | int") -> "Ratio":
        b = lift(other)
        return Ratio(multiply(self.num, b.num), multiply(self.den, b.den))

    def __truediv__(self, other: "Ratio | Fraction | int") -> "Ratio":
        b = lift(other)
        if self.den == b.den:
            return Ratio(self.num, b.num)
        return Ratio(multiply(self.num, b.den), multiply(self.den, b.num))

    def __neg__(self) -> "Ratio":
        return self * -1

    def __sub__(self, other: "Ratio | Fraction | int") -> "Ratio":
        return self + -lift(other)

    def __radd__(self, other: Fraction | int) -> "Ratio":
        return self + other

    def __rmul__(self, other: Fraction | int) -> "Ratio":
        return self * other

    def __rsub__(self, other: Fraction | int) -> "Ratio":
        return -self + other

    def __rtruediv__(self, other: Fraction | int) -> "Ratio":
        return lift(other) / self

    def __pow__(self, exponent: int) -> "Ratio":
        base = self if exponent >= 0 else 1 / self
        result = lift(1)
        for _ in range(abs(exponent)):
            result = result * base
        return result

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ratio | Fraction | int):
            return NotImplemented
        b = lift(other)
        return multiply(self.num, b.den) == multiply(b.num, self.den)

    __hash__ = None  # type: ignore[assignment]


def lift(value: "Ratio | Fraction | int") -> Ratio:
    return value if isinstance(value, Ratio) else Ratio(constant(value), constant(1))


def variable(name: str) -> Ratio:
    return Ratio({((name, 1),): Fraction(1)}, constant(1))


class Bound(NamedTuple):
    """A variable's range: from `low` (excluded if `strict`), or strictly between 0 and 1 if `unit`."""

    low: Fraction
    strict: bool
    unit: bool = False


def shifted(polynomial: Polynomial, bounds: Mapping[str, Bound]) -> Ratio:
    """The polynomial after x = low + x for every bounded variable, x = 1 / (1 + x) for a unit one."""
    if sum(prod(exponent + 1 for _, exponent in monomial) for monomial in polynomial) > MAX_SHIFTED:
        raise ValueError("an expression with too many terms")
    total = lift(0)
    for monomial, coefficient in polynomial.items():
        term = lift(coefficient)
        for name, exponent in monomial:
            if name not in bounds:
                raise ValueError(f"variable {name} has no range")
            bound = bounds[name]
            base = 1 / (1 + variable(name)) if bound.unit else variable(name) + bound.low
            term = term * base**exponent
        total = total + term
    return total


def is_nonnegative(value: Ratio, bounds: Mapping[str, Bound], *, strictly: bool = False) -> bool:
    """Whether numerator and denominator have coefficients >= 0 after the shift (denominator: provably > 0).

    `strictly` asks in addition for a term of the numerator that is positive on the whole range.
    """
    num, den = shifted(value.num, bounds), shifted(value.den, bounds)
    # the shift of a unit variable leaves powers of 1 + x > 0 below: they do not change signs
    return _coefficients(num.num, bounds, strictly) and _coefficients(den.num, bounds, True)


def _coefficients(polynomial: Polynomial, bounds: Mapping[str, Bound], strictly: bool) -> bool:
    if any(c < 0 for c in polynomial.values()):
        return False
    return not strictly or any(
        all(bounds[name].strict or bounds[name].unit for name, _ in monomial) for monomial in polynomial
    )
