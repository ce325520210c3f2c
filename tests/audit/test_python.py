"""Audits of code at hand: the same rows in this process as in a child, every fault in the row that is about it."""

import random
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from audit.targets import clients
from cases.refusals import refusal_test, refuses
from dp_audit.audit import audit_adapter, audit_callable
from dp_audit.options import Options
from dp_audit.outcome import Audit, Verdict

FILE = Path(clients.__file__)
GIVEN = {"d": 3, "epsilon": 1.0}
BRIEF = Options(unmodified=False)


def in_process(function: Callable[..., Any], **options: Any) -> Audit:
    clients.HISTORY.clear()
    return audit_callable(function, "GRR", GIVEN, **options)


def faults(report: Audit) -> set[str]:
    return {row.check for row in report.faults}


@pytest.mark.slow
def test_a_correct_function_conforms_and_randomness_is_itself_again() -> None:
    random.seed(1)
    expected = random.random()
    random.seed(1)
    report = in_process(clients.grr, estimate=clients.estimate)
    assert random.random() == expected
    assert report.verdict in (Verdict.CONFORMS, Verdict.ROUNDING)
    assert {"law", "privacy", "estimator", "variance, n = 2", "reused client"} <= {r.check for r in report.rows}
    assert report.target == clients.__name__
    assert report.location == f"tests/audit/targets/clients.py:{clients.grr.__code__.co_firstlineno}"


def test_a_biased_estimator_is_blamed_and_not_the_client() -> None:
    checks = faults(in_process(clients.grr, estimate=clients.biased, options=BRIEF))
    assert "estimator" in checks
    assert not checks & {"law", "privacy", "reused client"}


@pytest.mark.slow
@pytest.mark.parametrize("function", [clients.grr, clients.shows_itself])
def test_a_child_process_says_the_same(function: Callable[..., Any]) -> None:
    here = in_process(function)
    there = audit_adapter(FILE, function.__name__, "GRR", {"d": "3", "epsilon": "1.0"})
    assert [(r.check, r.verdict, r.detail, r.figures) for r in here.rows] == [
        (r.check, r.verdict, r.detail, r.figures) for r in there.rows
    ]
    assert here.laws == there.laws
    assert here.location == there.location


def test_the_reproduction_runs_and_shows_the_fault() -> None:
    report = audit_adapter(FILE, "too_little_noise", "GRR", GIVEN, options=BRIEF)
    row = report.row("law")
    assert len(row.reproduction) == 3
    assert row.witness["input"] in row.reproduction[-1]
    lines: list[str] = []
    random.seed(0)
    exec("\n".join(row.reproduction), {"print": lambda line: lines.append(str(line))})
    assert lines[0].startswith("[(")


def test_laws_that_are_shown_are_those_of_both_sides() -> None:
    laws = audit_callable(clients.grr, "GRR", {"d": 3, "epsilon": "ln(2)"}, options=BRIEF).laws
    assert laws["oracle"] == {x: {y: "1/2" if x == y else "1/4" for y in "012"} for x in "012"}
    assert set(laws["target"]) == set("012")


@pytest.mark.slow
def test_a_draw_that_selects_a_hash_function_is_conditioned_on() -> None:
    parameters = {"d": 4, "g": 2, "epsilon": "ln(3)"}
    checks = Options(conditioned=(12345678901,), users=())
    here = audit_callable(clients.Hashing, "LH", parameters, options=checks)
    there = audit_adapter(FILE, "Hashing", "LH", parameters, options=checks)
    assert here.rows == there.rows
    assert here.row("law").verdict in (Verdict.CONFORMS, Verdict.ROUNDING)
    assert here.parameters["hash"] == str(tuple(clients.Hashing.cell(12345678901, x, 2) for x in range(4)))
    assert any("12345678901" in model for model in here.models)


@pytest.mark.slow
def test_a_function_is_handed_what_it_has_arguments_for() -> None:
    assert not faults(audit_callable(partial(clients.grr, d=3), "GRR", {"d": 3, "epsilon": 0.5}, options=BRIEF))
    assert not faults(audit_callable(lambda item: clients.grr(item, 3, 1.0), "GRR", GIVEN, options=BRIEF))


test_bad_input_is_a_typed_error = refusal_test(
    refuses("randomize", lambda made: audit_callable(made, "GRR", GIVEN), 3),
    refuses("oracle", lambda: audit_callable(clients.grr, "NONE", GIVEN)),
    refuses("epsilon", lambda: audit_callable(clients.grr, "GRR", {"d": 3})),
    refuses("d", lambda: audit_callable(clients.grr, "GRR", {"d": True, "epsilon": 1.0})),
    refuses("estimate", lambda: audit_callable(clients.Hashing, "LH", GIVEN, estimate=clients.estimate)),
    refuses("code", lambda: audit_callable(clients.Hashing, "GRR", GIVEN)),
    refuses("adapter", lambda: audit_adapter("missing.py", "grr", "GRR", GIVEN)),
    refuses("FILE.py:NAME", lambda: audit_adapter(FILE, "missing", "GRR", GIVEN)),
    refuses("python", lambda: audit_adapter(FILE, "grr", "GRR", GIVEN, Options(python="no-python"))),
    refuses("timeout", lambda: Options(timeout=0)),
    refuses("users", lambda: Options(users=(0,))),
    refuses("unit", lambda unit: Options(unit=unit), "shares"),
    refuses("limits", lambda: Options(limits={"path": 3})),
    refuses("paths", lambda: Options(limits={"paths": True})),
)
