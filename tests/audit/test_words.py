"""What an audit says in words: the same on the terminal, the page, in JSON, JUnit and SARIF."""

import json
from dataclasses import replace
from functools import cache
from typing import Any
from xml.etree import ElementTree

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from audit.targets import clients
from audit.test_formats import terminal
from dp_audit.audit import audit_callable
from dp_audit.exact_numbers import told_apart
from dp_audit.judge.law import privacy_row
from dp_audit.judge.question import questions
from dp_audit.observation.values import show
from dp_audit.options import Options
from dp_audit.oracles import oracle
from dp_audit.outcome import CERTAIN, EVIDENCE, Audit, Method, Row, Verdict
from dp_audit.report import formatted
from dp_audit.report.terminal import parts
from dp_audit.report.text import number
from dp_audit.report.words import (
    CONFORMS,
    CONSISTENT,
    DEVIATES,
    UNDECIDED,
    conclusion,
    hint,
    is_validation,
    sentence,
)

LAW = Options(users=(), reuse=False, unmodified=False)
GIVEN: dict[str, object] = {"d": 3, "epsilon": 1.0}


@cache
def audited(client: Any, paths: int = 100_000, conditioned: tuple[int, ...] = ()) -> Audit:
    options = Options(unmodified=False, limits={"paths": paths}, conditioned=conditioned)
    return audit_callable(client, "GRR", GIVEN, options=options)


def with_verdicts(report: Audit, verdicts: list[Verdict]) -> Audit:
    return replace(report, rows=tuple(Row("law", verdict, "detail") for verdict in verdicts))


@given(
    st.sampled_from(("exact", "table", "process", "reports")),
    st.lists(st.sampled_from(list(Verdict)), min_size=1, max_size=6),
)
def test_the_result_is_a_fault_else_what_is_open_else_conformance_where_the_law_is_known(
    method: Method, verdicts: list[Verdict]
) -> None:
    """Samples are never headed `conforms`, whatever their rows say."""
    report = with_verdicts(Audit("t", "m", "GRR", {}, method, ()), verdicts)
    conformance = CONFORMS if method in ("exact", "table") and "consistent" not in verdicts else CONSISTENT
    expected = DEVIATES if "fault" in verdicts else UNDECIDED if "undecided" in verdicts else conformance
    assert conclusion([report]) == expected
    assert conclusion([with_verdicts(report, [Verdict.CONFORMS]), report]) == expected
    if expected == CONSISTENT:
        assert "was found" in sentence(report)
    if expected in (CONFORMS, CONSISTENT):
        assert ("there are warnings about " in sentence(report)) is ("warning" in verdicts)


SAMPLED = {"error level": "1/1000000", "relative fault": "[-1/8, 1/8]"}


@pytest.mark.parametrize(
    ("row", "head"),
    [
        (Row("law", Verdict.FAULT, "detail", {**SAMPLED, EVIDENCE: "8123/1000"}), "odds 10^8 to 1: detail"),
        (Row("later reports", Verdict.FAULT, "detail", {"error level": "1/1000000000"}), "odds 10^9 to 1: detail"),
        (Row("law", Verdict.FAULT, f"{CERTAIN}a report", SAMPLED, {"oracle": "0"}), "certain: a report"),
        (Row("law", Verdict.FAULT, "raises E on input 0", SAMPLED, {"raised": "E: text"}), "raises E on input 0"),
        (Row("law", Verdict.CONSISTENT, "detail", SAMPLED), "detail"),
        (Row("law", Verdict.FAULT, "detail", {"largest deviation of a probability": "1/8"}), "detail"),
    ],
)
def test_a_fault_in_samples_is_headed_by_its_odds_unless_it_is_certain(row: Row, head: str) -> None:
    report = Audit("t", "m", "GRR", {}, "process", (row,))
    assert row.headed == head
    assert head in report.text()
    forms = [formatted(form, [report]) for form in ("junit", "html")]
    assert all(head in form for form in forms)
    if row.verdict is Verdict.FAULT:
        assert head in formatted("sarif", [report])
        assert head in sentence(report)


def test_a_fraction_that_nobody_reads_is_a_decimal() -> None:
    exact = f"{10**281 + 1}/{3 * 10**281}"
    report = Audit("t", "m", "GRR", {}, "exact", (Row("reused client", Verdict.FAULT, "d", {}, {"joint": exact}),))
    text = terminal(report, 400)
    for said in (text, report.text(), formatted("junit", [report]), formatted("sarif", [report])):
        assert "joint: 0.333333" in said
    assert exact in formatted("json", [report])


@pytest.mark.parametrize("samples", [False, True])
def test_the_sentence_names_the_exception_and_the_input(samples: bool) -> None:
    """Whether draws are enumerated or the code is sampled, since what it draws cannot be."""
    report = audited(clients.raises_on_the_last_item, 1 if samples else 100_000)
    assert "raises IndexError on input 2" in sentence(report)


def test_every_kind_of_check_has_a_hint() -> None:
    assert all(question.hint for question in questions())
    assert all(hint(Row(question.kind, Verdict.FAULT, "")) == question.hint for question in questions())


@pytest.mark.parametrize("client", [clients.too_little_noise, clients.too_much_noise, clients.grr])
def test_the_sentence_says_the_epsilon_that_the_figures_say(client: Any) -> None:
    report = audited(client)
    figures = report.row("privacy").figures
    spent = number(figures["effective epsilon"])
    if report.row("privacy").verdict is Verdict.FAULT:
        assert f"spends epsilon = {spent:.3g}, not 1" in sentence(report)
    else:
        assert "spends" not in sentence(report)


def test_budgets_that_nearly_agree_are_written_apart() -> None:
    report = audited(clients.too_little_noise)
    row = replace(report.row("privacy"), figures={"effective epsilon": "10000123/10000000", "nominal epsilon": "1"})
    rows = tuple(row if one.check == "privacy" else one for one in report.rows)
    assert "spends epsilon = 1.00001, not 1" in sentence(replace(report, rows=rows))


@pytest.mark.parametrize(
    ("client", "checks", "word"),
    [(clients.too_little_noise, (), DEVIATES), (clients.grr, (1, (0,)), UNDECIDED)],
)
def test_all_forms_say_the_same(client: Any, checks: tuple[Any, ...], word: str) -> None:
    report = audited(client, *checks)
    said = sentence(report)
    text = terminal(report, 400)
    assert text.splitlines()[0] == f"{word}: {said}"
    document = json.loads(formatted("json", [report]))
    assert document["conclusion"] == document["audits"][0]["conclusion"] == word
    assert document["audits"][0]["sentence"] == said
    run = json.loads(formatted("sarif", [report]))["runs"][0]
    assert run["properties"] == {"conclusion": word, "sentences": [said]}
    properties = {
        p.get("name"): p.get("value") for p in ElementTree.fromstring(formatted("junit", [report])).iter("property")
    }
    assert (properties["conclusion"], properties["sentence"]) == (word, said)
    page = formatted("html", [report])
    assert f'<span class="verdict {word}">' in page
    assert page.index("<figure>" if report.laws else "<table>") < page.index("</table>")


def test_what_is_accepted_stands_apart_and_the_reproduction_once() -> None:
    report = audited(clients.too_little_noise)
    grouped = parts(report.rows)
    assert [row for rows in grouped.values() for row in rows if is_validation(row)] == grouped.get(
        "Input validation", []
    )
    assert sorted(row.check for rows in grouped.values() for row in rows) == sorted(row.check for row in report.rows)
    text = terminal(report, 400)
    assert text.count("to see it:") == 1
    assert formatted("html", [report]).count('aria-label="How to see it"') == 1


@pytest.mark.parametrize(
    ("first", "second", "texts"),
    [
        ((475367, 10**6), (4753672, 10**7), ("0.475367", "0.4753672")),
        ((1,), (10**10 + 1, 10**10), ("1", "1.0000000001")),
        ((10**400,), (10**400 + 10**391,), ("1.000000000e+400", "1.000000001e+400")),
        ((1, 3), (1, 3), ("0.333333", "0.333333")),
    ],
    ids=str,
)
def test_numbers_that_differ_are_written_apart(
    first: tuple[int, ...], second: tuple[int, ...], texts: tuple[str, str]
) -> None:
    assert told_apart(fmpq(*first), fmpq(*second)) == texts


def test_a_ratio_just_above_the_bound_is_written_apart_from_it() -> None:
    reference = oracle("GRR", {"d": 2, "epsilon": "ln(3)"})
    row = privacy_row("privacy", fmpq(3 * 10**8 + 1, 10**8), {}, reference)
    assert row.detail == "largest ratio 3.00000001 > e^epsilon = 3; effective epsilon 1.098612292"


def test_blanks_at_the_ends_of_a_report_are_seen() -> None:
    assert [show(text) for text in ("maybe", "maybe ", ("a", " b"))] == ["maybe", "'maybe '", "(a, ' b')"]


def test_what_is_open_has_no_hint_about_faults() -> None:
    assert not hint(Row("law", Verdict.UNDECIDED, ""))
    assert hint(Row("law", Verdict.FAULT, ""))
    assert "canonical" in hint(Row("law", Verdict.FAULT, "", {}, {"oracle": "0"}))
    assert "answer" in hint(Row("MalformedAnswer", Verdict.FAULT, ""))
    assert "in time" in hint(Row("TargetHung", Verdict.UNDECIDED, ""))


@pytest.mark.slow
def test_a_mechanism_that_exceeds_its_epsilon_is_not_the_code_s_fault_alone() -> None:
    """Fake vectors of zeros (RS+FD) do not hide the attribute that is told as well as the budget has it."""
    audit = audit_callable(clients.fake_zeros, "RSpFD-SUE-zero", {"sizes": [2, 2], "epsilon": 1.0}, options=LAW)
    assert audit.row("law").verdict is Verdict.ROUNDING
    assert [row.check for row in audit.faults] == ["privacy"]
    assert sentence(audit).endswith(", as the mechanism itself does.")
