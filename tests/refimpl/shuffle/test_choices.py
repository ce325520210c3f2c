"""Parameter choices solve the formulas they come from; what they refuse."""

from fractions import Fraction
from typing import Any

from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import default_rng

from cases.refusals import refusal_test, refuses
from dp_refimpl.coins import SamplingCoins
from dp_refimpl.shuffle.blanket import SH
from dp_refimpl.shuffle.murs import solh_choice
from dp_refimpl.shuffle.parameter_choices import (
    above,
    blanket_gamma,
    central_epsilon,
    log_over,
    mixed_dummies,
    whole,
)
from dp_spec.vocabulary.items import ItemDomain

DELTA = fmpq(1, 10**6)
NAN = float("nan")

users = st.integers(10**5, 10**7)
epsilons = st.fractions(Fraction(1, 10), 1, max_denominator=50)
ranges = st.integers(2, 1000)


@given(ranges, users, epsilons, st.fractions(0, 1, max_denominator=1000))
def test_mixed_dummies_solve_theirs(k: int, n: int, epsilon: Fraction, part: Fraction) -> None:
    gamma = fmpq(part.numerator, part.denominator)
    total, expected = mixed_dummies(k, n, gamma, epsilon, DELTA), arb(gamma) * (n - 1)
    least = expected - (2 * expected * log_over(2, DELTA)).sqrt() - 1
    reached = 14 * k * log_over(4, DELTA) / central_epsilon(epsilon) ** 2
    if total == 0:
        assert least >= reached
    else:
        assert (total + least).overlaps(reached)


@given(users, epsilons)
def test_the_choice_of_solh_solves_the_bound_of_the_blanket(n: int, epsilon: Fraction) -> None:
    """eps = sqrt(14 ln(2/delta) (e^eps_l + d' - 1) / (n - 1)); d' is the nearest below (M + 2) / 3."""
    choice = solh_choice(n, epsilon, DELTA)
    if choice.fallback:
        assert choice.amplification - choice.labels + 1 < 1
        assert choice.root.overlaps(central_epsilon(epsilon).exp())
        return
    bound = (14 * log_over(2, DELTA) * (choice.root + choice.labels - 1) / (n - 1)).sqrt()
    assert bound.overlaps(central_epsilon(epsilon))
    assert choice.labels == 2 or choice.labels <= (choice.amplification + 2) / 3 < choice.labels + 1


def test_the_published_sizes() -> None:
    """n = 602325 and eps = 1: M_c = 2965.3.., d' = 989; few users: two labels, and eps_l = eps."""
    choice = solh_choice(602325, 1, DELTA)
    assert (whole(choice.amplification), choice.labels, choice.fallback) == (2965, 989, False)
    few = solh_choice(1000, "0.1", DELTA)
    assert (few.labels, few.fallback) == (2, True)


@given(st.integers(2, 50), users)
def test_gamma_of_the_blanket(k: int, n: int) -> None:
    first, second = 14 * k * log_over(2, DELTA) / (n - 1), arb(fmpq(27 * k, n - 1))
    gamma = blanket_gamma(k, n, 1, DELTA)
    assert gamma.overlaps(first)
    assert gamma > second
    assert blanket_gamma(k, n, 1, fmpq(1)).overlaps(second)
    chosen: Any = SH.chosen(ItemDomain.of_sizes(k), n, 1, DELTA)
    assert chosen.gamma.overlaps(gamma)
    rounded = above(gamma)
    assert arb(rounded) >= gamma
    assert SH(ItemDomain.of_sizes(k), rounded).p < 1


def test_whole_numbers_of_dummies() -> None:
    assert whole(arb(fmpq(-1, 2))) == -1


NO_DELTAS = (fmpq(0), fmpq(-1, 2), fmpq(3, 2), 0.5, NAN, True, "1", None, 0, Fraction(2))
MANY = 10**6
OF_DELTA: tuple[Any, ...] = (
    lambda delta: log_over(2, delta),
    lambda delta: blanket_gamma(2, MANY, 1, delta),
    lambda delta: solh_choice(MANY, 1, delta),
    lambda delta: mixed_dummies(2, 10, fmpq(1), 1, delta),
)
OF_NUMBER: tuple[Any, ...] = (
    lambda number: blanket_gamma(number, MANY, 1, DELTA),
    lambda number: blanket_gamma(2, number, 1, DELTA),
    lambda number: mixed_dummies(2, number, fmpq(1), 1, DELTA),
    lambda number: solh_choice(number, 1, DELTA),
)
test_refusals = refusal_test(
    refuses("gamma", lambda: blanket_gamma(1000, 100, 1, DELTA), says="too few"),
    refuses("number", lambda: whole(arb(2, 1))),
    refuses(
        "probability",
        lambda: SH.chosen(ItemDomain.of_sizes(2), MANY, 1, DELTA).messages(0, SamplingCoins(default_rng(1))),
        says="a ball",
    ),
    *(refuses("delta", build, *NO_DELTAS) for build in OF_DELTA),
    refuses("epsilon", central_epsilon, 0, -1, NAN, float("inf"), True, None, "x", "ln(1)"),
    *(refuses("k|users", build, 0, -1, True, 2.0, NAN) for build in OF_NUMBER),
    refuses("gamma", lambda: mixed_dummies(2, 10, fmpq(3, 2), 1, DELTA)),
)
