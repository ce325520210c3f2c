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


def test_every_refuted_row_on_privacy_is_run() -> None:
    refuted = {
        i
        for i in LEDGER
        if i.startswith("003.") and LEDGER[i].verdict == "refuted" and "readings" not in LEDGER[i].data
        if LEDGER[i].data["kind"] in KINDS
    }
    assert refuted - PROGRAMS.keys() == set()


@pytest.mark.parametrize(
    ("claim", "line"),
    [
        ("003.sec33.allclusters", "P(5 networks ((1, ()), (0, (1,)))) = 32/243 and 1/243, ratio 32, stated at most 16"),
        ("003.prop2.par@vertical", "P(noisy counts [0, 0]) = 4/9 and 1/9, ratio 4, stated at most 2"),
        (
            "003.thm1.dp@synth.geometric.ro",
            "P(rows [1, 1, 1, 1] of 4 clusters) = 0.000978793 and 0.000125976, ratio 7.76968, stated at most 7.49154",
        ),
        (
            "003.thm1.dp@pstar.ro",
            "P(P* is certain of the values [1, 1, 1, 1]) = 0.00301749 and 0.000391066, ratio 625/81, "
            "stated at most 7.49154",
        ),
        (
            "003.thm1.dp@synth.ro",
            "P(4 rows of 1 in 40 clusters) >= 6.87236e-69 and <= 4.42160e-97, ratio >= 1.55427e+28, "
            "stated at most 7.27492e+26",
        ),
        (
            "003.alg5.dp@data.values.clamped",
            "P(cells above 0: [1, 0, 1, 0, 0, 0, 0, 1]) = 0.00756454 and 0.00129704, ratio 5.83217, "
            "stated at most 4.32194",
        ),
        (
            "003.def3.dp@shared",
            "P(the first two answers differ by 0) = 1 and 0, stated at most 2 times that",
        ),
        (
            "003.prop2.par@ro.parts-ro",
            "the two parts release [1, 0] with chances 1 and 0, and are 0-private each",
        ),
        (
            "003.sec31.binarise@observed-range",
            "records in the bins of the observed range [0, 3] and [2, 1], 2 have moved, stated at most 1",
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
    assert replayed("003.alg1.cut@ncut", evidence("003.alg1.cut@ncut")) == []
