"""Exact real numbers that are rational in a power of e or of a rational: what every real epsilon is computed with.

For a rational epsilon != 0 the number t = e^epsilon is transcendental (Lindemann), so two rational functions of t are
equal as numbers exactly if they are equal as functions. For epsilon = k ln(a/b) the number t is an L-th root of a
rational c that is no perfect power; X^L - c is irreducible, so numbers are polynomials in t of degree < L. Equality is
decided by comparing coefficients, order by enclosures whose precision rises until they leave zero: both always end.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import Any

from flint import arb, arb_poly, fmpq, fmpq_poly, fmpz

from dp_spec.vocabulary.exceptions import DomainError, NotExactError
from dp_spec.vocabulary.integers import require_integer
from dp_spec.vocabulary.precision import precision

Exact = int | fmpz | fmpq | Fraction
MAX_DEGREE = 4096
"""Numbers whose common root would need larger powers are not combined."""
MAX_TERMS = 1 << 20
"""Powers of sums with a larger power of their root are not written out."""
MAX_BITS = 1 << 25
"""Numbers with a rational base are not inverted where the result may be larger: degree^2 * (bits of a coefficient)."""
DIGITS = 15
"""Significant decimal digits of a printed number."""


@dataclass(frozen=True)
class Root:
    """The number base^exponent > 1: base is None for e, or a rational that is no perfect power; exponent > 0."""

    base: fmpq | None
    exponent: Fraction

    def to(self, exponent: Fraction) -> "Root":
        """The power of the same base with another exponent."""
        return Root(self.base, exponent)

    def enclosure(self) -> arb:
        """A ball of the current precision."""
        power = arb(fmpq(self.exponent.numerator, self.exponent.denominator))
        return power.exp() if self.base is None else arb(self.base) ** power

    def __str__(self) -> str:
        if self.base is not None and self.exponent.denominator == 1:
            return str(self.base**self.exponent.numerator)
        base = "e" if self.base is None else f"{self.base}" if self.base.q == 1 else f"({self.base})"
        return base if self.exponent == 1 else f"{base}^{_exponent(self.exponent)}"


_ONE = fmpq_poly([1])


class Real:
    """num(t) / den(t) in lowest terms, den monic, t the largest root that will do; rational numbers have no root.

    Ints, fractions and `fmpq` mix in from both sides. Raises `DomainError` where roots have nothing in common (e and
    the square root of 2, or exponents of a very large common denominator), for roots of a rational of a degree above
    `MAX_DEGREE`, and for inverses that may be longer than `MAX_BITS`.
    """

    __slots__ = ("den", "num", "root")

    def __init__(self, root: Root | None, num: fmpq_poly, den: fmpq_poly | None = None) -> None:
        den = _ONE if den is None else den
        if den.is_zero():
            raise ZeroDivisionError("division by 0")
        if root is not None:
            root, num, den = _in_lowest_terms(root, num, den)
        elif not den.is_one():
            num, den = num / den[0], _ONE
        self.root: Root | None = root
        self.num: fmpq_poly = num
        self.den: fmpq_poly = den

    @classmethod
    def power(cls, base: "fmpq | None", exponent: Fraction) -> "Real":
        """base^exponent > 0, base None for e, or a rational > 0 (in any form)."""
        if base is not None:
            base, times = _primitive(base)
            whole, exponent = divmod(exponent * times, 1)
            factor = base ** int(whole)
            root = Root(base, exponent)
            return cls(root, fmpq_poly([0, factor])) if exponent and base != 1 else cls(None, fmpq_poly([factor]))
        if exponent == 0:
            return cls(None, _ONE)
        x, root = fmpq_poly([0, 1]), Root(None, abs(exponent))
        return cls(root, x) if exponent > 0 else cls(root, _ONE, x)

    @classmethod
    def lift(cls, number: object) -> "Real":
        """An exact number as one of these. Raises `DomainError` for others (a float above all)."""
        if isinstance(number, Real):
            return number
        if isinstance(number, bool) or not isinstance(number, Exact):
            raise DomainError("number", number, "an exact number")
        rational = fmpq(number.numerator, number.denominator) if isinstance(number, Fraction) else fmpq(number)
        return cls(None, fmpq_poly([rational]))

    def raised(self, exponent: Fraction) -> "Real":
        """A power of a power of the base, or of a rational > 0. Raises `NotExactError` for other numbers."""
        if self.root is None:
            return Real.power(self.num[0], exponent)
        powers, base = (_powers(self.num), _powers(self.den)), self.root.base
        factor, times = self.num.leading_coefficient(), 0
        if base is not None and factor > 0 and factor != 1:
            factor, times = _primitive(factor)
        if any(len(part) != 1 for part in powers) or factor not in (1, base):
            raise NotExactError("budget", f"({self.exact()})^({exponent})", "a power of e or of one rational")
        return Real.power(base, (self.root.exponent * (powers[0][0] - powers[1][0]) + times) * exponent)

    def rational(self) -> fmpq | None:
        """The number as a rational; None if it is irrational."""
        return self.num[0] if self.root is None else None

    def sign(self) -> int:
        """-1, 0 or 1."""
        if self.num.is_zero():
            return 0
        if self.root is None:
            return 1 if self.num[0] > 0 else -1
        bits = 64
        while True:
            ball = self.enclosure(bits)
            if ball > 0 or ball < 0:
                return 1 if ball > 0 else -1
            bits *= 2

    def enclosure(self, bits: int) -> arb:
        """A ball around the number, computed with so many bits (as wide as cancellation makes it)."""
        with precision(bits):
            if self.root is None:
                return arb(self.num[0])
            at = self.root.enclosure()
            return arb_poly(self.num)(at) / arb_poly(self.den)(at)

    def decimal(self, digits: int = DIGITS) -> str:
        """The number to so many significant digits, correctly rounded but for one unit of the last one."""
        require_integer("digits", digits, 1)
        bits = 64 + 4 * digits
        while not (ball := self.enclosure(bits)).rel_accuracy_bits() > 4 * digits + 8 and not self.num.is_zero():
            bits *= 2
        with precision(bits):
            return str(ball.mid().str(digits, radius=False))

    def exact(self) -> str:
        """The exact form: a rational, or a quotient of polynomials in a power of e or of a rational."""
        num, den = self.num * self.den.denom(), self.den * self.den.denom()
        common = num.denom()
        top, bottom = (_written(part * common, self.root) for part in (num, den))
        if bottom == "1":
            return top
        top = f"({top})" if " " in top else top
        return f"{top}/({bottom})" if " " in bottom or "*" in bottom else f"{top}/{bottom}"

    # --- arithmetic ---------------------------------------------------------------------------------------------------

    def __add__(self, other: "Real | Exact") -> "Real":
        root, (a, b), (c, d) = _common(self, other)
        return Real(root, a + c, b) if b == d else Real(root, a * d + c * b, b * d)

    def __mul__(self, other: "Real | Exact") -> "Real":
        root, (a, b), (c, d) = _common(self, other)
        return Real(root, a * c, b * d)

    def __truediv__(self, other: "Real | Exact") -> "Real":
        root, (a, b), (c, d) = _common(self, other)
        return Real(root, a * d, b * c)

    def __neg__(self) -> "Real":
        negative = object.__new__(Real)  # in lowest terms, as this number is
        negative.root, negative.num, negative.den = self.root, -self.num, self.den
        return negative

    def __sub__(self, other: "Real | Exact") -> "Real":
        return self + (-Real.lift(other))

    def __radd__(self, other: Exact) -> "Real":
        return self + other

    def __rmul__(self, other: Exact) -> "Real":
        return self * other

    def __rsub__(self, other: Exact) -> "Real":
        return -self + other

    def __rtruediv__(self, other: Exact) -> "Real":
        return Real.lift(other) / self

    def __pow__(self, exponent: int) -> "Real":
        """The power. Raises `DomainError` for one with more than `MAX_TERMS` terms."""
        if not isinstance(exponent, int):  # a polynomial would cut a fraction down to an integer
            return NotImplemented
        if exponent < 0:
            return 1 / self**-exponent
        degree = max(self.num.degree(), self.den.degree()) * exponent
        if self.root is not None and degree > MAX_DEGREE:
            if self.den.is_one() and not any(self.num.coeffs()[:-1]):  # a power of the root alone
                power = Real.power(self.root.base, self.root.exponent * degree)
                return power * self.num.leading_coefficient() ** exponent
            if degree > MAX_TERMS:
                raise DomainError("exponent", exponent, f"one that needs powers of {self.root} up to {MAX_TERMS}")
        return Real(self.root, self.num**exponent, self.den**exponent)

    # --- order --------------------------------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Real | Exact) or isinstance(other, bool):
            return NotImplemented
        b = Real.lift(other)
        return self.root == b.root and bool(self.num == b.num and self.den == b.den)

    def __hash__(self) -> int:
        if self.root is None:
            return hash(Fraction(int(self.num[0].p), int(self.num[0].q)))
        return hash((self.root.exponent, str(self.root), str(self.num), str(self.den)))

    def __lt__(self, other: "Real | Exact") -> bool:
        return (self - other).sign() < 0

    def __le__(self, other: "Real | Exact") -> bool:
        return (self - other).sign() <= 0

    def __gt__(self, other: "Real | Exact") -> bool:
        return (self - other).sign() > 0

    def __ge__(self, other: "Real | Exact") -> bool:
        return (self - other).sign() >= 0

    def __bool__(self) -> bool:
        """Whether it is not 0."""
        return not self.num.is_zero()

    def __float__(self) -> float:
        return float(self.decimal(20))

    def __str__(self) -> str:
        return self.exact() if self.root is None else f"{self.decimal()} (exactly {self.exact()})"

    def __repr__(self) -> str:
        return str(self)


def _common(left: Real, right: object) -> tuple[Root | None, tuple[fmpq_poly, fmpq_poly], tuple[fmpq_poly, fmpq_poly]]:
    """Both numbers as fractions of polynomials in one root."""
    b = Real.lift(right)
    if left.root is None or b.root is None or left.root == b.root:
        return left.root or b.root, (left.num, left.den), (b.num, b.den)
    if left.root.base != b.root.base:
        raise DomainError("numbers", f"{left.root} and {b.root}", "numbers that are rational in powers of one base")
    x, y = left.root.exponent, b.root.exponent
    common = Fraction(gcd(x.numerator * y.denominator, y.numerator * x.denominator), x.denominator * y.denominator)
    root = left.root.to(common)
    return root, *((_inflated(z.num, z.root, common), _inflated(z.den, z.root, common)) for z in (left, b))  # type: ignore[return-value]


def _inflated(part: fmpq_poly, root: Root | None, exponent: Fraction) -> fmpq_poly:
    """The polynomial in the root with a smaller exponent."""
    assert root is not None
    times = int(root.exponent / exponent)
    if part.degree() * times > MAX_DEGREE:
        raise DomainError("numbers", f"powers of {root}", f"numbers with a common root of degree <= {MAX_DEGREE}")
    spread: list[Any] = [0] * (part.degree() * times + 1)
    for power, coefficient in enumerate(part.coeffs()):
        spread[power * times] = coefficient
    return fmpq_poly(spread)


def _in_lowest_terms(root: Root, num: fmpq_poly, den: fmpq_poly) -> tuple[Root | None, fmpq_poly, fmpq_poly]:
    """The one way to write the number: with the largest root that will do."""
    if root.base is None:
        common = num.gcd(den)
        if not common.is_one():
            num, den = num // common, den // common
        if (leading := den.leading_coefficient()) != 1:
            num, den = num / leading, den / leading
        step = gcd(*_powers(num), *_powers(den))
        smallest = root.exponent
    else:  # a polynomial in c^(1/L) of degree < L: num times the inverse of den modulo X^L - c
        smallest = Fraction(1, root.exponent.denominator)
        if smallest.denominator > MAX_DEGREE:
            raise DomainError("numbers", f"powers of {root}", f"roots of degree <= {MAX_DEGREE}")
        modulus = fmpq_poly([-root.base, *[0] * (smallest.denominator - 1), 1])
        num, den = (_inflated(part, root, smallest) % modulus for part in (num, den))
        _require_small(den, root, smallest.denominator)
        divisor, inverse, _ = den.xgcd(modulus)
        num, den = (num * inverse / divisor[0]) % modulus, _ONE
        step = gcd(smallest.denominator, *_powers(num))
    if not any(_powers(num) + _powers(den)):
        return None, num / den[0], _ONE
    if step > 1:
        num, den = (fmpq_poly(part.coeffs()[::step]) for part in (num, den))
    return root.to(smallest * step), num, den


def _require_small(den: fmpq_poly, root: Root, degree: int) -> None:
    """Raise `DomainError` where the inverse of den modulo X^degree - base may be too large to be written out."""
    if den.degree() < 1:
        return
    numbers = [number for c in (*den.coeffs(), root.base) if c is not None for number in (c.p, c.q)]
    if degree * degree * max(int(abs(number)).bit_length() for number in numbers) > MAX_BITS:
        raise DomainError("numbers", f"the inverse of a number in powers of {root}", "fewer digits, or a smaller root")


def _powers(part: fmpq_poly) -> list[int]:
    return [power for power, coefficient in enumerate(part.coeffs()) if coefficient != 0]


def _primitive(base: fmpq) -> tuple[fmpq, int]:
    """(c, k) with base = c^k, c > 1 no perfect power (or base = 1)."""
    if base <= 0:
        raise DomainError("base", base, "a rational > 0")
    if base < 1:
        c, k = _primitive(1 / base)
        return c, -k
    for k in range(max(int(base.p).bit_length(), int(base.q).bit_length()), 1, -1):
        top, bottom = base.p.root(k), base.q.root(k)
        if top**k == base.p and bottom**k == base.q:
            return fmpq(top, bottom), k
    return base, 1


def _written(part: fmpq_poly, root: Root | None) -> str:
    """A polynomial in the root, highest powers first, as "3*e^2 - e^(1/2) + 1"."""
    terms: list[str] = []
    for power, coefficient in reversed(list(enumerate(part.coeffs()))):
        if coefficient != 0:
            sign = ("-" if coefficient < 0 else "") if not terms else (" - " if coefficient < 0 else " + ")
            atom = "" if power == 0 or root is None else str(root.to(root.exponent * power))
            factor = "" if atom and abs(coefficient) == 1 else str(abs(coefficient))
            terms.append(sign + "*".join(filter(None, (factor, atom))))
    return "".join(terms) or "0"


def _exponent(exponent: Fraction) -> str:
    return str(exponent) if exponent.denominator == 1 else f"({exponent})"


__all__ = ["Real", "Root"]
