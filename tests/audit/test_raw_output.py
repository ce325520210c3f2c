"""`raw output` of real reports: what is told of each is free of the input, given the value, or it is a fault."""

import itertools
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dp_audit import Options, Row, Verdict, audit_callable
from dp_audit.judge.consistency import with_raw
from dp_audit.judge.examination import Examination
from dp_audit.judge.representation import raw_rows
from dp_audit.observation.unmodified_run import UnmodifiedRun
from dp_audit.oracles import oracle

ORACLE = oracle("GRR", {"d": 3, "epsilon": 1})
Told = Callable[[random.Random, int, int], str]


def verdict(mark: Told, seed: int, number: int = 2048) -> Verdict:
    """Of reports of GRR with d = 3, and what is told of each by item and value."""
    source = random.Random(seed)
    raws = []
    for _ in range(number):
        item = source.randrange(3)
        value = item if source.random() < 0.5 else source.randrange(3)
        raws.append((item, value, mark(source, item, value)))
    (row,) = raw_rows(Examination(UnmodifiedRun((0, 1, 2), (0, 1, 2), raws=tuple(raws)), ORACLE))
    return row.verdict


TURN = itertools.count()
FREE: dict[str, Told] = {
    "one": lambda source, item, value: "int",
    "of the value": lambda source, item, value: f"type {value}",
    "a coin": lambda source, item, value: source.choice(["int", "numpy.int64"]),
    "a coin for some": lambda source, item, value: source.choice(["int", "numpy.int64"]) if value else "int",
    "seldom": lambda source, item, value: "int" if source.random() < 0.99 else "numpy.int64",
    "always another": lambda source, item, value: f"float = {source.random()}",
    "a nonce": lambda source, item, value: f'bytes = [{{"bytes": "{source.randbytes(16).hex()}"}}, {value}]',
    "a nonce of the value": lambda source, item, value: f"int = {source.getrandbits(62) * 3 + value}",
    "in turn": lambda source, item, value: f"float = {next(TURN) % 7}",
}
TELLING: dict[str, Told] = {
    "the item": lambda source, item, value: f"float = {item}",
    "whether it lies": lambda source, item, value: "int" if item == value else "numpy.int64",
    "sometimes": lambda source, item, value: "int" if item or source.random() < 0.8 else "numpy.int64",
    "beside noise": lambda source, item, value: f"{'int' if item == value else 'bool'} = {source.random()}",
    "first byte": lambda source, item, value: (
        f'bytes = [{{"bytes": "{item:02x}{source.randbytes(9).hex()}"}}, {value}]'
    ),
    "low bit": lambda source, item, value: f"int = {source.getrandbits(127) * 2 - item % 2}",
    "a letter": lambda source, item, value: f'str = "{source.randbytes(8).hex()}{"abc"[item]}"',
    "one value": lambda source, item, value: "int" if value or item else "bool",
}


@pytest.mark.parametrize("name", FREE)
def test_descriptions_that_are_free_of_the_input_are_never_accused(name: str) -> None:
    assert [verdict(FREE[name], seed) for seed in range(10)] == [Verdict.INFO] * 10


@pytest.mark.parametrize("name", TELLING)
def test_descriptions_that_tell_are_found(name: str) -> None:
    assert [verdict(TELLING[name], seed) for seed in range(5)] == [Verdict.FAULT] * 5


@pytest.mark.parametrize(
    ("law", "real", "place"),
    [("conforms", "info", 0), ("conforms", "fault", 1), ("fault", "fault", 0), ("fault", "info", 0)],
)
def test_the_row_of_the_law_stays_unless_real_reports_say_otherwise(law: str, real: str, place: int) -> None:
    rows = (
        Row("raw output", Verdict(law), "law"),
        Row("other", Verdict.INFO, ""),
        Row("raw output", Verdict(real), "real"),
    )
    assert [row.detail for row in with_raw(rows) if row.check == "raw output"] == [("law", "real")[place]]


@pytest.mark.slow
def test_a_type_that_comes_only_where_draws_are_replaced_accuses_nobody() -> None:
    keep = 0.7310585786300049

    def listed(bit: int) -> int:
        kept: Any = np.random.rand(1).tolist()[0] < keep
        return kept * 1 if bit else 1 - int(kept)

    alone = audit_callable(listed, "RR", {"epsilon": 1.0}, options=Options(users=(), reuse=False, unmodified=False))
    assert alone.row("raw output").verdict is Verdict.FAULT  # nobody rewrites a function at hand
    audit = audit_callable(listed, "RR", {"epsilon": 1.0}, options=Options(users=(), reuse=False))
    assert not audit.faults, audit.text()
    assert "found only where draws are replaced" in audit.row("raw output").detail
