"""The questions that audits ask: records of the modules that judge, and nothing else."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

import dp_audit.judge
from audit.targets import clients
from dp_audit import Options, audit_callable
from dp_audit.judge.plan import Plan
from dp_audit.judge.question import needed, questions
from dp_audit.oracles import oracle
from dp_command import main
from dp_studies.pages import audit_questions

NEW = """
from dp_audit.judge.plan import FRESH_REPORTS
from dp_audit.judge.question import Question
from dp_audit.outcome import Row, Verdict

def rows(examination):
    yield Row("number of reports", Verdict.INFO, f"{len(examination.run.reports)} different ones")

QUESTIONS = (Question("number-of-reports", "how many?", (FRESH_REPORTS,), of_run=rows),)
"""


@pytest.fixture
def another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """One module more that judges."""
    (tmp_path / "number_of_reports.py").write_text(NEW)
    monkeypatch.setattr(dp_audit.judge, "__path__", [*dp_audit.judge.__path__, str(tmp_path)])
    questions.cache_clear()
    yield
    questions.cache_clear()


@pytest.mark.usefixtures("another")
def test_a_new_question_is_one_module() -> None:
    audit = audit_callable(clients.grr, "GRR", {"d": 2, "epsilon": 1.0}, options=Options(users=(), reuse=False))
    assert audit.row("number of reports").detail.endswith("different ones")
    assert "how many?" in CliRunner().invoke(main, ["audit", "--explain", "number of reports"]).output
    assert any(
        line.startswith("| `number of reports` | How many? | an unmodified run (reports of fresh clients) |")
        for line in audit_questions.page()
    )


@pytest.mark.usefixtures("another")
def test_nothing_is_run_that_no_question_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dp_audit.judge, "__path__", [str(tmp_path)])
    questions.cache_clear()
    plan = Plan(oracle("GRR", {"d": 2, "epsilon": 1.0}))
    assert [plan.amounts(needed(), run).keys() for run in ("run", "laws")] == [{"fresh"}, set()]


def test_every_question_has_one_kind_and_a_line_that_a_table_can_hold() -> None:
    kinds = [question.kind for question in questions()]
    assert len(kinds) == len(set(kinds)) > 30
    assert all("|" not in line.strip("|").replace(" | ", "") for line in audit_questions.page() if line.startswith("|"))


def test_an_unknown_question_is_told_what_is_near() -> None:
    result = CliRunner().invoke(main, ["audit", "--explain", "raw"])
    assert result.exit_code == 2
    assert "raw-output" in result.output
