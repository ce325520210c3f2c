"""Counterexamples about tables of records in the programs: all that are listed, numbers by hand, and planted equal
tables."""

from typing import Any

import pytest

from dp_checks.ledger import load_ledger
from dp_checks.replay import replay
from dp_checks.table_replay import PROGRAMS, replayed
from dp_checks.verdict import InternalDisagreementError

LEDGER = load_ledger()
KINDS = ("privacy", "sensitivity", "composition")
NOT_RUN = {
    "003.def3.dp@shared": "vectors, no tables",
    "003.prop2.par@ro.parts-ro": "a release that is no program",
    "003.sec31.binarise@observed-range": "bins of the observed range are no program",
    **dict.fromkeys(
        (
            "003.alg5.dp@data.values.clamped",
            "003.alg5.dp@data.records.clamped",
            "003.thm1.dp@pstar.ro",
            "003.thm1.dp@synth.ro",
        ),
        "bounds of chances under Laplace noise: no program has that law",
    ),
}
"""Refuted statements whose tables no program is run on, and why."""


def evidence(claim: str) -> Any:
    return LEDGER[claim].evidence["witness"]


@pytest.mark.parametrize("claim", PROGRAMS)
def test_the_program_tells_the_two_tables_apart(claim: str) -> None:
    one, other, *lines = replayed(claim, evidence(claim))
    assert one.startswith("table [[")
    assert other.startswith("table [[")
    assert one != other
    assert lines
    assert LEDGER[claim].verdict == "refuted"


def test_every_refuted_row_on_privacy_is_run_or_says_why_not() -> None:
    refuted = {
        i
        for i in LEDGER
        if i.startswith("003.") and LEDGER[i].verdict == "refuted" and "readings" not in LEDGER[i].data
        if LEDGER[i].data["kind"] in KINDS
    }
    assert refuted - PROGRAMS.keys() == NOT_RUN.keys()


@pytest.mark.parametrize(
    ("claim", "line"),
    [
        ("003.sec33.allclusters", "P(5 networks ((1, ()), (0, (1,)))) = 32/243 and 1/243, ratio 32, stated at most 16"),
        ("003.prop2.par@vertical", "P(noisy counts [0, 0]) = 4/9 and 1/9, ratio 4, stated at most 2"),
        (
            "003.thm1.dp@synth.geometric.ro",
            "P(rows [1, 1, 1, 1] of 4 clusters) = 0.000978793 and 0.000125976, ratio 7.76968, stated at most 7.49154",
        ),
        ("003.thm1.dp@transcript.fixed.ro", "loss of the transcript (epsilon = 1) 1.33333, stated at most 1.00000"),
    ],
)
def test_numbers(claim: str, line: str) -> None:
    certificate = {"id": claim, "statement": {}, "verdict": "refuted", "evidence": evidence(claim), "ties": []}
    assert replayed(claim, evidence(claim))[-1] == line
    assert replay({**certificate, "statement": {"type": "arithmetic"}})[-1] == line


@pytest.mark.parametrize("claim", [i for i in PROGRAMS if not i.endswith(".ar")])
def test_a_record_that_is_replaced_by_itself_tells_nothing(claim: str) -> None:
    changed = evidence(claim)
    inner = changed.get("evidence", changed)
    if "other" in inner["case"]:
        planted = {**inner, "case": {**inner["case"], "other": inner["case"]["one"]}}
        with pytest.raises(InternalDisagreementError, match=claim.split("@")[0]):
            replayed(claim, planted)


def test_other_statements_have_no_program() -> None:
    assert replayed("003.thm1.dp@synth.ro", evidence("003.thm1.dp@synth.ro")) == []
