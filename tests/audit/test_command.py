"""`dp-refimpl audit`: exit codes for CI, every format, every method; bad input is in `first_contact.bad_inputs`."""

import json
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result
from flint import fmpq

from audit.targets import clients
from dp_audit.command import audit
from dp_audit.oracles import KINDS, oracle
from dp_audit.outcome import Audit, Row, Verdict
from dp_audit.report.cli_output import exit_status
from dp_audit.report.kinds import is_check
from dp_command import main
from dp_studies.libraries import LIBRARIES
from running.files import responses, write_csv
from structure.tree import ROOT

FILE = str(Path(clients.__file__))
GIVEN = ("--oracle", "GRR", "--param", "d=3", "--param", "epsilon=1.0")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["audit", *arguments])


def audited(function: str, *arguments: str) -> Result:
    return run("python", f"{FILE}:{function}", *GIVEN, *arguments)


FALSE = shutil.which("false") or "no-python"


def report(*verdicts: Verdict) -> Audit:
    return Audit("t", "m", "o", {}, "exact", tuple(Row(str(v), v, "") for v in verdicts))


@pytest.mark.parametrize(
    ("verdicts", "lenient", "strict"),
    [
        ((Verdict.CONFORMS, Verdict.ROUNDING, Verdict.CONSISTENT), 0, 0),
        ((Verdict.WARNING,), 0, 1),
        ((Verdict.UNDECIDED, Verdict.CONFORMS), 3, 3),
        ((Verdict.UNDECIDED, Verdict.WARNING), 3, 1),
        ((Verdict.UNDECIDED, Verdict.FAULT), 1, 1),
    ],
)
def test_exit_status(verdicts: tuple[Verdict, ...], lenient: int, strict: int) -> None:
    assert exit_status([report(*verdicts)]) == lenient
    assert exit_status([report(Verdict.CONFORMS), report(*verdicts)], strict=True) == strict


@pytest.mark.slow
def test_a_fault_exits_with_1_and_shows_how_to_see_it() -> None:
    result = audited("too_little_noise", "--users", "1")
    assert result.exit_code == 1
    assert "most_common()" in result.output
    assert "fault privacy" in result.output


@pytest.mark.slow
def test_all_formats_are_written(tmp_path: Path) -> None:
    files = {form: str(tmp_path / f"audit.{form}") for form in ("json", "junit", "sarif", "html")}
    options = [part for form, path in files.items() for part in (f"--{form}", path)]
    result = audited("too_little_noise", "--users", "1", "--quiet", *options)
    assert result.exit_code == 1
    assert result.output.startswith("deviates: ")
    assert result.output.count("\n") == 1
    assert json.loads(Path(files["json"]).read_text())["verdict"] == "fault"
    assert json.loads(Path(files["sarif"]).read_text())["version"] == "2.1.0"
    assert ElementTree.parse(files["junit"]).getroot().tag == "testsuites"
    assert Path(files["html"]).read_text().startswith("<!DOCTYPE html>")


@pytest.mark.slow
def test_a_correct_client_exits_with_0_and_a_dash_prints_nothing_but_the_document() -> None:
    correct = audited("grr", "--users", "1", "--json", "-")
    assert correct.exit_code == 0, correct.output
    assert json.loads(correct.stdout)["verdict"] in ("conforms", "rounding")
    assert audited("grr", "--json", "-", "--sarif", "-").exit_code == 2


EXACT = ("--oracle", "GRR", "--param", "d=3", "--param", "epsilon=ln(2)")


@pytest.mark.parametrize(("excess", "status"), [(fmpq(0), 0), (fmpq(1, 1000), 1)])
def test_tables_are_audited(excess: fmpq, status: int, tmp_path: Path) -> None:
    law = oracle("GRR", {"d": 3, "epsilon": "ln(2)"})
    entries = [(x, y, law.law(x)[y]) for x in law.inputs for y in law.inputs]
    shifted = [(x, y, p + excess * (int(y == 0) - int(y == 1)) * (x == 0)) for x, y, p in entries]
    file = write_csv(tmp_path / "table.csv", shifted, ("input", "output", "probability"))
    assert run("table", str(file), *EXACT).exit_code == status


@pytest.mark.parametrize(("truth", "status"), [(0.5, 0), (0.9, 1)])
def test_files_of_reports_are_audited(truth: float, status: int, tmp_path: Path) -> None:
    file = write_csv(tmp_path / "reports.csv", responses(3000, truth))
    result = run("reports", str(file), *EXACT)
    assert result.exit_code == status, result.output


def test_too_few_reports_for_the_fault_that_is_asked_for_are_undecided(tmp_path: Path) -> None:
    file = write_csv(tmp_path / "reports.csv", responses(3000, 0.5))
    asked = run("reports", str(file), *EXACT, "--fault", "0.01")
    assert asked.exit_code == 3
    assert "too few reports to find a fault of 1" in " ".join(asked.output.split())
    assert run("reports", str(file), *EXACT, "--fault", "0.9").exit_code == 0


@pytest.mark.slow
def test_every_library_and_oracle_is_listed() -> None:
    listed = json.loads(run("oracles", "--json").output)
    assert set(listed) == set(KINDS)
    assert {name: listed["SS"][name] for name in ("required", "optional")} == {
        "required": ["d", "epsilon"],
        "optional": ["k"],
    }
    assert all(name in run("oracles").output for name in KINDS)
    for name, kind in KINDS.items():
        assert kind.report, name
        assert kind.report[-1] not in " :,", name
    refused = run("library", "no-library")
    assert all(library in refused.output for library in LIBRARIES)


def test_every_command_explains_itself() -> None:
    for name in audit.commands:
        assert run(name, "--help").exit_code == 0


def test_a_class_without_the_methods_of_a_client_is_bad_input(tmp_path: Path) -> None:
    target = tmp_path / "classes.py"
    target.write_text(
        "class Bare:\n    def report(self, item): return item\n\n"
        "class Half:\n    def client(self): return None\n    privatize = 3\n"
    )
    for name, missing in (("Bare", "client()"), ("Half", "privatize(client, item)")):
        result = run("python", f"{target}:{name}", *GIVEN)
        assert result.exit_code == 2, result.output
        assert f"{name} has no {missing}: an audited class has the methods" in result.output


@pytest.mark.slow
def test_an_output_that_cannot_be_written_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    result = audited("grr", "--json", str(tmp_path / "file" / "audit.json"))
    assert result.exit_code == 2
    assert str(tmp_path) in result.output


@pytest.mark.slow
def test_strict_says_which_warnings_count(tmp_path: Path) -> None:
    target = tmp_path / "clocked.py"
    target.write_text(
        "import random, time\ndef flips(x):\n    time.time()\n    return x if random.random() < 0.75 else 1 - x\n"
    )
    strict = run("python", f"{target}:flips", "--oracle", "RR", "--param", "epsilon=ln(3)", "-q", "--strict")
    assert strict.exit_code == 1  # not strictly 0: `test_exit_status`
    assert strict.output.startswith("conforms: ")
    assert strict.output.endswith("strict: warnings count as faults: clock\n")


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--seconds", "-3", "seconds = -3.0"),
        ("--accept", "nonsense", "no check has the name 'nonsense'"),
        ("--python", FALSE, "a Python interpreter that has numpy (exit status 1"),
        ("--json", "no/folder/audit.json", "no/folder"),
        ("--timeout", "0", "timeout"),
    ],
)
def test_nothing_runs_before_bad_usage_is_refused(option: str, value: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "client.py"
    file.write_text(f"open({str(tmp_path / 'ran')!r}, 'w').close()\ndef randomize(item):\n    return item\n")
    result = run("python", f"{file}:randomize", *GIVEN, option, value)
    assert result.exit_code == 2
    assert said in result.output
    assert "Traceback" not in result.output
    assert [path.name for path in tmp_path.iterdir()] == ["client.py"]


def test_checks_that_there_are_can_be_accepted() -> None:
    """Every row of the published audits has a name that `--accept` knows."""
    for file in sorted((ROOT / "docs" / "data" / "audits").iterdir()):
        names = {row["check"] for each in json.loads(file.read_text())["audits"] for row in each["rows"]}
        assert names
        assert {name for name in names if not is_check(name)} == set(), file.name
    checks = ("law", "variance, n = 2", "input -1, outside the domain", "TargetPrinted", "run", "seed")
    assert all(map(is_check, checks))
    assert not any(map(is_check, ("Law", "run away", "tightnes", "Anything", "")))
