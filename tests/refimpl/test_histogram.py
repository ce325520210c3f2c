"""Histogram encoding: laws by brute force, exact moments, what is attained, the best threshold; planted faults."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from flint import arb, ctx, fmpq
from numpy.random import default_rng

from cases.faults import nothing_wrong_test
from cases.refusals import refusal_test, refuses
from dp_refimpl.coins import SamplingCoins, ScriptedCoins
from dp_refimpl.enumeration import TooManyPathsError, exact_channel
from dp_refimpl.frequency.histogram import SHE, THE, best_power, best_threshold, threshold_chances
from dp_spec.frequency import histogram as spec
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import MissingError
from dp_spec.vocabulary.items import ItemDomain
from dp_spec.vocabulary.ratfunc import RationalFunctionField
from independent.cut_paths import after, walked
from independent.item_mechanisms import at_share
from independent.numbers import exact, fraction
from independent.sketch_cases import largest_ratio
from mutants.rewriting import planted_test, read_faults

ROOTS = (Fraction(2), Fraction(3, 2))
T = RationalFunctionField({"t": 1}).variable("t")

# --- SHE: infinitely many reports, walked until a path has so many choices --------------------------------------------

DEPTH = 12
SIZES = tuple(product((1, 2), (1, 2, 3)))
"""(d, steps)."""


def summation(d: int, steps: int, root: Any) -> Any:
    """`root` is e^(eps / (2 steps))."""
    number = exact(root) if isinstance(root, Fraction) else root
    return SHE(ItemDomain.of_sizes(d), Budget.of_root(number, 2 * steps), steps)


def tail(level: Fraction, steps: int, root: Fraction) -> Fraction:
    """P[noise > level], level a multiple of 1 / steps."""
    power = root ** int(-abs(level) * steps) / 2
    return power if level >= 0 else 1 - power


def by_brute_force(report: Any, item: int, steps: int, root: Fraction) -> Fraction:
    chance = Fraction(1)
    for x, entry in enumerate(report):
        low = fraction(entry) - Fraction(1, 2 * steps) - int(x == item)
        if (low * steps).denominator != 1:
            return Fraction(0)  # no middle of a cell
        chance *= tail(low, steps, root) - tail(low + Fraction(1, steps), steps, root)
    return chance


def wrong_sums() -> Iterator[str]:
    """Every report has a path of its own, so that what is reached has its whole chance."""
    for d, steps in SIZES:
        for root in ROOTS if d == 1 else ROOTS[:1]:
            for item in range(d):
                mechanism = summation(d, steps, root)
                law, longer = walked(lambda coins: mechanism.randomize(item, coins), after(DEPTH if d == 1 else 7))  # noqa: B023
                if sum(law.values()) + longer != 1 or len(law) < 6:
                    yield f"d = {d}, steps = {steps}: {len(law)} reports"
                if any(p != by_brute_force(y, item, steps, root) for y, p in law.items()):
                    yield f"d = {d}, steps = {steps}, e^(eps / (2 steps)) = {root}, item {item}"


def reports_around(d: int, steps: int) -> list[tuple[fmpq, ...]]:
    """Every entry in the cells from -1 to 2, beyond which nothing changes but one factor for all inputs."""
    cells = [fmpq(2 * j + 1, 2 * steps) for j in range(-steps, 2 * steps)]
    return list(product(cells, repeat=d))


test_the_law_of_the_sums_is_the_one_by_brute_force = nothing_wrong_test(wrong_sums)


@pytest.mark.parametrize(("d", "steps"), [*SIZES, (3, 1)])
def test_chances_of_reports_and_the_largest_ratio(d: int, steps: int) -> None:
    """Every event whose ends are ends of cells has the chance of the real-valued noise; e^eps for every budget."""
    mechanism, every = summation(d, steps, ROOTS[0]), summation(d, steps, T)
    for report in reports_around(d, steps):
        for item in range(d):
            assert fraction(mechanism.prob(report, item)) == by_brute_force(report, item, steps, ROOTS[0])
    ratios = [
        every.prob(report, x) / every.prob(report, y)
        for report in reports_around(d, steps)
        for x, y in product(range(d), repeat=2)
    ]
    whole = T ** (2 * steps)
    assert (whole in ratios) == (d > 1)
    powers = [T**j for j in range(-2 * steps, 2 * steps + 1)]
    assert all(q in powers for q in ratios)  # none is above e^eps


@pytest.mark.parametrize("steps", [1, 2, 3, 8])
@pytest.mark.parametrize("root", ROOTS)
def test_the_variance_of_the_noise(steps: int, root: Fraction) -> None:
    """The exact sum over both sides lies between that over so many cells and the same plus a bound of the rest."""
    mechanism, r, most = summation(1, steps, root), 1 / root, 400
    squares = [Fraction(2 * j + 1, 2 * steps) ** 2 * (1 - r) * r**j for j in range(most)]
    rest = squares[-1] * 4 / (1 - r)  # from here on the terms fall by more than (1 + r) / 2
    assert sum(squares) < fraction(mechanism.variance) < sum(squares) + rest
    stated = spec.CELLS_VARIANCE.evaluate({"s": fmpq(steps), "r": exact(r), "n": fmpq(5)})
    assert stated * 5 == mechanism.variance


def wrong_means() -> Iterator[str]:
    """The mean of the entries, for all small lists of reports with cells on both sides of 0 and 1."""
    mechanism = summation(2, 1, ROOTS[0])
    drawn = [(fmpq(-3, 2), fmpq(1, 2)), (fmpq(5, 2), fmpq(-1, 2)), (fmpq(1, 2), fmpq(3, 2))]
    for n in (1, 2, 3):
        for reports in product(drawn, repeat=n):
            estimate = mechanism.estimate(list(reports))
            for x in (0, 1):
                if fraction(estimate[x]) != sum((fraction(y[x]) for y in reports), Fraction(0)) / n:
                    yield f"{reports}"


def test_the_estimate_is_the_mean_of_the_entries() -> None:
    assert list(wrong_means()) == []
    mechanism = SHE(d=2, epsilon=1)
    assert [float(v) for v in mechanism.estimate([(0.25, 1), (fmpq(1, 4), Fraction(-1, 2))]).values()] == [0.25, 0.25]
    assert mechanism.estimate([(0.1, 0)])[0].rational() == fmpq(3602879701896397, 36028797018963968)


test_planted_faults_are_found = planted_test(read_faults("summation.toml"), {"sums": wrong_sums, "means": wrong_means})


def test_scripted_and_sampled_runs() -> None:
    coins = ScriptedCoins([0, 1, 1, 0, 1, 1, 0, 0])
    assert summation(2, 2, ROOTS[0]).randomize(0, coins) == (1 + fmpq(11, 4), fmpq(-1, 4))
    coins.require_finished()
    mechanism = SHE(d=2, epsilon="1/2", steps=4)
    reports = [mechanism.randomize(1, SamplingCoins(default_rng(7))) for _ in range(3)]
    assert set(mechanism.estimate(reports)) == {0, 1}


# --- THE --------------------------------------------------------------------------------------------------------------


def thresholded(d: int, theta: Fraction, power: int = 4) -> Any:
    """For every budget: T is e^(eps/power)."""
    return THE(ItemDomain.of_sizes(d), Budget.of_root(T, power), theta)


@pytest.mark.parametrize("theta", [Fraction(i, 6) for i in range(7)])
@pytest.mark.parametrize("d", [1, 2, 3])
def test_what_a_threshold_attains_is_the_largest_ratio(theta: Fraction, d: int) -> None:
    mechanism = thresholded(d, theta, 12)
    assert mechanism.attained == largest_ratio(mechanism)
    if d > 1:
        assert spec.ATTAINED.evaluate(at_share(theta)) == mechanism.attained


def test_the_share_goes_from_0_to_1_with_the_threshold() -> None:
    """Every z between is that of a threshold between; those of thresholds above 1/2 are above 1 / (e^(eps/4) + 1)."""
    (stated,) = spec.AT_SHARE.values()
    for theta in (Fraction(i, 6) for i in range(7)):
        assert stated.evaluate(at_share(theta)) == at_share(theta)["a"]
    assert (at_share(Fraction(0))["z"], at_share(Fraction(1))["z"]) == (0, 1)
    assert at_share(Fraction(1, 2))["z"] == 1 / (T**3 + 1)


def test_bits_are_what_a_threshold_shows_of_the_sums() -> None:
    """At an end of a cell: the chances of the cells above it."""
    she, the = summation(1, 2, T), thresholded(1, Fraction(1, 2))
    cells = [fmpq(2 * j + 1, 4) for j in range(1, 40)]
    first, last = she.prob((cells[0],), 0), she.prob((cells[-1],), 0)
    assert the.p == sum((she.prob((c,), 0) for c in cells), 0 * T) + last * she.ratio / (1 - she.ratio)
    assert first != last


@pytest.mark.parametrize("epsilon", ["1/10", "1", "5"])
def test_the_best_threshold(epsilon: str) -> None:
    with ctx.workprec(256):
        half = Budget(epsilon).exp(Fraction(1, 2)).enclosure(256)
        p, q = threshold_chances(half, best_power(half))
        best, theta = q * (1 - q) / (p - q) ** 2, best_threshold(half)
        assert arb(1) / 2 < theta < 1
        for other in (Fraction(i, 20) for i in range(-20, 41)):
            tried = THE(d=2, epsilon=epsilon, theta=other)
            assert best < (tried.q * (1 - tried.q) / (tried.p - tried.q) ** 2).enclosure(256)
        between = THE(d=2, epsilon=epsilon, theta=Fraction(3, 4))
        power = (half.log() * fmpq(3, 4)).exp()
        assert all(
            a.overlaps(b.enclosure(256))
            for a, b in zip(threshold_chances(half, power), (between.p, between.q), strict=True)
        )


# --- refusals ---------------------------------------------------------------------------------------------------------

COINS = SamplingCoins(default_rng(1))
CELL, NAN = fmpq(1, 4), float("nan")
SUMS = SHE(d=2, epsilon=1, steps=2)
BITS = THE(d=2, epsilon=1, theta=Fraction(1))
NO_VECTORS = [(1,), (1, 2, 3), (NAN, 0), (0, float("inf")), (True, 0), ("1", 0), (None, 0), None, "12", 3, (1j, 0)]
NO_ITEMS = [np.array([2]), np.array([-1]), np.array([0.5]), np.array([[0]])]


test_refusals = refusal_test(
    refuses("", exact_channel, SUMS, kind=TooManyPathsError),
    refuses("steps", lambda steps: SHE(d=2, epsilon=1, steps=steps), 0, -1, True, 1.0, None, "2"),
    refuses("budget", lambda: SHE(d=2, epsilon=0)),
    refuses("item", lambda item: SUMS.randomize(item, COINS), 2),
    refuses("report", lambda report: SUMS.prob(report, 0), (fmpq(1, 2), CELL), (fmpq(0), fmpq(0))),
    refuses("reports", lambda report: SUMS.prob(report, 0), (CELL,)),
    refuses("item", lambda item: SUMS.prob((CELL, CELL), item), 2),
    refuses("reports", lambda report: SHE(d=2, epsilon=1).estimate([(0, 1), report]), *NO_VECTORS),
    refuses("reports", SUMS.estimate, []),
    refuses("theta", lambda theta: THE(d=2, epsilon=1, theta=theta), NAN, 0.75, "3/4", True, float("inf"), ()),
    refuses("theta", lambda: THE(d=2, epsilon=1), kind=MissingError),
)


def test_at_epsilon_zero_nothing_is_attained() -> None:
    assert THE(d=2, epsilon=0, theta=Fraction(1)).attained == 1
