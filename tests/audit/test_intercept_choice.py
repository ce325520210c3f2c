"""Other members than integers that `choice` draws, and the search of `choices`, against the same thing written out."""

import bisect
import itertools
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dp_audit.run.child.interceptor.path_walk import exact_law
from independent.intercepting import law


def test_a_comparison_takes_two_paths_and_not_one_for_every_member() -> None:
    assert exact_law(lambda: random.choice(list(range(0, 1000, 2))) < 10).paths == 2


@pytest.mark.parametrize("members", [[3, 1, 2], [1, 1, 2], [True, 2], ["a", "b"], [1.5, 2], [7], range(3)])
def test_other_members_are_drawn_as_they_are(members: Any) -> None:
    alike = law(lambda: members[int(random.randrange(len(members)))])
    assert law(lambda: random.choice(members)) == alike


def test_no_member_can_be_chosen_of_none() -> None:
    (raised,) = exact_law(lambda: random.choice([])).raised.values()
    assert raised.startswith("IndexError")


def written_out(weights: list[Any]) -> Callable[[], int]:
    """The standard library's own search, decision by decision."""

    def draw() -> int:
        sums = list(itertools.accumulate(weights))
        return bisect.bisect(sums, random.random() * (sums[-1] + 0.0), 0, len(sums) - 1)

    return draw


WEIGHTS = st.sampled_from([0, 1, 3, 0.1, 0.3, 1e-30, 1e20, np.float64(0.7)]) | st.floats(0, 1)


@pytest.mark.slow
@settings(max_examples=20)
@given(st.lists(WEIGHTS, min_size=1, max_size=8).filter(lambda weights: sum(weights) > 0))
def test_choices_are_the_bisection_of_the_standard_library(weights: list[Any]) -> None:
    places, sums = range(len(weights)), list(itertools.accumulate(weights))
    probabilities = law(written_out(weights))
    assert law(lambda: random.choices(places, weights=weights)[0]) == probabilities
    assert law(lambda: random.choices(places, cum_weights=sums)[0]) == probabilities


@pytest.mark.parametrize(
    ("weights", "error"),
    [([1, 2, 3], "ValueError"), ([0, 0], "ValueError"), ([1, float("inf")], "ValueError"), (3, "TypeError")],
)
def test_what_choices_refuse_is_refused(weights: Any, error: str) -> None:
    (raised,) = exact_law(lambda: random.choices("ab", weights)).raised.values()
    assert raised.startswith(error)


@pytest.mark.parametrize("weights", [None, np.array([0.5, 0.5]), (1, 1)])
def test_choices_of_other_weights(weights: Any) -> None:
    assert set(law(lambda: random.choices("ab", weights, k=2)).values()) == {Fraction(1, 4)}


def test_falling_sums_are_left_to_the_standard_library() -> None:
    probabilities = law(lambda: random.choices("abc", cum_weights=[2, 1, 4])[0])
    sums = [2, 1, 4]
    assert probabilities == law(lambda: "abc"[bisect.bisect(sums, random.random() * 4.0, 0, 2)])
