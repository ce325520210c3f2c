"""Privacy budgets: e^epsilon as a number, with exact shares e^(epsilon * share)."""

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic

import mpmath
from flint import arb, ctx, fmpq, fmpz
from mpmath.ctx_mp_python import mpnumeric

from dp_spec.vocabulary.errors import DomainError, NotExactError
from dp_spec.vocabulary.ratfunc import EVERY_EPSILON, RationalFunction, RationalFunctionField
from dp_spec.vocabulary.scalar import Ordering, S, compare

_LOGARITHM = re.compile(r"(?:(\d+)\s*\*\s*)?ln\(\s*(\d+)(?:\s*/\s*(\d+))?\s*\)")


@dataclass(frozen=True)
class Budget(Generic[S]):
    """epsilon >= 0 with e^epsilon = root ** power.

    Raises `DomainError` unless power is an integer >= 1 and root >= 1 (that is, epsilon >= 0).
    """

    root: S
    power: int = 1

    def __post_init__(self) -> None:
        if isinstance(self.power, bool) or not isinstance(self.power, int) or self.power < 1:
            raise DomainError("power", self.power, "an integer >= 1")
        root: Any = self.root
        if isinstance(root, mpnumeric):
            allowed = bool(mpmath.isfinite(root)) and mpmath.sign(root - 1) != -1
        elif isinstance(root, arb):
            allowed = root.is_finite() and compare(root, 1) is not Ordering.LESS
        else:
            allowed = compare(root, 1) in (Ordering.GREATER, Ordering.EQUAL)
        if not allowed:
            raise DomainError("root", self.root, "e^epsilon >= 1, that is epsilon >= 0")

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
        _require_positive("parts", parts)
        if self.power % parts == 0:
            return Budget(self.root, self.power // parts)
        return Budget(self.exp(Fraction(1, parts)))


def budget(epsilon: str | Fraction | int) -> Budget[fmpq]:
    """The rational budget of `"ln(3)"`, `"2*ln(3/2)"` or 0.

    Raises `NotExactError` for any other real epsilon (e^epsilon is irrational then: use `real_budget`), `DomainError`
    for what is not an epsilon >= 0.
    """
    logarithm = _logarithm(epsilon)
    if logarithm is not None:
        return Budget(*logarithm)
    if _decimal(epsilon) == 0:
        return Budget(fmpq(1))
    raise NotExactError("epsilon", epsilon, "ln(rational), k*ln(rational) or 0; for other real epsilon use real_budget")


def real_budget(epsilon: str | Fraction | int, bits: int = 128) -> Budget[arb]:
    """The budget of any real epsilon >= 0 (as 0.5, 3/2 or ln(3)) as a rigorous ball of `bits` bits.

    Later arithmetic is as precise as flint's `ctx.prec` at that time. Raises `DomainError` for what is not an
    epsilon >= 0.
    """
    _require_positive("bits", bits)
    logarithm = _logarithm(epsilon)
    if logarithm is not None:
        return Budget(arb(logarithm[0]), logarithm[1])
    number = _decimal(epsilon)
    with ctx.workprec(bits):
        return Budget(arb(fmpq(number.numerator, number.denominator)).exp())


def high_precision_budget(epsilon: str | Fraction | int, digits: int = 50) -> Budget[Any]:
    """The budget of any real epsilon >= 0 with `digits` decimal digits (mpmath: for people, never for verdicts).

    Raises `DomainError` for what is not an epsilon >= 0.
    """
    _require_positive("digits", digits)
    context = mpmath.MPContext()
    context.dps = digits
    logarithm = _logarithm(epsilon)
    if logarithm is not None:
        return Budget(context.mpf(int(logarithm[0].p)) / int(logarithm[0].q), logarithm[1])
    number = _decimal(epsilon)
    return Budget(context.exp(context.mpf(number.numerator) / number.denominator))


def every_budget(power: int, field: RationalFunctionField = EVERY_EPSILON) -> Budget[RationalFunction]:
    """All epsilon > 0 at once: e^epsilon = t^power with t > 1 a variable."""
    return Budget(field.variable("t"), power)


def _logarithm(epsilon: str | Fraction | int) -> tuple[fmpq, int] | None:
    """(a/b, k) of "k*ln(a/b)"; None for other text."""
    found = _LOGARITHM.fullmatch(str(epsilon).strip())
    if not found:
        return None
    factor, top, bottom = (int(g) if g else 1 for g in found.groups())
    if factor == 0 or bottom == 0 or top < bottom:
        raise DomainError("epsilon", epsilon, "k*ln(a/b) with k >= 1 and a >= b >= 1")
    return fmpq(top, bottom), factor


def _decimal(epsilon: str | Fraction | int) -> Fraction:
    allowed = "a real number >= 0 as text or exact number: 0.5, 3/2 or ln(3)"
    if isinstance(epsilon, bool) or not isinstance(epsilon, str | Fraction | int):
        raise DomainError("epsilon", epsilon, allowed)
    try:
        number = Fraction(epsilon.strip() if isinstance(epsilon, str) else epsilon)
    except (ValueError, ZeroDivisionError):
        raise DomainError("epsilon", epsilon, allowed) from None
    if number < 0:
        raise DomainError("epsilon", epsilon, allowed)
    return number


def _require_positive(name: str, number: int) -> None:
    if isinstance(number, bool) or not isinstance(number, int) or number < 1:
        raise DomainError(name, number, "an integer >= 1")


def _root(base: S, exponent: Fraction) -> S:
    number: Any = base
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
