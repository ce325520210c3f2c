"""Sparse polynomials over Z and their fractions, just enough to expand, compare and read off signs."""

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import gcd
from typing import Any, NamedTuple, Self

from dp_kernel.meter import pay, price, require

Monomial = tuple[tuple[str, int], ...]
Polynomial = dict[Monomial, int]
ATOMS = ("binom[", "more[")
LOG = "log["
"""How names of numbers of subsets begin (> 0; >= 0), and of logarithms of primes; no statement can use such names."""
POWER = re.compile(r"\((\w+)\)\^(\w+|\[\w+\])")
"""How a number or a variable to the power of a variable is named."""
MAX_EXPONENT = 2**32
"""Larger exponents could be chosen to have equal hashes."""
ONE: Polynomial = {(): 1}


def _bits(polynomial: Polynomial) -> int:
    """The length of the longest coefficient."""
    return max(map(int.bit_length, polynomial.values()), default=0)


def _traversed(*parts: Polynomial, times: int = 1) -> None:
    """Pay for looking at every term, and at every power of a variable in it."""
    pay(1 + (times * sum(len(part) + sum(map(len, part)) for part in parts) >> 2))


def add(a: Polynomial, b: Polynomial) -> Polynomial:
    _traversed(a, b)
    pay((len(a) + len(b)) * (_bits(a) + _bits(b) >> 10))
    total = dict(a)
    for monomial, coefficient in b.items():
        total[monomial] = total.get(monomial, 0) + coefficient
    return {monomial: c for monomial, c in total.items() if c}


def multiply(a: Polynomial, b: Polynomial) -> Polynomial:
    if len(a) < len(b):
        a, b = b, a
    pay(1)
    if not b or b == ONE:
        return a if b else b
    each, widest = price(_bits(a), _bits(b)), max(map(len, b), default=0)
    total: Polynomial = {}
    for left, c in a.items():
        pay(len(b) * (each + (len(left) + widest >> 2)))
        size = len(total)
        for right, e in b.items():
            monomial = _times(left, right)
            total[monomial] = total.get(monomial, 0) + c * e
        pay((3 + len(left) + widest) * (len(total) - size))
    return {monomial: c for monomial, c in total.items() if c}


def _times(a: Monomial, b: Monomial) -> Monomial:
    if not a or not b:
        return a or b
    powers = dict(a)
    for name, exponent in b:
        powers[name] = powers.get(name, 0) + exponent
    return tuple(sorted(powers.items()))


def _quotient(a: Polynomial, b: Polynomial) -> Polynomial | None:
    """a / b if that is a polynomial: the leading monomial, in the lexicographic order of exponents, goes first."""
    _traversed(a, b)
    if a == b:
        return ONE
    names = sorted({name for monomial in a for name, _ in monomial})
    if not {name for monomial in b for name, _ in monomial}.issubset(names):
        return None
    pay((len(a) + len(b)) * (1 + len(names)) >> 2)
    rest, by = ({tuple(dict(mono).get(x, 0) for x in names): c for mono, c in part.items()} for part in (a, b))
    lead, quotient, each = max(by), Polynomial(), price(_bits(a), _bits(b))
    while rest:
        pay(len(rest) * (8 + len(names) >> 3) + (2 + len(names) + each) * len(by))
        top = max(rest)
        step = tuple(x - y for x, y in zip(top, lead, strict=True))
        factor, remainder = divmod(rest[top], by[lead])
        if remainder or min(step, default=0) < 0:
            return None
        quotient[tuple((x, e) for x, e in zip(names, step, strict=True) if e)] = factor
        for exponents, c in by.items():
            key = tuple(x + y for x, y in zip(exponents, step, strict=True))
            rest[key] = rest.get(key, 0) - factor * c
            if not rest[key]:
                del rest[key]
    return quotient


def _reduced(num: Polynomial, den: Polynomial) -> tuple[Polynomial, Polynomial]:
    """Both parts without the integer and the powers of variables that divide every one of their terms."""
    pay(1 + (len(num) + len(den) >> 3) + price(bits := _bits(den), bits))
    if not num or den == ONE:
        return num, ONE
    divisor = gcd(*den.values())
    if divisor > 1:
        pay(price(_bits(num), divisor.bit_length()) * len(num))
        divisor = gcd(divisor, *num.values())
    shortest: Monomial = min(den, key=len)
    shared = dict(shortest)
    for monomial in (*den, *num):
        if not shared:
            break
        pay(1 + (len(monomial) + len(shared) >> 2))
        powers = dict(monomial)
        shared = {x: min(e, powers[x]) for x, e in shared.items() if x in powers}
    if divisor == 1 and not shared:
        return num, den
    _traversed(num, den, times=4)

    def divided(part: Polynomial) -> Polynomial:
        return {
            tuple((x, e - shared.get(x, 0)) for x, e in mono if e > shared.get(x, 0)) if shared else mono: c // divisor
            for mono, c in part.items()
        }

    return divided(num), divided(den)


class Number:
    """What +, * and / of a kind of numbers make of the other operators."""

    __slots__ = ()
    of: Callable[..., Self]
    __add__: Callable[[Any, Any], Self]
    __mul__: Callable[[Any, Any], Self]
    __truediv__: Callable[[Any, Any], Self]

    def __neg__(self) -> Self:
        return self * -1

    def __sub__(self, other: Self | Fraction | int) -> Self:
        return self + -other

    def __radd__(self, other: Fraction | int) -> Self:
        return self + other

    def __rmul__(self, other: Fraction | int) -> Self:
        return self * other

    def __rsub__(self, other: Fraction | int) -> Self:
        return -self + other

    def __rtruediv__(self, other: Fraction | int) -> Self:
        return self.of(other) / self

    def __pow__(self, exponent: int) -> Self:
        result = self.of(1)
        for _ in range(abs(exponent)):
            result = result * self
        return result if exponent >= 0 else 1 / result


class Ratio(Number):
    """A fraction of polynomials, not reduced; equality is by cross-multiplication where denominators differ."""

    __slots__ = ("den", "num")

    def __init__(self, num: Polynomial, den: Polynomial) -> None:
        if not den:
            raise ZeroDivisionError("denominator 0")
        self.num, self.den = _reduced(num, den)

    @classmethod
    def of(cls, value: "Ratio | Fraction | int") -> "Ratio":
        if isinstance(value, Ratio):
            return value
        return Ratio({(): value.numerator} if value else {}, {(): value.denominator})

    def __add__(self, other: "Ratio | Fraction | int") -> "Ratio":
        b = lift(other)
        for x, y in ((self, b), (b, self)):
            factor = _quotient(x.den, y.den)
            if factor is not None:
                return Ratio(add(x.num, multiply(y.num, factor)), x.den)
        return Ratio(add(multiply(self.num, b.den), multiply(b.num, self.den)), multiply(self.den, b.den))

    def __mul__(self, other: "Ratio | Fraction | int") -> "Ratio":
        b = lift(other)
        return Ratio(multiply(self.num, b.num), multiply(self.den, b.den))

    def __truediv__(self, other: "Ratio | Fraction | int") -> "Ratio":
        b = lift(other)
        if self.den == b.den:
            return Ratio(self.num, b.num)
        return Ratio(multiply(self.num, b.den), multiply(self.den, b.num))

    def __pow__(self, exponent: int) -> "Ratio":
        _traversed(self.num, self.den)
        highest = max((e for part in (self.num, self.den) for monomial in part for _, e in monomial), default=0)
        require(abs(exponent) * highest < MAX_EXPONENT, "an exponent that is too large")
        return super().__pow__(exponent)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ratio | Fraction | int):
            return NotImplemented
        b = lift(other)
        _traversed(self.num, self.den, b.num, b.den)
        if self.den == b.den:
            return self.num == b.num
        return multiply(self.num, b.den) == multiply(b.num, self.den)

    __hash__ = None  # type: ignore[assignment]


lift = Ratio.of


def variable(name: str) -> Ratio:
    return Ratio({((name, 1),): 1}, ONE)


def variables_of(value: Ratio) -> set[str]:
    _traversed(value.num, value.den)
    return {name for part in (value.num, value.den) for monomial in part for name, _ in monomial}


class Bound(NamedTuple):
    """A variable's range: from `low`, or from 0 to 1 without 0 if `unit`; `strict`: the bound (1, if unit) is excluded;
    `whole`: integers only."""

    low: Fraction
    strict: bool
    unit: bool = False
    whole: bool = False


def bound_of(name: str, bounds: Mapping[str, Bound]) -> Bound:
    """The range of a variable; numbers of subsets (see `binomials`) and powers of what is >= 1 have theirs by name."""
    if name.startswith((*ATOMS, LOG)):
        return Bound(Fraction(0), not name.startswith(ATOMS[1]))
    if power := POWER.fullmatch(name):
        base = Bound(Fraction(power[1]), False, whole=True) if power[1].isdigit() else bound_of(power[1], bounds)
        exponent = bound_of(power[2], bounds)
        if base.low >= 1 and exponent.low >= 0 and exponent.whole:
            return Bound(base.low ** min(int(exponent.low), 64), False, whole=base.whole)
    require(name in bounds, f"variable {name} has no range")
    return bounds[name]


def substituted(value: Ratio, values: Mapping[str, Ratio | Fraction | int]) -> Ratio:
    """The fraction with variables replaced, all at once."""
    for name in variables_of(value) - values.keys():
        if name.startswith("(") and any(replaced in name for replaced in values):
            raise ValueError("nothing is put into a power with a symbolic exponent: it is named by what it was")
        if name.startswith(ATOMS) and any(repr(replaced) in name for replaced in values):
            raise ValueError("a number of subsets depends on a variable that is replaced")
    return Ratio(*_replaced(value, {name: lift(x) for name, x in values.items()}))


def _replaced(value: Ratio, values: Mapping[str, Ratio]) -> tuple[Polynomial, Polynomial]:
    """Numerator and denominator with variables replaced, both times the same power of every denominator of a value."""
    _traversed(value.num, value.den)
    degrees: dict[str, int] = {}
    for monomial in (*value.num, *value.den):
        for name, exponent in monomial:
            if name in values:
                degrees[name] = max(degrees.get(name, 0), exponent)

    def replaced(part: Polynomial, names: tuple[str, ...]) -> Polynomial:
        """By Horner's scheme in the first name; the coefficients are free of it."""
        if not names or not part:
            return part
        _traversed(part)
        pay(len(part))
        slices: dict[int, Polynomial] = {}
        for monomial, c in part.items():
            others = tuple(pair for pair in monomial if pair[0] != names[0])
            slices.setdefault(dict(monomial).get(names[0], 0), {})[others] = c
        total, cleared, at = Polynomial(), ONE, values[names[0]]
        for exponent in range(degrees[names[0]], -1, -1):
            here = replaced(slices.get(exponent, {}), names[1:])
            total = add(multiply(total, at.num), multiply(here, cleared))
            cleared = multiply(cleared, at.den)
        return total

    names = tuple(sorted(degrees))
    return replaced(value.num, names), replaced(value.den, names)


def is_nonnegative(value: Ratio, bounds: Mapping[str, Bound], *, strictly: bool = False) -> bool:
    """Whether numerator and denominator have coefficients >= 0 in variables from 0 on (denominator: provably > 0):
    x - low for x, and 1 / x - 1 for a unit one.

    `strictly` asks in addition for a term of the numerator that is positive on the whole range.
    """
    if value.num.keys() | value.den.keys() <= {()}:  # numbers, which points of domains are made of
        sign = value.num.get((), 0) * value.den[()]
        return sign > 0 or (sign == 0 and not strictly)
    ranges = {name: bound_of(name, bounds) for name in variables_of(value)}
    lower = {name: variable(name) + x.low for name, x in ranges.items() if x.low and not x.unit}
    num, den = _replaced(value, lower | {name: 1 / (1 + variable(name)) for name, x in ranges.items() if x.unit})
    if any(c < 0 for c in den.values()):
        num, den = ({monomial: -c for monomial, c in part.items()} for part in (num, den))
    return _coefficients(num, bounds, strictly) and _coefficients(den, bounds, True)


def _coefficients(polynomial: Polynomial, bounds: Mapping[str, Bound], strictly: bool) -> bool:
    _traversed(polynomial, times=3 * strictly + 1)
    if any(c < 0 for c in polynomial.values()):
        return False
    return not strictly or any(all(bound_of(name, bounds).strict for name, _ in monomial) for monomial in polynomial)
