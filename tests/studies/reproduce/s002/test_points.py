"""Simulated points: reproducible, inside their intervals with the exact formulas, outside with wrong ones."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from cases.refusals import refusal_test, refuses, refuses_each
from dp_refimpl.fast.array_coins import Indices
from dp_spec.vocabulary.budget import real_budget
from dp_spec.vocabulary.term import Term
from dp_studies.comparisons.budget.constants import formal_of
from dp_studies.comparisons.budget.equal_privacy import Kind
from dp_studies.reproduce.numbers import BITS, contains, decimal
from dp_studies.reproduce.s002 import points
from dp_studies.reproduce.s002.counts import data_set
from dp_studies.reproduce.s002.formulas import KINDS, MECHANISMS, Error, evaluate, total, verdict
from dp_studies.reproduce.s002.points import (
    CALIBRATIONS,
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
from dp_studies.reproduce.s002.settings import TABLE4, Setting, figure
from dp_studies.reproduce.s002.study import BOTH, REQUEST, Plan, family, printed
from studies.reproduce.cases import CASES

SEED = 11
LEVEL = Fraction(1, 4 * 10**9)
SMALL = Setting(400, 12, 5, 3, "1")


def point(mechanism: str, setting: Setting = SMALL) -> Point:
    spending = spent(mechanism, setting, "paper")
    assert isinstance(spending, Spent)
    return Point(mechanism, setting, spending)


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
            for count, held in zip(of(counts, kind, SMALL), of(data.counts, kind, SMALL), strict=True):
                errors += ((arb(int(count)) / SMALL.n - offset) / slope - arb(int(held)) / SMALL.n) ** 2
        squares = squared_errors(chosen, kind, rows[kind][0], of(data.counts, kind, SMALL))
        assert decimal(squares) == decimal(errors)


@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize("epsilon", ["0.5", "3"])
def test_exact_formulas_are_inside(mechanism: str, epsilon: str) -> None:
    simulation = result(point(mechanism, replace(TABLE4["simulated"], n=20_000, epsilon=epsilon)), 10, SEED, LEVEL)
    assert simulation["inside"] == {"sensitive": True, "nonsensitive": True}
    assert all(
        Fraction(a) <= Fraction(simulation["simulated"][k]) for k in KINDS for a in simulation["interval"][k][:1]
    )


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
    simulation = result(point("SuRAP", TABLE_ROW), 10, SEED, LEVEL)
    assert not all(simulation["inside"].values())


def test_without_nonsensitive_items() -> None:
    simulation = result(point("SuGRRSample", replace(SMALL, K=12)), 10, SEED, LEVEL)
    assert simulation["inside"] == {"sensitive": True}
    assert simulation["simulated"]["nonsensitive"] is simulation["interval"]["nonsensitive"] is None
    assert simulation["exact"]["sum"] == simulation["exact"]["sensitive"]


# --- equal certified privacy ------------------------------------------------------------------------------------------


def test_a_certified_budget_has_the_constant_asked_for() -> None:
    spending = spent("SuGRRSample", TABLE_ROW, "joint")
    assert isinstance(spending, Spent)
    assert spending.claim is not None
    with ctx.workprec(BITS):
        # (e^eps + m - 1) / m for the nominal eps, against e^1
        constant = (spending.budget.exp() + TABLE_ROW.m - 1) / TABLE_ROW.m
        assert constant < arb(1).exp()
        assert constant > arb(1).exp() * (1 - arb(2) ** -100)


def test_a_mechanism_without_a_finite_constant_is_absent() -> None:
    assert isinstance(spent("SuWheel", TABLE_ROW, "joint"), Absent)
    assert isinstance(spent("SuWheel", TABLE_ROW, "marginal"), Spent)
    assert isinstance(spent("SuGRR", TABLE_ROW, "marginal"), Absent)
    assert isinstance(spent("SuGRR", TABLE_ROW, "deniability"), Spent)


@pytest.mark.parametrize("calibration", points.CALIBRATIONS)
def test_a_certified_budget_is_never_smaller_than_the_papers_where_that_is_private(calibration: Any) -> None:
    spending = spent("SuRAPSample", TABLE_ROW, calibration)
    assert isinstance(spending, Spent)
    with ctx.workprec(BITS):
        slack = 1 + arb(2) ** -100
        assert spending.budget.exp() * slack > arb(1).exp()


# --- the study --------------------------------------------------------------------------------------------------------

CASE = CASES["002"]
PLAN = CASE.plan


def test_the_document(document: dict[str, Any]) -> None:
    assert len(document["points"]) == 2 * (len(MECHANISMS) + len(MECHANISMS) - 1)
    places = [p for f in document["figures"] for c in f["panels"][0]["curves"] for p in c["places"]]
    assert {p["point"] for p in places} - {None} == set(document["points"])
    for place in places:
        assert (place["exact"] is None) == (place["absent"] is not None) == (place["nominal_epsilon"] is None)
        assert place["x"] != "12" or place["point"] is None


def test_the_level_is_shared_by_all_bounds(document: dict[str, Any]) -> None:
    bounds = sum(2 * len(point["inside"]) for point in document["points"].values())
    assert document["confidence"]["bounds"] == bounds == family(PLAN).bounds


# --- pictures and words -----------------------------------------------------------------------------------------------


def test_the_summary_counts_printed_formulas(document: dict[str, Any]) -> None:
    of = {claim: number for claim, _, number in printed(document)}
    assert set(of) == {error.printed_claim for m in MECHANISMS.values() for error in m.errors.values()} - {""}


# --- command line -----------------------------------------------------------------------------------------------------


def test_the_command_has_the_plan_s_seed_and_calibrations_and_fewer_points() -> None:
    assert Plan().seed == REQUEST.seed
    assert Plan().runs > REQUEST.runs
    assert set(BOTH) < set(CALIBRATIONS)


# --- formulas ---------------------------------------------------------------------------------------------------------

ERRORS = [
    pytest.param(name, kind, m.errors[kind], id=f"{name}-{kind}") for name, m in MECHANISMS.items() for kind in KINDS
]


@pytest.mark.parametrize(("name", "kind", "error"), ERRORS)
def test_claims_are_about_the_kind_and_the_law(name: str, kind: Kind, error: Error) -> None:
    for claim in filter(None, (error.claim, error.printed_claim)):
        formal: Any = formal_of(claim)
        assert (formal.item, formal.data) == (kind, "fixed")
        assert (formal.estimator, formal.law) == (error.estimator, MECHANISMS[name].law)


@pytest.mark.parametrize(("name", "kind", "error"), ERRORS)
def test_the_formulas_are_proved_and_those_called_printed_are_refuted(name: str, kind: Kind, error: Error) -> None:
    assert verdict(error.claim) == "proved"
    assert not error.printed_claim or verdict(error.printed_claim) == "refuted"


def test_a_claim_that_does_not_exist() -> None:
    assert verdict("002.no.such.claim") == "not in the ledger"


@pytest.mark.parametrize(("name", "kind", "error"), ERRORS)
@given(held=st.lists(st.integers(0, 40), min_size=5, max_size=5))
def test_a_sum_over_items_is_the_sum_of_the_items_errors(name: str, kind: Kind, error: Error, held: list[int]) -> None:
    setting = Setting(40, 10, 5, 3, "0.8")
    values = MECHANISMS[name].values(setting, real_budget("0.8", 400))
    with ctx.workprec(256):
        each = sum((error.formula.evaluate({**values, "f": arb(c) / 40}) for c in held), arb(0))
        difference = total(error.formula, kind, setting, values, sum(held)) - each
        assert difference.contains(0)
        assert difference.rad() < arb(2) ** -150


# --- settings ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_figures_vary_what_the_source_varies_and_nothing_else(number: int) -> None:
    picture = figure(number)
    varied = {"epsilon": "epsilon", "proportion": "K", "d": "d", "m": "m"}[picture.axis]
    for panel in picture.panels:
        settings = [place.setting for place in panel.places]
        for name in {"n", "m", "epsilon", "d", "K"} - {varied} - ({"K"} if varied == "d" else set()):
            assert len({getattr(s, name) for s in settings}) == 1
        assert len({getattr(s, varied) for s in settings}) == len(settings)
        across = [Fraction(place.x) for place in panel.places]
        assert across == sorted(set(across))
    assert any(place.simulated for place in picture.places())


def test_table_4_and_the_settings_of_section_5() -> None:
    rows = [(s.n, s.d, s.K, s.m) for s in TABLE4.values()]
    assert rows == [(19789, 3752, 201, 54), (71662, 12994, 1748, 231), (5641, 3883, 799, 300), (100000, 256, 64, 8)]
    assert [p.setting.K for p in figure(3).places()] == [4, 8, 16, 32, 64, 128, 256]
    assert [p.setting.m for p in figure(4).places()] == [1, 2, 4, 8, 16, 32, 64]
    assert [p.setting.K for p in figure(2).panels[3].places] == [26, 51, 77, 102, 128, 154, 179, 205, 230, 256]


test_refusals = refusal_test(
    refuses("", lambda n: Setting(n, 5, 1, 1, "1"), 0, True, 1.0),
    refuses_each("", lambda k, m: Setting(1, 5, k, m, "1"), (6, 1), (1, 6), (0, 1)),
    refuses("", lambda epsilon: Setting(1, 5, 1, 1, epsilon), "0", "-1", "nan", "one", None),
    refuses("figures", figure, 0, 5, "1", None),
)
