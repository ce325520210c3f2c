"""Every target says in its audit what the table of the cases has; what else is said of some of them."""

import sys
from collections import Counter, UserDict
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from click.testing import CliRunner, Result
from flint import fmpq

from audit.target_cases import FAST, HASHED, LH, NAMED, REUSED, SEEDED, SLOW, Case
from audit.targets import clients, everyday_code, memories
from cases.refusals import refusal_test, refuses
from dp_audit import Options, Sampling, Verdict, audit_adapter, audit_adapter_blackbox, audit_callable
from dp_audit.exact_numbers import short
from dp_audit.observation.exact_json import canonical
from dp_audit.run.child.server import Server
from dp_audit.run.child.targets import by_item, taken
from dp_command import main
from dp_spec.vocabulary.exceptions import FormatError
from running import child_processes

FILE = Path(everyday_code.__file__)
GRR = {"d": 3, "epsilon": 1.0}


@pytest.fixture(autouse=True)
def _brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """The samples of a fallback end soon."""
    monkeypatch.setattr("dp_audit.audit.SECONDS", 0.2)


@pytest.mark.parametrize(
    "case",
    [
        *FAST,
        *(pytest.param(case, marks=pytest.mark.campaign if i % 3 else pytest.mark.slow) for i, case in enumerate(SLOW)),
    ],
    ids=str,
)
def test_an_audit_says_what_is_expected(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    clients.HISTORY.clear()
    monkeypatch.setattr("dp_audit.audit.SECONDS", case.seconds)
    report = case.audit()
    assert list(case.complaints(report)) == [], report.text()


# --- names and hash functions -----------------------------------------------------------------------------------------


def test_a_fault_is_shown_with_a_name_that_the_code_knows() -> None:
    row = child_processes.audit_adapter(FILE, "wrong_color", "GRR", GRR, options=NAMED).row("law")
    assert "['red', 'green', 'blue'][" in row.reproduction[-1]


@pytest.mark.slow
def test_names_are_known_to_the_server_of_samples() -> None:
    options, sampling = Options(names=everyday_code.COLORS), Sampling(limit=600)
    apart = audit_adapter_blackbox(FILE, "color_of_many_bytes", "GRR", GRR, options, sampling)
    assert apart.row("law").verdict is Verdict.CONSISTENT, apart.text()


@pytest.mark.slow
def test_a_hash_function_with_a_salt_of_the_process_is_found() -> None:
    """In processes of its own: copies of one share its salt."""
    options = Options(users=(), unmodified=False, hash="salted", conditioned=(3,))
    assert [row.check for row in audit_adapter(FILE, "with_salt", "LH", LH, options=options).faults] == [
        "fresh process"
    ]


def test_the_hash_function_of_a_file_is_the_oracle_s() -> None:
    audit = child_processes.audit_adapter(FILE, "small_seed", "LH", LH, options=SEEDED)
    assert audit.parameters["hash"] == str(tuple(everyday_code.cell(3, x, 3) for x in range(3)))


def run(name: str, *options: str) -> Result:
    arguments = ("--oracle", "GRR", "--param", "d=3", "--param", "epsilon=1")
    return CliRunner().invoke(main, ["audit", "python", f"{FILE}:{name}", *arguments, *options])


@pytest.mark.slow
def test_items_may_begin_with_one_and_what_is_outside_may_be_accepted() -> None:
    inputs = ("--inputs", "1,2,3", "--users", "1", "--outside", "0")
    assert run("from_one", *inputs[:4]).exit_code == 0
    assert run("from_one").exit_code == run("from_one", *inputs).exit_code == 1
    accepted = run("from_one", *inputs, "--accept", "input 0, outside the domain")
    assert accepted.exit_code == 0
    assert "accepted (fault)" in accepted.output
    unknown = run("from_one", *inputs, "--accept", "no check")
    assert unknown.exit_code == 2
    assert "no check" in unknown.output
    colors = run("color", "--inputs", '["red", "green", "blue"]', "--outside", "pink", "--quiet")
    assert colors.exit_code == 0, colors.output


ANSWERING = """
import json, random, sys
for line in sys.stdin:
    asked = json.loads(line)
    other = {"no": "yes", "yes": "no"}[asked.get("input", "no")]
    reports = [other if random.random() < 1 / 4 else asked["input"] for _ in range(asked.get("count", 0))]
    said = {"reports": reports} if reports else {"error": "no"}
    print(json.dumps({"id": asked["id"], **said}), flush=True)
"""


def test_reports_and_tables_and_programs_may_have_names(tmp_path: Path) -> None:
    names = ("--oracle", "GRR", "--param", "d=2", "--param", "epsilon=ln(3)", "--inputs", "no,yes", "--quiet")
    table, reports, program = (tmp_path / name for name in ("table.csv", "reports.csv", "program.py"))
    table.write_text("input,output,probability\nno,no,0.75\nno,yes,0.25\nyes,no,0.25\nyes,yes,0.75\n")
    reports.write_text("input,report\nno,no\nyes,maybe\n")
    program.write_text(ANSWERING)
    for arguments, status in (
        (("table", str(table)), 0),
        (("reports", str(reports)), 1),
        (("process", "--limit", "400", "--", sys.executable, str(program)), 0),
    ):
        result = CliRunner().invoke(main, ["audit", arguments[0], *names, *arguments[1:]])
        assert result.exit_code == status, result.output


# --- parameters and estimates -----------------------------------------------------------------------------------------


def test_what_is_taken_is_what_the_wrapper_takes() -> None:
    parameters = {"d": 4, "epsilon": 1.0, "other": 2}
    assert taken(everyday_code.decorated, parameters) == {}
    assert taken(everyday_code.any_parameters, parameters) == parameters
    assert taken(memories.LSUE, parameters) == {"d": 4}
    assert taken(everyday_code.with_fixed, parameters) == {}


@pytest.mark.parametrize("kind", [dict, MappingProxyType, Counter, UserDict])
def test_estimates_that_are_told_by_item_are_put_in_order(kind: Callable[..., Any]) -> None:
    """Of any mapping; an item that is not told was not seen; other keys are left as they come."""
    assert by_item(kind({2: 3, 0: 1}), [0, 1, 2]) == [1, 0, 3]
    assert by_item(kind({1: 5}), [{"set": [0, 1]}, {"set": [1, 2]}]) == [0, 5, 0]
    assert by_item(kind({"b": 3, "a": 1}), [0, 1]) == [3, 1]
    assert by_item([3, 1], [0, 1]) == [3, 1]


def test_the_server_of_samples_tells_estimates_in_the_order_of_the_inputs() -> None:
    server = Server(everyday_code.Told(3), inputs=[0, 1, 2])
    reports = server.answer({"op": "sample", "input": 1, "count": 40})["reports"]
    estimates = server.answer({"op": "estimate", "reports": reports})["estimates"]
    assert estimates == [everyday_code.Told(3).estimate(reports)[x] for x in range(3)]


def estimate(reports: Sequence[int], d: int, epsilon: float) -> list[float]:
    """It is handed the parameters that it takes."""
    return everyday_code.estimates([list(reports).count(x) for x in range(d)], len(reports), epsilon)


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", [0.01, 1.0])
def test_large_estimates_have_large_roundings(epsilon: float) -> None:
    parameters = {"d": 3, "epsilon": epsilon}
    report = audit_callable(clients.grr, "GRR", parameters, estimate=estimate, options=REUSED)
    rows = [row for row in report.rows if row.check.startswith(("estimator", "expectation", "variance"))]
    assert len(rows) > 3
    assert {row.verdict for row in rows} <= {Verdict.CONFORMS, Verdict.ROUNDING}, report.text()

    def slightly(reports: Sequence[int]) -> list[float]:
        return [1.000001 * x for x in estimate(reports, 3, epsilon)]

    wrong = audit_callable(clients.grr, "GRR", parameters, estimate=slightly, options=REUSED)
    assert wrong.row("estimator").verdict is Verdict.FAULT


def test_numbers_beyond_doubles_are_shown() -> None:
    def large(reports: list[int]) -> list[float]:
        return [1e200 * reports.count(x) for x in range(3)]

    report = audit_callable(clients.grr, "GRR", GRR, estimate=large, options=REUSED)
    assert report.row("variance, n = 1").verdict is Verdict.FAULT
    assert "e+" in report.row("variance, n = 1").detail
    assert short(fmpq(10) ** 400) == "1.00000e+400"


def nested(depth: int) -> Any:
    nest: Any = 0
    for _ in range(depth):
        nest = [nest]
    return nest


def named(names: Any) -> object:
    return audit_callable(everyday_code.color, "GRR", GRR, options=Options(names=names))


def used(name: str) -> object:
    return child_processes.audit_adapter(FILE, name, "GRR", GRR, options=Options(users=(1,), reuse=False))


test_wrong_usage_is_no_law = refusal_test(
    refuses("inputs", named, ("red", "green"), ("red", "red", "blue")),
    refuses("", used, "needs", "imports_late", says="can be called with these parameters"),
    refuses(
        "hash",
        lambda: child_processes.audit_adapter(FILE, "hashing", "LH", LH, options=replace(HASHED, hash="missing")),
    ),
    refuses(
        "conditioned", lambda: child_processes.audit_adapter(FILE, "hashing", "LH", LH, options=Options(hash="cell_of"))
    ),
    refuses("", lambda: canonical("report", nested(5000)), kind=FormatError),
)
