"""The pages of mechanisms: one for every record, with the numbers of its program, and Python that runs."""

import re
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from flint import fmpq

from dp_checks.certify import all_claims, all_statements
from dp_checks.ledger import FAILED, HELD, load_ledger
from dp_checks.pages import examples, figures, mechanisms
from dp_checks.pages.exhibits import EXHIBITS, VARIANCE
from dp_checks.pages.mechanisms import Subject, page, subjects
from dp_checks.pages.notation import abbreviated, folded, latex
from dp_checks.pages.topics import TOPICS
from dp_refimpl import MECHANISMS, exact_channel
from dp_refimpl.syntheses import SYNTHESES
from dp_spec.frequency import unary
from dp_spec.vocabulary.real import Real
from dp_spec.vocabulary.scalar import Ordering, compare
from dp_spec.vocabulary.statement import Mse
from dp_spec.vocabulary.term import Term
from dp_studies.pages import site as studies
from mutants.law_tables import tabled
from structure.tree import ROOT

CLAIMS, LEDGER = all_claims(), load_ledger()
SUBJECTS = subjects(CLAIMS)
pytestmark = pytest.mark.slow


@cache
def text_of(name: str) -> str:
    """The page of a mechanism."""
    (subject,) = (one for one in SUBJECTS if one.name == name)
    return "\n".join(page(subject, LEDGER, {}))


WITH_LAWS = [one for one in SUBJECTS if one.laws]


def test_every_mechanism_has_a_page_with_words_and_every_exhibit_a_mechanism() -> None:
    assert {one.name for one in SUBJECTS} == set(EXHIBITS) > {*MECHANISMS, *SYNTHESES}
    assert {name for topic in TOPICS for name in topic.mechanisms} == set(EXHIBITS)
    index = "\n".join(mechanisms.pages(CLAIMS, LEDGER, {})["mechanisms/index.md"])
    assert all(f"[{one.name}]({one.slug}.md)" in index for one in SUBJECTS)


@pytest.mark.parametrize("one", SUBJECTS, ids=lambda one: one.name)
def test_the_python_runs(one: Subject, capsys: pytest.CaptureFixture[str]) -> None:
    lines = examples.code(one.record.example)
    assert sum(bool(line) and not line.startswith("from ") for line in lines) <= 3
    exec("\n".join(lines), {})
    assert capsys.readouterr().out
    assert "\n".join(lines) in text_of(one.name)


@pytest.mark.parametrize("one", SUBJECTS, ids=lambda one: one.name)
def test_examples_are_laws_and_have_their_pictures(one: Subject) -> None:
    law = examples.law_of(one.record.example)
    assert (f"figures/law-{one.slug}.svg" in text_of(one.name)) is examples.has_picture(one.record.example)
    if law is not None:
        totals = [sum(row[i] for row in law.chances.values()) for i in range(len(law.inputs))]
        assert totals == [1] * len(law.inputs)
        assert all(f"| {report} |" in text_of(one.name) for report in list(law.chances)[: examples.MOST])


def test_pictures_have_the_numbers_of_the_table() -> None:
    law = examples.law_of("GRR(d=3, epsilon='ln(4)')")
    assert law is not None
    (axes,) = figures.law_picture("GRR(d=3, epsilon='ln(4)')").axes
    assert sorted(round(bar.get_width(), 9) for bar in axes.patches) == [round(1 / 6, 9)] * 6 + [round(2 / 3, 9)] * 3  # type: ignore[attr-defined]


EXACT = [
    one for one in SUBJECTS if one.family == "item" and VARIANCE in dict(one.exhibit.formulas) and one.name != "FLH"
]
"""Mechanisms whose table has the exact variance of the estimate."""


def values(target: Any) -> dict[str, Any]:
    """What the variables of formulas are for an instance, beside the frequency and one user."""
    budget, d = target.budget, Real.lift(len(target.domain.items))
    at = {"w": budget.exp(), "h": budget.exp(Fraction(1, 2)), "K": d, "D": d, "n": Real.lift(1)}
    at |= {"a": 1 / budget.exp(Fraction(1, 4))} if hasattr(target, "theta") else {}  # theta = 1/2
    return at | {name: Real.lift(getattr(target, of)) for name, of in (("k", "k"), ("b", "g")) if hasattr(target, of)}


@pytest.mark.parametrize("one", EXACT, ids=lambda one: one.name)
def test_printed_estimates_and_variances_are_those_of_the_program(one: Subject) -> None:
    target, variance = examples.made(one.record.example), dict(one.exhibit.formulas)[VARIANCE]
    x = target.domain.items[0]
    for held, row in exact_channel(target).rows.items():
        frequency = int(held == x)
        estimates = {y: target.estimate([y])[x] for y in row}
        mean = sum(p * estimates[y] for y, p in row.items())
        spread = sum(p * (estimates[y] - frequency) ** 2 for y, p in row.items())
        assert compare(mean, frequency) is Ordering.EQUAL
        assert compare(spread, variance.evaluate({**values(target), "f": Real.lift(frequency)})) is Ordering.EQUAL


AT = {"f": fmpq(1, 5), "n": 7, "K": 4, "w": 9, "gamma": fmpq(1, 3), "rho": fmpq(2, 7), "c": 3}
"""A point, at which randomized response on four items has a uniform report with chance 1/3."""


@pytest.mark.parametrize(
    ("name", "claim"),
    [
        ("SH", "000.base.sh.var"),
        ("AUE", "000.base.aue.var"),
        ("PureDUMP", "000.base.puredump.var"),
        ("MixDUMP", "000.base.mixdump.var"),
    ],
)
def test_variances_of_messages_are_those_that_are_claimed(name: str, claim: str) -> None:
    stated: Any = all_statements()[claim]
    printed = dict(EXHIBITS[name].formulas)[VARIANCE]
    assert printed.evaluate(AT) == stated.formula.evaluate(AT)
    assert LEDGER[claim].verdict in HELD


def test_printed_formulas_stand_beside_what_holds() -> None:
    """Every printed error of a law on a page is in a row of its table, with its verdict, and the corrected formula."""
    compared = 0
    for one in WITH_LAWS:
        rows = [line for line in text_of(one.name).splitlines() if line.startswith("| $")]
        for i, part in mechanisms._formals(one.claims):
            if not isinstance(part, Mse) or part.formula is None or part.law not in one.laws:
                continue
            if "corrects" in LEDGER[i].data:
                continue
            [row] = [line for line in rows if f"<{i}>`" in line or f"{{claim}}`{i}` |" in line]
            assert latex(folded(part.formula, part.law)) in row
            assert f".{LEDGER[i].verdict.replace('_', '-')}}}" in row
            assert all(f"<{j}>`" in row for j in LEDGER[i].instead)
            compared += len(LEDGER[i].instead)
    assert compared >= 20


@pytest.mark.parametrize("entry", ["p", "q", "r"])
@pytest.mark.parametrize("one", WITH_LAWS, ids=lambda one: one.name)
def test_another_table_is_another_page(one: Subject, entry: str) -> None:
    law = one.laws[0]
    if getattr(law, entry) is None or (law.unit == "arcs" and entry != "q"):
        return  # on arcs the chances follow from the length of an arc
    changed = tabled(law, **{entry: 1 * getattr(law, entry)})
    assert "\n".join(mechanisms.entries(law)) in text_of(one.name)
    assert mechanisms.entries(changed) != mechanisms.entries(law)
    assert "\n".join(mechanisms.entries(changed)) in "\n".join(page(replace(one, laws=(changed,)), LEDGER, {}))


def test_what_is_said_is_of_the_ledger() -> None:
    for one in SUBJECTS:
        _, _, wrong = text_of(one.name).partition("## What is printed, and false\n")
        lines = [line for line in wrong.partition("\n## ")[0].splitlines() if line.startswith("- {claim}")]
        assert all(LEDGER[re.findall(r"`([^`]+)`", line)[0]].verdict in FAILED for line in lines)
    assert "002.base.grr.unbiased" in text_of("GRR")
    assert "002.thm3.eq17.sens@fixed-data" in text_of("SuGRRSample").partition("## What is printed")[2]


def test_names_that_are_english_words_are_no_hits() -> None:
    assert text_of("THE").count("- {claim}") < 10


def test_published_audits_are_on_the_page_of_their_oracle() -> None:
    (grr,) = (one for one in SUBJECTS if one.name == "GRR")
    text = "\n".join(page(grr, LEDGER, studies.audits(ROOT)))
    assert "(../audits/pure-ldp.md), GRR: [✗ deviates]" in text


@pytest.mark.parametrize("one", SUBJECTS, ids=lambda one: one.name)
def test_a_number_is_not_made_of_another_one_times_zero(one: Subject) -> None:
    assert "* 0" not in text_of(one.name)


@pytest.mark.parametrize("one", SUBJECTS, ids=lambda one: one.name)
def test_it_is_found_by_its_names(one: Subject) -> None:
    words = re.findall(r"^```\{index\} ! single: (.+)$", text_of(one.name), re.MULTILINE)
    assert {one.name, *one.record.aliases, one.exhibit.title} <= set(words)
    assert len(words) == len(set(words))


def test_formulas_are_folded_by_name() -> None:
    p, q = Term("p"), Term("q")
    assert abbreviated(unary.P - unary.Q, {unary.P: "p", unary.Q: "q"}) == p - q
