"""Decimals are right to the last digit, and intervals contain what is certainly in them."""

from fractions import Fraction

import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from cases.refusals import refusal_test, refuses
from dp_spec.vocabulary.exceptions import UndecidedError
from dp_studies.reproduce.numbers import contains, decimal, outwards


@given(st.fractions(Fraction(1, 10**30), 10**30))
def test_decimals_are_correctly_rounded(number: Fraction) -> None:
    with ctx.workprec(600):
        try:
            text = decimal(arb(fmpq(number.numerator, number.denominator)))
        except UndecidedError:  # half-way between two decimals
            return
    unit = Fraction(10) ** (int(text.split("e")[1]) - 11)
    assert abs(Fraction(text) - number) <= unit / 2
    assert text[0] != "0"


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (arb(1), "1.00000000000e+0"),
        (arb(10) ** 5, "1.00000000000e+5"),
        (arb(999_999_999_999.75), "1.00000000000e+12"),
        (arb(0.0625), "6.25000000000e-2"),
    ],
)
def test_decimals(number: arb, text: str) -> None:
    assert decimal(number) == text


test_refusals = refusal_test(
    refuses("", decimal, arb(1, 1e-9), kind=UndecidedError),
    refuses("", decimal, arb(0), arb(-1)),
    refuses("", lambda: contains((arb(1), arb(2)), arb(2, 0.1)), kind=UndecidedError),
)


def test_contains() -> None:
    assert contains((arb(1), arb(2)), arb(1))
    assert contains((arb(1), None), arb(5))
    assert not contains((arb(1), None), arb(0.5))
    assert not contains((arb(1), arb(2)), arb(2.5))


@given(st.fractions(-1, 1, max_denominator=100))
def test_ends_that_are_rational_are_rounded_outwards(number: Fraction) -> None:
    """Also where a little more or less is half-way between two decimals, as for 1/4."""
    exact = fmpq(number.numerator, number.denominator)
    low, high = (Fraction(end or "nan") for end in outwards((exact, exact)))
    assert low <= number <= high <= low + abs(number) / 10**10
    assert (low < number < high) is (number != 0)
    assert outwards((None, fmpq(1, 4))) == [None, "2.50000000003e-1"]
