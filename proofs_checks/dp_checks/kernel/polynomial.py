"""Sparse polynomials over Q and their fractions, just enough to expand, compare and read off signs."""

from collections.abc import Mapping
from fractions import Fraction
from math import comb, lcm, prod
from typing import Any, NamedTuple

Monomial = tuple[tuple[str, int], ...]
Polynomial = dict[Monomial, Fraction]
MAX_PRODUCTS, MAX_SUBSTITUTED, MAX_SHIFTED = 1_000_000, 200_000, 20_000_000
"""Products of terms in one multiplication, substitution or shift: more would keep the kernel busy for ever."""


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


def _without_common_powers(num: Polynomial, den: Polynomial) -> tuple[Polynomial, Polynomial]:
    """Both parts without the powers of variables that divide every one of their terms."""
    if () in den or () in num or not num:
        return num, den
    common: dict[str, int] | None = None
    for monomial in (*den, *num):
        exponents = dict(monomial)
        if common is None:
            common = exponents
        else:
            common = {name: min(e, exponents[name]) for name, e in common.items() if name in exponents}
        if not common:
            return num, den
    shared = common or {}

    def divided(part: Polynomial) -> Polynomial:
        return {
            tuple((name, e - shared.get(name, 0)) for name, e in monomial if e > shared.get(name, 0)): c
            for monomial, c in part.items()
        }

    return divided(num), divided(den)


class Ratio:
    """A fraction of polynomials, not reduced; equality is by cross-multiplication."""

    __slots__ = ("den", "num")

    def __init__(self, num: Polynomial, den: Polynomial) -> None:
        if not den:
            raise ZeroDivisionError("denominator 0")
        self.num, self.den = _without_common_powers(num, den)

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
    """A variable's range: from `low` (excluded if `strict`), or strictly between 0 and 1 (at most 1 if `closed`) if
    `unit`."""

    low: Fraction
    strict: bool
    unit: bool = False
    closed: bool = False


def shifted(polynomial: Polynomial, bounds: Mapping[str, Bound]) -> dict[Monomial, Any]:
    """A positive multiple of the polynomial after x = low + x for every bounded variable, x = 1 / (1 + x) for a unit
    one.

    Denominators of coefficients are cleared, and of unit variables a power of 1 + x > 0: signs stay.
    """
    if sum(prod(exponent + 1 for _, exponent in monomial) for monomial in polynomial) > MAX_SHIFTED:
        raise ValueError("an expression with too many terms")
    scale = lcm(*(c.denominator for c in polynomial.values()))
    cleared: dict[Monomial, Any] = {monomial: int(c * scale) for monomial, c in polynomial.items()}
    for name in sorted({name for monomial in polynomial for name, _ in monomial}):
        if name not in bounds:
            raise ValueError(f"variable {name} has no range")
        if bounds[name].unit or bounds[name].low:
            cleared = _shifted_in(cleared, name, bounds[name])
    return cleared


def _shifted_in(polynomial: dict[Monomial, Any], name: str, bound: Bound) -> dict[Monomial, Any]:
    degree = max(dict(monomial).get(name, 0) for monomial in polynomial)
    low = 1 if bound.unit else int(bound.low) if bound.low.denominator == 1 else bound.low
    present = {dict(monomial).get(name, 0) for monomial in polynomial}
    used = {degree - exponent for exponent in present} if bound.unit else present
    rows = {power: [comb(power, k) * low ** (power - k) for k in range(power + 1)] for power in used}
    total: dict[Monomial, Any] = {}
    for monomial, coefficient in polynomial.items():
        before = tuple(pair for pair in monomial if pair[0] < name)
        exponent = dict(monomial).get(name, 0)
        after = tuple(pair for pair in monomial if pair[0] > name)
        for k, factor in enumerate(rows[degree - exponent if bound.unit else exponent]):
            key = (*before, (name, k), *after) if k else before + after
            total[key] = total.get(key, 0) + coefficient * factor
    return {k: c for k, c in total.items() if c}


def substituted(value: Ratio, values: Mapping[str, Ratio]) -> Ratio:
    """The fraction with variables replaced: powers of the denominators are cleared once, not term by term."""
    top, bottom = (_substituted(part, values) for part in (value.num, value.den))
    return top / bottom


def _substituted(polynomial: Polynomial, values: Mapping[str, Ratio]) -> Ratio:
    used = {name for monomial in polynomial for name, _ in monomial} & values.keys()
    degrees = {name: max(dict(monomial).get(name, 0) for monomial in polynomial) for name in used}
    powers: dict[tuple[str, int, bool], Polynomial] = {}
    work = 0

    def counted(a: Polynomial, b: Polynomial) -> Polynomial:
        nonlocal work
        work += len(a) * len(b)
        if work > MAX_SUBSTITUTED:
            raise ValueError("an expression with too many terms")
        return multiply(a, b)

    def power(name: str, exponent: int, of_top: bool) -> Polynomial:
        if exponent == 0:
            return constant(1)
        if (name, exponent, of_top) not in powers:
            base = values[name].num if of_top else values[name].den
            powers[name, exponent, of_top] = counted(power(name, exponent - 1, of_top), base)
        return powers[name, exponent, of_top]

    total: Polynomial = {}
    for monomial, coefficient in polynomial.items():
        rest = tuple(pair for pair in monomial if pair[0] not in used)
        term: Polynomial = {rest: coefficient}
        exponents = dict(monomial)
        for name, degree in degrees.items():
            exponent = exponents.get(name, 0)
            term = counted(counted(term, power(name, exponent, True)), power(name, degree - exponent, False))
        total = add(total, term)
    cleared = constant(1)
    for name, degree in degrees.items():
        cleared = counted(cleared, power(name, degree, False))
    return Ratio(total, cleared)


def is_nonnegative(value: Ratio, bounds: Mapping[str, Bound], *, strictly: bool = False) -> bool:
    """Whether numerator and denominator have coefficients >= 0 after the shift (denominator: provably > 0).

    `strictly` asks in addition for a term of the numerator that is positive on the whole range.
    """
    num, den = shifted(value.num, bounds), shifted(value.den, bounds)
    return _coefficients(num, bounds, strictly) and _coefficients(den, bounds, True)


def _coefficients(polynomial: Mapping[Monomial, Any], bounds: Mapping[str, Bound], strictly: bool) -> bool:
    if any(c < 0 for c in polynomial.values()):
        return False
    return not strictly or any(
        all((bounds[name].strict or bounds[name].unit) and not bounds[name].closed for name, _ in monomial)
        for monomial in polynomial
    )
