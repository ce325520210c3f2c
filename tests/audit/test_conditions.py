"""What a target is, and what it was asked for: usage, spellings, plans. (More: `target_cases.CONDITIONS`.)"""

from pathlib import Path

import click
import pytest

from audit.targets import conditions
from cases.refusals import refusal_test, refuses
from dp_audit import Audit, Options, Verdict, audit_adapter, audit_callable
from dp_audit.command import planned
from dp_audit.command_options import handed

ONCE_TRUE = """
import math, random
CALLS = [0]

def randomize(item, d, epsilon):
    CALLS[0] += 1
    kept = random.random() < math.exp(epsilon) / (math.exp(epsilon) + d - 1)
    return item if kept or CALLS[0] == 25 else random.choice([x for x in range(d) if x != item])
"""


def brief(name: str) -> Audit:
    options = Options(unmodified=False, reuse=False, users=(1,))
    return audit_callable(getattr(conditions, name), "GRR", {"d": 3, "epsilon": 1.0}, options=options)


test_methods_that_take_something_else_are_usage = refusal_test(
    refuses("code", brief, "Anything", says="OfCounts.estimate() missing"),
    refuses("code", brief, "Salted", says="Salted has no client()"),
    refuses("code", brief, "ServerWithoutAggregate", says="has no aggregate(server, report)"),
)


def test_methods_that_nothing_looks_at_are_noted() -> None:
    audit = brief("OfCounts")
    assert audit.row("law").verdict is Verdict.ROUNDING
    assert audit.notes == ("methods that were not looked at: estimate(counts, n, scale)",)
    assert brief("OfReports").notes == ("methods that were not looked at: variance(reports)",)
    assert brief("Steps").notes == ()


@pytest.mark.slow
def test_what_happens_at_one_call_of_a_process_is_seen_in_many(tmp_path: Path) -> None:
    file = tmp_path / "client.py"
    file.write_text(ONCE_TRUE, encoding="utf-8")
    audit = audit_adapter(file, "randomize", "GRR", {"d": 3, "epsilon": 1.0})
    assert "call 25 of a process" in audit.row("later reports").detail
    assert [row.check for row in audit.faults] == ["later reports"]


def test_a_class_that_is_taken_as_it_is_shows_its_own_calls() -> None:
    wrong = audit_callable(conditions.Steps, "GRR", {"d": 3, "epsilon": 2.0}, options=Options(handed={"epsilon": 1.0}))
    assert "adapter.perturb(adapter.encode(0))" in wrong.row("law").reproduction[-1]


@pytest.mark.parametrize(
    ("text", "value"),
    [("low=-3", -3), ("p=0.5", 0.5), ("a=[1, 2.5]", [1, 2.5]), ("way=true", True), ("way=fast", "fast")],
)
def test_what_code_is_handed_is_read_as_json(text: str, value: object) -> None:
    command = click.Command("audit")
    assert handed(click.Context(command), click.Option(["--handed"]), (text,)) == {text.partition("=")[0]: value}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (Options(timeout=120.0), "the law of GRR on every input, by enumeration (40 s), estimates of 1, 2 users if"),
        (Options(timeout=120.0, users=(), seconds=7.5), "by enumeration (7.5 s); the code as it is (60 s, twice)"),
        (Options(timeout=9.0), "No process takes more than 9 s"),
    ],
)
def test_the_plan_says_what_is_asked_and_how_long_it_takes_at_most(options: Options, said: str) -> None:
    assert said in planned(options, "GRR")
