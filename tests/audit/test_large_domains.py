"""Large domains: few paths where nothing more is asked, an early end where there is no time, samples on some inputs."""

import math
import random
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from dp_audit.judge.assessment import assess
from dp_audit.judge.sampling_fallback import EVENTS, FEWEST, completed, looked_at
from dp_audit.observation.jobs import Job
from dp_audit.observation.target_laws import TargetLaws
from dp_audit.oracles import oracle
from dp_audit.outcome import Audit, Row, Verdict
from dp_audit.run.child.interceptor import frontier
from dp_audit.run.child.interceptor.coins import Limits
from dp_audit.run.child.interceptor.session import ALIKE, Session, _of_many
from dp_audit.run.enumeration import run_here
from independent.intercepting import walked

D = ALIKE + 8
KEEP = math.e / (math.e + D - 1)


def listed(item: int) -> int:
    return item if random.random() < KEEP else random.choice([x for x in range(D) if x != item])


def weighted(item: int) -> int:
    return random.choices(range(D), [KEEP if x == item else (1 - KEEP) / (D - 1) for x in range(D)])[0]


def rejected(item: int) -> int:
    if random.random() < KEEP:
        return item
    while (lie := random.randrange(D)) == item:
        pass
    return lie


def laws(function: Callable[[int], int], inputs: range, **options: Any) -> TargetLaws:
    return run_here(Job(Path("none.py"), "function", {}, tuple(inputs), **options), function)


@pytest.mark.slow
def test_laws_of_many_items_are_those_of_the_mechanism() -> None:
    rows = {row.check: row.verdict for row in assess(laws(listed, range(D)), oracle("GRR", {"d": D, "epsilon": 1.0}))}
    assert {rows[x] for x in ("law", "privacy", "tightness", "raw output")} <= {Verdict.CONFORMS, Verdict.ROUNDING}


@pytest.mark.parametrize("function", [listed, weighted, rejected])
def test_the_law_does_not_depend_on_how_many_others_are_asked_for(function: Callable[[int], int]) -> None:
    few, many = (walked(lambda: function(1), **vars(_of_many(Limits(), n))) for n in (1, 10 * ALIKE))
    assert few.unexplored <= many.unexplored < Fraction(1, 2**60)
    for output, p in many.entries.items():
        assert p <= few.entries[output] <= p + many.unexplored


def test_many_laws_are_walked_twice_less_often_and_their_loops_cut_off_earlier() -> None:
    assert _of_many(Limits(), ALIKE) == Limits()
    many = _of_many(Limits(), 10 * ALIKE)
    assert (many.twice, many.short) == (Limits().twice // 10, Limits().short // 8)
    assert _of_many(Limits(), 10**6).twice == 32


@pytest.mark.parametrize(
    ("done", "spent", "rest", "estimated"),
    [(2, 1.0, 10.0, 128.0), (2, 0.05, 10.0, 0.0), (3, 1.0, 10.0, 0.0), (8, 1.0, 10.0, 32.0), (0, 0.0, 10.0, 0.0)],
)
def test_it_is_judged_early_whether_there_is_time(done: int, spent: float, rest: float, estimated: float) -> None:
    session = Session({"adapter": "", "protocol": ""}, lambda part, **content: None, str)
    assert session._hopeless(done, 256, spent, rest) == estimated


def test_seconds_are_those_of_work_or_a_part_of_those_that_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    now = {"process_time": 5.0, "monotonic": 100.0}
    for name in now:
        monkeypatch.setattr(time, name, lambda name=name: now[name])
    watch = frontier.Watch()
    for worked, passed, seconds in [(2.0, 3.0, 2.0), (0.0, 8.0, 2.0), (1.0, 40.0, 10.0)]:
        now.update(process_time=5.0 + worked, monotonic=100.0 + passed)
        assert watch.seconds() == seconds


def test_without_time_for_all_the_rest_is_not_tried() -> None:
    """Each law has D paths, of which no two are alike; a part of a second is far too little for all."""
    enumeration = laws(weighted, range(D), seconds=0.01)
    assert len(enumeration.laws) < D
    refused = enumeration.laws[-1].refused
    assert refused is not None
    assert type(refused).__name__ == "TooManyPaths"


def test_samples_are_drawn_on_all_inputs_or_on_some_between_the_first_and_the_last() -> None:
    small, large = (oracle("GRR", {"d": d, "epsilon": 1.0}) for d in (16, 400))
    assert looked_at(small) == small.inputs
    some = looked_at(large)
    assert some == (0, 133, 266, 399)
    assert len(some) == FEWEST
    bits = oracle("OUE", {"d": 16, "epsilon": 1.0})
    assert looked_at(bits) == bits.inputs
    assert sum(len(small.events(x)) for x in small.inputs) <= EVENTS


def test_the_note_says_on_how_many_inputs_reports_were_drawn() -> None:
    open_row = Row("law", Verdict.UNDECIDED, "TooManyPaths: too many")
    audit = Audit("t", "m", "GRR", {}, "exact", (open_row,))
    sampled = (Row("law", Verdict.CONSISTENT, "nothing found"),)
    assert completed(audit, sampled, 400, 4).notes[-1].endswith("too many; reports were drawn on 4 of the 400 inputs")
    assert completed(audit, sampled, 4, 4).notes[-1].endswith("too many")
