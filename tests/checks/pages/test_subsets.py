"""Pages about PrivSet: every statement and refutation in words, with its own numbers and formulas."""

from typing import Any

import pytest

from cases.subset_statements import STATEMENTS
from corpus.certificates import accepted_about
from dp_checks.pages.statements import formal
from dp_checks.pages.subsets import lines, one_line
from dp_checks.pages.witness import witness
from dp_spec.frequency.claims.privset import FORMAL
from dp_spec.frequency.sugrr import SUGRR
from dp_spec.vocabulary.statement import Frequencies

ALL: dict[str, Any] = {**FORMAL, **STATEMENTS}
OURS = accepted_about("subsets")


@pytest.mark.parametrize("name", ALL)
def test_every_statement_is_printed(name: str) -> None:
    text = " ".join(formal(ALL[name]))
    assert text.count("{") == text.count("}")
    assert "A statement of type" not in text


@pytest.mark.parametrize("name", [name for name in OURS if "refuted" in name])
def test_every_refutation_is_printed_with_its_instance(name: str) -> None:
    statement, data = ALL[OURS[name]["id"]], OURS[name]["evidence"]
    line = one_line(statement, data)
    assert line
    assert witness(statement, data) == lines(statement, data)
    for number in {**data.get("instance", {}), **data.get("values", {})}.values():
        assert f"${number}$" in line or "tfrac" in line


def test_another_statement_is_another_text() -> None:
    assert len({str(formal(statement)) for statement in STATEMENTS.values()}) == len(STATEMENTS)


def test_other_families_are_left_alone() -> None:
    assert one_line(Frequencies(SUGRR, "multiset"), {}) is None
    assert lines(Frequencies(SUGRR, "multiset"), {}) is None
