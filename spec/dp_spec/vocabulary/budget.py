"""Privacy budgets: e^epsilon as a number, with exact shares e^(epsilon * share)."""

import re
from dataclasses import dataclass
from fractions import Fraction
from numbers import Integral
from typing import Any, Generic, Self

import mpmath
from flint import arb, fmpq, fmpz
from mpmath.ctx_mp_python import mpnumeric

from dp_spec.vocabulary.exceptions import DomainError, NotExactError
from dp_spec.vocabulary.integers import require_integer
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.ratfunc import EVERY_EPSILON, RationalFunction, RationalFunctionField
from dp_spec.vocabulary.real import Real
from dp_spec.vocabulary.scalar import Ordering, S, compare

Epsilon = str | int | float | Fraction | fmpq
"""A privacy parameter: text is the decimal, fraction or logarithm that it writes; a float is its exact binary value."""
ALLOWED = 'a number from 0 to 1000000, or text: "0.1", "3/2", "ln(3)", "4*ln(2)", "ln(5/2)/2"'
MAX_EPSILON = 10**6
MAX_TEXT = 200
"""Characters of a text; exponents of its decimals have at most three digits."""
MAX_BITS = 4096
"""Bits of the numerator and of the denominator of an epsilon, and of a and b in ln(a/b)."""
MAX_POWER_BITS = 1 << 16
"""Bits of a rational e^epsilon = (a/b)^k: it is written out wherever it occurs."""

_LONG_EXPONENT = re.compile(r"[eE][+-]?[0-9]{4}")
_LOGARITHM = re.compile(r"(?:([\d./]+)\s*\*\s*)?ln\(([\d./\s]+)\)(?:\s*/\s*(\d+))?")


@dataclass(frozen=True, init=False)
class Budget(Generic[S]):
    """epsilon >= 0 with e^epsilon = root ** power, in any number field.

    `Budget(1)`, `Budget("0.1")`, `Budget("ln(3)")` is the budget of that epsilon in exact real numbers (`Real`): every
    share e^(epsilon * share) exists, equal numbers are equal, and different ones are ordered. Text is what it writes: a
    decimal, a fraction, k*ln(a/b); a float is its exact binary value, which for 0.1 is not 1/10. `Budget.of_root` makes
    a budget in another field. Raises `DomainError` for what is no number from 0 to a million, and for one that takes
    too long to write: see `read_epsilon`.
    """

    root: S
    power: int

    def __init__(self: "Budget[Real]", epsilon: Epsilon) -> None:
        base, exponent = read_epsilon(epsilon)
        object.__setattr__(self, "root", Real.power(base, exponent))
        object.__setattr__(self, "power", 1)

    @classmethod
    def of_root(cls, root: S, power: int = 1) -> "Budget[S]":
        """The budget with e^epsilon = root ** power, in the field of the root.

        Raises `DomainError` unless power is an integer >= 1 and root >= 1 (that is, epsilon >= 0).
        """
        require_integer("power", power, 1)
        number: Any = root
        if isinstance(number, mpnumeric):
            allowed = bool(mpmath.isfinite(number)) and mpmath.sign(number - 1) != -1
        elif isinstance(number, arb):
            allowed = number.is_finite() and compare(number, 1) is not Ordering.LESS
        else:
            allowed = compare(number, 1) in (Ordering.GREATER, Ordering.EQUAL)
        if not allowed:
            raise DomainError("root", root, "e^epsilon >= 1, that is epsilon >= 0")
        budget: Budget[S] = object.__new__(cls)
        object.__setattr__(budget, "root", root)
        object.__setattr__(budget, "power", power)
        return budget

    @classmethod
    def of(cls, epsilon: "Epsilon | Self") -> "Budget[Any]":
        """A budget as it is, or the budget of an epsilon."""
        return epsilon if isinstance(epsilon, Budget) else Budget(epsilon)

    def exp(self, share: Fraction | int = 1) -> S:
        """e^(epsilon * share), exactly. Raises `NotExactError` where the field has no such number."""
        if isinstance(share, bool) or not isinstance(share, int | Fraction) or share <= 0:
            raise DomainError("share", share, "a fraction > 0 of the budget")
        exponent = self.power * Fraction(share)
        if exponent.denominator == 1:
            return self.root ** int(exponent)
        return _root(self.root, exponent)

    def split(self, parts: int) -> "Budget[S]":
        """The budget epsilon / parts of each of `parts` reports. Raises `NotExactError` as `exp`."""
        require_integer("parts", parts, 1)
        if self.power % parts == 0:
            return Budget.of_root(self.root, self.power // parts)
        return Budget.of_root(self.exp(Fraction(1, parts)))


def rational_budget(epsilon: Epsilon) -> Budget[fmpq]:
    """The budget of an epsilon with rational e^epsilon, `"ln(3)"`, `"2*ln(3/2)"` or 0, in rational numbers.

    Raises `NotExactError` for any other real epsilon (e^epsilon is irrational), `DomainError` for what is no epsilon.
    """
    base, exponent = read_epsilon(epsilon)
    if exponent == 0 or base == 1:
        return Budget.of_root(fmpq(1))
    if base is not None and exponent.denominator == 1:
        return Budget.of_root(base, int(exponent))
    raise NotExactError("epsilon", epsilon, "ln(rational), k*ln(rational) or 0")


def real_budget(epsilon: Epsilon, bits: int = 128) -> Budget[arb]:
    """The budget of any real epsilon >= 0 as a rigorous ball of `bits` bits: faster than exact numbers, never equal.

    Later arithmetic is as precise as the block in which it is computed (`dp_spec.vocabulary.precision`). Raises
    `DomainError` for what is not an epsilon >= 0.
    """
    require_integer("bits", bits, 1)
    base, exponent = read_epsilon(epsilon)
    if base is not None and exponent.denominator == 1:
        return Budget.of_root(arb(base), int(exponent))
    with precision(bits):
        power = arb(fmpq(exponent.numerator, exponent.denominator))
        return Budget.of_root(power.exp() if base is None else arb(base) ** power)


def high_precision_budget(epsilon: Epsilon, digits: int = 50) -> Budget[Any]:
    """The budget of any real epsilon >= 0 with `digits` decimal digits (mpmath: for people, never for verdicts).

    Raises `DomainError` for what is not an epsilon >= 0.
    """
    require_integer("digits", digits, 1)
    context = mpmath.MPContext()
    context.dps = digits
    base, exponent = read_epsilon(epsilon)
    power = context.mpf(exponent.numerator) / exponent.denominator
    return Budget.of_root(context.exp(power) if base is None else (context.mpf(int(base.p)) / int(base.q)) ** power)


def every_budget(power: int, field: RationalFunctionField = EVERY_EPSILON) -> Budget[RationalFunction]:
    """All epsilon > 0 at once: e^epsilon = t^power with t > 1 a variable."""
    return Budget.of_root(field.variable("t"), power)


def read_epsilon(epsilon: Epsilon) -> tuple[fmpq | None, Fraction]:
    """(base, exponent) with e^epsilon = base^exponent, exponent >= 0; base None is e, others are >= 1.

    Raises `DomainError` for what is not an epsilon from 0 to a million; and, before anything is computed, for a text of
    more than `MAX_TEXT` characters, a decimal exponent of more than three digits, a numerator or denominator of more
    than `MAX_BITS` bits, and k*ln(a/b) where a^k has more than `MAX_POWER_BITS` bits.
    """
    if isinstance(epsilon, bool) or not isinstance(epsilon, str | float | Fraction | Integral | fmpq):
        raise DomainError("epsilon", epsilon, ALLOWED)
    if isinstance(epsilon, str) and not (epsilon.isascii() and "_" not in epsilon):
        raise DomainError("epsilon", epsilon, ALLOWED)
    if isinstance(epsilon, str) and (len(epsilon) > MAX_TEXT or _LONG_EXPONENT.search(epsilon)):
        raise DomainError("epsilon", epsilon, f"text of at most {MAX_TEXT} characters, exponents from -999 to 999")
    try:
        if isinstance(epsilon, str) and (match := _LOGARITHM.fullmatch(epsilon.strip())):
            factor, argument, divisor = (Fraction("".join(part.split()) if part else 1) for part in match.groups())
            base, exponent = fmpq(argument.numerator, argument.denominator), factor / divisor
        else:
            base, exponent = None, _fraction(epsilon)
    except (ValueError, OverflowError, ZeroDivisionError):
        raise DomainError("epsilon", epsilon, ALLOWED) from None
    size = 1 if base is None else int(base.p).bit_length()  # epsilon is less than exponent * size
    if not 0 <= exponent * size <= MAX_EPSILON:
        raise DomainError("epsilon", epsilon, ALLOWED)
    if max(exponent.numerator.bit_length(), exponent.denominator.bit_length(), size) > MAX_BITS:
        raise DomainError("epsilon", epsilon, f"numerators and denominators of at most {MAX_BITS} bits")
    if base is not None and (compare(base, 1) is Ordering.LESS or exponent == 0):
        raise DomainError("epsilon", epsilon, ALLOWED)
    if base is not None and exponent * size > MAX_POWER_BITS:
        raise DomainError("epsilon", epsilon, f"k*ln(a/b) with a^k of at most {MAX_POWER_BITS} bits")
    return base, exponent


def epsilon_ball(epsilon: Epsilon) -> arb:
    """An epsilon as a ball of the current precision. Raises `DomainError` as `read_epsilon`."""
    base, exponent = read_epsilon(epsilon)
    return arb(fmpq(exponent.numerator, exponent.denominator)) * (1 if base is None else arb(base).log())


def _fraction(epsilon: Epsilon) -> Fraction:
    """The number as it stands (`Fraction(str(...))` of a rational number would stop at 4300 digits)."""
    return Fraction(int(epsilon.p), int(epsilon.q)) if isinstance(epsilon, fmpq) else Fraction(epsilon)


def _root(base: S, exponent: Fraction) -> S:
    number: Any = base
    if isinstance(number, Real):
        return number.raised(exponent)  # type: ignore[return-value]
    if isinstance(number, arb):
        return number ** arb(fmpq(exponent.numerator, exponent.denominator))  # type: ignore[return-value]
    if isinstance(number, fmpq):
        k = exponent.denominator
        (top, exact_top), (bottom, exact_bottom) = _integer_root(number.p, k), _integer_root(number.q, k)
        if exact_top and exact_bottom:
            return fmpq(top, bottom) ** exponent.numerator  # type: ignore[return-value]
        raise NotExactError(
            "budget", f"({base})^({exponent})", "a perfect power, e.g. epsilon = k*ln(a/b) with k divisible"
        )
    if isinstance(number, RationalFunction):
        raise NotExactError("budget", f"t^({exponent})", "a power that the denominator of the share divides")
    return number ** (number.context.mpf(exponent.numerator) / exponent.denominator)  # type: ignore[no-any-return]


def _integer_root(number: fmpz, k: int) -> tuple[fmpz, bool]:
    root = number.root(k)
    return root, root**k == number
