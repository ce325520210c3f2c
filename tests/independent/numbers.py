"""One number in the three fields of the tests."""

from fractions import Fraction
from typing import Any

from flint import arb, fmpq


def fraction(number: Any) -> Fraction:
    """A rational number as a plain fraction."""
    return Fraction(int(fmpq(number).p), int(fmpq(number).q))


def exact(number: Fraction | int) -> fmpq:
    """A plain fraction as a rational number."""
    return fmpq(number.numerator, number.denominator)


def ball(number: Fraction | int) -> arb:
    """A plain fraction as a ball of the precision at hand."""
    return arb(exact(number))
