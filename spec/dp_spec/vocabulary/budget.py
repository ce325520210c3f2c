"""Privacy budgets: e^epsilon as a number, with exact shares e^(epsilon * share)."""

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic

import mpmath
from flint import arb, ctx, fmpq, fmpz

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
        if not isinstance(self.root, mpmath.mpf) and compare(self.root, 1) is Ordering.LESS:
            raise DomainError("root", self.root, "e^epsilon >= 1, that is epsilon >= 0")

    def exp(self, share: Fraction | int = 1) -> S:
        """e^(epsilon * share), exactly. Raises `NotExactError` where the field has no such number."""
        if share <= 0:
            raise DomainError("share", share, "a fraction > 0 of the budget")
        exponent = self.power * Fraction(share)
        if exponent.denominator == 1:
            return self.root ** int(exponent)
        return _root(self.root, exponent)


def budget(epsilon: str | Fraction | int) -> Budget[fmpq]:
    """The rational budget of `"ln(3)"`, `"2*ln(3/2)"` or 0.

    Raises `NotExactError` for any other real epsilon (e^epsilon is irrational then: use `real_budget`), `DomainError` for
    what is not an epsilon >= 0.
    """
    text = str(epsilon).strip()
    found = _LOGARITHM.fullmatch(text)
    if found:
        factor, top, bottom = (int(g) if g else 1 for g in found.groups())
        if bottom == 0 or factor == 0:
            raise DomainError("epsilon", epsilon, "k*ln(a/b) with k, a, b >= 1")
        return Budget(fmpq(top, bottom), factor)
    if _decimal(text) == 0:
        return Budget(fmpq(1))
    raise NotExactError("epsilon", epsilon, "ln(rational), k*ln(rational) or 0; for other real epsilon use real_budget")


def real_budget(epsilon: str | Fraction | int, bits: int = 128) -> Budget[arb]:
    """The budget of any real epsilon >= 0 (decimal text or an exact number) as a rigorous ball of `bits` bits."""
    number = _decimal(str(epsilon).strip())
    with ctx.workprec(bits):
        return Budget(arb(fmpq(number.numerator, number.denominator)).exp())


def high_precision_budget(epsilon: str | Fraction | int, digits: int = 50) -> Budget[Any]:
    """The budget of any real epsilon >= 0 with `digits` decimal digits (mpmath: for people, never for verdicts)."""
    number = _decimal(str(epsilon).strip())
    context = mpmath.MPContext()
    context.dps = digits
    return Budget(context.exp(context.mpf(number.numerator) / number.denominator))


def every_budget(power: int, field: RationalFunctionField = EVERY_EPSILON) -> Budget[RationalFunction]:
    """All epsilon > 0 at once: e^epsilon = t^power with t > 1 a variable."""
    return Budget(field.variable("t"), power)


def _decimal(text: str) -> Fraction:
    try:
        number = Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise DomainError("epsilon", text, "a real number >= 0, as 0.5, 3/2 or ln(3)") from None
    if number < 0:
        raise DomainError("epsilon", text, "a real number >= 0")
    return number


def _root(base: S, exponent: Fraction) -> S:
    number: Any = base
    if isinstance(number, arb):
        return number ** arb(fmpq(exponent.numerator, exponent.denominator))  # type: ignore[return-value]
    if isinstance(number, fmpq):
        k = exponent.denominator
        (top, exact_top), (bottom, exact_bottom) = _integer_root(number.p, k), _integer_root(number.q, k)
        if exact_top and exact_bottom:
            return fmpq(top, bottom) ** exponent.numerator  # type: ignore[return-value]
        raise NotExactError("budget", f"({base})^({exponent})", "a perfect power, e.g. epsilon = k*ln(a/b) with k divisible")
    if isinstance(number, RationalFunction):
        raise NotExactError("budget", f"t^({exponent})", "a power that the denominator of the share divides")
    return number ** (number.context.mpf(exponent.numerator) / exponent.denominator)  # type: ignore[no-any-return]


def _integer_root(number: fmpz, k: int) -> tuple[fmpz, bool]:
    root = number.root(k)
    return root, root**k == number
