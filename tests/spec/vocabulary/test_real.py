"""Exact real numbers: a field, its order, its printed forms; and budgets of any epsilon."""

from fractions import Fraction
from typing import Any

import mpmath
import pytest
from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from cases.refusals import refusal_test, refuses
from dp_refimpl import GRR, RAPPOR, Budget, SuRAP, exact_channel, smallest_constant
from dp_refimpl.coins import SamplingCoins
from dp_spec.vocabulary.budget import rational_budget, real_budget
from dp_spec.vocabulary.exceptions import NotExactError
from dp_spec.vocabulary.real import Real
from dp_spec.vocabulary.scalar import Ordering, compare, require_law

BASES = (None, fmpq(2), fmpq(9, 4))
exponents = st.fractions(-3, 3, max_denominator=6)


@st.composite
def numbers(draw: st.DrawFn, base: Any) -> tuple[Real, Any]:
    """A number of the field of a base, and its value to 60 digits by mpmath."""
    context = mpmath.MPContext()
    context.dps = 60
    root = context.e if base is None else context.mpf(int(base.p)) / int(base.q)
    exact, value = Real.lift(0), context.mpf(0)
    for _ in range(draw(st.integers(0, 3))):
        power, factor = draw(exponents), draw(st.fractions(-4, 4, max_denominator=5))
        exact = exact + Real.power(base, power) * factor
        value += root ** (context.mpf(power.numerator) / power.denominator) * factor.numerator / factor.denominator
    return exact, value


def close(exact: Real, value: Any) -> bool:
    return bool(abs(value.context.mpf(exact.decimal(50)) - value) < value.context.mpf(10) ** -40 * (1 + abs(value)))


@pytest.mark.parametrize("base", BASES, ids=str)
@settings(max_examples=20)
@given(data=st.data())
def test_numbers_are_a_field_and_have_the_values_of_mpmath(base: Any, data: st.DataObject) -> None:
    (a, x), (b, y), (c, _) = (data.draw(numbers(base)) for _ in range(3))
    assert a + b == b + a
    assert (a + b) * c == a * c + b * c
    assert a - a == 0
    assert close(a + b, x + y)
    assert close(a * b, x * y)
    if b != 0:
        assert (a / b) * b == a
        assert hash(a / b * b) == hash(a)
        assert close(a / b, x / y)


@pytest.mark.parametrize("base", BASES, ids=str)
@settings(max_examples=20)
@given(data=st.data())
def test_the_order_is_that_of_the_values(base: Any, data: st.DataObject) -> None:
    (a, x), (b, y) = (data.draw(numbers(base)) for _ in range(2))
    order = compare(a, b)
    assert order is not Ordering.UNDECIDED
    assert (order is Ordering.EQUAL) == (a == b)
    if a != b:  # different numbers of this size differ in the first 40 digits
        assert (order is Ordering.LESS) == (x < y) == (a < b) == (b > a) == (not b <= a)


@given(exponents, st.integers(1, 6))
def test_a_power_of_a_root_is_the_power(exponent: Fraction, times: int) -> None:
    for base in BASES:
        assert Real.power(base, exponent) == Real.power(base, exponent / times) ** times
        assert Real.power(base, exponent).raised(Fraction(1, times)) == Real.power(base, exponent / times)


def test_rational_numbers_are_recognized() -> None:
    root = Real.power(fmpq(9), Fraction(1, 2))
    assert root == 3 == Real.lift(3)
    assert root.rational() == fmpq(3)
    assert hash(root) == hash(3) == hash(Fraction(3))
    assert Real.power(None, Fraction(1, 2)).rational() is None
    assert Real.power(fmpq(2), Fraction(2, 3)) ** 2 == 2 * Real.power(fmpq(2), Fraction(1, 3))


@pytest.mark.parametrize(
    ("number", "digits"),
    [
        (Real.lift(fmpq(3, 5)), "3/5"),
        (Real.power(None, Fraction(1)), "2.71828182845905 (exactly e)"),
        (
            Real.power(None, Fraction(1, 2)) / (Real.power(None, Fraction(1)) + 3),
            "0.288324591225057 (exactly e^(1/2)/(e + 3))",
        ),
        (1 / (2 * Real.power(None, Fraction(2))), "0.0676676416183063 (exactly 1/(2*e^2))"),
        (Real.power(fmpq(3), Fraction(1, 2)) / 2 - 1, "-0.133974596215561 (exactly (3^(1/2) - 2)/2)"),
        (Real.power(fmpq(3, 2), Fraction(1, 2)), "1.22474487139159 (exactly (3/2)^(1/2))"),
    ],
    ids=str,
)
def test_numbers_show_their_digits_and_their_exact_form(number: Real, digits: str) -> None:
    assert str(number).startswith(digits)


ONE_EPSILON: list[Any] = [1, 1.0, "1", Fraction(1), fmpq(1), "1.0", " 1 "]


@pytest.mark.parametrize("epsilon", ONE_EPSILON, ids=repr)
def test_one_epsilon_has_one_budget(epsilon: Any) -> None:
    assert Budget(epsilon) == Budget(1)
    assert Budget(epsilon).exp(Fraction(1, 2)) ** 2 == Budget(1).exp() == Real.power(None, Fraction(1))


def test_text_is_the_decimal_and_a_float_its_binary_value() -> None:
    assert Budget("0.1") == Budget(Fraction(1, 10)) != Budget(0.1) == Budget(Fraction(0.1))
    assert Budget("4*ln(2)").exp() == 16
    assert Budget("ln(5/2)/2").exp(2) == fmpq(5, 2)
    assert Budget("1.5*ln(4)").exp() == 8


@given(st.sampled_from(["1", "0.1", "ln(3)", "2*ln(3/2)", "3"]), st.integers(1, 4))
def test_shares_multiply_to_the_whole(epsilon: str, m: int) -> None:
    budget = Budget(epsilon)
    assert budget.exp(Fraction(1, 2 * m)) ** (2 * m) == budget.exp() == budget.split(m).exp() ** m
    ball = budget.exp(Fraction(1, m)).enclosure(128)
    assert ball.overlaps(arb(budget.exp().enclosure(256)) ** (arb(1) / m))


@pytest.mark.parametrize("epsilon", [1, "0.1", "ln(3)", 2.5])
def test_the_smallest_constant_is_the_budget_at_any_epsilon(epsilon: Any) -> None:
    """Where the constant is e^epsilon, it is recognized as that number; two balls would overlap for ever."""
    for mechanism in (GRR(d=3, epsilon=epsilon), RAPPOR(d=2, epsilon=epsilon)):
        channel = exact_channel(mechanism)
        assert smallest_constant(channel) == mechanism.budget.exp()
        for row in channel.rows.values():
            require_law(tuple(row.values()))
    sets = SuRAP(sensitive=["a", "b"], nonsensitive=["c"], m=2, epsilon=epsilon)
    constant = smallest_constant(exact_channel(sets), sets.domain, "joint")
    assert constant == sets.budget.exp(Fraction(1, 2))  # one exchanged item out of two


def test_real_laws_are_sampled() -> None:
    import numpy as np

    mechanism, coins = GRR(d=2, epsilon=1), SamplingCoins(np.random.default_rng(1))
    kept = sum(mechanism.randomize(0, coins) == 0 for _ in range(2000))
    assert abs(kept / 2000 - float(mechanism.p)) < 0.05  # five standard deviations


@given(st.integers(1, 9), st.integers(1, 6000), st.integers(1, 7))
def test_whole_powers_of_a_rational_are_rational(base: int, factor: int, divisor: int) -> None:
    power = Budget(f"{factor}*ln({base})/{divisor}").exp() ** divisor
    assert power.rational() == fmpq(base) ** factor


TOO_LARGE = ("1000001", "2000000*ln(2)", "100000000000*ln(3/2)", 1e9, 10**400)
ZERO = Real.power(None, Fraction(1)) - Real.power(None, Fraction(1))
test_refusals = refusal_test(
    refuses("", lambda: Real.lift(1) / ZERO, kind=ZeroDivisionError),
    # before it is computed
    *(refuses("epsilon", parse, *TOO_LARGE) for parse in (Budget, rational_budget, real_budget)),
    refuses("numbers", lambda: Real.power(None, Fraction(1)) + Real.power(fmpq(2), Fraction(1, 2)), says="one base"),
    refuses("numbers", lambda: Real.power(None, Fraction(0.1)) + Real.power(None, Fraction(1, 3)), says="degree"),
    refuses("budget", lambda: (Real.power(None, Fraction(1)) + 1).raised(Fraction(1, 2)), kind=NotExactError),
    refuses("number", Real.lift, 0.5),
    refuses("", lambda exponent: Real.lift(4) ** exponent, Fraction(1, 2), fmpq(2), 0.5, kind=TypeError),
    refuses("exponent", lambda exponent: (Budget("1e-9").exp() + 1) ** exponent, 10**9),
)


@pytest.mark.parametrize("base", BASES)
def test_large_powers_of_a_root_are_written_as_one(base: fmpq | None) -> None:
    root = Real.power(base, Fraction(1, 2))
    assert (3 * root) ** 10_000 == Real.lift(3) ** 10_000 * Real.power(base, Fraction(5000))
    assert Budget("1e-9").exp() ** 10**9 == Budget(1).exp()


@pytest.mark.parametrize("number", [0, 1, Real.power(None, Fraction(1, 2)) - Real.power(None, Fraction(1, 2)), -2])
def test_a_number_is_true_unless_it_is_0(number: Any) -> None:
    assert bool(Real.lift(number)) is (Real.lift(number) != 0)
