"""Audits of child processes: what is consistent, what is a fault, and that nothing a child does ends the audit.

The children are really random, because fresh processes must differ. A correct one is accused with probability 10^-6.
"""

import json
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from flint import fmpq

from cases.audit_rows import ABSENT, Said, complaints
from cases.refusals import refusal_test, refuses
from dp_audit import Audit, Sampling, Verdict, audit_process
from dp_audit.oracles import oracle
from dp_audit.run.process_sampler import Bounds
from running.options import settings

CHILD = Path(__file__).parent / "targets" / "hostile_children.py"
CLIENT = Path(__file__).parents[2] / "docs" / "examples" / "grr_client.js"
FAULT = fmpq(1, 5)
GRR = {"d": 2, "epsilon": "ln(3)"}


def audit(behavior: str, of: Any = "GRR", parameters: Mapping[str, object] = GRR, **options: Any) -> Audit:
    asked = settings(**{"fault": FAULT, **options})
    return audit_process([sys.executable, "-S", str(CHILD), behavior], of, parameters, *asked)


SAMPLED = dict.fromkeys(("law", "privacy", "alphabet", "seed"), "consistent")
ALL = {**SAMPLED, "independence": "consistent", "estimator": "rounding", "many reports": "conforms"}
SEVEN = "input 7, outside the domain"
SHORT: dict[str, Any] = {"bounds": Bounds(timeout=0.5, answer_bytes=1 << 20), "outside": ()}
CASES: tuple[tuple[str, Mapping[str, Any], Said], ...] = (
    ("counted", {}, {**ALL, "independence": ABSENT}),
    ("wrong_estimates", {}, {"estimator": "fault"}),
    ("short_estimates", {}, {"estimates": "fault"}),
    ("copies", {}, {"independence": "fault"}),
    ("seeded", {}, {"seed": "fault: a fresh process"}),
    ("seeded_by_request", {}, {"seed": "fault: the same process"}),
    ("refuses", {}, {"TargetRaised": "fault"}),
    ("talks_after", {}, {"MalformedAnswer": "fault"}),
    ("exits", SHORT, {"TargetDied": "undecided", "law": "undecided: 'reports': '100'"}),
    ("greets", SHORT, {"TargetPrinted": "fault", "law": "undecided: 'reports': '0'"}),
    ("nan", SHORT, {"MalformedAnswer": "fault", "law": "undecided"}),
    *(
        (name, {"outside": (7,)}, {SEVEN: "fault: accepted: its report breaks the bound"})
        for name in ("accepts_everything", "reports_what_is_no_item", "lies_less_outside")
    ),
    ("takes_it_for_another", {"outside": (7,)}, {SEVEN: "warning: breaks the bound"}),
    (
        "takes_it_for_another_sometimes",
        {"outside": (7,)},
        {SEVEN: "warning: not always: raises an error on input 7: no such input"},
    ),
    ("crashes_outside", {"outside": (7,)}, {SEVEN: "warning: TargetDied: exit status 1"}),
    ("counts_in_a_byte", {}, {"many reports": "fault: 'number of reports': '70000'"}),
    ("counts_in_two_bytes", {}, {"many reports": "fault: 'number of reports': '70000'"}),
    ("refuses_long_lists", {}, {"many reports": "info: no estimates of 70000 reports: "}),
    ("dies_of_long_lists", {}, {"many reports": "info: no estimates of 70000 reports: "}),
)


@pytest.mark.parametrize(("behavior", "options", "said"), CASES, ids=[name for name, _, _ in CASES])
def test_children_are_judged(behavior: str, options: Mapping[str, Any], said: Said) -> None:
    assert list(complaints(audit(behavior, **options).rows, said)) == []


@pytest.mark.slow
def test_a_correct_child_is_consistent() -> None:
    report = audit("good")
    assert {row.check: row.verdict for row in report.rows} == ALL
    outside = dict.fromkeys(("input -1, outside the domain", "input 2, outside the domain"), "conforms")
    assert list(complaints(audit("good", outside=(-1, 2)).rows, {**ALL, **outside})) == []
    assert (report.method, report.oracle, report.parameters) == ("process", "GRR", {"d": "2", "epsilon": "ln(3)"})
    json.dumps(report.as_json())


def test_an_oracle_of_the_users_own_and_a_child_without_a_server() -> None:
    report = audit("no_estimates", oracle("GRR", GRR), {})
    assert report.verdict is Verdict.CONSISTENT
    assert report.oracle == type(oracle("GRR", GRR)).__name__
    assert list(complaints(report.rows, {**SAMPLED, "estimator": ABSENT})) == []
    assert report.notes == ("no estimates: only samples, asked for estimates of 1 reports",)


def test_a_wrong_law_shows_in_several_rows() -> None:
    assert {"law"} <= {row.check for row in audit("biased").faults} <= {"law", "independence", "privacy"}
    other = audit("counted", parameters={"d": 2, "epsilon": "ln(2)"})
    assert {"law", "estimator"} <= {row.check for row in other.faults}
    dies = audit("tells_the_truth_and_dies", outside=())  # what was collected before is judged
    assert dies.row("law").verdict is Verdict.FAULT
    assert dies.row("TargetDied").verdict is Verdict.UNDECIDED
    bits = audit("good", "SUE", {"d": 2, "epsilon": "ln(9)"})
    assert bits.row("alphabet").verdict is Verdict.FAULT


test_bad_parameters = refusal_test(
    refuses("level", lambda level: audit("good", level=level), fmpq(1), 1e-6),
    refuses("fault", lambda: audit("good", fault=fmpq(0))),
    refuses("limit", lambda: audit("good", limit=0)),
    refuses("oracle", lambda: audit("good", "GRRR")),
    refuses("command", lambda: audit_process(["no-such-program"], "GRR", GRR), says="no-such-program"),
)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_worked_example_in_another_language() -> None:
    assert len(CLIENT.read_text(encoding="utf-8").splitlines()) <= 60
    command, parameters = ["node", str(CLIENT), "4", "1.0"], {"d": 4, "epsilon": 1.0}
    sampling = Sampling(fault=fmpq(1, 20), limit=200_000)
    good = audit_process(command, "GRR", parameters, sampling=sampling)
    assert list(complaints(good.rows, {"law": "consistent", "estimator": "fine"})) == []
    broken = audit_process([*command, "--bug=p"], "GRR", parameters, sampling=sampling)
    assert broken.row("law").verdict is Verdict.FAULT
    assert broken.row("estimator").verdict in (Verdict.CONFORMS, Verdict.ROUNDING)
