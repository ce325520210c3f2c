"""`raw output` where real reports decide: the law is not enumerated, or draws are replaced."""

import itertools
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from audit.targets import raw_reports
from dp_audit.audit import audit_callable
from dp_audit.judge.consistency import with_raw
from dp_audit.judge.examination import Examination
from dp_audit.judge.representation import raw_rows
from dp_audit.observation.unmodified_run import UnmodifiedRun
from dp_audit.options import Options
from dp_audit.oracles import oracle
from dp_audit.outcome import Audit, Row, Verdict
from running.kept import audit_adapter

FILE = Path(raw_reports.__file__)
CHECKS = Options(users=(), reuse=False)


def audit(name: str) -> Audit:
    return audit_adapter(FILE, name, "GRR", {"d": 3, "epsilon": 1.0}, options=CHECKS)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Floats", "FloatTypes"])
def test_what_real_reports_show_is_a_fault_where_the_law_is_not_enumerated(name: str) -> None:
    found = audit(name)
    assert found.method == "process"
    assert found.row("raw output").verdict is Verdict.FAULT, found.text()
    assert "shows more than the value" in found.row("raw output").detail


@pytest.mark.slow
@pytest.mark.parametrize("name", ["FineFloats", "FineNoise", "FineTurns"])
def test_what_does_not_depend_on_the_input_is_none(name: str) -> None:
    found = audit(name)
    assert found.method == "process"
    assert found.row("raw output").verdict is Verdict.INFO, found.text()
    assert "8192 reports" in found.row("raw output").detail
    assert not found.faults


@pytest.mark.slow
def test_a_type_that_comes_only_where_draws_are_replaced_accuses_nobody() -> None:
    keep = 0.7310585786300049

    def listed(bit: int) -> int:
        kept: Any = np.random.rand(1).tolist()[0] < keep
        return kept * 1 if bit else 1 - int(kept)

    alone = audit_callable(listed, "RR", {"epsilon": 1.0}, options=Options(users=(), reuse=False, unmodified=False))
    assert alone.row("raw output").verdict is Verdict.FAULT  # nobody rewrites a function at hand
    found = audit_callable(listed, "RR", {"epsilon": 1.0}, options=CHECKS)
    assert not found.faults, found.text()
    assert "found only where draws are replaced" in found.row("raw output").detail


@pytest.mark.slow
def test_where_nobody_looks_that_is_said() -> None:
    checks = Options(users=(), reuse=False, unmodified=False)
    found = audit_adapter(FILE, "FineFloats", "GRR", {"d": 3, "epsilon": 1.0}, options=checks)
    assert found.row("raw output").detail.startswith("not looked at")


def row(told: Callable[[random.Random, int, int], str], seed: int, number: int = 2048) -> Row:
    """Of reports of GRR with d = 3, and what is told of each."""
    source = random.Random(seed)
    raws = []
    for _ in range(number):
        item = source.randrange(3)
        value = item if source.random() < 0.5 else source.randrange(3)
        raws.append((item, value, told(source, item, value)))
    (found,) = raw_rows(
        Examination(UnmodifiedRun((0, 1, 2), (0, 1, 2), raws=tuple(raws)), oracle("GRR", {"d": 3, "epsilon": 1}))
    )
    return found


TURN = itertools.count()
FREE: dict[str, Callable[[random.Random, int, int], str]] = {
    "one": lambda source, item, value: "int",
    "of the value": lambda source, item, value: f"type {value}",
    "a coin": lambda source, item, value: source.choice(["int", "numpy.int64"]),
    "a coin for some": lambda source, item, value: source.choice(["int", "numpy.int64"]) if value else "int",
    "seldom": lambda source, item, value: "int" if source.random() < 0.99 else "numpy.int64",
    "always another": lambda source, item, value: f"float = {source.random()}",
    "in turn": lambda source, item, value: f"float = {next(TURN) % 7}",
}
TELLING: dict[str, Callable[[random.Random, int, int], str]] = {
    "the item": lambda source, item, value: f"float = {item}",
    "whether it lies": lambda source, item, value: "int" if item == value else "numpy.int64",
    "sometimes": lambda source, item, value: "int" if item or source.random() < 0.8 else "numpy.int64",
    "beside noise": lambda source, item, value: f"{'int' if item == value else 'bool'} = {source.random()}",
    "one value": lambda source, item, value: "int" if value or item else "bool",
}


@pytest.mark.parametrize("name", FREE)
def test_descriptions_that_are_free_of_the_input_are_never_accused(name: str) -> None:
    assert [row(FREE[name], seed).verdict for seed in range(20)] == [Verdict.INFO] * 20


@pytest.mark.parametrize("name", TELLING)
def test_descriptions_that_tell_are_found(name: str) -> None:
    assert [row(TELLING[name], seed).verdict for seed in range(5)] == [Verdict.FAULT] * 5


def test_the_row_of_the_law_stays_unless_real_reports_say_otherwise() -> None:
    def rows(law: Verdict, real: Verdict) -> list[str]:
        given = Row("raw output", law, "law"), Row("other", Verdict.INFO, ""), Row("raw output", real, "real")
        return [found.detail for found in with_raw(given) if found.check == "raw output"]

    assert rows(Verdict.CONFORMS, Verdict.INFO) == ["law"]
    assert rows(Verdict.CONFORMS, Verdict.FAULT) == ["real"]
    assert rows(Verdict.FAULT, Verdict.FAULT) == ["law"]
    assert rows(Verdict.FAULT, Verdict.INFO) == ["law"]
