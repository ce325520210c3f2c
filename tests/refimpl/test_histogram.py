"""Histogram encoding: laws by brute force, exact moments, what is attained, the best threshold; planted faults."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from flint import arb, ctx, fmpq
from numpy.random import default_rng

from dp_refimpl.coins import SamplingCoins, ScriptedCoins
from dp_refimpl.enumeration import TooManyPathsError, exact_channel
from dp_refimpl.fast.array_coins import ArrayCoins
from dp_refimpl.fast.frequency.histogram import sample_she, sample_the
from dp_refimpl.frequency.histogram import (
    SHE,
    THE,
    best_power,
    best_threshold,
    laplace_variance,
    threshold_chances,
)
from dp_spec.frequency import histogram as spec
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError, MissingError
from dp_spec.vocabulary.items import ItemDomain
from dp_spec.vocabulary.ratfunc import RationalFunctionField
from independent import plain_oracles as plain
from independent.cases import fraction
from independent.enumerated_arrays import law_of
from independent.sketch_cases import (
    PlainLaw,
    contributions,
    data_sets,
    exact,
    jointly,
    largest_ratio,
    not_as_stated,
    rows_of,
    summed,
)
from mutants.histogram import SUMMED, SUMMED_ESTIMATORS, THRESHOLDED
from mutants.local_hashing import UNARY_ESTIMATORS
from mutants.mechanisms import mutant

ROOTS = (Fraction(2), Fraction(3, 2))
T = RationalFunctionField({"t": 1}).variable("t")

# --- SHE: infinitely many reports, walked until a path has so many choices --------------------------------------------

DEPTH = 12
SIZES = tuple(product((1, 2), (1, 2, 3)))
"""(d, steps)."""


class MoreChoices(Exception):
    """The path goes on with these probabilities."""

    def __init__(self, probabilities: Any) -> None:
        self.probabilities = probabilities


class PathCoins:
    def __init__(self, script: tuple[int, ...]) -> None:
        self.left = list(script)

    def choose(self, probabilities: Any) -> int:
        if not self.left:
            raise MoreChoices(tuple(probabilities))
        return self.left.pop(0)

    def choose_each(self, laws: Any) -> tuple[int, ...]:
        return tuple(self.choose(law) for law in laws)


def walked(program: Callable[[Any], Any], depth: int) -> tuple[PlainLaw, Fraction]:
    """The law on all reports of paths of at most so many choices, and the chance of longer paths."""
    law: PlainLaw = {}
    paths: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    longer = Fraction(0)
    while paths:
        script, weight = paths.pop()
        try:
            report = program(PathCoins(script))
        except MoreChoices as more:
            chances = [fraction(p) for p in more.probabilities]
            assert sum(chances) == 1
            if len(script) == depth:
                longer += weight
            else:
                paths += [((*script, i), weight * p) for i, p in enumerate(chances) if p]
            continue
        law[report] = law.get(report, Fraction(0)) + weight
    return law, longer


def summation(d: int, steps: int, root: Any, cls: type[Any] = SHE) -> Any:
    """`root` is e^(eps / (2 steps))."""
    return cls(
        ItemDomain.of_sizes(d), Budget.of_root(exact(root) if isinstance(root, Fraction) else root, 2 * steps), steps
    )


def tail(level: Fraction, steps: int, root: Fraction) -> Fraction:
    """P[noise > level], level a multiple of 1 / steps."""
    power = root ** int(-abs(level) * steps) / 2
    return power if level >= 0 else 1 - power


def by_brute_force(report: Any, item: int, steps: int, root: Fraction) -> Fraction:
    chance = Fraction(1)
    for x, entry in enumerate(report):
        low = fraction(entry) - Fraction(1, 2 * steps) - int(x == item)
        chance *= tail(low, steps, root) - tail(low + Fraction(1, steps), steps, root)
    return chance


def wrong_sums(cls: type[Any] = SHE) -> Iterator[str]:
    """Every report has a path of its own, so that what is reached has its whole chance."""
    for d, steps in SIZES:
        for root in ROOTS if d == 1 else ROOTS[:1]:
            for item in range(d):
                mechanism = summation(d, steps, root, cls)
                law, longer = walked(lambda coins: mechanism.randomize(item, coins), DEPTH if d == 1 else 7)  # noqa: B023
                if sum(law.values()) + longer != 1 or len(law) < 6:
                    yield f"d = {d}, steps = {steps}: {len(law)} reports"
                if any(p != by_brute_force(y, item, steps, root) for y, p in law.items()):
                    yield f"d = {d}, steps = {steps}, e^(eps / (2 steps)) = {root}, item {item}"


def reports_around(d: int, steps: int) -> list[tuple[fmpq, ...]]:
    """Every entry in the cells from -1 to 2, beyond which nothing changes but one factor for all inputs."""
    cells = [fmpq(2 * j + 1, 2 * steps) for j in range(-steps, 2 * steps)]
    return list(product(cells, repeat=d))


def test_the_law_of_the_sums_is_the_one_by_brute_force() -> None:
    assert list(wrong_sums()) == []


@pytest.mark.parametrize("name", SUMMED)
def test_a_fault_of_summation_is_caught(name: str) -> None:
    assert any(wrong_sums(mutant(SHE, SUMMED[name])))


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


@pytest.mark.parametrize("epsilon", ["1/2", "1", "3", "ln(5)"])
def test_finer_cells_have_the_variance_of_the_paper(epsilon: str) -> None:
    """For x = eps / (4 steps): 8 / eps^2 + 1/(12 steps^2) < variance < the same + x^2 / (30 steps^2)."""
    with ctx.workprec(256):
        limit = arb(laplace_variance(epsilon))
        for steps in (1, 2, 5, 16):
            variance = SHE(d=1, epsilon=epsilon, steps=steps).variance.enclosure(256)
            excess = (variance - limit) * steps**2
            assert excess > arb(1) / 12
            assert excess < arb(1) / 12 + 8 / limit / (16 * steps**2) / 30


def test_the_variance_of_the_paper() -> None:
    assert laplace_variance(1) == 8
    assert laplace_variance("0.5") == 32
    assert laplace_variance(0.5) == 32
    found = laplace_variance("2*ln(3)")
    assert isinstance(found, arb)
    assert found.overlaps(2 / arb(3).log() ** 2)
    assert spec.SHE_VARIANCE.evaluate({"eps": fmpq(1, 2), "n": fmpq(4)}) == 8
    for epsilon in (0, "0", -1, "x", float("nan"), None):
        with pytest.raises(DomainError, match="epsilon"):
            laplace_variance(epsilon)  # type: ignore[arg-type]


def wrong_means(cls: type[Any] = SHE) -> Iterator[str]:
    """The mean of the entries, for all small lists of reports with cells on both sides of 0 and 1."""
    mechanism = summation(2, 1, ROOTS[0], cls)
    drawn = [(fmpq(-3, 2), fmpq(1, 2)), (fmpq(5, 2), fmpq(-1, 2)), (fmpq(1, 2), fmpq(3, 2))]
    for n in (1, 2, 3):
        for reports in product(drawn, repeat=n):
            found = mechanism.estimate(list(reports))
            for x in (0, 1):
                if fraction(found[x]) != sum((fraction(y[x]) for y in reports), Fraction(0)) / n:
                    yield f"{reports}"


def test_the_estimate_is_the_mean_of_the_entries() -> None:
    assert list(wrong_means()) == []
    mechanism = SHE(d=2, epsilon=1)
    assert [float(v) for v in mechanism.estimate([(0.25, 1), (fmpq(1, 4), Fraction(-1, 2))]).values()] == [0.25, 0.25]
    assert mechanism.estimate([(0.1, 0)])[0].rational() == fmpq(3602879701896397, 36028797018963968)


@pytest.mark.parametrize("name", SUMMED_ESTIMATORS)
def test_a_fault_of_the_mean_is_caught(name: str) -> None:
    assert any(wrong_means(mutant(SHE, SUMMED_ESTIMATORS[name])))


def test_scripted_and_sampled_runs() -> None:
    coins = ScriptedCoins([0, 1, 1, 0, 1, 1, 0, 0])
    assert summation(2, 2, ROOTS[0]).randomize(0, coins) == (1 + fmpq(11, 4), fmpq(-1, 4))
    coins.require_finished()
    mechanism = SHE(d=2, epsilon="1/2", steps=4)
    reports = [mechanism.randomize(1, SamplingCoins(default_rng(7))) for _ in range(3)]
    assert set(mechanism.estimate(reports)) == {0, 1}


def test_what_summation_refuses() -> None:
    for steps in (0, -1, True, 1.0, None, "2"):
        with pytest.raises(DomainError, match="steps"):
            SHE(d=2, epsilon=1, steps=steps)  # type: ignore[arg-type]
    with pytest.raises(DomainError, match="scale"):
        SHE(d=2, epsilon=0)
    mechanism = SHE(d=2, epsilon=1, steps=2)
    with pytest.raises(DomainError, match="item"):
        mechanism.randomize(2, SamplingCoins(default_rng(1)))
    with pytest.raises(TooManyPathsError):
        exact_channel(mechanism)
    for report in ((fmpq(1, 2), fmpq(1, 4)), (fmpq(0), fmpq(0)), (fmpq(1, 4),)):
        with pytest.raises(DomainError, match="report"):
            mechanism.prob(report, 0)
    with pytest.raises(DomainError, match="item"):
        mechanism.prob((fmpq(1, 4), fmpq(1, 4)), 2)


BAD_ENTRIES = [
    (1,),
    (1, 2, 3),
    (float("nan"), 0),
    (0, float("inf")),
    (True, 0),
    ("1", 0),
    (None, 0),
    None,
    "12",
    3,
    (1j, 0),
]


@pytest.mark.parametrize("report", BAD_ENTRIES, ids=str)
def test_reports_that_are_no_vectors_of_numbers(report: Any) -> None:
    with pytest.raises(DomainError) as error:
        SHE(d=2, epsilon=1).estimate([(0, 1), report])
    assert error.value.parameter == "reports"
    with pytest.raises(DomainError, match="reports"):
        SHE(d=2, epsilon=1).estimate([])


# --- samplers ---------------------------------------------------------------------------------------------------------


class WalkedArrayCoins(ArrayCoins):
    """Array coins whose bits are choices of a path."""

    def __init__(self, coins: PathCoins) -> None:
        self.path = coins

    def bernoulli(self, p: Any, shape: Any) -> Any:
        chance = exact(p) if isinstance(p, Fraction) else p
        bits = [self.path.choose((1 - chance, chance)) for _ in range(int(np.prod(shape)))]
        return np.array(bits, np.uint8).reshape(shape)


def wrong_samples(sample: Any = sample_she) -> Iterator[str]:
    for (d, steps), depth in (((1, 1), 9), ((1, 3), 9), ((2, 2), 8)):
        mechanism = summation(d, steps, ROOTS[0])
        for item in range(d):
            held = np.array([item])

            def run(coins: Any, mechanism: Any = mechanism, held: Any = held) -> Any:
                return tuple(
                    fmpq(int(v), 2 * mechanism.steps) for v in sample(mechanism, held, WalkedArrayCoins(coins))[0]
                )

            law, longer = walked(run, depth)
            if sum(law.values()) + longer != 1 or len(law) < 6:
                yield f"d = {d}: {len(law)} reports"
            if any(p != by_brute_force(y, item, steps, ROOTS[0]) for y, p in law.items()):
                yield f"d = {d}, steps = {steps}, item {item}"


def sampled(cells: Any = lambda c: 2 * c + 1, hot: Any = lambda s: 2 * s.steps, again: Any = 1, side: Any = 1) -> Any:
    """The sampler with another step."""

    def sample(s: Any, items: Any, coins: Any) -> Any:
        shape = len(items), len(s.domain.items)
        negative, counted = coins.bernoulli(Fraction(1, 2), shape) == side, np.zeros(shape, np.int64)
        flat, further = counted.reshape(-1), np.arange(counted.size)
        while further.size:
            further = further[coins.bernoulli(s.ratio if again else 1 / s.budget.exp(), further.size) == 1]
            flat[further] += 1
        entries = np.where(negative, -1, 1) * cells(counted)
        entries[np.arange(len(items)), items] += hot(s)
        return entries

    return sample


SAMPLER_FAULTS = {
    "ends of cells": sampled(cells=lambda c: 2 * c),
    "a cell too far": sampled(cells=lambda c: 2 * c + 3),
    "a hot entry of a cell": sampled(hot=lambda s: 1),
    "no hot entry": sampled(hot=lambda s: 0),
    "whole cells": sampled(cells=lambda c: c),
    "e^-eps for every cell": sampled(again=0),
    "noise on one side": sampled(side=2),
}


def test_the_sampler_has_exactly_the_law() -> None:
    assert list(wrong_samples()) == []
    assert list(wrong_samples(sampled())) == []  # what the faults are made of


@pytest.mark.parametrize("name", SAMPLER_FAULTS)
def test_a_fault_of_the_sampler_is_caught(name: str) -> None:
    assert any(wrong_samples(SAMPLER_FAULTS[name]))


def test_many_users_are_sampled_at_once() -> None:
    mechanism = summation(3, 2, ROOTS[1])
    entries = sample_she(mechanism, np.array([0, 2] * 500), ArrayCoins(default_rng(1)))
    assert entries.shape == (1000, 3)
    assert (entries % 2 == 1).all()
    reports = [tuple(fmpq(int(v), 4) for v in row) for row in entries]
    estimates = mechanism.estimate(reports)
    assert [fmpq(int(total), 4000) for total in entries.sum(axis=0)] == list(estimates.values())


def test_bits_are_sampled_with_exactly_the_law() -> None:
    mechanism = thresholded(2, Fraction(1, 2), ROOTS[0])
    for item in (0, 1):
        law = law_of(lambda coins: tuple(map(int, sample_the(mechanism, np.array([item]), coins)[0])))  # noqa: B023
        assert law == laws(2, Fraction(1, 2), ROOTS[0])[item]


def test_samplers_refuse() -> None:
    coins = ArrayCoins(default_rng(1))
    for sample, mechanism in (
        (sample_she, summation(2, 1, ROOTS[0])),
        (sample_the, thresholded(2, Fraction(1), ROOTS[0])),
    ):
        for items in (np.array([2]), np.array([-1]), np.array([0.5]), np.array([[0]])):
            with pytest.raises(DomainError):
                sample(mechanism, items, coins)
    with pytest.raises(DomainError, match="rational"):
        sample_she(SHE(d=2, epsilon=1), np.array([0]), coins)
    with pytest.raises(DomainError, match="rational"):
        sample_the(THE(d=2, epsilon=1, theta=1), np.array([0]), coins)


# --- THE --------------------------------------------------------------------------------------------------------------

THETAS = tuple(Fraction(i, 2) for i in range(-2, 5))


def thresholded(d: int, theta: Fraction, quarter: Any, cls: type[Any] = THE) -> Any:
    """`quarter` is e^(eps/4)."""
    return cls(
        ItemDomain.of_sizes(d), Budget.of_root(exact(quarter) if isinstance(quarter, Fraction) else quarter, 4), theta
    )


def laws(d: int, theta: Fraction, quarter: Fraction) -> dict[int, PlainLaw]:
    p, q = (plain.laplace_above(theta - v, quarter) for v in (1, 0))
    return {x: plain.unary(x, d, p, q) for x in range(d)}


def wrong_laws(cls: type[Any] = THE) -> Iterator[str]:
    for d, theta, quarter in product((1, 2, 3), THETAS, ROOTS):
        if rows_of(thresholded(d, theta, quarter, cls)) != laws(d, theta, quarter):
            yield f"d = {d}, theta = {theta}, e^(eps/4) = {quarter}"


def wrong_estimates(cls: type[Any] = THE) -> Iterator[str]:
    """Mean f_x, and the variance of a sum of independent 0-1 variables, for every data set."""
    for d, theta, quarter in product((1, 2), THETAS[1:], ROOTS[:1]):
        p, q = (plain.laplace_above(theta - v, quarter) for v in (1, 0))
        moments = contributions(laws(d, theta, quarter), thresholded(d, theta, quarter, cls).estimate)
        for data in data_sets(d):
            n = len(data)
            for x in range(d):
                f = Fraction(data.count(x), n)
                stated = (f * p * (1 - p) + (1 - f) * q * (1 - q)) / (n * (p - q) ** 2)
                mean, variance = summed(moments, data, x)
                if (mean / n, variance / n**2) != (f, stated):
                    yield f"theta = {theta}, {data}, item {x}"


def test_the_law_of_the_bits_is_the_one_by_brute_force() -> None:
    assert list(wrong_laws()) == []


@pytest.mark.parametrize("name", THRESHOLDED)
def test_a_fault_of_the_threshold_is_caught(name: str) -> None:
    assert any(wrong_laws(mutant(THE, THRESHOLDED[name])))


def at_share(theta: Fraction) -> dict[str, Any]:
    """h, a and z at a multiple of 1/6, with e^(eps/12) = T."""
    return {"h": T**6, "a": T ** int(6 * (theta - 1)), "z": (T ** int(6 * theta) - 1) / (T**6 - 1)}


@pytest.mark.parametrize("theta", [Fraction(i, 6) for i in range(7)])
@pytest.mark.parametrize("d", [1, 2, 3])
def test_the_law_is_the_term_for_every_budget(theta: Fraction, d: int) -> None:
    power = at_share(theta)
    mechanism = THE(ItemDomain.of_sizes(d), Budget.of_root(T, 12), theta)
    assert list(not_as_stated(mechanism, spec.THE, power, (), lambda y: y)) == []
    assert mechanism.attained == largest_ratio(mechanism)
    if d > 1:
        assert spec.ATTAINED.evaluate(power) == mechanism.attained


def test_the_share_goes_from_0_to_1_with_the_threshold() -> None:
    """Every z between is that of a threshold between; those of thresholds above 1/2 are above 1 / (e^(eps/4) + 1)."""
    (stated,) = spec.AT_SHARE.values()
    for theta in (Fraction(i, 6) for i in range(7)):
        assert stated.evaluate(at_share(theta)) == at_share(theta)["a"]
    assert (at_share(Fraction(0))["z"], at_share(Fraction(1))["z"]) == (0, 1)
    assert at_share(Fraction(1, 2))["z"] == 1 / (T**3 + 1)


def test_the_printed_variance_is_that_of_an_item_nobody_holds() -> None:
    at = {"h": fmpq(4), "a": fmpq(1, 3), "n": fmpq(3)}
    assert spec.PRINTED.evaluate(at) == spec.VARIANCE.evaluate({**at, "f": fmpq(0)})
    assert spec.PRINTED.evaluate(at) != spec.VARIANCE.evaluate({**at, "f": fmpq(1, 3)})


def test_a_threshold_attains_less_than_what_is_paid() -> None:
    """It is a function of the noisy entries, so that e^eps bounds it; at theta = 1/2 it is (2 e^(eps/4) - 1)^2."""
    assert thresholded(2, Fraction(1, 2), T).attained == (2 * T - 1) ** 2
    for theta, quarter in product(THETAS, ROOTS):
        mechanism = thresholded(2, theta, quarter)
        assert 1 < fraction(mechanism.attained) < quarter**4


def test_mean_and_variance_of_the_bits() -> None:
    assert list(wrong_estimates()) == []
    mechanism = thresholded(2, Fraction(1, 2), ROOTS[0])
    stated = {"h": fmpq(4), "a": fmpq(1, 2), "n": fmpq(2)}
    for data in ((0, 0), (0, 1)):
        for x, found in jointly(laws(2, Fraction(1, 2), ROOTS[0]), data, mechanism.estimate).items():
            f = Fraction(data.count(x), 2)
            assert found == (f, fraction(spec.VARIANCE.evaluate({**stated, "f": exact(f)})))


@pytest.mark.parametrize("name", UNARY_ESTIMATORS)
def test_a_fault_of_the_estimator_is_caught(name: str) -> None:
    assert any(wrong_estimates(mutant(THE, UNARY_ESTIMATORS[name])))


def test_bits_are_what_a_threshold_shows_of_the_sums() -> None:
    """At an end of a cell: the chances of the cells above it."""
    she, the = summation(1, 2, T), thresholded(1, Fraction(1, 2), T)
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


@pytest.mark.parametrize("theta", [float("nan"), 0.75, "3/4", True, float("inf"), ()], ids=str)
def test_thresholds_that_are_none(theta: Any) -> None:
    with pytest.raises(DomainError) as error:
        THE(d=2, epsilon=1, theta=theta)
    assert error.value.parameter == "theta"


@pytest.mark.parametrize("report", [(1,), (1, 0, 0), (1, 2), (True, 0), (1.0, 0), None, "10"], ids=str)
def test_reports_of_another_encoding(report: Any) -> None:
    with pytest.raises(DomainError) as error:
        THE(d=2, epsilon=1, theta=fmpq(3, 4)).estimate([(0, 1), report])
    assert error.value.parameter == "reports"


def test_other_refusals() -> None:
    with pytest.raises(MissingError, match="theta"):
        THE(d=2, epsilon=1)
    mechanism = THE(d=2, epsilon=1, theta=1)
    with pytest.raises(DomainError, match="item"):
        mechanism.randomize(2, SamplingCoins(default_rng(1)))
    with pytest.raises(DomainError, match="reports"):
        mechanism.estimate([])
    at_zero = THE(d=2, epsilon=0, theta=1)
    assert at_zero.attained == 1
    with pytest.raises(DomainError, match="budget"):
        at_zero.estimate([(0, 1)])
