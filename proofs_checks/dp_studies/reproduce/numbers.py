"""Balls as decimals that are certainly right, and whether a number is in an interval."""

from collections.abc import Callable
from fractions import Fraction
from functools import cmp_to_key
from typing import Any

from flint import arb, fmpq

from dp_spec.vocabulary.exceptions import DomainError, UndecidedError
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.scalar import Ordering, compare, is_zero

BITS = 256
"""Precision of the balls."""


def _sign(one: arb, other: arb) -> int:
    order = compare(one, other)
    return 0 if order is Ordering.UNDECIDED else order.value


ball_order: Callable[[Any], Any] = cmp_to_key(_sign)
"""The key of balls for `min` and `max`; of those that overlap the first is taken."""


def ball(number: Fraction) -> arb:
    """A rational number, in the present precision."""
    return arb(fmpq(number.numerator, number.denominator))


def decimal(number: arb | fmpq, digits: int = 12) -> str:
    """A number > 0 correctly rounded to so many digits; a rational half-way between two decimals is rounded up.

    Raises `UndecidedError` where a ball is too wide to tell, `DomainError` for a number that is not positive.
    """
    if compare(number, 0) is not Ordering.GREATER:
        raise DomainError("number", number, "a number > 0")
    if isinstance(number, fmpq):
        return _rational_decimal(Fraction(int(number.p), int(number.q)), digits)
    with precision(BITS + 64):
        guess = (number.log() / arb(10).log()).mid().floor().unique_fmpz()
        assert guess is not None
        exponent = int(guess)
        scaled = (number * arb(10) ** (digits - 1 - exponent) + fmpq(1, 2)).floor().unique_fmpz()
    if scaled is None:
        raise UndecidedError(f"the digits of {number} are not certain: raise the precision")
    text = str(scaled)
    return f"{text[0]}.{text[1:digits]}e{exponent + len(text) - digits:+d}"


def _rational_decimal(number: Fraction, digits: int) -> str:
    # 10^exponent <= number, or ten times that: the quotient of the lengths is never too large
    exponent = len(str(number.numerator)) - len(str(number.denominator)) - 1
    while number >= Fraction(10) ** (exponent + 1):
        exponent += 1
    text = str(int(number / Fraction(10) ** (exponent + 1 - digits) + Fraction(1, 2)))
    return f"{text[0]}.{text[1:digits]}e{exponent + len(text) - digits:+d}"


def signed(number: arb | fmpq, digits: int = 12) -> str:
    """A number of any sign correctly rounded to so many digits; "0" is exactly 0. Raises `UndecidedError` as above."""
    if is_zero(number):
        return "0"
    order = compare(number, 0)
    if order is Ordering.UNDECIDED:
        raise UndecidedError(f"the sign of {number} is not certain: raise the precision")
    return decimal(number, digits) if order is Ordering.GREATER else f"-{decimal(-number, digits)}"


def outwards(ends: tuple[arb | fmpq | None, arb | fmpq | None]) -> list[str | None]:
    """The ends of an interval as decimals rounded outwards."""
    with precision(BITS):
        return [None if end is None else _beyond(end, way) for end, way in zip(ends, (-1, 1), strict=True)]


def _beyond(end: arb | fmpq, way: int) -> str:
    """A little further up or down than a rational number, or than a ball reaches."""
    if isinstance(end, arb):
        end = end.upper() if way > 0 else end.lower()
    order = compare(end, 0)
    larger = order is (Ordering.GREATER if way > 0 else Ordering.LESS)
    return signed(end * (1 + fmpq(1 if larger else -1, 10**11)))


def contains(ends: tuple[arb, arb | None], value: arb | fmpq) -> bool:
    """Whether a number is in an interval. Raises `UndecidedError` where balls cannot tell."""
    orders = [compare(ends[0], value), compare(value, ends[1]) if ends[1] is not None else Ordering.LESS]
    if Ordering.UNDECIDED in orders:
        raise UndecidedError(f"cannot order {value} and {ends}: raise the precision")
    return Ordering.GREATER not in orders


def beside(exact: arb | fmpq, simulated: arb | fmpq, ends: tuple[arb, arb | None]) -> dict[str, Any]:
    """An exact value, a simulated one, an interval, and whether the exact value is inside, as JSON."""
    return {
        "exact": signed(exact),
        "simulated": signed(simulated),
        "interval": outwards(ends),
        "inside": contains(ends, exact),
    }
