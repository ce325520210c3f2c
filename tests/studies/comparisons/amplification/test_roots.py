"""Searches for a place where a function changes sign, also where it is not monotone."""

from collections.abc import Callable
from math import inf, log

import pytest

from dp_studies.comparisons.amplification.roots import bracket, narrowed

Function = Callable[[float], float]
FALLING: dict[str, Function] = {
    "a line": lambda x: 3 - x,
    "a logarithm": lambda x: log(3 / x),
    "a square": lambda x: 9 - x * x,
    "a step": lambda x: 1.0 if x < 3 else -1.0,
    "endless below": lambda x: 1 / x - 1 / 3 if x < 3 else -inf,
    "endless above": lambda x: inf if x < 3 else 3 - x,
    "loose beyond": lambda x: 3 - x if x < 50 else x,
    "loose, then nothing": lambda x: 3 - x if x < 5 else (1.0 if x < 900 else -inf),
}
"""At most 0 from 3 on, mostly."""
STARTS = (0.01, 2.9999, 3.0, 3.0001, 4.0, 40.0)


@pytest.mark.parametrize("name", FALLING)
@pytest.mark.parametrize("start", STARTS)
def test_the_place_is_found(name: str, start: float) -> None:
    excess, step = FALLING[name], 0.3 if "loose" in name else 1e-5
    if name == "loose, then nothing" and start > 5:
        return  # from there inwards alone is known to be good
    places = bracket(excess, start, 0.001, 1000.0, step, step if "loose" in name else inf)
    bad, good = narrowed(excess, *places, lambda x: 1e-9 * x)
    assert excess(bad) > 0 >= excess(good)
    assert good == pytest.approx(3, rel=1e-8)


@pytest.mark.parametrize("start", STARTS)
def test_of_rising_functions_from_above(start: float) -> None:
    places = bracket(lambda x: x - 3, start, 1000.0, 0.001)
    _, good = narrowed(lambda x: x - 3, *places, lambda x: 1e-9 * x)
    assert good == pytest.approx(3, rel=1e-8)
    assert good <= 3


def test_a_hole_is_not_entered_from_where_nothing_is_good() -> None:
    """From the top down: what is good below a hole that is not reached is left where it is."""
    places = bracket(lambda x: -1.0 if x < 8 and not 0.6 < x < 6 else 1.0, 64.0, 64.0, 0.01, 0.1, 0.1)
    assert places[1] < 8 < places[0]


@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_all_are_good_or_none(sign: float) -> None:
    places = bracket(lambda x: sign, 2.0, 1.0, 9.0)
    assert places == ((1.0, 1.0) if sign < 0 else (9.0, 9.0))
    assert narrowed(lambda x: sign, *places, lambda x: 0.1)[1] == places[1]


def test_few_evaluations_are_enough() -> None:
    asked: list[float] = []

    def excess(x: float) -> float:
        asked.append(x)
        return 20 * log(3 / x) + (x - 3) ** 2

    narrowed(excess, 2.9, 3.1, lambda x: 1e-9 * x)
    assert len(asked) < 10
