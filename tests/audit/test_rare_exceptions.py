"""An exception with the probability of a rounding error is a warning beside the law; a frequent one is a fault."""

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cases.audit_rows import ABSENT, Said, complaints
from dp_audit.judge.assessment import assess
from dp_audit.judge.examination import Examination
from dp_audit.judge.unmodified_laws import again_rows
from dp_audit.observation.jobs import Job
from dp_audit.observation.unmodified_run import Draws, UnmodifiedRun
from dp_audit.oracles import oracle
from dp_audit.outcome import Row, Verdict
from dp_audit.run.enumeration import run_here

ORACLE = oracle("RR", {"epsilon": "ln(3)"})


def judged(made: Any, **more: Any) -> tuple[Row, ...]:
    return assess(run_here(Job(Path("none.py"), "made", {}, (0, 1), **more), made), ORACLE)


def raising(when: Callable[[float, int], bool], text: str = "cannot convert") -> Callable[[int], int]:
    """Randomized response that raises for some draws and items."""

    def response(item: int) -> int:
        u = random.random()
        if when(u, item):
            raise OverflowError(text.format(item))
        return item if u < 0.75 else 1 - item

    return response


RARE: dict[str, tuple[Callable[[int], int], Said]] = {
    "seldom": (
        raising(lambda u, item: u == 0.5),
        {"exceptions": f"warning: 'probability': '1/{2**53}'", "law": "rounding", "privacy": "conforms"},
    ),
    "a text": (
        raising(lambda u, item: u == 0.5, "no answer for {}"),
        {"exceptions": "warning: its text depends on the input", "privacy": "conforms"},
    ),
    "one input": (raising(lambda u, item: u == 0.5 and item > 0), {"exceptions": "warning", "privacy": "fault"}),
    "often": (raising(lambda u, item: u < 0.75), {"law": "fault", "privacy": ABSENT}),
    "more often": (raising(lambda u, item: u < 2**-39), {"law": "fault", "privacy": ABSENT}),
}


@pytest.mark.parametrize("name", RARE)
def test_rare_exceptions_are_warnings_and_frequent_ones_faults(name: str) -> None:
    function, said = RARE[name]
    rows = judged(function)
    assert list(complaints(rows, said)) == []
    assert name != "seldom" or not any("its text" in row.detail for row in rows)


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


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (Raises, "conforms"),  # from fresh draws they are independent
        (always, ABSENT),  # nothing is said of reports that are exceptions only
        (RaisesTheSecondTime, "fault"),
        (RaisesOnlyAtFirst, "fault"),
    ],
)
def test_exceptions_that_depend_on_the_report_before_are_found(made: Any, said: str) -> None:
    rows = judged(made, reuse=((0, 0), (1, 1), (0, 1), (1, 0)))
    own = [row for row in rows if row.check == "reused client"]
    assert list(complaints(own, {"reused client": said})) == []


def test_an_exception_that_is_the_same_in_two_processes_is_no_lack_of_randomness() -> None:
    alike = UnmodifiedRun((0, 1), (("raised", "x"), 0), tuple(Draws("first", k % 2, 0, (0,)) for k in range(64)))
    assert not list(again_rows(Examination(alike, ORACLE, again=alike)))
    reports = replace(alike, draws=tuple(replace(each, codes=(1,)) for each in alike.draws))
    assert [row.verdict for row in again_rows(Examination(reports, ORACLE, again=reports))] == [Verdict.FAULT]
