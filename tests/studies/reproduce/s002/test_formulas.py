"""The formulas of the curves are those of proved claims; the numbers printed are right to the last digit."""

from fractions import Fraction
from typing import Any

import pytest
from flint import arb, ctx
from hypothesis import given
from hypothesis import strategies as st

from dp_checks.certify import all_claims
from dp_spec.vocabulary.budget import real_budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.statement import Mse
from dp_studies.reproduce.s002.formulas import KINDS, MECHANISMS, Error, Kind, total, verdict
from dp_studies.reproduce.s002.settings import TABLE4, Setting, figure

FORMAL = {i: formal for claim in all_claims() for i, formal in claim.formals()}
ERRORS = [
    pytest.param(name, kind, m.errors[kind], id=f"{name}-{kind}") for name, m in MECHANISMS.items() for kind in KINDS
]


@pytest.mark.parametrize(("name", "kind", "error"), ERRORS)
def test_formula_and_estimator_are_those_of_the_claim(name: str, kind: Kind, error: Error) -> None:
    for claim, formula in ((error.claim, error.formula), (error.printed_claim, error.printed)):
        if claim:
            formal: Any = FORMAL[claim]
            assert isinstance(formal, Mse)
            assert (formal.formula, formal.item, formal.data) == (formula, kind, "fixed")
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
    shown = figure(number)
    varied = {"epsilon": "epsilon", "proportion": "K", "d": "d", "m": "m"}[shown.axis]
    for panel in shown.panels:
        settings = [place.setting for place in panel.places]
        for name in {"n", "m", "epsilon", "d", "K"} - {varied} - ({"K"} if varied == "d" else set()):
            assert len({getattr(s, name) for s in settings}) == 1
        assert len({getattr(s, varied) for s in settings}) == len(settings)
        across = [Fraction(place.x) for place in panel.places]
        assert across == sorted(set(across))
    assert any(place.simulated for place in shown.places())


def test_table_4_and_the_settings_of_section_5() -> None:
    rows = [(s.n, s.d, s.K, s.m) for s in TABLE4.values()]
    assert rows == [(19789, 3752, 201, 54), (71662, 12994, 1748, 231), (5641, 3883, 799, 300), (100000, 256, 64, 8)]
    assert [p.setting.K for p in figure(3).places()] == [4, 8, 16, 32, 64, 128, 256]
    assert [p.setting.m for p in figure(4).places()] == [1, 2, 4, 8, 16, 32, 64]
    assert [p.setting.K for p in figure(2).panels[3].places] == [26, 51, 77, 102, 128, 154, 179, 205, 230, 256]


@pytest.mark.parametrize(
    "bad",
    [
        (0, 5, 1, 1, "1"),
        (True, 5, 1, 1, "1"),
        (1, 5, 6, 1, "1"),
        (1, 5, 1, 6, "1"),
        (1, 5, 0, 1, "1"),
        (1, 5, 1, 1, "0"),
        (1, 5, 1, 1, "-1"),
        (1, 5, 1, 1, "nan"),
        (1, 5, 1, 1, "one"),
        (1, 5, 1, 1, None),
        (1.0, 5, 1, 1, "1"),
    ],
)
def test_bad_settings(bad: Any) -> None:
    with pytest.raises(DomainError):
        Setting(*bad)


@pytest.mark.parametrize("number", [0, 5, "1", None])
def test_no_such_figure(number: Any) -> None:
    with pytest.raises(DomainError, match="figures"):
        figure(number)
