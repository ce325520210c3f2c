"""Audits of child processes: what is consistent, what is a fault, and that nothing a child does ends the audit.

The children are really random, because fresh processes must differ. A correct one is accused with probability 10^-6.
"""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from flint import fmpq

from dp_audit.audit import audit_process
from dp_audit.judge.bets.sequential import Sampling
from dp_audit.oracles import Oracle, oracle
from dp_audit.outcome import Audit, Verdict
from dp_audit.run.process_sampler import Bounds
from dp_spec.vocabulary.exceptions import DomainError
from running.options import settings

CHILD = Path(__file__).parent / "targets" / "hostile_children.py"
CLIENT = Path(__file__).parents[2] / "docs" / "examples" / "grr_client.js"
NODE = shutil.which("node")
FAULT = fmpq(1, 5)
GRR = {"d": 2, "epsilon": "ln(3)"}


def audit(behavior: str, of: Oracle | str = "GRR", **options: Any) -> Audit:
    parameters = GRR if of == "GRR" else {}
    asked = settings(**{"fault": FAULT, **options})
    return audit_process([sys.executable, "-S", str(CHILD), behavior], of, parameters, *asked)


def verdicts(report: Audit) -> dict[str, Verdict]:
    return {row.check: row.verdict for row in report.rows}


OUTSIDE = {"input -1, outside the domain": Verdict.CONFORMS, "input 2, outside the domain": Verdict.CONFORMS}
CONSISTENT = dict.fromkeys(("law", "privacy", "alphabet", "seed"), Verdict.CONSISTENT)
ORDERED = {**CONSISTENT, "independence": Verdict.CONSISTENT}


def test_a_correct_child_is_consistent() -> None:
    report = audit("good")
    assert verdicts(report) == {**ORDERED, "estimator": Verdict.ROUNDING, "many reports": Verdict.CONFORMS}
    assert verdicts(audit("good", outside=(-1, 2))).items() >= OUTSIDE.items()
    assert report.method == "process"
    assert report.oracle == "GRR"
    assert report.parameters == {"d": "2", "epsilon": "ln(3)"}
    json.dumps(report.as_json())


def test_counts_tell_no_order() -> None:
    found = verdicts(audit("counted"))
    assert found == {**CONSISTENT, "estimator": Verdict.ROUNDING, "many reports": Verdict.CONFORMS}


def test_an_oracle_of_the_users_own() -> None:
    report = audit("good", oracle("GRR", GRR))
    assert report.verdict is Verdict.CONSISTENT
    assert report.oracle == type(oracle("GRR", GRR)).__name__


def test_a_child_without_a_server() -> None:
    report = audit("no_estimates")
    assert report.verdict is Verdict.CONSISTENT
    assert "estimator" not in verdicts(report)
    assert report.notes == ("no estimates: only samples, asked for estimates of 1 reports",)


@pytest.mark.parametrize(
    ("behavior", "faults"),
    [
        ("wrong_estimates", {"estimator"}),
        ("short_estimates", {"estimates"}),
        ("copies", {"independence"}),
        ("seeded", {"seed"}),
        ("refuses", {"TargetRaised"}),
        ("talks_after", {"MalformedAnswer"}),
    ],
)
def test_faults(behavior: str, faults: set[str]) -> None:
    report = audit(behavior)
    assert {row.check for row in report.faults} == faults
    assert report.verdict is Verdict.FAULT


def test_a_wrong_law_shows_in_several_rows() -> None:
    found = {row.check for row in audit("biased").faults}
    assert "law" in found
    assert found <= {"law", "independence", "privacy"}


def test_a_seed_for_every_request() -> None:
    report = audit("seeded_by_request")
    assert report.row("seed").verdict is Verdict.FAULT
    assert "the same process" in report.row("seed").detail
    assert "a fresh process" in audit("seeded").row("seed").detail


def test_an_oracle_of_another_budget() -> None:
    command, given = [sys.executable, "-S", str(CHILD), "counted"], {"d": 2, "epsilon": "ln(2)"}
    report = audit_process(command, "GRR", given, sampling=Sampling(fault=FAULT))
    assert {"law", "estimator"} <= {row.check for row in report.faults}


def test_an_oracle_of_another_alphabet() -> None:
    report = audit_process([sys.executable, "-S", str(CHILD), "good"], "SUE", {"d": 2, "epsilon": "ln(9)"})
    assert report.row("alphabet").verdict is Verdict.FAULT


@pytest.mark.parametrize(
    ("behavior", "check", "verdict"),
    [
        ("exits", "TargetDied", Verdict.UNDECIDED),
        ("crashes", "TargetDied", Verdict.UNDECIDED),
        ("hangs", "TargetHung", Verdict.UNDECIDED),
        ("greets", "TargetPrinted", Verdict.FAULT),
        ("nan", "MalformedAnswer", Verdict.FAULT),
        ("negative", "MalformedAnswer", Verdict.FAULT),
        ("one_line_forever", "MalformedAnswer", Verdict.FAULT),
    ],
)
def test_hostile_children(behavior: str, check: str, verdict: Verdict) -> None:
    report = audit(behavior, bounds=Bounds(timeout=0.5, answer_bytes=1 << 20), outside=())
    assert report.row(check).verdict is verdict
    assert report.row("law").verdict is Verdict.UNDECIDED
    assert report.row("law").figures["reports"] == ("0" if behavior == "greets" else "100")


def test_what_was_collected_before_a_failure_is_judged() -> None:
    report = audit("tells_the_truth_and_dies", outside=())
    assert report.row("law").verdict is Verdict.FAULT
    assert report.row("TargetDied").verdict is Verdict.UNDECIDED


SEVEN = "input 7, outside the domain"


@pytest.mark.parametrize("behavior", ["accepts_everything", "reports_what_is_no_item", "lies_less_outside"])
def test_an_input_outside_the_domain_whose_report_breaks_the_bound(behavior: str) -> None:
    row = audit(behavior, outside=(7,)).row(SEVEN)
    assert row.verdict is Verdict.FAULT
    assert row.detail.startswith("accepted: its report breaks the bound")


@pytest.mark.parametrize("behavior", ["takes_it_for_another", "takes_it_for_another_sometimes"])
def test_an_input_outside_the_domain_whose_report_keeps_it(behavior: str) -> None:
    row = audit(behavior, outside=(7,)).row(SEVEN)
    assert row.verdict is Verdict.WARNING
    assert "breaks the bound" in row.detail
    assert row.detail.startswith("accepted: nothing in ")
    assert ("not always: raises an error on input 7: no such input" in row.detail) == behavior.endswith("sometimes")


def test_inputs_outside_the_domain_that_are_not_answered() -> None:
    crashed = audit("crashes_outside", outside=(7,)).row(SEVEN)
    assert crashed.verdict is Verdict.WARNING
    assert "TargetDied: exit status 1" in crashed.detail


@pytest.mark.parametrize("behavior", ["counts_in_a_byte", "counts_in_two_bytes"])
def test_counters_that_are_too_small(behavior: str) -> None:
    report = audit(behavior)
    assert {row.check for row in report.faults} == {"many reports"}
    assert report.row("many reports").witness["number of reports"] == "70000"


@pytest.mark.parametrize("behavior", ["refuses_long_lists", "dies_of_long_lists"])
def test_long_lists_that_are_not_taken_are_no_fault(behavior: str) -> None:
    report = audit(behavior)
    assert report.verdict is Verdict.CONSISTENT
    assert report.row("many reports").detail.startswith("no estimates of 70000 reports: ")


@pytest.mark.parametrize("bad", [{"level": fmpq(1)}, {"level": 1e-6}, {"fault": fmpq(0)}, {"limit": 0}, {"of": "GRRR"}])
def test_bad_parameters(bad: dict[str, Any]) -> None:
    with pytest.raises(DomainError):
        audit("good", **bad)


def test_a_command_that_does_not_exist() -> None:
    with pytest.raises(DomainError, match="no-such-program"):
        audit_process(["no-such-program"], "GRR", GRR)


@pytest.mark.slow
@pytest.mark.skipif(NODE is None, reason="node is not installed")
def test_the_worked_example_in_another_language() -> None:
    command = ["node", str(CLIENT), "4", "1.0"]
    parameters = {"d": 4, "epsilon": 1.0}
    sampling = Sampling(fault=fmpq(1, 20), limit=200_000)
    good = audit_process(command, "GRR", parameters, sampling=sampling)
    assert good.verdict is Verdict.CONSISTENT
    assert good.row("estimator").verdict in (Verdict.CONFORMS, Verdict.ROUNDING)
    broken = audit_process([*command, "--bug=p"], "GRR", parameters, sampling=sampling)
    assert broken.row("law").verdict is Verdict.FAULT
    assert broken.row("estimator").verdict in (Verdict.CONFORMS, Verdict.ROUNDING)


def test_the_worked_example_is_short() -> None:
    assert len(CLIENT.read_text(encoding="utf-8").splitlines()) <= 60
