"""Without an adapter: items under other names, hash functions, inputs that are refused, deviations that are known."""

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from audit.targets import named
from dp_audit.audit import audit_adapter, audit_callable
from dp_audit.options import Options
from dp_audit.outcome import Verdict
from dp_command import main
from dp_spec.vocabulary.exceptions import DomainError
from running.files import responses, write_csv

FILE = str(Path(named.__file__))
GRR = {"d": 3, "epsilon": 1.0}
LH = {"d": 4, "g": 3, "epsilon": 1.0}
COLORS = Options(names=named.COLORS)


def run(name: str, *options: str) -> Result:
    given = ("--oracle", "GRR", "--param", "d=3", "--param", "epsilon=1")
    return CliRunner().invoke(main, ["audit", "python", f"{FILE}:{name}", *given, *options])


@pytest.mark.slow
def test_items_may_have_names_and_estimates_may_be_told_by_name() -> None:
    for report in (
        audit_callable(named.Colors, "GRR", GRR, options=COLORS),
        audit_adapter(FILE, "Colors", "GRR", GRR, options=COLORS),
    ):
        assert not report.faults, report.text()
        assert {"law", "estimator", "many reports", "unintercepted run"} <= {row.check for row in report.rows}
        assert report.row("estimator").verdict in (Verdict.CONFORMS, Verdict.ROUNDING)


def test_a_fault_is_shown_with_a_name_that_the_code_knows() -> None:
    row = audit_adapter(FILE, "wrong_color", "GRR", GRR, options=replace(COLORS, unmodified=False)).row("law")
    assert row.verdict is Verdict.FAULT
    assert "['red', 'green', 'blue'][" in row.reproduction[-1]


@pytest.mark.parametrize("names", [("red", "green"), ("red", "red", "blue")])
def test_names_are_one_for_each_item(names: tuple[str, ...]) -> None:
    with pytest.raises(DomainError, match="inputs"):
        audit_callable(named.color, "GRR", GRR, options=Options(names=names))


@pytest.mark.slow
def test_items_may_begin_with_one_and_nothing_else_is_said_to_be_outside() -> None:
    assert run("from_one", "--inputs", "1,2,3").exit_code == 0
    assert run("from_one").exit_code == 1


@pytest.mark.slow
def test_what_is_outside_is_said_and_may_be_accepted() -> None:
    rejected = run("color", "--inputs", '["red", "green", "blue"]', "--outside", "pink", "--quiet")
    assert rejected.exit_code == 0, rejected.output
    check = "input 0, outside the domain"
    assert run("from_one", "--inputs", "1,2,3", "--outside", "0").exit_code == 1
    accepted = run("from_one", "--inputs", "1,2,3", "--outside", "0", "--accept", check)
    assert accepted.exit_code == 0
    assert "accepted (fault)" in accepted.output
    unknown = run("from_one", "--inputs", "1,2,3", "--accept", "no check")
    assert unknown.exit_code == 2
    assert "no check" in unknown.output


@pytest.mark.slow
def test_hash_functions_need_no_adapter() -> None:
    checks = Options(hash="cell_of", conditioned=(3,))
    right = audit_adapter(FILE, "hashing", "LH", LH, options=checks)
    assert right.row("law").verdict in (Verdict.CONFORMS, Verdict.ROUNDING)
    assert "nothing found in" in right.row("unintercepted run").detail
    assert right.row("hash function").verdict is Verdict.INFO
    assert right.parameters["hash"] == str(tuple(named.cell_of(x, 3, 3) for x in range(4)))
    assert audit_adapter(FILE, "hashing_too_well", "LH", LH, options=checks).row("privacy").verdict is Verdict.FAULT
    for wrong in (Options(hash="missing", conditioned=(3,)), Options(hash="cell_of")):
        with pytest.raises(DomainError):
            audit_adapter(FILE, "hashing", "LH", LH, options=wrong)


def test_too_few_reports_for_the_fault_that_is_asked_for_are_undecided(tmp_path: Path) -> None:
    file = write_csv(tmp_path / "reports.csv", responses(3000, 0.5))
    given = ["audit", "reports", str(file), "--oracle", "GRR", "--param", "d=3", "--param", "epsilon=ln(2)"]
    assert CliRunner().invoke(main, given).exit_code == 0
    asked = CliRunner().invoke(main, [*given, "--fault", "0.01"])
    assert asked.exit_code == 3
    assert "too few reports to find a fault of 1" in " ".join(asked.output.split())
    assert CliRunner().invoke(main, [*given, "--fault", "0.9"]).exit_code == 0
