"""Faults that audits used to miss, and correct code beside them: every fault is a fault now, and no correct code is."""

import pytest

from audit.missable_cases import AT_EXIT, CORRECT, FAULTS, Case
from dp_audit.outcome import Verdict
from running.child_processes import audit_adapter


@pytest.fixture(autouse=True)
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """The samples of a fallback end soon."""
    monkeypatch.setattr("dp_audit.audit.SECONDS", 0.2)


def named(case: Case) -> str:
    return f"{case.name}-{case.parameters['epsilon']}{'-exits' if case.file == AT_EXIT else ''}"


@pytest.mark.slow
@pytest.mark.parametrize("case", FAULTS, ids=named)
def test_faults_are_caught(case: Case) -> None:
    report = audit_adapter(case.file, case.name, case.oracle, case.parameters)
    assert report.faults, report.text()


@pytest.mark.slow
@pytest.mark.parametrize("case", CORRECT, ids=named)
def test_correct_code_is_not_accused(case: Case) -> None:
    report = audit_adapter(case.file, case.name, case.oracle, case.parameters)
    assert {row.verdict for row in report.rows} <= set(Verdict) - {Verdict.FAULT, Verdict.UNDECIDED}, report.text()
