"""Unmodified runs of mechanisms that draw a hash function: every report is looked at given the one that it shows."""

from typing import Any

import pytest

from audit.targets import drawn_hashes
from dp_audit.judge import by_hash_function, plan
from dp_audit.oracles import Oracle, oracle
from dp_audit.outcome import Row, Verdict
from running.observations import observed_rows

SIZES = {"d": 3, "g": 4, "epsilon": 1.0}


@pytest.fixture(autouse=True)
def few_reports(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("CLIENTS", (4, 8)), ("REPORTS", 200), ("DRAWN", 1024), ("RAW_REPORTS", 512), ("TYPED", 100)):
        monkeypatch.setattr(plan, name, value)


def rows(name: str, law: Oracle | None = None, **parameters: Any) -> dict[str, Row]:
    """Given a hash function there is its law, or always the same one."""
    sizes = {**SIZES, **parameters}
    flat = oracle("LH", {**sizes, "hash": [0] * int(str(sizes["d"]))})
    return observed_rows(
        drawn_hashes, name, sizes, flat, oracle_of=lambda facts: law or oracle("LH", {**sizes, **facts})
    )


@pytest.mark.parametrize("parameters", [{}, {"d": 6, "g": 2}, {"epsilon": 0.1}])
def test_a_correct_client_is_not_accused(parameters: dict[str, Any]) -> None:
    checks = rows("Hashing", **parameters)
    assert {row.verdict for row in checks.values()} == {Verdict.INFO}
    assert {"unintercepted run", "later reports", "hash function", "input type, numpy.int64"} <= set(checks)


@pytest.mark.parametrize(
    ("name", "check"),
    [
        ("OfTheItem", "hash function"),
        ("EveryTenth", "later reports"),
        ("NextCell", "unintercepted run"),
        ("Outside", "unintercepted run"),
    ],
)
def test_faults_are_seen_whatever_the_hash_function_is(name: str, check: str) -> None:
    assert rows(name)[check].verdict is Verdict.FAULT


def test_text_beside_equal_reports_is_compared() -> None:
    row = rows("SaysWhetherItLies", d=2, g=2)["beside the report"]
    assert row.verdict is Verdict.FAULT


def test_what_repeats_the_report_tells_no_more() -> None:
    assert rows("Shows")["beside the report"].verdict is Verdict.INFO


def test_a_client_whose_reports_show_no_function_is_not_run() -> None:
    assert [(check, row.verdict) for check, row in rows("Silent").items()] == [("unintercepted run", Verdict.INFO)]


def test_laws_that_are_not_alike_are_not_compared() -> None:
    (answered,) = rows("Hashing", oracle("LH", {**SIZES, "epsilon": 2.0, "hash": (0, 1, 2)})).values()
    assert answered.verdict is Verdict.INFO
    assert "not compared" in answered.detail


@pytest.mark.slow
def test_of_very_many_functions_the_first_reports_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_hash_function, "MOST_LAWS", 50)
    checks = rows("Hashing", d=20, g=2)
    assert 0 < int(checks["unintercepted run"].figures["reports"]) < 1024
    assert "later reports" not in checks


def test_places_have_the_probabilities_of_the_outputs() -> None:
    reference = oracle("LH", {**SIZES, "epsilon": "ln(3)", "hash": (0, 1, 1)})
    law = by_hash_function.PlaceOracle(reference).law(1)
    assert list(law.values()) == sorted(reference.law(1).values(), reverse=True)
    assert list(law) == [by_hash_function.place(k) for k in range(4)]
