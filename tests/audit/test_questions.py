"""The questions that audits ask: records of the modules that judge, and nothing else."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

import dp_audit.judge
from audit.targets import clients
from dp_audit import Options, audit_callable
from dp_audit.judge.question import questions
from dp_command import main
from dp_studies.pages import audit_questions

NEW = """
from dp_audit.judge.question import Question
from dp_audit.outcome import Row, Verdict

def rows(examination):
    yield Row("number of reports", Verdict.INFO, f"{len(examination.run.reports)} different ones")

QUESTIONS = (Question("number-of-reports", "how many?", "a run", of_run=rows),)
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
    assert any(line.startswith("| `number of reports` | How many?") for line in audit_questions.page())


def test_every_question_has_one_kind_and_a_line_that_a_table_can_hold() -> None:
    kinds = [question.kind for question in questions()]
    assert len(kinds) == len(set(kinds)) > 30
    assert all("|" not in line.strip("|").replace(" | ", "") for line in audit_questions.page() if line.startswith("|"))


def test_an_unknown_question_is_told_what_is_near() -> None:
    result = CliRunner().invoke(main, ["audit", "--explain", "raw"])
    assert result.exit_code == 2
    assert "raw-output" in result.output
