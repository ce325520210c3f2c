"""Bounds on E e^(-uY) from two moments, the ratio to its expectation that a mean reaches, medians, on few values."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from math import prod

import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from dp_spec.vocabulary.scalar import Ordering, compare
from dp_studies.reproduce import intervals
from dp_studies.reproduce.intervals import RATES, least_ratio, median_interval, mixed_normal, two_moments
from independent.numbers import ball

Law = Mapping[Fraction, Fraction]
values = st.fractions(0, 5, max_denominator=6)
laws = st.dictionaries(values, st.integers(1, 9), min_size=1, max_size=4).filter(lambda law: any(law))


def scaled(weights: Mapping[Fraction, int]) -> Law:
    """A law of mean 1."""
    total = sum(weights.values())
    mean = sum((y * w for y, w in weights.items()), Fraction(0)) / total
    return {y / mean: Fraction(w, total) for y, w in weights.items()}


def second(law: Law) -> arb:
    return ball(sum((y * y * p for y, p in law.items()), Fraction(0)))


@given(laws, st.sampled_from(RATES[::6]))
def test_transforms_are_bounds(weights: Mapping[Fraction, int], rate: fmpq) -> None:
    law, u = scaled(weights), arb(rate)
    with ctx.workprec(256):
        transform = sum((ball(p) * (-u * ball(y)).exp() for y, p in law.items()), arb(0))
        mixed = sum((ball(p) / (1 + 2 * u * ball(y)).sqrt() for y, p in law.items()), arb(0))
        # equal for c times a bit
        assert compare(transform, two_moments(second(law))(u)) is not Ordering.GREATER
        assert compare(mixed, mixed_normal(second(law))(u)) is not Ordering.GREATER


LAWS = tuple(
    scaled(weights)
    for weights in (
        {Fraction(0): 1, Fraction(1): 1},
        {Fraction(0): 9, Fraction(1): 1},
        {Fraction(1, 2): 1, Fraction(1): 2, Fraction(2): 1},
        {Fraction(1): 1, Fraction(10): 1},
    )
)


def below(law: Law, runs: int, ratio: arb | None) -> Fraction:
    """The probability that the mean is below the ratio."""
    if ratio is None:
        return Fraction(0)
    probability = Fraction(0)
    for rows in product(law.items(), repeat=runs):
        chance = Fraction(1)
        for _, p in rows:
            chance *= p
        if compare(ball(sum((y for y, _ in rows), Fraction(0)) / runs), ratio) is Ordering.LESS:
            probability += chance
    return probability


@pytest.mark.parametrize("level", [Fraction(1, 4), Fraction(1, 20), Fraction(1, 100)])
@pytest.mark.parametrize("law", LAWS, ids=range(len(LAWS)))
def test_means_are_seldom_below_the_ratio(law: Law, level: Fraction) -> None:
    for runs in (1, 3, 6):
        assert below(law, runs, least_ratio(two_moments(second(law)), runs, level)) <= level


@pytest.mark.parametrize(
    ("fault", "transform"),
    [("a variance of 0", lambda u: (-u).exp()), ("half the mean", lambda u: (-2 * u).exp())],
)
def test_a_fault_is_caught(fault: str, transform: intervals.Transform) -> None:
    level = Fraction(1, 100)
    assert max(below(law, 6, least_ratio(transform, 6, level)) for law in LAWS) > level


def test_more_runs_smaller_variances_and_weaker_levels_give_more() -> None:
    few, many = (least_ratio(two_moments(arb(2)), runs, Fraction(1, 10**6)) for runs in (40, 160))
    narrow = least_ratio(two_moments(arb(1.5)), 40, Fraction(1, 10**6))
    weak = least_ratio(two_moments(arb(2)), 40, Fraction(1, 10))
    assert few is not None
    assert many is not None
    assert narrow is not None
    assert weak is not None
    for more in (many, narrow, weak):
        assert compare(few, more) is Ordering.LESS
        assert compare(more, 1) is Ordering.LESS
    assert least_ratio(two_moments(arb(6)), 4, Fraction(1, 10**6)) is None


@pytest.mark.parametrize("runs", [1, 4])
@pytest.mark.parametrize("level", [Fraction(1, 16), Fraction(1, 5), Fraction(2, 5)])
@given(st.lists(st.integers(1, 4), min_size=1, max_size=3))
def test_medians(level: Fraction, runs: int, weights: list[int]) -> None:
    """Of a law on 0, 1, 2: each end is wrong with at most the level, for the least and the largest median."""
    law = [Fraction(weight, sum(weights)) for weight in weights]
    least = next(x for x in range(len(law)) if sum(law[: x + 1]) >= Fraction(1, 2))
    most = next(x for x in reversed(range(len(law))) if sum(law[x:]) >= Fraction(1, 2))
    below = above = Fraction(0)
    for seen in product(range(len(law)), repeat=runs):
        low, high = median_interval([Fraction(x) for x in seen], level)
        chance = prod(law[x] for x in seen)
        below += chance if low is not None and low > least else 0
        above += chance if high is not None and high < most else 0
    assert max(below, above) <= level


@pytest.mark.parametrize(
    ("runs", "level", "found"),
    [
        (20, Fraction(1, 2**21), None),
        (21, Fraction(1, 2**21), (0, 20)),
        (21, Fraction(21, 2**21), (0, 20)),
        (21, Fraction(22, 2**21), (1, 19)),
        (5, Fraction(1, 2), (2, 2)),
    ],
)
def test_medians_are_between_values_in_order(runs: int, level: Fraction, found: tuple[int, int] | None) -> None:
    assert median_interval([Fraction(x) for x in reversed(range(runs))], level) == (found or (None, None))
