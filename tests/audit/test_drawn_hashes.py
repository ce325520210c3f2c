"""Plain runs of mechanisms that draw a hash function: every report is looked at given the one that it shows."""

from pathlib import Path

import pytest

from audit.targets import drawn_hashes
from audit.targets.drawn_hashes import Hashing
from dp_audit.audits import Row, Verdict
from dp_audit.oracles import oracle
from dp_audit.plain import given, plan
from dp_audit.plain.run import run_plain_here

SIZES = {"d": 3, "g": 4, "epsilon": 1.0}


@pytest.fixture(autouse=True)
def few_reports(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("CLIENTS", (4, 8)), ("REPORTS", 200), ("FRESH", 1024), ("DRAWN", 1024), ("TYPED", 100)):
        monkeypatch.setattr(plan, name, value)


def rows(made: type[Hashing], **parameters: object) -> dict[str, Row]:
    known = {**SIZES, **parameters}
    found = plan.observed(
        lambda job: run_plain_here(job, made),
        Path(drawn_hashes.__file__),
        made.__name__,
        known,
        oracle("LH", {**known, "hash": [0] * int(str(known["d"]))}),
        (),
        afresh=False,
        given=lambda facts: oracle("LH", {**known, **facts}),
    )
    return {row.check: row for row in found}


@pytest.mark.parametrize("parameters", [{}, {"d": 6, "g": 2}, {"epsilon": 0.1}])
def test_a_correct_client_is_not_accused(parameters: dict[str, object]) -> None:
    found = rows(Hashing, **parameters)
    assert {row.verdict for row in found.values()} == {Verdict.INFO}
    assert {"unintercepted run", "later reports", "hash function", "input type, numpy.int64"} <= set(found)


@pytest.mark.parametrize(
    ("made", "check"),
    [
        (drawn_hashes.OfTheItem, "hash function"),
        (drawn_hashes.EveryTenth, "later reports"),
        (drawn_hashes.NextCell, "unintercepted run"),
        (drawn_hashes.Outside, "unintercepted run"),
    ],
)
def test_faults_are_seen_whatever_the_hash_function_is(made: type[Hashing], check: str) -> None:
    assert rows(made)[check].verdict is Verdict.FAULT


def test_text_beside_equal_reports_is_compared() -> None:
    found = rows(drawn_hashes.SaysWhetherItLies, d=2, g=2)["beside the report"]
    assert found.verdict is Verdict.FAULT


def test_what_repeats_the_report_tells_no_more() -> None:
    assert rows(drawn_hashes.Shows)["beside the report"].verdict is Verdict.INFO


def test_a_client_whose_reports_show_no_function_is_not_run() -> None:
    assert [(check, row.verdict) for check, row in rows(drawn_hashes.Silent).items()] == [
        ("unintercepted run", Verdict.INFO)
    ]


def test_laws_that_are_not_alike_are_not_compared() -> None:
    flat = oracle("LH", {**SIZES, "hash": (0, 1, 2)})
    other = oracle("LH", {**SIZES, "epsilon": 2.0, "hash": (0, 1, 2)})
    answered = plan.observed(
        lambda job: run_plain_here(job, Hashing),
        Path(drawn_hashes.__file__),
        "Hashing",
        SIZES,
        flat,
        (),
        afresh=False,
        given=lambda facts: other,
    )
    assert [row.verdict for row in answered] == [Verdict.INFO]
    assert "not compared" in answered[0].detail


@pytest.mark.slow
def test_of_very_many_functions_the_first_reports_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(given, "MOST_LAWS", 50)
    found = rows(Hashing, d=20, g=2)
    assert 0 < int(found["unintercepted run"].figures["reports"]) < 1024
    assert "later reports" not in found


def test_places_have_the_probabilities_of_the_outputs() -> None:
    known = oracle("LH", {**SIZES, "epsilon": "ln(3)", "hash": (0, 1, 1)})
    law = given.Placed(known).law(1)
    assert list(law.values()) == sorted(known.law(1).values(), reverse=True)
    assert list(law) == [given.place(k) for k in range(4)]
