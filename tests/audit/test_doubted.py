"""A law that is found only where draws are replaced accuses nobody: the code's own reports contradict it."""

import itertools

import pytest

from audit.targets import hash_tables
from dp_audit.audits import Verdict
from dp_audit.exact.checks import Checks
from dp_audit.exact.python import audit_callable
from dp_audit.interceptor import settling

GIVEN = {"d": 3, "g": 3, "epsilon": 1.0}
CHECKS = Checks(users=(), reuse=False)


@pytest.mark.slow
def test_a_wrong_interception_is_noticed_and_accuses_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = itertools.count()
    monkeypatch.setattr(settling, "id", lambda _: next(numbers), raising=False)  # draws are counted as often as held
    alone = audit_callable(hash_tables.ideal, "LH-ideal", GIVEN, checks=Checks(users=(), reuse=False, plain=False))
    assert alone.row("law").verdict is Verdict.FAULT
    found = audit_callable(hash_tables.ideal, "LH-ideal", GIVEN, checks=CHECKS)
    assert not found.faults, found.text()
    assert found.row("law").verdict is Verdict.CONSISTENT  # samples decide
    assert "the law that was found where draws are replaced is not that of the code" in found.notes[-1]
    assert found.row("unintercepted run").detail.startswith("nothing found")


@pytest.mark.slow
def test_a_faulty_law_is_confirmed_by_the_reports_of_the_code() -> None:
    found = audit_callable(hash_tables.cell_of_its_own, "LH-ideal", GIVEN, checks=CHECKS)
    assert found.row("law").verdict is Verdict.FAULT
    assert "do not contradict the law found" in found.row("unintercepted run").detail
