"""Verdicts of the audit: correct oracles pass, every planted fault is caught by the check that is about it."""

import json
import sys
from functools import cache, partial
from itertools import product
from pathlib import Path

import pytest
from flint import fmpq

from cases.refusals import refusal_test, refuses
from dp_audit import Audit, Job, Verdict, run_target
from dp_audit.environment import Environment
from dp_audit.judge.assessment import assess
from dp_audit.oracles import oracle
from dp_audit.oracles.base import double as nearest
from dp_audit.oracles.base import epsilon as budget
from dp_audit.outcome import Row
from dp_spec.vocabulary.budget import Budget
from dp_studies.libraries.audit import audit_library
from running.child_processes import run_shared

MUTANTS = Path(__file__).parents[1] / "mutants" / "adapters.py"
HERE = Environment(Path(sys.executable))


@cache
def audit(
    protocol: str, name: str, d: int = 3, epsilon: float | str = 1.0, users: tuple[int, ...] = (1, 2)
) -> tuple[Row, ...]:
    """Audit of the class `name` of mutants.py as an implementation of `protocol`."""
    nominal = Budget(epsilon)
    job = Job(
        MUTANTS,
        name,
        {"d": d, "epsilon": nearest(nominal)},
        tuple(range(d)),
        outside=(-1, d),
        reuse=tuple(product((0, d - 1), repeat=2)),
        users=users,
    )
    return assess(run_target(job, HERE, 120, run_shared), oracle(protocol, {"d": d, "epsilon": nominal}), "frequencies")


def faults(rows: tuple[Row, ...]) -> set[str]:
    return {row.check for row in rows if row.verdict is Verdict.FAULT}


@pytest.mark.parametrize("protocol", ["GRR", "SUE", "OUE"])
@pytest.mark.parametrize("epsilon", [0.5, "ln(3)"])
def test_correct_implementations_have_neither_faults_nor_gaps(protocol: str, epsilon: float | str) -> None:
    rows = audit(protocol, protocol, 3, epsilon)
    assert {row.verdict for row in rows} <= {Verdict.CONFORMS, Verdict.ROUNDING}
    assert {"law", "privacy", "raw output", "reused client", "server state", "variance, n = 2"} <= {
        r.check for r in rows
    }


MOMENTS = {f"{name}, n = {n}" for name in ("expectation", "variance") for n in (1, 2)}


@pytest.mark.parametrize(
    ("protocol", "mutant", "caught_by"),
    [
        ("GRR", "GRRWrongDenominator", "law"),
        ("GRR", "GRRLieMayBeTrue", "law"),
        ("GRR", "GRROffByOne", "privacy"),
        ("GRR", "GRRBudgetTwice", "privacy"),
        ("GRR", "GRRHalfBudget", "variance, n = 2"),
        ("GRR", "GRREstimatorQ", "expectation, n = 1"),
        ("GRR", "GRRClips", "expectation, n = 1"),
        ("GRR", "GRRTypeLeak", "raw output"),
        ("GRR", "GRRMemoizes", "reused client"),
        ("GRR", "GRRStaleCache", "server state"),
        ("GRR", "GRRLastReportTwice", "order of reports"),
        ("GRR", "GRRAcceptsAll", "input -1, outside the domain"),
        ("SUE", "SUEWholeBudgetPerBit", "privacy"),
        ("SUE", "SUEOneCoin", "law"),
        ("SUE", "SUEKeepsLastBit", "privacy"),
        ("SUE", "SUEReversed", "law"),
        ("SUE", "SUESetBits", "raw output"),
        ("OUE", "OUESwapped", "law"),
        ("OUE", "OUESmallBias", "privacy"),
        ("OUE", "SUE", "law"),
        ("SUE", "OUE", "law"),
    ],
)
def test_planted_faults_are_caught(protocol: str, mutant: str, caught_by: str) -> None:
    users = () if caught_by in ("law", "privacy") else (1, 2)
    assert caught_by in faults(audit(protocol, mutant, users=users))


@pytest.mark.slow
def test_a_fault_is_blamed_on_the_right_part() -> None:
    assert "estimator" in faults(audit("GRR", "GRREstimatorQ")) <= MOMENTS | {"estimator"}
    assert faults(audit("GRR", "GRRTypeLeak")) == {"raw output"}
    assert faults(audit("GRR", "GRRMemoizes")) == {"reused client"}
    assert faults(audit("GRR", "GRRStaleCache")) == {"server state"}
    too_much_noise = faults(audit("GRR", "GRRHalfBudget"))
    assert too_much_noise == {"law", "estimator", "variance, n = 1", "variance, n = 2"}
    (row,) = [row for row in audit("GRR", "GRRHalfBudget") if row.check == "tightness"]
    assert row.verdict is Verdict.WARNING
    assert "wasted" in row.detail


@pytest.mark.slow
def test_witness_of_a_fault_names_input_output_and_both_probabilities() -> None:
    (row,) = [row for row in audit("GRR", "GRRBudgetTwice") if row.check == "law"]
    assert set(row.witness) == {"input", "output", "target", "oracle"}
    figure = fmpq(*map(int, row.witness["target"].split("/")))
    assert figure.q.bit_length() <= 54  # exact: a multiple of 2^-53
    (row,) = [row for row in audit("SUE", "SUEKeepsLastBit") if row.check == "privacy"]
    assert "and 0" in row.witness["probabilities"]


def of_pure_ldp(protocol: str, d: int, library: str = "pure-ldp") -> object:
    return audit_library(library, protocol, {"d": d, "epsilon": 1.0}, environment=HERE)


test_bad_parameters_are_rejected = refusal_test(
    refuses(
        "epsilon",
        partial(budget, "epsilon"),
        0.0,
        -1.0,
        float("nan"),
        float("inf"),
        True,
        "ln(1)",
        "ln(0)",
        "one",
        "0",
        None,
    ),
    refuses("", lambda: of_pure_ldp("GRR", 3, "pure")),
    refuses("", lambda: of_pure_ldp("OLH", 3)),
    refuses("", lambda d: of_pure_ldp("GRR", d), 1, True),
)


def test_report_is_readable_and_json_able() -> None:
    rows = audit("GRR", "GRRBudgetTwice")
    parameters = {"d": "3", "epsilon": "1.0"}
    report = Audit("mutants", "GRR", "GRR", parameters, "exact", rows, {"python": "3"}, ("a model",), ("a note",))
    assert report.verdict is Verdict.FAULT
    assert {row.check for row in report.faults} == faults(rows)
    assert report.row("law").verdict is Verdict.FAULT
    with pytest.raises(KeyError):
        report.row("no such check")
    text = report.text()
    assert all(word in text for word in ("mutants GRR, d = 3", "privacy", "witness", "a model", "a note"))
    assert json.loads(json.dumps(report.as_json()))["rows"][0]["check"] == "law"
