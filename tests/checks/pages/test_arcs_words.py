"""Statements and counterexamples about arcs in words: nothing is printed by its type's name."""

import pytest

from cases.formal_statements import FORMAL
from dp_checks.ledger import load_ledger
from dp_checks.pages.statements import formal
from dp_checks.pages.witness import witness
from dp_spec.frequency.claims import wheel
from dp_spec.vocabulary.error_statements import Variance
from dp_spec.vocabulary.law import Law
from dp_spec.vocabulary.statement import Statement


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


def test_the_words_about_a_family_of_hash_functions_say_how_many_are_left_out() -> None:
    claim = "002.alg1.pfalse@pairwise"
    statement = FORMAL[claim]
    assert isinstance(statement, Statement)
    text = "\n".join(witness(statement, load_ledger()[claim].evidence["witness"]))
    assert "one of 49 hash functions" in text
    assert "and 41 further functions" in text
