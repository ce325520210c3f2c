"""Lazy draws stand for a `float` or a `numpy.float64`: what is made of them has the type that it has in truth."""

import math
import operator
import random
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest

from independent.intercepting import walking


def drawn(owner: str, name: str, size: int | None) -> Any:
    """One of the numbers that a new generator draws."""
    sample = getattr(getattr(np.random, owner)(), name)(size=size)
    return sample if size is None else sample[0]


DRAWS: dict[str, Callable[[], Any]] = {
    "random.random()": lambda: random.random(),
    "random.uniform(0, 1)": lambda: random.uniform(0, 1),
    "random.uniform(0, float64)": lambda: random.uniform(0, np.float64(1)),
    "np.random.rand()": lambda: np.random.rand(),
    "np.random.rand(1)[0]": lambda: np.random.rand(1)[0],
    "np.random.random((2, 2))[1][0]": lambda: np.random.random((2, 2))[1][0],
    **{
        f"{owner}().{name}, {size}": partial(drawn, owner, name, size)
        for owner, name in (("RandomState", "laplace"), ("default_rng", "uniform"), ("default_rng", "exponential"))
        for size in (None, 2)
    },
}
INTEGERS: dict[str, Callable[[], Any]] = {
    "random.randrange(1 << 40)": lambda: random.randrange(1 << 40),
    "np.random.randint(1 << 40)": lambda: np.random.randint(1 << 40),
    "rng.integers(1 << 40)": lambda: np.random.default_rng().integers(1 << 40),
    "rng.choice(1 << 40)": lambda: np.random.default_rng().choice(1 << 40),
}
CONSTANTS = (3, 0.5, np.float64(0.5), np.int64(3), np.array(0.5), Fraction(1, 2))


def compared(name: str, constant: Any, u: Any) -> Any:
    """The operator of this name."""
    return getattr(operator, name)(u, constant)


USES: dict[str, Callable[[Any], Any]] = {
    **{f"{name} {c!r}": partial(compared, name, c) for name in ("lt", "eq") for c in CONSTANTS},
    "0.5 <": lambda u: u > 0.5,
    "float64 <": lambda u: np.float64(0.5) < u,
    "0.5 >=": lambda u: u >= 0.5,
    "not": lambda u: not u < 0.5,
    "unequal": lambda u: u != np.float64(0.5),
    "times": lambda u: (u < 0.5) * 1,
    "5 u + 1 < 2": lambda u: 5 * u + 1 < 2,
    "float64 u < 2": lambda u: np.float64(5) * u < 2,
    "u float64 < 2": lambda u: u * np.float64(5) < 2,
    "u / int64 < 2": lambda u: u / np.int64(5) < 2,
    "u / 3 < 2": lambda u: u / 3 < 2,
    "u % 1 < 0.5": lambda u: u % 0.25 < 0.125,
    "int": lambda u: int(u < 0.5),
    "bool": lambda u: bool(u < 0.5),
    "floor": lambda u: math.floor(u * 0.0),
    "round": lambda u: round(u * 0.0),
    "numpy.floor": lambda u: np.floor(u * 0.0),
    "numpy.less": lambda u: np.less(u, 0.5),
    "numpy.add": lambda u: np.add(u, 0.5) < 0.5,
    "numpy.abs": lambda u: np.abs(u) < 0.5,
    "abs": lambda u: abs(u) < 0.5,
    "negative": lambda u: -u < -0.5,
}
OF_INTEGERS = [use for use in USES if use[:3] in ("lt ", "eq ") and "array" not in use]
OF_INTEGERS += ["0.5 <", "0.5 >=", "not", "unequal", "times", "u / 3 < 2", "int", "bool"]


def kind(value: Any) -> str:
    return ("numpy." if type(value).__module__ == "numpy" else "") + type(value).__name__


def used(draw: Callable[[], Any], use: str) -> Any:
    """What is made of a draw."""
    return USES[use](draw())


def differing(draws: Mapping[str, Callable[[], Any]], draw: str, uses: Iterable[str]) -> dict[str, tuple[Any, Any]]:
    """By use the types in truth and in the enumeration, where they are not the same."""
    real = {use: {kind(USES[use](draws[draw]()))} for use in uses}
    with walking() as law_of:
        laws = {use: law_of(partial(used, draws[draw], use)) for use in real}
    pairs = {use: (real[use], {raw.partition(" ")[0] for _, raw in law.entries}) for use, law in laws.items()}
    return {use: types for use, types in pairs.items() if types[0] != types[1]}


@pytest.mark.slow
@pytest.mark.parametrize("draw", DRAWS)
def test_what_is_made_of_a_draw_has_its_type(draw: str) -> None:
    assert not differing(DRAWS, draw, USES)


@pytest.mark.parametrize("draw", INTEGERS)
def test_what_is_made_of_an_integer_has_its_type(draw: str) -> None:
    assert not differing(INTEGERS, draw, OF_INTEGERS)
