"""Source 004 at a small size: what the document says of words and costs, and planted faults are caught."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache, reduce
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flint import arb, arb_series, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from cases.faults import Patch, fault_test, nothing_wrong_test
from dp_refimpl.fast.frequency import count_sketch as fast
from dp_refimpl.frequency.hash_families import LabelFunction
from dp_spec.frequency import count_sketch
from dp_studies.reproduce import intervals
from dp_studies.reproduce.pictures import pictures
from dp_studies.reproduce.s004 import points
from dp_studies.reproduce.s004 import ranks as reaches
from dp_studies.reproduce.s004.costs import best, cost_of, mean_square
from dp_studies.reproduce.s004.draw import drawings
from dp_studies.reproduce.s004.ranks import Exchanges, Tilted, reach
from dp_studies.reproduce.s004.settings import Plan, Point, Reading, Sketch
from dp_studies.reproduce.s004.sign_counts import BITS, FixedLaw, Law, signs
from dp_studies.reproduce.s004.study import claims_about
from dp_studies.reproduce.squared_errors import to_all_moments
from independent.brute_force import added, binomial, collected
from independent.numbers import ball
from independent.server_counts import Vectors
from independent.sketch_programs import EPSILON, Data, functions, program, program_on_random_functions
from studies.reproduce.cases import CASES

CASE = CASES["004"]
PLAN = CASE.plan


@pytest.mark.slow
def test_the_document(document: dict[str, Any]) -> None:
    assert len(document["points"]) == 2 * 2 * 2 * 2
    assert all(sum(counts) == 3000 for counts in document["data"].values())
    bounds = document["confidence"]
    assert bounds["tested"]["bounds"] == 4 * 6 * len(document["points"])
    assert bounds["ranks"]["bounds"] == 2 * 3 * (6 + 1) * len(document["points"])


@pytest.mark.slow
def test_random_functions_are_unbiased_and_fixed_ones_are_not(document: dict[str, Any]) -> None:
    """004.eval.d.var: D estimates the variance for random functions, and more than that for fixed ones."""
    for point in document["points"].values():
        for word in point["words"]:
            biased = float(word["estimate"]["exact"]) != word["count"]
            assert biased == (word["meanfirst"]["exact"] != "0") == (point["functions"] == "fixed")


def test_means_are_those_of_the_repetitions(document: dict[str, Any]) -> None:
    for point in document["points"].values():
        above, before = (np.array(point["runs"][name]) for name in ("above", "before"))
        means = np.abs(1 + above + before - np.arange(1, 7)).mean(axis=0)
        for x, word in enumerate(point["words"]):
            assert float(word["rank"]["ordinal"]["simulated"]) == pytest.approx(means[x])
            low, high = (float(end) for end in word["rank"]["ordinal"]["interval"])
            # the mean can be above the upper end, which is also a bound without any runs
            assert 0 <= low <= min(means[x], high)
        (group,) = point["groups"]
        assert group["ranks"] == [1, 5]
        assert float(group["deviation"]["ordinal"]["simulated"]) == pytest.approx(means[:5].mean())


def test_fixed_functions_are_the_same_in_all_repetitions() -> None:
    labels = [points.functions(PLAN, Sketch(30, 8, "fixed"))(0, 30).tolist() for _ in range(2)]
    assert labels[0] == labels[1] != points.functions(PLAN, Sketch(30, 16, "fixed"))(0, 30).tolist()
    counted = points.collisions(PLAN, Sketch(30, 8, "fixed"))
    table = np.array(labels[0])
    assert [[int((table[:, d] == table[:, e]).sum()) for e in range(12)] for d in range(6)] == [
        list(r) for r in counted
    ]


@pytest.mark.parametrize("reading", ["random", "fixed"])
def test_the_error_has_the_square_of_the_bias(reading: Reading) -> None:
    """The formulas of f'(d), and the first two cumulants of the law of F_d."""
    evaluation = points.Evaluation.without_runs(PLAN, Point("harmonic", Sketch(30, 8, reading), "1"))
    for word, own in enumerate(PLAN.counts("harmonic")[: PLAN.top]):
        series, (mean, square) = evaluation.law.cumulants(word), evaluation.exact(word)
        with ctx.workprec(BITS):
            center = evaluation.estimate(0) + evaluation.slope * series[1]
            assert (center - mean).contains(0)
            error = square - evaluation.slope**2 * 2 * series[2] - (center - own) ** 2
            assert error.contains(0)
            assert error.rad() < 1e-100


# --- planted faults ---------------------------------------------------------------------------------------------------

STRICT = Plan(("harmonic",), (64,), (32,), ("4",), ("random",), 40, 7, records=30_000, words=30, top=5)


def with_counts(change: Callable[[Any], Any]) -> Callable[..., Any]:
    sample = fast.sample_ones
    return lambda *arguments: change(sample(*arguments))


def noisier(ones: Any) -> Any:
    return ones + np.random.default_rng(1).integers(-600, 601, ones.shape)


FAULTS: dict[str, Patch] = {
    "estimates shifted": (points, "sample_ones", with_counts(lambda ones: ones + 300)),
    "words rotated": (points, "sample_ones", with_counts(lambda ones: np.roll(ones, 1, axis=2))),
    "noise added": (points, "sample_ones", with_counts(noisier)),
    "no noise": (points, "sample_ones", with_counts(lambda ones: (ones // 10_000) * 10_000)),
    "one function for all": (
        points,
        "random_labels",
        lambda words, m, coins: lambda start, stop: np.tile(np.arange(words) % m, (stop - start, 1)),
    ),
    "few columns used": (
        points,
        "random_labels",
        lambda words, m, coins: fast.random_labels(words, 8, coins),
    ),
    "a formula of the flips alone": (
        count_sketch,
        "shared_variance",
        lambda c, m, k, n, f, squared: count_sketch.variance(c, m, n, 0, 0),
    ),
}


test_the_strict_plan_has_no_misses = nothing_wrong_test(lambda: CASE.misses(STRICT))
test_a_fault_is_a_miss = fault_test(lambda: CASE.misses(STRICT), FAULTS)


# --- costs, claims, pictures ------------------------------------------------------------------------------------------


def test_costs(document: dict[str, Any]) -> None:
    by_setting = {(cost["k"], cost["m"]): cost for cost in document["costs"]}
    cost = by_setting[30, 8]
    assert (cost["counters"], cost["bits"], cost["client"], cost["queries"]) == (240, 13, 24_000, 360)
    assert cost["operations"] == 24_000 + 24_000 + 240 + 360
    assert {s for s, c in by_setting.items() if c["simulated"]} == {(4, 8), (30, 8)}
    assert by_setting[1, 8]["bits"] == 8


@pytest.mark.slow
def test_the_best_setting(document: dict[str, Any]) -> None:
    for one in document["best"]:
        products = {
            (k, m): mean_square(PLAN, one["data"], k, m, one["epsilon"]) * cost_of(PLAN, k, m)["operations"]
            for k in PLAN.ks
            for m in PLAN.ms
        }
        assert min(products, key=lambda s: float(products[s])) == (one["k"], one["m"])
    assert best(Plan(), "harmonic", "4") == (65535, 32)
    assert best(Plan(), "harmonic", "1") == (256, 32)


def test_claims_about_rank_deviations() -> None:
    point = {"data": "harmonic", "k": 65535, "m": 32, "epsilon": "2", "functions": "random"}
    assert claims_about(point, [16, 20]) == [
        "004.exp.rank-trend@groups",
        "004.exp.km-rank@simulated",
        "004.exp.line1@harmonic-eps2",
    ]
    assert claims_about(point, [1, 5]) == ["004.exp.rank-trend@groups"]
    assert claims_about({**point, "epsilon": "8"}, [16, 20]) == ["004.exp.line1@harmonic-eps8"]
    assert claims_about({**point, "m": 1024}, [16, 20]) == []
    assert claims_about({**point, "data": "even"}, [16, 20]) == []


@pytest.mark.slow
def test_pictures_of_a_data_set_are_its_own(document: dict[str, Any], folder_of: Callable[[str], Path]) -> None:
    few = {**document, "data": {"harmonic": document["data"]["harmonic"]}}
    of_few, of_all = (list(drawings(one)) for one in (few, document))
    assert [one.name for one in of_few] == [one.name for one in of_all if "harmonic" in one.name]
    whole = [one for one in of_few if few in one.arguments]  # the others are given their points alone
    assert [one for one in of_few if one not in whole] == [one for one in of_all if one in of_few]
    assert len(whole) < len(of_few)
    for name, svg in pictures(whole[:1], kinds=("svg",)).items():
        assert svg == (folder_of("004") / name).read_bytes()


# --- laws -------------------------------------------------------------------------------------------------------------

RANDOM: list[tuple[Data, int, int]] = [
    ((1, 1), 1, 2),
    ((2, 1), 2, 2),
    ((1, 2), 1, 3),
    ((1, 1, 1), 1, 3),
    ((2, 0, 1), 2, 2),
]
FIXED: list[tuple[Data, tuple[LabelFunction, ...]]] = [
    ((1, 1), functions(2, 2, (0, 1), (0, 0))),
    ((2, 1), functions(2, 3, (2, 2), (1, 1))),
    ((1, 1, 1), functions(3, 2, (0, 1, 0), (1, 1, 0), (0, 0, 0))),
]


def collisions(rows: tuple[LabelFunction, ...]) -> list[list[int]]:
    return [[sum(h(x) == h(y) for h in rows) for y in rows[0].items] for x in rows[0].items]


def of_word(law: Vectors, word: int) -> dict[int, Fraction]:
    return collected((y[word], p) for y, p in law.items())


def moments_agree(series: arb_series, law: dict[int, Fraction]) -> None:
    """The power series of E exp(u F), up to the 12th moment."""
    with ctx.workprec(BITS):
        moments, factorial = series.exp(), 1
        for j in range(12):
            exact = sum((p * f**j for f, p in law.items()), Fraction(0)) / factorial
            assert (moments[j] - fmpq(exact.numerator, exact.denominator)).contains(0)
            assert moments[j].rad() < arb(2) ** -900
            factorial *= j + 1


@pytest.mark.parametrize(("data", "k", "m"), RANDOM)
def test_the_law_for_random_functions(data: Data, k: int, m: int) -> None:
    program_law = program_on_random_functions(data, k, m)
    for word in range(len(data)):
        moments_agree(Law(data, k, m, EPSILON).cumulants(word), of_word(program_law, word))


@pytest.mark.parametrize(("data", "rows"), FIXED)
def test_the_law_for_fixed_functions(data: Data, rows: tuple[LabelFunction, ...]) -> None:
    law = FixedLaw(data, len(rows), rows[0].labels, EPSILON, collisions(rows))
    for word in range(len(data)):
        moments_agree(law.cumulants(word), of_word(program(data, rows), word))


# --- intervals --------------------------------------------------------------------------------------------------------


def bits(number: int) -> tuple[arb_series, dict[int, Fraction]]:
    """Binomial(number, 1/4): cumulants, law."""
    u = arb_series([0, 1], prec=to_all_moments())
    return ((3 + u.exp()) / 4).log() * number, binomial(number, Fraction(1, 4))


def sums(law: dict[Fraction, Fraction], runs: int) -> dict[Fraction, Fraction]:
    return reduce(added, [law] * runs)


def of(function: Callable[[int], Fraction], law: dict[int, Fraction]) -> dict[Fraction, Fraction]:
    return collected((function(f), p) for f, p in law.items())


NUMBER, LEVELS = 8, (Fraction(1, 5), Fraction(1, 40))


def missed(kind: str, runs: int, level: Fraction) -> Fraction:
    """The exact probability that an interval does not contain the expectation."""
    series, law = bits(NUMBER)
    mean = Fraction(NUMBER, 4)
    with ctx.workprec(300):
        about = intervals.centered(series, ball(mean))
        if kind == "mean":
            width, deviations = intervals.deviation(about, runs, level), of(lambda f: f - mean, law)
        else:
            width, deviations = intervals.absolute_deviation(about, runs, level), of(lambda f: abs(f - mean), law)
        expected = sum((x * p for x, p in deviations.items()), Fraction(0))
        return sum(
            (p for x, p in sums(deviations, runs).items() if not abs(ball(x / runs - expected)) < width), Fraction(0)
        )


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("runs", [1, 3, 10])
@pytest.mark.parametrize("kind", ["mean", "absolute"])
def test_means_are_rarely_far(kind: str, runs: int, level: Fraction) -> None:
    assert missed(kind, runs, level) <= level


def test_a_level_that_is_forgotten_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    least = intervals.least_tail
    monkeypatch.setattr(intervals, "least_tail", lambda even, level: least(even, arb(0.9)))
    assert missed("mean", 3, Fraction(1, 40)) > Fraction(1, 40)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("off", [0, 1])
def test_mean_squares_about_any_center(off: int, level: Fraction) -> None:
    series, law = bits(NUMBER)
    center = Fraction(NUMBER, 4) + off
    squares = of(lambda f: (f - center) ** 2, law)
    expected = sum((x * p for x, p in squares.items()), Fraction(0))
    with ctx.workprec(300):
        about = intervals.centered(series, ball(center))
        below = above = Fraction(0)
        for x, p in sums(squares, 4).items():
            low, high = intervals.mean_square(about, ball(x / 4), 4, level)
            above += p if low > ball(expected) else 0
            below += p if high is not None and high < ball(expected) else 0
        assert max(below, above) <= level
        least, most = intervals.absolute_mean(about)
        absolute = ball(sum((abs(f - center) * p for f, p in law.items()), Fraction(0)))
        assert least < absolute < most


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("runs", [1, 4, 9])
def test_bounded_means(runs: int, level: Fraction) -> None:
    """Values 0, 1/2 and 3 in 0..3, for many laws: each end is wrong with at most the level."""
    values = (Fraction(0), Fraction(1, 2), Fraction(3))

    @cache
    def ends_for(i: int, j: int) -> tuple[Fraction, Fraction]:
        sample = [values[0]] * i + [values[1]] * j + [values[2]] * (runs - i - j)
        low, high = intervals.lower_mean(sample, level), intervals.upper_mean(sample, Fraction(3), level)
        assert 0 <= low <= Fraction(sum(sample), runs) <= high <= 3
        return low, high

    for a in range(5):
        for b in range(5 - a):
            law = dict(zip(values, (Fraction(a, 4), Fraction(b, 4), Fraction(4 - a - b, 4)), strict=True))
            expected = sum((x * p for x, p in law.items()), Fraction(0))
            low = high = Fraction(0)
            for i in range(runs + 1):
                for j in range(runs + 1 - i):
                    chance = comb(runs, i) * comb(runs - i, j) * law[values[0]] ** i * law[values[1]] ** j
                    chance *= law[values[2]] ** (runs - i - j)
                    ends = ends_for(i, j)
                    low += chance if ends[0] > expected else 0
                    high += chance if ends[1] < expected else 0
            assert max(low, high) <= level


def test_means_of_many_values_do_not_overflow() -> None:
    """The product for a mean near 0 is above 10^308."""
    sample = [Fraction(x) for x in (0, 1, 2, 3)] * 3000
    assert Fraction(7, 5) < intervals.lower_mean(sample, Fraction(1, 10**6)) < Fraction(3, 2)


# --- ranks ------------------------------------------------------------------------------------------------------------

REACHES: list[tuple[Data, int, int]] = [
    *RANDOM,
    ((3, 1), 1, 2),
    ((3, 0), 2, 3),
    ((4, 1), 1, 4),
    ((3, 1, 0), 1, 2),
    ((1, 0, 2), 1, 4),
]


@pytest.mark.parametrize(("data", "k", "m"), REACHES)
def test_words_rarely_exchange_ranks(data: Data, k: int, m: int) -> None:
    law, exchanges = program_on_random_functions(data, k, m), Exchanges(Law(data, k, m, EPSILON))
    for d, more in enumerate(data):
        bounds = exchanges.bounds(more, set(data))
        for e, fewer in enumerate(data):
            if fewer < more:
                chance = sum((p for y, p in law.items() if y[e] >= y[d]), Fraction(0))
                assert bounds[fewer] >= ball(chance)


@pytest.mark.parametrize(("data", "k", "m"), REACHES)
def test_every_tilt_is_a_bound_of_the_exponential_moment(data: Data, k: int, m: int) -> None:
    law = program_on_random_functions(data, k, m)
    with ctx.workprec(200):
        for u in (arb(0.25), arb(1), arb(2)):
            tilted = Tilted(data, k, m, EPSILON, u)
            for d, more in enumerate(data):
                for e, fewer in enumerate(data):
                    if fewer < more:
                        moment = sum((ball(p) * (u * (y[e] - y[d])).exp() for y, p in law.items()), arb(0))
                        assert tilted.logarithm(more, fewer).exp() * (1 + arb(2) ** -150) > moment


def check_tilts() -> None:
    for data, k, m in REACHES:
        test_every_tilt_is_a_bound_of_the_exponential_moment(data, k, m)


def quiet(numbers: Any) -> Any:
    a, b, _, mean = numbers
    return a, b, arb(1), mean


numbers = vars(Tilted)["_numbers"].func
TILT_FAULTS: dict[str, Patch] = {
    "others without noise": (Tilted, "_numbers", property(lambda self: quiet(numbers(self)))),
    "functions as if fixed": (Tilted, "_row", lambda self, records: arb(0)),
    "another budget": (reaches, "signs", lambda epsilon: signs("8")),
}
test_a_fault_of_the_exponential_moments_is_caught = fault_test(check_tilts, TILT_FAULTS, (AssertionError,))


@given(st.lists(st.integers(0, 300), min_size=2, max_size=12).filter(any), st.data())
def test_reaches_count_all_words(counts: list[int], data: st.DataObject) -> None:
    """The words that are not near are the ones whose bounds make up the rest."""
    word = data.draw(st.integers(0, len(counts) - 1))
    exchanges = Exchanges(Law(tuple(counts), 40, 8, "2"))
    extent = reach(tuple(counts), word, exchanges, 100, 1e-7)
    bounds = exchanges.bounds(counts[word], {f for e, f in enumerate(counts) if e != word})
    listed = sorted((bounds[f] for e, f in enumerate(counts) if e != word), key=float)
    assert 0 <= extent.places <= len(counts) - 1
    # at least as many words as there are places above the rest are near
    assert any(abs(float(sum(listed[:far], arb(0))) - float(extent.rest)) < 1e-12 for far in range(len(listed) + 1))
    assert sum(f == counts[word] for f in counts) - 1 <= extent.places
