"""Budgets: shares multiply back exactly, the fields agree, and what is no epsilon is refused."""

from fractions import Fraction
from typing import Any

import mpmath
import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from cases.refusals import refusal_test, refuses
from dp_spec.vocabulary.budget import Budget, every_budget, high_precision_budget, rational_budget, real_budget
from dp_spec.vocabulary.exceptions import NotExactError
from dp_spec.vocabulary.ratfunc import EVERY_EPSILON
from strategies.exact import holds, rationals

T = EVERY_EPSILON.variable("t")
SHARES = st.integers(1, 6)


@given(rationals(1, 9), SHARES, SHARES)
def test_shares_multiply_back(root: fmpq, m: int, power: int) -> None:
    whole = Budget.of_root(root, m * power)
    assert whole.exp(Fraction(1, m)) ** m == whole.exp() == root ** (m * power)
    assert whole.exp(Fraction(1, m)) == Budget.of_root(whole.exp()).exp(Fraction(1, m))  # found as a root of one number
    assert whole.exp(Fraction(2, m)) == whole.exp(Fraction(1, m)) ** 2


@given(SHARES, SHARES)
def test_shares_of_every_budget(m: int, power: int) -> None:
    whole = every_budget(m * power)
    assert whole.exp(Fraction(1, m)) ** m == whole.exp() == T ** (m * power)
    if m > 1:
        with pytest.raises(NotExactError, match="budget"):
            every_budget(power).exp(Fraction(1, m * power + 1))


@given(rationals(1, 9), st.integers(1, 4), SHARES)
def test_fields_agree(root: fmpq, m: int, power: int) -> None:
    """Q(t) at t = root is the rational number; the ball holds it."""
    exact = Budget.of_root(root, m * power).exp(Fraction(1, m))
    assert every_budget(m * power).exp(Fraction(1, m)).at({"t": root}) == exact
    assert holds(Budget.of_root(arb(root), m * power).exp(Fraction(1, m)), exact)
    assert holds(Budget.of_root(arb(root ** (m * power))).exp(Fraction(1, m)), exact)


@given(st.fractions(0, 5, max_denominator=100), SHARES)
def test_high_precision_lies_in_the_ball(epsilon: Fraction, m: int) -> None:
    with ctx.workprec(160):
        ball = real_budget(epsilon, 160).exp(Fraction(1, m))
        digits = high_precision_budget(epsilon, 50).exp(Fraction(1, m))
        mantissa, exponent = digits.man_exp
        exact = fmpq(int(mantissa)) * fmpq(2) ** int(exponent)
        assert holds(ball + arb(0, arb(10) ** -47), exact)  # the digits are rounded to 50 places, e^5 < 10^3
        assert not holds(ball, exact + fmpq(1, 10**40))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ln(3)", fmpq(3)),
        ("2*ln(3/2)", fmpq(9, 4)),
        (" 6 * ln( 3 / 2 ) ", fmpq(3, 2) ** 6),
        ("ln(1)", fmpq(1)),
        ("0", fmpq(1)),
        (0, fmpq(1)),
        (Fraction(0), fmpq(1)),
        ("0.0", fmpq(1)),
    ],
)
def test_rational_budgets(text: Any, expected: fmpq) -> None:
    assert rational_budget(text).exp() == expected
    assert holds(real_budget(text).exp(), expected)
    assert abs(high_precision_budget(text).exp() - mpmath.mpf(int(expected.p)) / int(expected.q)) < 1e-12


@pytest.mark.parametrize("text", ["0.5", "1", 1, Fraction(1, 2), "1e-3", "3/2"])
def test_other_budgets_are_not_rational(text: Any) -> None:
    """e^epsilon is irrational for every rational epsilon > 0 (Lindemann)."""
    with pytest.raises(NotExactError, match="epsilon"):
        rational_budget(text)
    assert real_budget(text).exp() > 1


BAD_TEXT = [
    "-1",
    "ln(1/2)",
    "ln(0)",
    "ln(2/0)",
    "0*ln(3)",
    "-1*ln(3)",
    "ln(-3)",
    "nan",
    "inf",
    "-inf",
    "one",
    "1/0",
    "ln(3)+1",
]
BAD = [*BAD_TEXT, "", -1, Fraction(-1, 2), True, None, float("nan"), float("inf"), b"1", [1]]


@given(rationals(1, 9), SHARES, SHARES)
def test_splitting_gives_the_share(root: fmpq, m: int, power: int) -> None:
    for whole in (Budget.of_root(root, m * power), Budget.of_root(root ** (m * power))):
        assert whole.split(m).exp() == root**power
        assert whole.split(1).exp() == whole.exp()


def test_roots_that_are_irrational() -> None:
    assert Budget.of_root(fmpq(9, 4)).exp(Fraction(1, 2)) == fmpq(3, 2)
    assert Budget.of_root(fmpq(9, 4)).exp(Fraction(3, 2)) == fmpq(27, 8)
    for root in (fmpq(2), fmpq(9, 2), fmpq(2, 1)):
        with pytest.raises(NotExactError, match="budget"):
            Budget.of_root(root).exp(Fraction(1, 2))


NO_ROOTS = (
    *(fmpq(1, 2), fmpq(-1), arb("0.5"), arb("nan"), arb("inf"), 2.0, float("nan"), True, "3", mpmath.mpf("0.5")),
    *(mpmath.mpf("nan"), mpmath.inf, T - 2, 1 / T, None),
)
TWO = Budget.of_root(fmpq(2))
test_refusals = refusal_test(
    *(refuses("epsilon", parse, *BAD) for parse in (rational_budget, real_budget, high_precision_budget)),
    refuses("root|number", Budget.of_root, *NO_ROOTS),
    refuses("power", lambda power: Budget.of_root(fmpq(2), power), 0, -1, True, 1.0, "1", None),
    refuses("parts", TWO.split, 0, -1, True, 1.0, None),
    refuses("share", TWO.exp, 0, -1, Fraction(-1, 2), True, 0.5, float("nan"), None, "1"),
    refuses("bits", lambda bits: real_budget("1", bits), 0, -5, True, 1.5, None),
    refuses("digits", lambda digits: high_precision_budget("1", digits), 0, -5, True, 1.5, None),
)
