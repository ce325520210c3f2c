"""The field Q(x1, ..., xk) with an ordered domain: what decides a statement for *every* epsilon at once.

A field names its variables and their lower bounds; `sign` holds on the whole open domain x_i > bound_i. Signs are read
off the coefficients after the shift x_i = bound_i + s_i (all >= 0: positive); what that does not settle is undecided.
"""

from collections.abc import Mapping
from fractions import Fraction

from flint import Ordering as MonomialOrder
from flint import fmpq, fmpz, fmpz_mpoly, fmpz_mpoly_ctx

from dp_spec.vocabulary.exceptions import DomainError


class RationalFunctionField:
    """Rational functions with integer coefficients in the variables of `bounds` (name -> lower bound, an integer)."""

    def __init__(self, bounds: Mapping[str, int]) -> None:
        if not bounds:
            raise DomainError("bounds", dict(bounds), "at least one variable")
        self.bounds: dict[str, int] = dict(bounds)
        self._context = fmpz_mpoly_ctx.get(tuple(bounds), MonomialOrder.lex)
        self._shift = [g + b for g, b in zip(self._context.gens(), bounds.values(), strict=True)]

    def variable(self, name: str) -> "RationalFunction":
        """The variable called `name`."""
        if name not in self.bounds:
            raise DomainError("name", name, f"one of {sorted(self.bounds)}")
        return RationalFunction(
            self, self._context.gen(self._context.variable_to_index(name)), self._context.constant(1)
        )

    def lift(self, number: object) -> "RationalFunction":
        """An integer, fraction or element of this field as an element of this field."""
        if isinstance(number, RationalFunction):
            if number.field is not self and number.field.bounds != self.bounds:
                raise DomainError("number", number, f"an element of Q({', '.join(self.bounds)})")
            return number
        if isinstance(number, bool) or not isinstance(number, int | fmpz | fmpq | Fraction):
            raise DomainError("number", number, "an exact number")
        if isinstance(number, fmpq):
            numerator, denominator = number.p, number.q
        else:
            numerator, denominator = fmpz(int(number.numerator)), fmpz(int(number.denominator))
        return RationalFunction(self, self._context.constant(numerator), self._context.constant(denominator))

    def sign(self, function: "RationalFunction") -> int:
        """-1, 0 or 1 where that is the sign on the whole open domain; 2 where the coefficients do not tell."""
        if function.numerator.is_zero():
            return 0
        top, bottom = (self._sign_of(p) for p in (function.numerator, function.denominator))
        return 2 if 2 in (top, bottom) else top * bottom

    def _sign_of(self, polynomial: fmpz_mpoly) -> int:
        coefficients = polynomial.compose(*self._shift, ctx=self._context).coeffs()
        if all(c >= 0 for c in coefficients):
            return 1
        return -1 if all(c <= 0 for c in coefficients) else 2


class RationalFunction:
    """A reduced fraction of two integer polynomials, denominator with positive leading coefficient."""

    __slots__ = ("denominator", "field", "numerator")

    def __init__(self, field: RationalFunctionField, numerator: fmpz_mpoly, denominator: fmpz_mpoly) -> None:
        if denominator.is_zero():
            raise ZeroDivisionError("rational function with denominator 0")
        common = numerator.gcd(denominator)
        if denominator.coefficient(0) < 0:
            common = -common
        self.field: RationalFunctionField = field
        self.numerator: fmpz_mpoly = numerator / common
        self.denominator: fmpz_mpoly = denominator / common

    def __add__(self, other: "RationalFunction | int") -> "RationalFunction":
        b = self.field.lift(other)
        return RationalFunction(
            self.field,
            self.numerator * b.denominator + b.numerator * self.denominator,
            self.denominator * b.denominator,
        )

    def __mul__(self, other: "RationalFunction | int") -> "RationalFunction":
        b = self.field.lift(other)
        return RationalFunction(self.field, self.numerator * b.numerator, self.denominator * b.denominator)

    def __truediv__(self, other: "RationalFunction | int") -> "RationalFunction":
        b = self.field.lift(other)
        return RationalFunction(self.field, self.numerator * b.denominator, self.denominator * b.numerator)

    def __neg__(self) -> "RationalFunction":
        return RationalFunction(self.field, -self.numerator, self.denominator)

    def __sub__(self, other: "RationalFunction | int") -> "RationalFunction":
        return self + (-self.field.lift(other))

    def __radd__(self, other: int) -> "RationalFunction":
        return self + other

    def __rmul__(self, other: int) -> "RationalFunction":
        return self * other

    def __rsub__(self, other: int) -> "RationalFunction":
        return -self + other

    def __rtruediv__(self, other: int) -> "RationalFunction":
        return self.field.lift(other) / self

    def __pow__(self, exponent: int) -> "RationalFunction":
        if exponent < 0:
            return RationalFunction(self.field, self.denominator**-exponent, self.numerator**-exponent)
        return RationalFunction(self.field, self.numerator**exponent, self.denominator**exponent)

    def __bool__(self) -> bool:
        """Whether it is not 0."""
        return not self.numerator.is_zero()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RationalFunction | int | fmpz | fmpq | Fraction):
            return NotImplemented
        b = self.field.lift(other)
        return bool(self.numerator == b.numerator and self.denominator == b.denominator)

    def __hash__(self) -> int:
        return hash((str(self.numerator), str(self.denominator)))

    def at(self, values: Mapping[str, fmpq]) -> fmpq:
        """The value at a point.

        Raises `DomainError` unless every variable has an exact value, `ZeroDivisionError` at a pole.
        """
        for name in self.field.bounds:
            if isinstance(values.get(name), bool) or not isinstance(values.get(name), int | fmpz | fmpq):
                raise DomainError(name, values.get(name), "an exact rational value for every variable")
        point = [fmpq(values[name]) for name in self.field.bounds]
        top, bottom = (_value(p, point) for p in (self.numerator, self.denominator))
        return top / bottom

    def __repr__(self) -> str:
        return f"({self.numerator})/({self.denominator})"


def _value(polynomial: fmpz_mpoly, point: list[fmpq]) -> fmpq:
    total = fmpq(0)
    for coefficient, monomial in zip(polynomial.coeffs(), polynomial.monoms(), strict=True):
        term = fmpq(coefficient)
        for base, exponent in zip(point, monomial, strict=True):
            term *= base ** int(exponent)
        total += term
    return total


EVERY_EPSILON = RationalFunctionField({"t": 1})
"""Q(t) on t > 1, with t a root of e^epsilon: equality and order here hold for every epsilon > 0."""
