"""`raw output`: equal values in several forms, what reports hold and are a part of; in laws."""

from pathlib import Path

import pytest

from audit.targets import raw_reports
from dp_audit.options import Options
from dp_audit.outcome import Audit, Verdict
from running.kept import audit_adapter

FILE = Path(raw_reports.__file__)
PARAMETERS = {"d": 3, "epsilon": 1.0}
LAW_ONLY = Options(users=(), reuse=False, unmodified=False)


def audit(name: str, checks: Options = LAW_ONLY) -> Audit:
    return audit_adapter(FILE, name, "GRR", PARAMETERS, options=checks)


@pytest.mark.parametrize(
    ("name", "detail"),
    [
        *((name, "what the report holds shows") for name in ("Decimals", "Dates", "Arrays", "Digits", "Letters")),
        *((name, "what the report holds shows") for name in ("Closures", "Defaults", "Partials")),
        ("Order", "the order of the report shows"),
        ("NegativeZeros", "the type or order of the report shows"),
        ("Carried", "the type or order of the report shows"),
    ],
)
def test_what_a_report_shows_beyond_its_value_is_a_fault(name: str, detail: str) -> None:
    found = audit(name)
    assert found.row("law").verdict in (Verdict.CONFORMS, Verdict.ROUNDING), found.text()
    assert found.row("raw output").verdict is Verdict.FAULT, found.text()
    assert detail in found.row("raw output").detail


@pytest.mark.parametrize("name", ["FineDecimals", "FineDates", "FineCarried", "FineClosures", "FineViews", "FineText"])
def test_one_form_for_a_value_is_none(name: str) -> None:
    found = audit(name)
    assert found.row("raw output").verdict is Verdict.CONFORMS, found.text()


@pytest.mark.slow
def test_the_memory_beside_an_array_is_a_surprise() -> None:
    assert audit("Views").row("raw output").verdict is Verdict.CONFORMS  # nobody sends it
    found = audit("Views", Options(users=(1,), reuse=False))
    assert not found.faults, found.text()
    row = found.row("raw output")
    assert row.verdict is Verdict.WARNING
    assert "its `base`" in row.detail


@pytest.mark.slow
@pytest.mark.parametrize("name", ["FineViews", "Unwritten"])
def test_memory_that_says_nothing_is_none(name: str) -> None:
    found = audit(name, Options(users=(1,), reuse=False))
    assert found.row("raw output").verdict is Verdict.CONFORMS, found.text()
    assert not found.faults, found.text()


def test_what_cannot_be_looked_into_is_not_called_right() -> None:
    row = audit("Iterators").row("raw output")
    assert row.verdict is Verdict.UNDECIDED
    assert "cannot be looked into" in row.detail


# --- reports without a canonical form of their own --------------------------------------------------------------------


def response(name: str) -> Audit:
    return audit_adapter(FILE, name, "RR", {"epsilon": "ln(3)"}, options=Options(unmodified=False, users=()))


@pytest.mark.parametrize("name", ["Plain", "WithSlots", "OfNumpy", "Generating"])
def test_reports_of_any_type_are_judged_by_their_canonical_form(name: str) -> None:
    found = response(name)
    assert {found.row(check).verdict for check in ("law", "privacy", "reused client")} == {Verdict.CONFORMS}
    looked_into = name != "Generating"  # nobody can look into a generator
    assert found.row("raw output").verdict is (Verdict.CONFORMS if looked_into else Verdict.UNDECIDED)


def test_a_field_that_the_canonical_form_leaves_out_is_seen() -> None:
    found = response("Hiding")
    assert found.row("law").verdict is Verdict.CONFORMS
    assert found.row("raw output").verdict is Verdict.FAULT
    assert found.row("raw output").detail.endswith("what the report holds shows the true input")
