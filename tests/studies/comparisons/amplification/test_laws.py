"""Ends lie on both sides of the exact worst case; they move with n, epsilon0 and dummies as it does. The exact
numbers share no code with the kernel. (Inverse questions: `test_grid`.)"""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from dp_kernel.certificate.check import verify
from dp_studies.comparisons.amplification import solve
from dp_studies.comparisons.amplification.query import Mechanism, Setting
from dp_studies.comparisons.amplification.solve import UnreachableError
from independent.shuffled_divergence import contains_delta, contains_epsilon, exact

WORK = 10**9
FAST = (Phase.explicit, Phase.generate)
"""A failing case takes too long to be made smaller."""
ROOTS = ("ln(3/2)", "ln(3)", "ln(10)")
DELTAS = tuple(Fraction(1, 10**i) for i in (1, 2, 4))
EPSILONS = (Fraction(0), Fraction(1, 10), Fraction(1, 2), Fraction(1))


@st.composite
def small(draw: Any, mechanism: Mechanism) -> Setting:
    """A setting of which all data sets can be listed."""
    labels = 2 if mechanism == "ldp" else draw(st.integers(2, 3))
    if mechanism == "olh":  # of all functions there are 8 or 27
        users, dummies = draw(st.sampled_from([(1, 0), (2, 0), (1, 1)] if labels == 3 else [(1, 0), (2, 1), (3, 0)]))
        return Setting("olh", users, draw(st.sampled_from(ROOTS)), labels, dummies)
    users = draw(st.integers(1, 4))
    if mechanism == "dump":
        return Setting("dump", users, None, labels, draw(st.integers(1, 5)))
    dummies = 0 if mechanism == "ldp" else draw(st.integers(0, 2))
    return Setting(mechanism, users, draw(st.sampled_from(ROOTS)), labels, dummies)


def accepted(enclosure: solve.Enclosure) -> bool:
    """Whether the kernel accepts the certificates that are written."""
    ends = [end.certificate("test") for end in enclosure[:2]]
    return all(verify(one, WORK) >= 0 for one in ends if one is not None)


@pytest.mark.campaign
@pytest.mark.parametrize("mechanism", ["krr", "olh", "dump", "ldp"])
@settings(max_examples=15, deadline=None)
@given(st.data())
def test_ends_lie_around_the_exact_worst_case(mechanism: Mechanism, data: st.DataObject) -> None:
    setting = data.draw(small(mechanism))
    laws = exact(setting)
    eps = data.draw(st.sampled_from(EPSILONS))
    enclosure = solve.delta(setting, eps, 6, WORK)
    assert contains_delta(enclosure, laws, eps)
    assert accepted(enclosure)
    delta = data.draw(st.sampled_from(DELTAS))
    try:
        enclosure = solve.epsilon(setting, delta, 6, WORK)
    except UnreachableError:
        assert mechanism == "dump"
        assert max(float(law.worst_profile().limit) for law in laws) > delta
        return
    assert contains_epsilon(enclosure, laws, delta)
    assert accepted(enclosure)


@settings(max_examples=10, deadline=None)
@given(small("krr"), st.sampled_from(EPSILONS))
def test_two_labels_are_exact(setting: Setting, eps: Fraction) -> None:
    """But for the last digit."""
    enclosure = solve.delta(replace(setting, labels=2), eps, 6, WORK)
    assert enclosure.upper.value - enclosure.lower.value <= enclosure.upper.value * 2 / 10**5


@pytest.mark.campaign
@pytest.mark.parametrize("mechanism", ["krr", "olh"])
@settings(max_examples=6, deadline=None, phases=FAST)
@given(st.integers(1, 600), st.integers(2, 8), st.integers(0, 50), st.sampled_from(DELTAS), st.data())
def test_epsilon_falls_in_users_and_dummies_and_grows_in_epsilon0(
    mechanism: Mechanism, users: int, labels: int, dummies: int, delta: Fraction, data: st.DataObject
) -> None:
    setting = Setting(mechanism, users, "ln(3)", labels, dummies)
    more = data.draw(
        st.sampled_from(
            [
                replace(setting, users=users + 1 + users // 10),
                replace(setting, dummies=dummies + 1 + dummies // 10),
                replace(setting, epsilon0="ln(2)"),
            ]
        )
    )
    first, second = (solve.epsilon(one, delta, 5, WORK) for one in (setting, more))
    assert second.lower.value <= first.upper.value


@pytest.mark.parametrize("mechanism", ["krr", "olh", "ldp"])
def test_more_labels_of_hashing_and_any_randomizer(mechanism: Mechanism) -> None:
    """What holds for every randomizer holds for randomized response and hashing; theirs shows what some randomizer
    does."""
    delta = Fraction(1, 10**4)
    anything = solve.epsilon(Setting("ldp", 300, "1"), delta, 6, WORK)
    labels = 2 if mechanism == "ldp" else 4
    enclosure = solve.epsilon(Setting(mechanism, 300, "1", labels), delta, 6, WORK)
    assert enclosure.lower.value <= anything.upper.value


def test_what_cannot_be_reached() -> None:
    with pytest.raises(UnreachableError, match="add dummies"):
        solve.epsilon(Setting("dump", 5, None, 3, 1), Fraction(1, 100), 6, WORK)
    with pytest.raises(UnreachableError, match="even 64 has"):
        solve.epsilon0(Setting("krr", 5, "1", 3, 10**6), Fraction(1, 10), Fraction(9, 10), 6, WORK)
    with pytest.raises(UnreachableError, match="not even 0"):
        solve.epsilon0(Setting("krr", 1, "1", 3), Fraction(0), Fraction(1, 10**9), 6, WORK)


def test_delta_that_is_reached_at_0_and_just_below_the_budget() -> None:
    enclosure = solve.epsilon(Setting("olh", 2, "ln(3/2)", 2, 1), Fraction(1, 10), 6, WORK)
    assert enclosure.upper.value <= Decimal("1e-8")
    enclosure = solve.epsilon(Setting("krr", 10, "1", 3), Fraction(1, 10**150), 6, WORK)
    assert Decimal("0.9999") < enclosure.lower.value < 1 <= enclosure.upper.value < Decimal("1.0001")
