"""The wheel, as somebody else meets it: installed elsewhere, typed, with a verdict as a gate."""

import json
import shutil
import sys
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

from consumer.wheel_environment import run
from corpus.certificates import ACCEPTED, REJECTED
from dp_audit.vectors import CERTIFICATE_SCHEMA
from structure.tree import PACKAGES, ROOT

PROJECT = Path(__file__).resolve().parent / "project"
AUDITED = PROJECT.with_name("audit_project")

pytestmark = pytest.mark.slow


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return Path(shutil.copytree(PROJECT, tmp_path / "project", ignore=shutil.ignore_patterns("__pycache__")))


def test_the_wheel_holds_the_typed_packages_and_the_ledger_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        ledger, statements = (archive.read(f"dp_checks/data/{name}.json") for name in ("ledger", "statements"))
        corpus = [archive.read(f"dp_checks/data/{path.name}") for path in (ACCEPTED, REJECTED)]
        metadata = next(archive.read(n).decode() for n in names if n.endswith(".dist-info/METADATA"))
    assert {n.split("/")[0] for n in names if ".dist-info/" not in n} == {*PACKAGES, "dp_command.py"} - {"dp_coq"}
    assert {f"{package}/py.typed" for package in PACKAGES if package != "dp_coq"} <= names
    assert "dp_audit/audits.schema.json" in names
    assert ledger == (ROOT / "proofs_checks" / "ledger.json").read_bytes()
    assert statements == (ROOT / "proofs_checks" / "statements.json").read_bytes()
    assert json.loads(ledger)["claims"]
    assert corpus == [path.read_bytes() for path in (ACCEPTED, REJECTED)]
    assert "Requires-Python: >=3.11" in metadata
    assert "License-Expression: Apache-2.0" in metadata


def test_the_consumer_sees_the_wheel_and_not_the_tree(python: Path, tmp_path: Path) -> None:
    where = run(python, "-c", "import dp_spec, dp_checks; print(dp_spec.__file__, dp_checks.__file__)", cwd=tmp_path)
    assert str(ROOT) not in where
    assert str(python.parents[1]) in where


def test_the_consumer_runs_and_its_gate_holds(python: Path, project: Path) -> None:
    said = run(python, "survey.py", cwd=project)
    assert "'tea'" in said
    assert "the gate holds" in said
    assert "refused: item = 'cocoa'" in said


def test_the_corpus_is_written_by_what_is_installed(python: Path, tmp_path: Path) -> None:
    run(python.parent / "dp-refimpl", "vectors", "--certificates", "corpus", cwd=tmp_path)
    assert {path.name for path in (tmp_path / "corpus").iterdir()} == {
        ACCEPTED.name,
        REJECTED.name,
        CERTIFICATE_SCHEMA.name,
    }
    assert (tmp_path / "corpus" / ACCEPTED.name).read_bytes() == ACCEPTED.read_bytes()


def test_the_consumer_is_strictly_typed_and_misuse_is_seen(python: Path, project: Path) -> None:
    """Both files in one run of the type checker, which reads the wheel once; nothing is said of the right one."""
    files = ("survey.py", "misuse.py")
    said = run(sys.executable, "-m", "mypy", "--strict", "--python-executable", python, *files, cwd=project, expect=1)
    wrong = {i for i, line in enumerate((project / "misuse.py").read_text().splitlines(), 1) if "# wrong" in line}
    errors = [line.split(":") for line in said.splitlines() if ": error:" in line]
    assert {(file, int(line)) for file, line, *_ in errors} == {("misuse.py", line) for line in wrong}
    assert "(checked 2 source files)" in said


def test_the_command_is_installed(python: Path, project: Path) -> None:
    assert "certify" in run(python.parent / "dp-refimpl", "--help", cwd=project)


@pytest.fixture
def audited(tmp_path: Path) -> Path:
    return Path(shutil.copytree(AUDITED, tmp_path / "audited", ignore=shutil.ignore_patterns("__pycache__")))


def test_the_suite_of_a_consumer_asserts_conformance(python: Path, audited: Path) -> None:
    files = ("--junitxml=tests.xml", "--dp-sarif=audit.sarif", "--dp-html=audit.html", "--dp-json=audit.json")
    said = run(python, "-m", "pytest", "-p", "no:benchmark", "-p", "no:cacheprovider", *files, cwd=audited, expect=1)
    cases = ElementTree.parse(audited / "tests.xml").getroot().iter("testcase")
    failed = {case.get("name"): case.find("failure") is not None for case in cases}
    assert failed == {
        "test_client": False,
        "test_a_fixture": False,
        "test_all_parameters": False,
        "test_careless": True,
        "test_careless_by_fixture": False,
    }
    assert "from fruitpoll.careless import randomize as audited" in said
    assert "fault       privacy" in said
    reports = json.loads((audited / "audit.json").read_text())["audits"]
    assert {r["target"] for r in reports if r["verdict"] == "fault"} == {"fruitpoll.careless"}
    results = json.loads((audited / "audit.sarif").read_text())["runs"][0]["results"]
    places = {
        r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in results if r["level"] == "error"
    }
    assert places == {"fruitpoll/careless.py"}
    assert "fruitpoll.careless" in (audited / "audit.html").read_text()


def test_the_command_audits_a_file_of_a_consumer(python: Path, audited: Path) -> None:
    command = (python.parent / "dp-refimpl", "audit", "python")
    options = ("--oracle", "GRR", "--param", "d=4", "--param", "epsilon=1", "--json", "-")
    correct = json.loads(run(*command, "fruitpoll/client.py:randomize", *options, cwd=audited))
    assert correct["verdict"] in ("conforms", "rounding")
    wrong = json.loads(run(*command, "fruitpoll/careless.py:randomize", *options, cwd=audited, expect=1))
    assert wrong["audits"][0]["location"] == "fruitpoll/careless.py:7"
