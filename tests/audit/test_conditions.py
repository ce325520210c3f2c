"""What a target is, and what it was asked for: conditions that a run did not have, forms, usage, spellings."""

from collections.abc import Mapping
from pathlib import Path

import click
import pytest

from audit.targets import conditions
from cases.refusals import refusal_test, refuses
from dp_audit import Audit, Options, Verdict, audit_adapter, audit_callable
from dp_audit.command import planned
from dp_audit.command_options import handed

LOCAL_HASHING = {"d": 4, "g": 3, "epsilon": 1.0}
SUBSETS = {"d": 4, "k": 2, "epsilon": 1.0}
ANOTHER = "reports show different outcomes"
ONCE_TRUE = """
import math, random
CALLS = [0]

def randomize(item, d, epsilon):
    CALLS[0] += 1
    kept = random.random() < math.exp(epsilon) / (math.exp(epsilon) + d - 1)
    return item if kept or CALLS[0] == 25 else random.choice([x for x in range(d) if x != item])
"""
CONFORMS, UNDECIDED, FAULT = Verdict.CONFORMS, Verdict.UNDECIDED, Verdict.FAULT


@pytest.mark.parametrize(
    ("name", "conditioned", "law", "said"),
    [
        ("Mixed", (5,), Verdict.ROUNDING, ""),
        ("Slope", (5, 7), Verdict.ROUNDING, ""),
        ("OfTheItemToo", (5,), UNDECIDED, ANOTHER),
        ("SmallSlope", (5, 7), UNDECIDED, "more than --paths (100000) are, so that a lower one decides"),
        ("Odd", (4,), UNDECIDED, "again and again"),
        ("Mixed", (2**64,), UNDECIDED, "is no outcome of a draw"),
    ],
)
def test_conditions_that_a_run_did_not_have_are_no_faults(
    name: str, conditioned: tuple[int, ...], law: Verdict, said: str
) -> None:
    options = Options(conditioned=conditioned, unmodified=False, users=())
    audit = audit_callable(getattr(conditions, name), "LH", LOCAL_HASHING, options=options)
    assert not audit.faults, audit.text()
    assert audit.row("law").verdict is law
    assert said in audit.row("law").detail


def test_a_lower_limit_of_paths_decides_as_is_said() -> None:
    options = Options(conditioned=(5, 7), unmodified=False, users=(), limits={"paths": 50})
    audit = audit_callable(conditions.SmallSlope, "LH", LOCAL_HASHING, options=options)
    assert audit.row("law").verdict is Verdict.ROUNDING


@pytest.mark.parametrize(
    ("name", "oracle", "parameters", "row", "verdict", "said"),
    [
        ("subset", "SS", SUBSETS, "law", UNDECIDED, "another form, [integer]"),
        ("nothing", "SS", SUBSETS, "law", FAULT, "total variation distance 1"),
        ("text", "GRR", {"d": 3, "epsilon": 1.0}, "law", UNDECIDED, "another form, text"),
        ("Subset", "SS", SUBSETS, "raw output", CONFORMS, "dict_keys"),
        ("KeysInOrder", "SS", SUBSETS, "raw output", FAULT, "what the report holds"),
        ("Proxies", "SS", SUBSETS, "raw output", CONFORMS, "mappingproxy"),
        ("ProxiesInOrder", "SS", SUBSETS, "raw output", FAULT, "mappingproxy"),
    ],
)
def test_forms_are_said_as_what_they_are(
    name: str, oracle: str, parameters: Mapping[str, object], row: str, verdict: Verdict, said: str
) -> None:
    audit = audit_callable(
        getattr(conditions, name), oracle, parameters, options=Options(unmodified=False, reuse=False)
    )
    assert audit.row(row).verdict is verdict, audit.text()
    assert said in audit.row(row).detail
    assert {fault.check for fault in audit.faults} <= {row}


@pytest.mark.slow
def test_reports_without_a_form_have_no_value_that_their_content_could_exceed() -> None:
    audit = audit_callable(conditions.proxy, "SS", SUBSETS)
    assert not audit.faults, audit.text()
    assert audit.row("input type, bool").detail.startswith("not compared: no canonical form")


@pytest.mark.parametrize(
    ("name", "stated"),
    [
        ("Alone", Verdict.ROUNDING),
        ("Steps", Verdict.ROUNDING),
        ("Doubled", Verdict.WARNING),
        ("Aggregated", Verdict.ROUNDING),
        ("AsProperty", Verdict.WARNING),
        ("OfAFrequency", Verdict.ROUNDING),
    ],
)
def test_a_class_is_taken_as_it_is(name: str, stated: Verdict) -> None:
    audit = audit_callable(
        getattr(conditions, name), "GRR", {"d": 3, "epsilon": 1.0}, options=Options(unmodified=False)
    )
    assert not audit.faults, audit.text()
    assert {audit.row(check).verdict for check in ("law", "variance, n = 2")} == {Verdict.ROUNDING}
    assert audit.row("stated variance").verdict is stated


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
