"""One number in the three fields of the tests; laws of programs in plain fractions."""

from collections.abc import Callable, Hashable
from fractions import Fraction
from typing import Any

from flint import arb, fmpq

from dp_refimpl.enumeration import output_law


def fraction(number: Any) -> Fraction:
    """A rational number as a plain fraction."""
    return Fraction(int(fmpq(number).p), int(fmpq(number).q))


def exact(number: Fraction | int) -> fmpq:
    """A plain fraction as a rational number."""
    return fmpq(number.numerator, number.denominator)


def ball(number: Fraction | int) -> arb:
    """A plain fraction as a ball of the precision at hand."""
    return arb(exact(number))


def plain_law(program: Callable[..., Hashable], *arguments: object) -> dict[Any, Fraction]:
    """The exact law of what a program makes of these arguments, and coins."""
    law = output_law(lambda coins: program(*arguments, coins), fmpq(1))
    return {output: fraction(chance) for output, chance in law.items()}
