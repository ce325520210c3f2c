"""Sparse polynomials over Q and their fractions, just enough to expand, compare and read off signs."""

from bisect import bisect_left
from collections.abc import Mapping
from fractions import Fraction
from math import comb, lcm
from typing import Any, NamedTuple

from dp_checks.kernel.work import charge, price, spend

Monomial = tuple[tuple[str, int], ...]
Polynomial = dict[Monomial, Fraction]
ATOMS = ("binom[", "more[")
"""How names of numbers of subsets begin: > 0, and >= 0; no statement can use such names."""
MAX_QUOTIENT = 200
"""Terms of a quotient that is looked for."""
MAX_EXPONENT = 2**32
"""Larger exponents could be chosen to have equal hashes."""
ONE: Polynomial = {(): Fraction(1)}


def constant(value: Fraction | int) -> Polynomial:
    return {(): Fraction(value)} if value else {}


def add(*parts: Polynomial) -> Polynomial:
    total: Polynomial = {}
    for part in parts:
        spend(1 + (len(part) >> 1))
        for monomial, coefficient in part.items():
            known = total.get(monomial)
            if known is not None:
                charge(known, coefficient)
            total[monomial] = coefficient if known is None else known + coefficient
    return {k: c for k, c in total.items() if c}


def multiply(a: Polynomial, b: Polynomial) -> Polynomial:
    if len(a) < len(b):
        a, b = b, a
    spend(1)
    if b == ONE:
        return a
    (tops, scale), (others, other_scale) = _cleared(a), _cleared(b)
    scale *= other_scale
    bits = [max((c.bit_length() for c in part.values()), default=0) + scale.bit_length() for part in (tops, others)]
    each, widest = price(*bits), max(map(len, b), default=0)
    total: dict[Monomial, int] = {}
    for left, c in tops.items():
        spend(len(b) * (each + (len(left) + widest >> 2)))
        known = len(total)
        for right, e in others.items():
            monomial = _times(left, right)
            total[monomial] = total.get(monomial, 0) + c * e
        spend((3 + len(left) + widest) * (len(total) - known))
    return {k: Fraction(c, scale) if scale > 1 else Fraction(c) for k, c in total.items() if c}


def _times(a: Monomial, b: Monomial) -> Monomial:
    if not a or not b:
        return a or b
    powers = dict(a)
    for name, exponent in b:
        powers[name] = powers.get(name, 0) + exponent
    return tuple(sorted(powers.items()))


def _cleared(polynomial: Polynomial) -> tuple[dict[Monomial, int], int]:
    """The polynomial times its least common denominator, which comes with it."""
    denominators = {c.denominator for c in polynomial.values()}
    if denominators <= {1}:
        return {monomial: c.numerator for monomial, c in polynomial.items()}, 1
    bits = sum(d.bit_length() for d in denominators)
    spend(price(bits, bits) + len(polynomial) * price(bits, bits))
    scale = lcm(*denominators)
    return {monomial: c.numerator * (scale // c.denominator) for monomial, c in polynomial.items()}, scale


def _quotient(a: Polynomial, b: Polynomial) -> Polynomial | None:
    """a / b if that is a polynomial: the leading monomial, in the lexicographic order of exponents, goes first."""
    if a == b:
        return constant(1)
    names = sorted({name for part in (a, b) for monomial in part for name, _ in monomial})
    rest, by = ({tuple(dict(mono).get(x, 0) for x in names): c for mono, c in part.items()} for part in (a, b))
    lead = max(by)
    found: dict[tuple[int, ...], Fraction] = {}
    while rest:
        spend(len(rest) + (3 + len(names)) * len(by))
        top = max(rest)
        step = tuple(x - y for x, y in zip(top, lead, strict=True))
        if min(step, default=0) < 0 or len(found) == MAX_QUOTIENT:
            return None
        found[step] = rest[top] / by[lead]
        for exponents, c in by.items():
            key = tuple(x + y for x, y in zip(exponents, step, strict=True))
            charge(found[step], c)
            rest[key] = rest.get(key, Fraction(0)) - found[step] * c
            if not rest[key]:
                del rest[key]
    return {tuple((x, e) for x, e in zip(names, step, strict=True) if e): c for step, c in found.items()}


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
        spend(1 + (len(num) + len(den) >> 3))
        self.num, self.den = _without_common_powers(num, den)

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
        highest = max((e for part in (self.num, self.den) for monomial in part for _, e in monomial), default=0)
        if abs(exponent) * highest >= MAX_EXPONENT:
            raise ValueError("an exponent that is too large")
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
    `unit`; `whole`: integers only."""

    low: Fraction
    strict: bool
    unit: bool = False
    closed: bool = False
    whole: bool = False


def shifted(polynomial: Polynomial, bounds: Mapping[str, Bound]) -> dict[Monomial, Any]:
    """A positive multiple of the polynomial after x = low + x for every bounded variable, x = 1 / (1 + x) for a unit
    one.

    Denominators of coefficients are cleared, and of unit variables a power of 1 + x > 0: signs stay.
    """
    cleared: dict[Monomial, Any] = _cleared(polynomial)[0]
    for name in sorted({name for monomial in polynomial for name, _ in monomial}):
        bound = _bound(name, bounds)
        if bound.unit or bound.low:
            cleared = _shifted_in(cleared, name, bound)
    return cleared


def _bound(name: str, bounds: Mapping[str, Bound]) -> Bound:
    """The range of a variable; numbers of subsets have theirs by their names (see `binomials`)."""
    if name.startswith(ATOMS):
        return Bound(Fraction(0), name.startswith(ATOMS[0]))
    if name not in bounds:
        raise ValueError(f"variable {name} has no range")
    return bounds[name]


def _shifted_in(polynomial: dict[Monomial, Any], name: str, bound: Bound) -> dict[Monomial, Any]:
    slices: dict[tuple[Monomial, Monomial], list[tuple[int, Any]]] = {}
    for monomial, coefficient in polynomial.items():
        i = bisect_left(monomial, (name,))
        here = i < len(monomial) and monomial[i][0] == name
        part = slices.setdefault((monomial[:i], monomial[i + here :]), [])
        part.append((monomial[i][1] if here else 0, coefficient))
    degree = max(exponent for part in slices.values() for exponent, _ in part)
    low = 1 if bound.unit else int(bound.low) if bound.low.denominator == 1 else bound.low
    width = 1 + max(low.numerator.bit_length(), low.denominator.bit_length())
    rows: dict[int, list[Any]] = {}
    total: dict[Monomial, Any] = {}
    for (before, after), part in slices.items():
        spend(1 + (degree >> 3))
        column: list[Any] = [0] * (degree + 1)
        for exponent, coefficient in part:
            power = degree - exponent if bound.unit else exponent
            bits = coefficient.numerator.bit_length() + coefficient.denominator.bit_length()
            spend(1 + (power + 3 >> 2) * price(bits, power * width))
            if power not in rows:
                spend(1 + power * price(power * width, power * width))
                rows[power] = [comb(power, k) * low ** (power - k) for k in range(power + 1)]
            for k, factor in enumerate(rows[power]):
                column[k] += coefficient * factor
        for k, coefficient in enumerate(column):
            if coefficient:
                spend(3 + len(before) + len(after))
                total[(*before, (name, k), *after) if k else before + after] = coefficient
    return total


def substituted(value: Ratio, values: Mapping[str, Ratio]) -> Ratio:
    """The fraction with variables replaced: powers of the denominators are cleared once, not term by term."""
    names = {name for part in (value.num, value.den) for monomial in part for name, _ in monomial}
    if any(replaced in name for name in names - values.keys() if name.startswith("(") for replaced in values):
        raise ValueError("nothing is put into a power with a symbolic exponent: it is named by what it was")
    atoms = {x for part in (value.num, value.den) for mono in part for x, _ in mono if x.startswith(ATOMS)}
    if any(repr(name) in atom for atom in atoms for name in values):
        raise ValueError("a number of subsets depends on a variable that is replaced")
    top, bottom = (_substituted(part, values) for part in (value.num, value.den))
    return top / bottom


def _substituted(polynomial: Polynomial, values: Mapping[str, Ratio]) -> Ratio:
    used = {name for monomial in polynomial for name, _ in monomial} & values.keys()
    degrees = {name: max(dict(monomial).get(name, 0) for monomial in polynomial) for name in used}
    powers: dict[tuple[str, int, bool], Polynomial] = {}

    def power(name: str, exponent: int, of_top: bool) -> Polynomial:
        if exponent == 0:
            return constant(1)
        if (name, exponent, of_top) not in powers:
            base = values[name].num if of_top else values[name].den
            powers[name, exponent, of_top] = multiply(power(name, exponent - 1, of_top), base)
        return powers[name, exponent, of_top]

    terms: list[Polynomial] = []
    for monomial, coefficient in polynomial.items():
        rest = tuple(pair for pair in monomial if pair[0] not in used)
        term: Polynomial = {rest: coefficient}
        exponents = dict(monomial)
        for name, degree in degrees.items():
            exponent = exponents.get(name, 0)
            term = multiply(multiply(term, power(name, exponent, True)), power(name, degree - exponent, False))
        terms.append(term)
    cleared = constant(1)
    for name, degree in degrees.items():
        cleared = multiply(cleared, power(name, degree, False))
    return Ratio(add(*terms), cleared)


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
        all((b.strict or b.unit) and not b.closed for b in (_bound(name, bounds) for name, _ in monomial))
        for monomial in polynomial
    )
