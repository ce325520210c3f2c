"""One program, many number fields: for every epsilon, at one rational budget, in balls, and to 50 digits."""

from fractions import Fraction
from typing import Any

import pytest
from flint import arb, ctx, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from dp_refimpl.enumeration import exact_channel
from dp_spec.vocabulary.budget import Budget, high_precision_budget, real_budget
from dp_spec.vocabulary.items import ItemDomain
from independent.cases import CASES, Case
from strategies.exact import holds

DOMAIN, M = ItemDomain.of_sizes(2, 2), 2
FORMULAS = ("p", "q", "r", "c1", "c2", "c3", "theta", "d1", "d2")
BY_THEIR_OWN = [c for c in CASES if c.name != "urap-theta"]


def built(case: Case, budget: Budget[Any]) -> Any:
    options = dict(case.options)
    return case.mechanism(DOMAIN, budget, m=M, **options) if case.on_sets else case.mechanism(DOMAIN, budget, **options)


def channel(case: Case, budget: Budget[Any], one: Any) -> Any:
    return exact_channel(built(case, budget).randomize, case.inputs(DOMAIN, M, False), one)


@pytest.mark.parametrize("case", BY_THEIR_OWN, ids=lambda c: c.name)
def test_balls_hold_the_rational_channel(case: Case) -> None:
    t = fmpq(3, 2)
    exact = channel(case, Budget.of_root(t, 2 * M), fmpq(1))
    balls = channel(case, Budget.of_root(arb(t), 2 * M), arb(1))
    for x in exact.inputs:
        assert set(balls.rows[x]) == set(exact.rows[x])
        assert all(holds(balls.rows[x][y], p) for y, p in exact.rows[x].items())


@pytest.mark.parametrize("case", [c for c in BY_THEIR_OWN if c.name != "urap"], ids=lambda c: c.name)
@settings(max_examples=10)
@given(epsilon=st.fractions(Fraction(1, 100), 5, max_denominator=100))
def test_fifty_digits_lie_in_the_ball(case: Case, epsilon: Fraction) -> None:
    """The formulas of a mechanism at a real epsilon."""
    with ctx.workprec(256):
        ball, digits = built(case, real_budget(epsilon, 256)), built(case, high_precision_budget(epsilon, 50))
        for name in FORMULAS:
            if hasattr(ball, name):
                number = getattr(digits, name)
                mantissa, exponent = number.man_exp
                wide = getattr(ball, name) + arb(0, arb(10) ** -45)  # a few roundings of the fiftieth digit
                assert holds(wide, fmpq(int(mantissa)) * fmpq(2) ** int(exponent)), name


@pytest.mark.parametrize("case", BY_THEIR_OWN, ids=lambda c: c.name)
def test_a_real_epsilon_runs_in_balls(case: Case) -> None:
    with ctx.workprec(128):
        balls = channel(case, real_budget("0.5", 128), arb(1))
        for x in balls.inputs:
            total = sum(balls.rows[x].values(), arb(0))
            assert holds(total, fmpq(1))
            assert total.rel_accuracy_bits() > 100
