"""Source 001: errors are those of the programs, forms those of the errors, moments and extremes those of the laws."""

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from math import isqrt
from typing import Any

import numpy as np
import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from cases.faults import Patch, fault_test, nothing_wrong_test
from cases.refusals import refusal_test, refuses
from dp_refimpl.matrix.fixed_range import Pairs, Reading, algorithm3
from dp_refimpl.matrix.laplace import Laplace
from dp_refimpl.matrix.linear_forms import noise_symbols
from dp_refimpl.matrix.noise import Listed
from dp_refimpl.matrix.privelet import Privelet
from dp_spec.matrix import privelet
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.scalar import Ordering, compare
from dp_studies.reproduce.numbers import BITS
from dp_studies.reproduce.pictures import pictures
from dp_studies.reproduce.s001 import noise as errors
from dp_studies.reproduce.s001 import points
from dp_studies.reproduce.s001.draw import drawings
from dp_studies.reproduce.s001.error_laws import AverageForm, RangeForm, average_form, extremes
from dp_studies.reproduce.s001.noise import GRID, MISSED, Noise, prefix_errors, range_errors, sums_of_squares
from dp_studies.reproduce.s001.points import Evaluation, result
from dp_studies.reproduce.s001.settings import Plan, Point, Range
from dp_studies.reproduce.s001.study import families, power, tables
from studies.reproduce.cases import CASES

SIZES = tuple(2**h for h in range(6))


def all_ranges(size: int) -> list[Range]:
    pairs = [(a, b) for a in range(1, size + 1) for b in range(a, size + 1)]
    return [Range(k, a, b) for k, (a, b) in enumerate(pairs, 1)]


def program_row(size: int, asked: Range) -> list[fmpq]:
    """What the program's answer to a range is of its noise."""
    return list(Privelet(size).answer(noise_symbols(size), asked.first, asked.last).row("z", size))


# --- errors are those of the program ----------------------------------------------------------------------------------


@given(st.integers(0, 4), st.data())
def test_errors_are_those_of_the_program_whatever_the_data(h: int, data: st.DataObject) -> None:
    size, numbers = 2**h, st.integers(-1000, 1000)
    counts, noise = (data.draw(st.lists(numbers, min_size=size, max_size=size)) for _ in range(2))
    mechanism = Privelet(size)
    noisy = mechanism.release(counts, Listed(noise))
    total, drawn = fmpq(0), np.array([noise], np.int64)
    for asked in all_ranges(size):
        error = mechanism.answer(noisy, asked.first, asked.last) - sum(counts[asked.first - 1 : asked.last])
        assert range_errors(drawn, asked) == [size * error]
        total += error**2
    assert sums_of_squares(drawn) == [size**2 * total]


def test_releases_are_apart() -> None:
    noise = np.arange(24, dtype=np.int64).reshape(3, 8) ** 2
    assert [prefix_errors(row[None])[0].tolist() for row in noise] == prefix_errors(noise).tolist()


@pytest.mark.parametrize("size", SIZES)
def test_the_form_of_a_range_is_that_of_the_program(size: int) -> None:
    for asked in all_ranges(size):
        row, factors = program_row(size, asked), RangeForm(size, asked).factors
        assert sorted(map(str, factors)) == sorted(str(f) for f in row if f != 0)
        assert sum((abs(f) for f in row), fmpq(0)) <= size.bit_length()


@pytest.mark.parametrize("size", SIZES)
def test_the_form_of_all_ranges_is_the_mean_of_theirs(size: int) -> None:
    rows = [program_row(size, asked) for asked in all_ranges(size)]
    q = [[sum((row[x] * row[y] for row in rows), fmpq(0)) / len(rows) for y in range(size)] for x in range(size)]
    form = average_form(size)
    assert form.trace == sum((q[x][x] for x in range(size)), fmpq(0))
    assert form.diagonal == sum((q[x][x] ** 2 for x in range(size)), fmpq(0))
    assert form.squares == sum((entry**2 for row in q for entry in row), fmpq(0))


@pytest.mark.parametrize("h", range(11))
def test_the_forms_have_the_coefficients_of_the_formulas(h: int) -> None:
    """Algorithm 3 and (16)."""
    assert average_form(2**h).trace == fmpq(privelet.average().evaluate({"h": h}))
    for asked in Plan(size=2**h, ranges=20).queries:
        assert RangeForm(2**h, asked).power_sum(2) == algorithm3(h, asked.first, asked.last)


@pytest.mark.parametrize(("size", "p"), [(1, "1/3"), (2, "1/2"), (4, "2/5"), (4, "1/7")])
def test_variances_by_enumeration(size: int, p: str) -> None:
    """Noise -1, 0, 1: variance p, fourth cumulant p - 3 p^2."""
    q = Fraction(p)
    laws = [dict[Fraction, Fraction]() for _ in (*all_ranges(size), None)]
    for noise in product((-1, 0, 1), repeat=size):
        zeros = noise.count(0)
        chance, drawn = (1 - q) ** zeros * (q / 2) ** (size - zeros), np.array([noise], np.int64)
        values = [Fraction(range_errors(drawn, asked)[0] ** 2) for asked in all_ranges(size)]
        for law, value in zip(laws, [*values, Fraction(sums_of_squares(drawn)[0])], strict=True):
            law[value] = law.get(value, Fraction(0)) + chance
    excess = (q - 3 * q**2) / q**2
    forms: list[RangeForm | AverageForm] = [RangeForm(size, asked) for asked in all_ranges(size)]
    forms.append(average_form(size))
    for law, form in zip(laws, forms, strict=True):
        mean, second = (sum((y**j * p for y, p in law.items()), Fraction(0)) for j in (1, 2))
        variance = form.relative_variance(fmpq(excess.numerator, excess.denominator))
        assert variance == fmpq(*((second - mean**2) / mean**2).as_integer_ratio())


# --- the precision of a simulated error -------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 2, 8, 32])
def test_extremes_of_all_ranges(size: int) -> None:
    ratios = {(r.first, r.last): RangeForm(size, r).concentration for r in all_ranges(size)}
    least, most = extremes(size)
    for extreme, bound in ((least, min(ratios.values())), (most, max(ratios.values()))):
        assert fmpq(*extreme.ratio.as_integer_ratio()) == bound
        assert set(extreme.ranges) == {ends for ends, ratio in ratios.items() if ratio == bound}


def test_100_releases_are_not_precise_at_n_1024() -> None:
    """001.exp.table1.power: from 14.7 % to 22.4 %, the most for the range of all values."""
    least, most = extremes(1024)
    assert most.ranges == ((1, 1024),)
    assert [isqrt(int((2 + 3 * e.ratio) / 100 * 10**6)) for e in (least, most)] == [147, 223]


# --- noise ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("epsilon", "size"), [("1", 8), ("1/10", 4), ("10", 1), ("1", 1024)])
def test_moments_of_discrete_noise_are_those_of_its_law(epsilon: str, size: int) -> None:
    noise = Noise(Point("discrete", epsilon, size))
    with ctx.workprec(BITS):
        rate = -1 / arb(noise.scale)
        law = [(1 - rate.exp()) / (1 + rate.exp()) * (rate * k).exp() for k in range(4000)]
        second, fourth = (2 * sum((p * k**j for k, p in enumerate(law)), arb(0)) for j in (2, 4))
        assert abs(noise.variance / second - 1) < arb(2) ** -100
        assert abs(noise.excess - (fourth / second**2 - 3)) < arb(2) ** -100


def test_laplace_noise_is_the_limit_of_the_discrete_one() -> None:
    fine, noise = Noise(Point("discrete", f"1/{2**30}", 1)), Noise(Point("laplace", "1/3", 8))
    assert noise.scale == 12
    assert noise.variance == Laplace(noise.scale).variance
    assert abs(arb(fine.excess) - noise.excess) < arb(2) ** -50
    assert abs(arb(fine.variance) / fine.scale**2 - 2) < arb(2) ** -50


def test_rounded_laplace_noise_is_nearly_what_is_drawn() -> None:
    with ctx.workprec(BITS):
        law = Laplace(fmpq(GRID))
        half = [law.tail(fmpq(2 * k + 1, 2)).enclosure(BITS) / 2 for k in range(6)]
        nearest = [1 - 2 * half[0], *(a - b for a, b in pairwise(half))]
        alpha = (-arb(1) / GRID).exp()
        drawn = [(1 - alpha) / (1 + alpha) * alpha**k for k in range(6)]
        assert abs(drawn[0] - nearest[0]) < fmpq(*MISSED.as_integer_ratio())
        ratio: arb = nearest[1] / drawn[1]
        assert all(abs(a / b - ratio) < arb(2) ** -150 for a, b in zip(nearest[1:], drawn[1:], strict=True))
        assert compare(ratio, 1) is Ordering.GREATER


@pytest.mark.parametrize("kind", ["laplace", "discrete"])
def test_noise_is_a_function_of_the_seed_and_the_point(kind: str) -> None:
    noise = Noise(Point("laplace" if kind == "laplace" else "discrete", "1", 8))
    one, two, other = (noise.draws(5, np.random.default_rng(seed)).tolist() for seed in (1, 1, 2))
    assert one == two != other


# --- what drawing on a grid changes -----------------------------------------------------------------------------------


@given(st.integers(0, 3), st.data())
def test_squares_are_moved_outwards_by_the_grid(h: int, data: st.DataObject) -> None:
    """Whatever noise is within half a unit of the draws."""
    size = 2**h
    drawn = data.draw(st.lists(st.integers(-50, 50), min_size=size, max_size=size))
    off = data.draw(st.lists(st.integers(-50, 50), min_size=size, max_size=size))
    coarse, fine = (
        np.array([row], np.int64) for row in (drawn, [100 * d + o for d, o in zip(drawn, off, strict=True)])
    )
    for asked in (*all_ranges(size)[:3], None):
        point = Point("laplace", "1", size, asked)
        sums = range_errors(coarse, asked) if asked else sums_of_squares(coarse)
        true = [e * e for e in range_errors(fine, asked)] if asked else sums_of_squares(fine)
        evaluation = Evaluation(point, sums, Fraction(1, 10))
        ((low, high),) = [evaluation._outwards(square) for square in evaluation.squares]
        assert low * 10**4 <= true[0] <= high * 10**4
    exact = Evaluation(Point("discrete", "1", size), (5,), Fraction(1, 10))
    assert exact._outwards(5) == (5, 5)


def test_the_error_of_a_range_is_a_mixture_of_normal_ones() -> None:
    """E D^4 = 3 E W^2, W with relative variance sum f^4 / (sum f^2)^2."""
    for asked in Plan(ranges=10).queries:
        form = RangeForm(1024, asked)
        assert 1 + form.relative_variance(fmpq(3)) == 3 * (1 + form.concentration)


test_other_sizes_are_refused = refusal_test(
    refuses("", average_form, 0, 3, True),
    refuses("", lambda size: RangeForm(size, Range(1, 1, 1)).factors, 0, 3, True),
)


def test_one_value_has_one_range() -> None:
    evaluation = Evaluation(Point("laplace", "1", 1), (1, 2), Fraction(1, 10))
    assert isinstance(evaluation.form, RangeForm)
    assert compare(arb(evaluation.relative_variance), average_form(1).relative_variance(fmpq(3))) is Ordering.EQUAL


# --- the study --------------------------------------------------------------------------------------------------------

FAMILY_LEVEL = Fraction(1, 10**6)


CASE = CASES["001"]
PLAN = CASE.plan


def test_the_document(document: dict[str, Any]) -> None:
    assert (len(document["table1"]), len(document["table2"]), len(document["power"])) == (4 * 5, 4 * 3, 4)
    confidence = document["confidence"]
    assert (confidence["table1"]["bounds"], confidence["table2"]["bounds"]) == (2 * 4 * 5, 2 * 4 * 3)


def test_the_levels_have_room_for_the_grid() -> None:
    """Bounds and draws that are off add up to the level of a table."""
    for family, listed in zip(families(PLAN).values(), tables(PLAN).values(), strict=True):
        draws = sum(PLAN.runs * point.size for point in listed if point.kind == "laplace")
        assert family.level * family.bounds + draws * Noise(listed[0]).missed == FAMILY_LEVEL
    with pytest.raises(DomainError, match="runs"):
        families(replace(PLAN, runs=10**13))


def test_values_are_those_of_the_formulas(document: dict[str, Any]) -> None:
    for key, point in document["table1"].items():
        if point["noise"] == "laplace":
            scale = 10 if point["epsilon"] == "1/2" else fmpq(5, 4)
            exact = 2 * scale**2 * algorithm3(4, point["first"], point["last"])
            assert float(point["error"]["exact"]) == pytest.approx(int(exact.p) / int(exact.q))
            assert key.startswith(f"laplace:epsilon={point['epsilon']}:N=16:{point['number']}:")
    for size, error in ((1, 8), (2, fmpq(64, 3)), (8, 2 * 64 * average(3))):
        entry = document["table2"][f"laplace:epsilon=1/2:N={size}:all"]["error"]["exact"]
        assert float(entry) == pytest.approx(int(fmpq(error).p) / int(fmpq(error).q))


def average(h: int) -> fmpq:
    return fmpq(privelet.average().evaluate({"h": h}))


def test_simulated_errors_are_those_of_the_runs(document: dict[str, Any]) -> None:
    for point in document["table1"].values():
        if point["noise"] == "discrete":
            mean = np.mean([(int(e) / 16) ** 2 for e in point["runs"]])
            assert float(point["error"]["simulated"]) == pytest.approx(mean)
            low, high = point["error"]["interval"]
            assert float(low) <= mean
            assert high is None or mean <= float(high)


def test_ranges_of_a_smaller_plan_are_the_first(document: dict[str, Any]) -> None:
    assert Plan(size=16, ranges=2, seed=7).queries == PLAN.queries[:2]
    assert Plan(size=16, ranges=5, seed=8).queries != PLAN.queries
    drawn = {(r.first, r.last) for r in Plan(size=4, ranges=300).queries}
    assert drawn == {(a, b) for a in range(1, 5) for b in range(a, 5)}


# --- planted faults ---------------------------------------------------------------------------------------------------

STRICT = Plan(("laplace",), ("1",), 16, 8, (2, 4, 8), 1000, 7)


def noises(change: Callable[[Any], Any]) -> Callable[[Any], Any]:
    original = errors.prefix_errors
    return lambda noise: original(change(noise))


def root(factor: int) -> Callable[[Any], Any]:
    return lambda noise: np.concatenate([factor * noise[:, :1], noise[:, 1:]], axis=1)


def shared(noise: Any) -> Any:
    """One draw for all nodes."""
    return np.repeat(noise[:, 1:2], noise.shape[1], axis=1)


def halved(self: Evaluation, coefficient: fmpq) -> Any:
    return error(self, coefficient) / 2


def plain_sums(noise: Any) -> list[int]:
    """The mean of P is forgotten."""
    return [len(row) * sum(p * p for p in row) for row in errors.prefix_errors(noise).tolist()]


error = Evaluation.error
FAULTS: dict[str, Patch] = {
    "noise for Delta = h": (Privelet, "scale", lambda self, neighbors: fmpq(self.height)),
    "Delta = h": (privelet, "SCALE", privelet.H / privelet.EPS),
    "pairs once": (
        points,
        "algorithm3",
        lambda h, first, last: algorithm3(h, first, last, Reading(pairs=Pairs.SINGLE)),
    ),
    "the total doubled": (errors, "prefix_errors", noises(root(2))),
    "no noise on the total": (errors, "prefix_errors", noises(root(0))),
    "(17) for (16)": (privelet, "average", privelet.approximate),
    "variance b^2": (Evaluation, "error", halved),
    "noise of one sign": (errors, "prefix_errors", noises(np.abs)),
    "nodes share their noise": (errors, "prefix_errors", noises(shared)),
    "another sum over all ranges": (errors, "sums_of_squares", plain_sums),
    "pairs of ends for ranges": (Evaluation, "_ranges", property(lambda self: self.point.size**2)),
}


test_the_strict_plan_has_no_misses = nothing_wrong_test(lambda: CASE.misses(STRICT))
test_a_fault_is_a_miss = fault_test(lambda: CASE.misses(STRICT), FAULTS)


def test_small_sizes_exclude_the_approximation() -> None:
    """001.exp.table2.eq17@all: (17) is not the error at N = 2."""
    point = Point("laplace", "1", 2)
    assert not result(point, 200, 7, FAMILY_LEVEL)["approximate"]["inside"]
    assert result(Point("laplace", "1", 256), 50, 7, FAMILY_LEVEL)["approximate"]["inside"]


# --- pictures and words -----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_pictures_without_upper_ends_and_with_zeros(document: dict[str, Any]) -> None:
    changed = json.loads(json.dumps(document))
    for name, value in (("simulated", "0"), ("interval", ["0", None]), ("inside", False)):
        changed["table2"]["discrete:epsilon=4:N=1:all"]["error"][name] = value
        changed["table1"][next(iter(changed["table1"]))]["error"]["interval"] = ["0", None]
    assert set(pictures(drawings(changed), kinds=("svg",))) == {f"{name}.svg" for name in CASE.pictures}


def test_the_summary_has_the_precision_of_all_ranges() -> None:
    plan = Plan(size=1024, ranges=1, sizes=(1024,), runs=100)
    summary = power(plan, "laplace", "1")
    assert summary["at_most"] == {"pct1": False, "pct5": False, "pct25": True}
    assert summary["largest"]["ranges"] == [[1, 1024]]
    many = power(Plan(runs=100_000), "discrete", "1")
    assert many["at_most"] == {"pct1": True, "pct5": True, "pct25": True}


# --- plans and the command line ---------------------------------------------------------------------------------------


def test_discrete_noise_of_rates_that_do_not_fit_is_refused() -> None:
    with pytest.raises(DomainError, match="epsilon"):
        result(Point("discrete", "1/4000000000", 2, Range(1, 1, 1)), 1, 1, FAMILY_LEVEL)
