"""Q(t): field laws, signs that hold on the whole domain, values at a point."""

from fractions import Fraction
from typing import Any

import pytest
from flint import fmpq, fmpz
from hypothesis import given

from cases.refusals import refusal_test, refuses
from dp_spec.vocabulary.ratfunc import EVERY_EPSILON, RationalFunction, RationalFunctionField
from strategies.exact import functions, rationals

T = EVERY_EPSILON.variable("t")
TWO = RationalFunctionField({"t": 1, "m": 0})


@given(functions(), functions(), functions(), rationals(2, 9))
def test_values_commute_with_the_operations(f: Any, g: Any, h: Any, point: fmpq) -> None:
    at = {"t": point}
    a, b, c = f.at(at), g.at(at), h.at(at)
    assert (f + g * h).at(at) == a + b * c
    assert (f - g).at(at) == a - b
    assert (-f).at(at) == -a
    assert (2 - f).at(at) == 2 - a
    assert (3 * f + 1).at(at) == 3 * a + 1
    assert (f**3).at(at) == a**3
    if g != 0 and b != 0:
        assert (f / g).at(at) == a / b
        assert (5 / g).at(at) == 5 / b
        assert (g**-2).at(at) == 1 / (b * b)


@given(functions(), functions(), functions())
def test_field_laws(f: Any, g: Any, h: Any) -> None:
    assert f + g == g + f
    assert f * (g + h) == f * g + f * h
    assert f - f == 0
    assert bool(f) is (f != 0)
    if g != 0:
        assert f / g * g == f
        assert g**-1 * g == 1
    assert hash(f + g) == hash(g + f)


@given(functions())
def test_fractions_are_reduced(f: Any) -> None:
    grown = f * (T + 1) / (T + 1)
    assert (grown.numerator, grown.denominator) == (f.numerator, f.denominator)
    assert (f.denominator.coefficient(0)) > 0


@given(functions(), rationals(2, 9))
def test_signs_hold_on_the_domain(f: Any, point: fmpq) -> None:
    sign = EVERY_EPSILON.sign(f)
    value = f.at({"t": point})
    assert sign == 2 or sign == (value > 0) - (value < 0)


def test_signs() -> None:
    assert EVERY_EPSILON.sign(T - 1) == 1
    assert EVERY_EPSILON.sign((1 - T) / (T + 1)) == -1
    assert EVERY_EPSILON.sign(1 / (1 - T)) == -1
    assert EVERY_EPSILON.sign(T - T) == 0
    assert EVERY_EPSILON.sign(T - 2) == 2
    assert EVERY_EPSILON.sign(1 / (T - 2)) == 2


@pytest.mark.parametrize("number", [3, fmpz(3), fmpq(3), Fraction(3), EVERY_EPSILON.lift(3)])
def test_exact_numbers_are_constants(number: Any) -> None:
    assert EVERY_EPSILON.lift(number) == 3
    assert EVERY_EPSILON.lift(number).at({"t": fmpq(7)}) == 3


def test_functions_of_an_equal_field() -> None:
    assert RationalFunctionField({"t": 1}).variable("t") == T


test_poles = refusal_test(
    refuses("", lambda: (1 / (T - 2)).at({"t": fmpq(2)}), kind=ZeroDivisionError),
    refuses("", lambda: T / 0, kind=ZeroDivisionError),
    refuses("", lambda: EVERY_EPSILON.lift(0) ** -1, kind=ZeroDivisionError),
)


def test_two_variables() -> None:
    t, m = TWO.variable("t"), TWO.variable("m")
    f: RationalFunction = (t + m) / (t * m + 1)
    assert f.at({"t": fmpq(2), "m": fmpq(3)}) == fmpq(5, 7)
    assert TWO.sign(f) == 1
    assert "t" in repr(f)
    assert (f == "f") is False


test_refusals = refusal_test(
    refuses("number", EVERY_EPSILON.lift, 0.5, float("nan"), True, "t", None),
    refuses("number", lambda number: T + number, 0.5, float("nan"), True, "t", None, TWO.variable("m")),
    refuses("name", EVERY_EPSILON.variable, "u"),
    refuses("bounds", RationalFunctionField, {}),
    refuses("t", T.at, {}, {"t": 0.5}, {"t": True}, {"t": None}, {"u": fmpq(1)}),
)
