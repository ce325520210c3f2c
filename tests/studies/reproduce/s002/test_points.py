"""Simulated points: reproducible, inside their intervals with the exact formulas, outside with wrong ones."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import arb, ctx, fmpq

from dp_refimpl.fast.array_coins import Indices
from dp_spec.vocabulary.term import Term
from dp_studies.reproduce.numbers import BITS, contains, decimal
from dp_studies.reproduce.s002 import points
from dp_studies.reproduce.s002.data import data_set
from dp_studies.reproduce.s002.formulas import KINDS, MECHANISMS, Kind, evaluate, total
from dp_studies.reproduce.s002.points import (
    Absent,
    Point,
    Spent,
    counted,
    interval,
    result,
    simulate,
    spent,
    squared_errors,
    stream,
)
from dp_studies.reproduce.s002.settings import TABLE4, Setting

SEED = 11
LEVEL = Fraction(1, 4 * 10**9)
SMALL = Setting(400, 12, 5, 3, "1")


def point(mechanism: str, setting: Setting = SMALL) -> Point:
    found = spent(mechanism, setting, "paper")
    assert isinstance(found, Spent)
    return Point(mechanism, setting, found)


def of(counts: Indices, kind: Kind, setting: Setting) -> Indices:
    return counts[: setting.K] if kind == "sensitive" else counts[setting.K :]


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_a_run_depends_on_seed_point_and_number_only(mechanism: str) -> None:
    chosen = point(mechanism)
    again = simulate(chosen, 3, SEED)
    assert simulate(chosen, 3, SEED) == again
    assert simulate(chosen, 5, SEED)["sensitive"][:3] == again["sensitive"]
    assert simulate(chosen, 3, SEED + 1) != again
    assert len({tuple(row) for row in again["sensitive"]}) == 3


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_squared_errors_are_those_of_the_estimates(mechanism: str) -> None:
    """From the three sums of a run, and item by item from the estimator."""
    chosen = point(mechanism)
    data = data_set(*chosen.shape, SEED)
    counts = counted(chosen, data, stream(chosen, 0, SEED))
    values = MECHANISMS[mechanism].values(SMALL, chosen.spent.budget)
    rows = simulate(chosen, 1, SEED)
    for kind in KINDS:
        estimator = MECHANISMS[mechanism].errors[kind].estimator
        slope, offset = evaluate(estimator.slope, values), evaluate(estimator.offset, values)
        with ctx.workprec(BITS):
            errors = arb(0)
            for shown, held in zip(of(counts, kind, SMALL), of(data.counts, kind, SMALL), strict=True):
                errors += ((arb(int(shown)) / SMALL.n - offset) / slope - arb(int(held)) / SMALL.n) ** 2
        found = squared_errors(chosen, kind, rows[kind][0], of(data.counts, kind, SMALL))
        assert decimal(found) == decimal(errors)


@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize("epsilon", ["0.5", "3"])
def test_exact_formulas_are_inside(mechanism: str, epsilon: str) -> None:
    found = result(point(mechanism, replace(TABLE4["simulated"], n=20_000, epsilon=epsilon)), 10, SEED, LEVEL)
    assert found["inside"] == {"sensitive": True, "nonsensitive": True}
    assert all(Fraction(a) <= Fraction(found["simulated"][k]) for k in KINDS for a in found["interval"][k][:1])


def excluded(chosen: Point, kind: Kind, formula: Term, runs: int = 10) -> bool:
    """Whether the runs exclude a formula of the error."""
    data = data_set(*chosen.shape, SEED)
    held = of(data.counts, kind, chosen.setting)
    errors = [squared_errors(chosen, kind, row, held) for row in simulate(chosen, runs, SEED)[kind]]
    with ctx.workprec(BITS):
        ends = interval(chosen, kind, sum(errors, arb(0)) / runs, held, runs, LEVEL)
    values = MECHANISMS[chosen.mechanism].values(chosen.setting, chosen.spent.budget)
    return not contains(ends, total(formula, kind, chosen.setting, values, int(held.sum())))


TABLE_ROW = TABLE4["simulated"]


@pytest.mark.parametrize(
    ("mechanism", "kind", "epsilon", "runs"),
    [
        ("SuGRRSample", "nonsensitive", "1", 10),
        ("SuGRRSample", "sensitive", "5", 100),
        ("SuRAPSample", "nonsensitive", "1", 10),
        ("SuRAPSample", "sensitive", "10", 100),
    ],
)
def test_the_printed_formulas_17_and_22_are_excluded_at_m_8(
    mechanism: str, kind: Kind, epsilon: str, runs: int
) -> None:
    chosen, error = point(mechanism, replace(TABLE_ROW, epsilon=epsilon)), MECHANISMS[mechanism].errors[kind]
    assert error.printed is not None
    assert excluded(chosen, kind, error.printed, runs)
    assert not excluded(chosen, kind, error.formula, runs)


@pytest.mark.parametrize("factor", [fmpq(1, 2), fmpq(2)])
@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_an_error_of_a_factor_of_two_is_excluded(mechanism: str, factor: fmpq) -> None:
    chosen = point(mechanism, replace(TABLE_ROW, K=128))
    for kind in KINDS:
        formula = MECHANISMS[mechanism].errors[kind].formula
        assert excluded(chosen, kind, formula * int(factor.p) / int(factor.q))


def with_twice_the_noise(data: Any, counts: Indices, draws: Any) -> Indices:
    noise: Indices = draws.binomials(np.full(data.d, data.n, np.int64), fmpq(1, 2))
    shifted: Indices = counts + noise - data.n // 2
    return shifted


PROGRAM_FAULTS: dict[str, Callable[[Any, Indices, Any], Indices]] = {
    "noise added": with_twice_the_noise,
    "no noise": lambda data, counts, draws: data.counts,
    "counts shifted": lambda data, counts, draws: counts + data.n // 50,
    "items rotated": lambda data, counts, draws: np.roll(counts, 64),
    "all counts alike": lambda data, counts, draws: np.full_like(counts, counts.mean()),
}


@pytest.mark.parametrize("fault", PROGRAM_FAULTS)
def test_a_wrong_program_is_outside(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(chosen: Point, data: Any, draws: Any) -> Indices:
        return PROGRAM_FAULTS[fault](data, counted(chosen, data, draws), draws)

    monkeypatch.setattr(points, "counted", wrong)
    found = result(point("SuRAP", TABLE_ROW), 10, SEED, LEVEL)
    assert not all(found["inside"].values())


def test_without_nonsensitive_items() -> None:
    found = result(point("SuGRRSample", replace(SMALL, K=12)), 10, SEED, LEVEL)
    assert found["inside"] == {"sensitive": True}
    assert found["simulated"]["nonsensitive"] is found["interval"]["nonsensitive"] is None
    assert found["exact"]["sum"] == found["exact"]["sensitive"]


# --- equal certified privacy ------------------------------------------------------------------------------------------


def test_a_certified_budget_has_the_constant_asked_for() -> None:
    found = spent("SuGRRSample", TABLE_ROW, "joint")
    assert isinstance(found, Spent)
    assert found.claim is not None
    with ctx.workprec(BITS):
        # (e^eps + m - 1) / m for the nominal eps, against e^1
        constant = (found.budget.exp() + TABLE_ROW.m - 1) / TABLE_ROW.m
        assert constant < arb(1).exp()
        assert constant > arb(1).exp() * (1 - arb(2) ** -100)


def test_a_mechanism_without_a_finite_constant_is_absent() -> None:
    assert isinstance(spent("SuWheel", TABLE_ROW, "joint"), Absent)
    assert isinstance(spent("SuWheel", TABLE_ROW, "marginal"), Spent)
    assert isinstance(spent("SuGRR", TABLE_ROW, "marginal"), Absent)
    assert isinstance(spent("SuGRR", TABLE_ROW, "deniability"), Spent)


@pytest.mark.parametrize("calibration", points.CALIBRATIONS)
def test_a_certified_budget_is_never_smaller_than_the_papers_where_that_is_private(calibration: Any) -> None:
    found = spent("SuRAPSample", TABLE_ROW, calibration)
    assert isinstance(found, Spent)
    with ctx.workprec(BITS):
        slack = 1 + arb(2) ** -100
        assert found.budget.exp() * slack > arb(1).exp()
