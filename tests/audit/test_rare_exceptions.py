"""An exception with the probability of a rounding error is a warning beside the law; a frequent one is a fault."""

import random
from pathlib import Path
from typing import Any

import pytest

from dp_audit.audits import Row, Verdict
from dp_audit.exact.assess import assess
from dp_audit.exact.target import Job, run_here
from dp_audit.oracles import oracle

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
