"""Draws that are conditioned on, and the real generators seeded with their outcomes."""

import os
import random
import sys
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dp_audit.run.child.interceptor.coins import Limits
from dp_audit.run.child.interceptor.path_walk import exact_law
from dp_audit.run.child.refusals import Seeded, TooManyPaths, UnmodeledRandomness
from independent.intercepting import law


@pytest.mark.slow
def test_large_integer_draws_take_the_given_outcomes_in_turn() -> None:
    def drawn() -> list[Any]:
        sizes = [random.randint(0, sys.maxsize), np.random.randint(0, 2**32), random.getrandbits(64)]
        return [*map(int, sizes), random.randint(0, 1)]

    probabilities = law(drawn, conditioned=(7, 8))
    assert probabilities == {"[7,8,7,0]": Fraction(1, 2), "[7,8,7,1]": Fraction(1, 2)}
    assert law(lambda: os.urandom(8)[7], conditioned=(300,)) == {"44": 1}
    models = exact_law(drawn, Limits(conditioned=(7, 8))).models
    assert any("given 7, 8 in turn" in model and str(2**63) in model for model in models)
    with pytest.raises(TooManyPaths):
        exact_law(drawn)
    with pytest.raises(UnmodeledRandomness, match="4294967296 is no outcome"):
        exact_law(lambda: np.random.randint(0, 2**32), Limits(conditioned=(2**32,)))


@given(st.integers(1, 40), st.integers(2, 40), st.integers(0, 1))
def test_conditioning_begins_at_the_given_number_of_outcomes(size: int, least: int, value: int) -> None:
    probabilities = law(lambda: random.randrange(size), conditioned=(value,), condition_from=least)
    uniform = {str(i): Fraction(1, size) for i in range(size)}
    assert probabilities == (uniform if size < least else {str(value): Fraction(1)})


def test_only_the_first_draw_beyond_the_limit_of_paths_is_conditioned_on() -> None:
    assert len(law(lambda: random.randrange(50), paths=50, conditioned=(3,))) == 50
    assert law(lambda: random.randrange(51), paths=50, conditioned=(3,)) == {"3": 1}


@pytest.mark.slow
def test_a_generator_seeded_with_a_given_outcome_is_the_real_one() -> None:
    def seeded() -> list[int]:
        seed = random.getrandbits(64)
        generators = random.Random(seed), np.random.RandomState(seed), np.random.default_rng(seed)
        return [random.getrandbits(64), generators[0].randint(0, 99), *(int(g.choice(99)) for g in generators[1:])]

    def real() -> list[int]:
        return [
            11,
            random.Random(5).randint(0, 99),
            int(np.random.RandomState(5).choice(99)),
            int(np.random.default_rng(5).choice(99)),
        ]

    assert law(seeded, conditioned=(5, 11)) == {str(real()).replace(" ", ""): 1}
    for make in (lambda: random.Random(6), lambda: np.random.RandomState(6), lambda: np.random.default_rng(6)):
        with pytest.raises(Seeded):
            exact_law(make, Limits(conditioned=(5,)))


def test_a_seeded_generator_that_is_kept_is_refused() -> None:
    kept: list[Any] = []

    def keep() -> int:
        seed = random.getrandbits(64)
        kept.append(np.random.RandomState(seed))
        return int(kept[0].randint(2))

    with pytest.raises(UnmodeledRandomness):
        exact_law(keep, Limits(conditioned=(5,)))
