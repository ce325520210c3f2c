"""Statements and counterexamples about arcs in words: nothing is printed by its type's name or as raw data."""

import pytest

from cases.claimed import FORMAL
from dp_checks.check import decide
from dp_checks.pages.evidence import EVIDENCE
from dp_checks.pages.statements import formal
from dp_checks.pages.witness import one_line, witness
from dp_spec.frequency.claims import wheel
from dp_spec.vocabulary.error_statements import Variance
from dp_spec.vocabulary.law import Law
from dp_spec.vocabulary.statement import Statement

REFUTED = (
    "002.alg1.line2@printed-closed",
    "002.alg1.line3.norm@all",
    "002.alg1.pfalse@fixed",
    "002.alg1.pfalse@pairwise",
    "002.alg1.popt@f0",
    "002.def3.sizes.suwheel@all-marginal",
    "002.prose.sameprotection@joint",
    "002.thm7.eq11@deniability",
    "002.thm7.proof.case@inin",
    "002.thm8.sens@fixed",
    "002.thm9.eq25.non@iid",
    "002.thm9.proof.var@fixed",
)


@pytest.mark.parametrize("claim", wheel.FORMAL)
def test_a_statement_is_printed_with_what_it_is_about(claim: str) -> None:
    statement = wheel.FORMAL[claim]
    text = "\n".join(formal(statement))
    assert "statement of type" not in text
    law = getattr(statement, "law", None)
    if isinstance(law, Law):
        assert f"law `{law.mechanism}`" in text
        assert "view `" not in text
    if isinstance(statement, Variance):
        assert "MSE" not in text


def test_different_statements_are_printed_differently() -> None:
    """Except a correction that repeats, for one row, what another row states."""
    printed: dict[str, set[str]] = {}
    for statement in wheel.FORMAL.values():
        assert isinstance(statement, Statement)
        printed.setdefault("\n".join(formal(statement)), set()).add(str(statement.json()))
    assert all(len(same) == 1 for same in printed.values())


@pytest.mark.parametrize("claim", REFUTED)
def test_a_counterexample_is_printed_with_its_numbers(claim: str) -> None:
    statement = FORMAL[claim]
    assert isinstance(statement, Statement)
    outcome = decide(statement, claim)
    assert outcome.verdict == "refuted"
    assert outcome.evidence.kind in EVIDENCE
    text, line = "\n".join(witness(statement, outcome.evidence.data)), one_line(statement, outcome.evidence.data)
    assert "Witness: `" not in text
    assert line != "see the claim"
    assert line in text
    data = outcome.evidence.data.get("evidence", outcome.evidence.data)
    for name in ("exact", "stated", "probability", "other_probability"):
        if name in data:
            top, _, bottom = str(data[name]).partition("/")
            shown = rf"{'-' * top.startswith('-')}\tfrac{{{top.removeprefix('-')}}}{{{bottom}}}"
            assert (shown if bottom else f"${top}$") in line


def test_the_words_about_a_family_of_hash_functions_say_how_many_are_left_out() -> None:
    claim = "002.alg1.pfalse@pairwise"
    statement = FORMAL[claim]
    assert isinstance(statement, Statement)
    text = "\n".join(witness(statement, decide(statement, claim).evidence.data))
    assert "one of 49 hash functions" in text
    assert "and 41 further functions" in text
