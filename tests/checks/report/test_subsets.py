"""Pages about PrivSet: every statement and refutation in words, with its own numbers and formulas."""

from dataclasses import replace
from typing import Any

import pytest

from certificates import REPRESENTATIVE, real
from dp_checks.check import decide
from dp_checks.report.explained import EVIDENCE
from dp_checks.report.formal import formal
from dp_checks.report.subsets import formal as of_subsets
from dp_checks.report.subsets import lines, one_line
from dp_checks.report.witness import witness
from dp_spec.frequency.claims.privset import FORMAL
from dp_spec.frequency.privset import PADDED, PLAIN, SINGLE_WEIGHTS
from dp_spec.vocabulary.statement import Unique
from dp_spec.vocabulary.subset_statements import SubsetConvex, SubsetSmallest
from dp_spec.vocabulary.term import var
from subset_certificates import REPRESENTATIVE as OURS
from subset_certificates import STATEMENTS

ALL: dict[str, Any] = {**FORMAL, **STATEMENTS}
REFUTED = [name for name in OURS if name.endswith("refuted")]


@pytest.mark.parametrize("name", OURS)
def test_every_statement_is_printed(name: str) -> None:
    text = " ".join(of_subsets(ALL[OURS[name]]) or [])
    assert "PrivSet" in text
    assert text.count("{") == text.count("}")
    assert formal(ALL[OURS[name]]) == of_subsets(ALL[OURS[name]])


@pytest.mark.parametrize("name", REFUTED)
def test_every_refutation_is_printed_with_its_instance(name: str) -> None:
    statement, data = ALL[OURS[name]], real(name)["evidence"]
    told = one_line(statement, data)
    assert told
    assert witness(statement, data) == lines(statement, data)
    for number in data.get("instance", {}).values():
        assert f"${number}$" in told or "tfrac" in told


def test_exact_errors_are_shown() -> None:
    text = " ".join(lines(STATEMENTS["test.privset.not-better"], real("subsets-better refuted")["evidence"]) or [])
    assert r"\tfrac{130625}{64896}" in text
    assert r"\tfrac{15}{16}" in text


def test_another_statement_is_another_text() -> None:
    listed = [
        SubsetConvex(PLAIN, SINGLE_WEIGHTS),
        SubsetConvex(PADDED, SINGLE_WEIGHTS),
        STATEMENTS["test.privset.convex"],
        SubsetSmallest(PLAIN, var("w")),
        replace(SubsetSmallest(PLAIN, var("w")), constant=var("w") ** 2),
    ]
    assert len({str(of_subsets(statement)) for statement in listed}) == len(listed)


def test_other_families_are_left_alone() -> None:
    assert of_subsets(Unique()) is None
    assert one_line(Unique(), {}) is None
    assert lines(Unique(), {}) is None


def test_every_kind_of_evidence_is_explained() -> None:
    for name, statement in ALL.items():
        kinds = decide(statement, name).evidence.kind
        assert {kind.strip() for kind in kinds.split(",")} <= set(EVIDENCE), kinds
    assert set(OURS) <= set(REPRESENTATIVE)
