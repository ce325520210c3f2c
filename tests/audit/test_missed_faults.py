"""Faults that audits used to miss, and correct code beside them: every fault is a fault now, and no correct code is."""

from pathlib import Path

import pytest

from audit.missable_cases import CORRECT, FAULTS, Case
from audit.targets import missable
from dp_audit.audits import Verdict
from running.kept import audit_adapter

FILE = Path(missable.__file__)


def named(case: Case) -> str:
    return f"{case.name}-{case.parameters['epsilon']}"


@pytest.mark.slow
@pytest.mark.parametrize("case", FAULTS, ids=named)
def test_faults_are_caught(case: Case) -> None:
    report = audit_adapter(FILE, case.name, case.oracle, case.parameters)
    assert report.faults, report.text()


@pytest.mark.slow
@pytest.mark.parametrize("case", CORRECT, ids=named)
def test_correct_code_is_not_accused(case: Case) -> None:
    report = audit_adapter(FILE, case.name, case.oracle, case.parameters)
    assert {row.verdict for row in report.rows} <= set(Verdict) - {Verdict.FAULT, Verdict.UNDECIDED}, report.text()
