"""An exception with the probability of a rounding error is a warning beside the law; a frequent one is a fault."""

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dp_audit.judge.assessment import assess
from dp_audit.judge.examination import Examination
from dp_audit.judge.unmodified_laws import again_rows
from dp_audit.observation.jobs import Job
from dp_audit.observation.unmodified_run import Draws, UnmodifiedRun
from dp_audit.oracles import oracle
from dp_audit.outcome import Row, Verdict
from dp_audit.run.enumeration import run_here

ORACLE = oracle("RR", {"epsilon": "ln(3)"})


def rows(function: Any) -> dict[str, Row]:
    target = run_here(Job(Path("none.py"), "function", {}, (0, 1)), function)
    return {row.check: row for row in assess(target, ORACLE)}


def test_a_rare_exception_is_a_warning_and_the_law_is_judged() -> None:
    def response(item: int) -> int:
        u = random.random()
        if u == 0.5:
            raise OverflowError("cannot convert")
        return item if u < 0.75 else 1 - item

    found = rows(response)
    assert found["exceptions"].verdict is Verdict.WARNING
    assert found["exceptions"].witness["probability"] == f"1/{2**53}"
    assert "its text" not in found["exceptions"].detail
    assert found["law"].verdict is Verdict.ROUNDING
    assert found["privacy"].verdict is Verdict.CONFORMS


def test_a_text_that_depends_on_the_input_is_said() -> None:
    def response(item: int) -> int:
        u = random.random()
        if u == 0.5:
            raise ValueError(f"no answer for {item}")
        return item if u < 0.75 else 1 - item

    found = rows(response)
    assert found["exceptions"].detail.endswith("its text depends on the input")
    assert found["privacy"].verdict is Verdict.CONFORMS


def test_a_rare_exception_on_one_input_only_has_no_finite_epsilon() -> None:
    def response(item: int) -> int:
        u = random.random()
        if u == 0.5 and item:
            raise ValueError
        return item if u < 0.75 else 1 - item

    found = rows(response)
    assert found["exceptions"].verdict is Verdict.WARNING
    assert found["privacy"].verdict is Verdict.FAULT


@pytest.mark.parametrize("threshold", [0.75, 2**-39])
def test_a_frequent_exception_is_a_fault(threshold: float) -> None:
    def response(item: int) -> int:
        if random.random() < threshold:
            raise ValueError
        return item

    found = rows(response)
    assert found["law"].verdict is Verdict.FAULT
    assert "privacy" not in found


class Raises:
    """A client that raises with probability 1/4, from fresh draws; `after` so many reports always, or never again."""

    after: int | None = None
    never_again = False

    def __init__(self) -> None:
        self.reports = 0

    def client(self) -> "Raises":
        return type(self)()

    def privatize(self, client: "Raises", item: int) -> int:
        client.reports += 1
        first = client.reports == 1
        if client.reports - 1 == self.after or ((first or not self.never_again) and random.random() < 0.25):
            raise ValueError("try again")
        return item if random.random() < 0.75 else 1 - item


class RaisesTheSecondTime(Raises):
    after = 1


class RaisesOnlyAtFirst(Raises):
    never_again = True


def always(item: int) -> int:
    raise OverflowError("math range error")


def reused(made: Any) -> Row | None:
    target = run_here(Job(Path("none.py"), "made", {}, (0, 1), reuse=((0, 0), (1, 1), (0, 1), (1, 0))), made)
    return {row.check: row for row in assess(target, ORACLE)}.get("reused client")


def test_exceptions_from_fresh_draws_are_independent() -> None:
    found = reused(Raises)
    assert found is not None
    assert found.verdict is Verdict.CONFORMS, found


def test_nothing_is_said_of_reports_that_are_exceptions_only() -> None:
    assert reused(always) is None


@pytest.mark.parametrize("made", [RaisesTheSecondTime, RaisesOnlyAtFirst])
def test_exceptions_that_depend_on_the_report_before_are_found(made: Any) -> None:
    found = reused(made)
    assert found is not None
    assert found.verdict is Verdict.FAULT


def test_an_exception_that_is_the_same_in_two_processes_is_no_lack_of_randomness() -> None:
    alike = UnmodifiedRun((0, 1), (("raised", "x"), 0), tuple(Draws("first", k % 2, 0, (0,)) for k in range(64)))
    assert not list(again_rows(Examination(alike, ORACLE, again=alike)))
    reports = replace(alike, draws=tuple(replace(each, codes=(1,)) for each in alike.draws))
    assert [row.verdict for row in again_rows(Examination(reports, ORACLE, again=reports))] == [Verdict.FAULT]
