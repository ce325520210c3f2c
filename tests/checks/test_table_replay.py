"""Counterexamples of source 003 in the programs: all that are listed, numbers by hand, planted equal tables, and
instances in which the statement holds."""

from typing import Any

import pytest

from dp_checks.instance_replay import NO_PROGRAM
from dp_checks.instance_replay import PROGRAMS as INSTANCES
from dp_checks.ledger import load_ledger
from dp_checks.replay import replay
from dp_checks.table_replay import PROGRAMS, replayed
from dp_checks.verdict import InternalDisagreementError

LEDGER = load_ledger()


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


def test_every_refuted_statement_is_run_or_says_why_not() -> None:
    refuted = {
        i
        for i in LEDGER
        if i.startswith("003.") and LEDGER[i].verdict == "refuted" and "readings" not in LEDGER[i].data
    }
    assert refuted - PROGRAMS.keys() - INSTANCES.keys() == NO_PROGRAM.keys()
    assert not PROGRAMS.keys() & INSTANCES.keys()


LONG = {"003.fig5.monotone"}
"""Instances that take a second or more."""


@pytest.mark.parametrize("claim", [pytest.param(i, marks=[pytest.mark.slow] * (i in LONG)) for i in INSTANCES])
def test_the_program_finds_the_statement_false(claim: str) -> None:
    assert replayed(claim, evidence(claim))
    assert LEDGER[claim].verdict == "refuted"


@pytest.mark.parametrize(
    ("claim", "changes"),
    [
        ("003.abs.noise@nominal", {"d": "9", "c": "3", "l": "2"}),
        ("003.abs.noise@certified", {"h": "9", "c": "3", "l": "3", "eps": "1"}),
        ("003.abs.efficiency@count", {"q": 9}),
        ("003.abs.efficiency@anyclusters", {"sizes": [9, 9, 9]}),
        ("003.prose.assoc@cluster", {"data": [[0, 0, 0], [1, 1, 1]]}),
        ("003.prose.assoc@across", {"data": [[0, 0], [0, 1], [1, 0], [1, 1]]}),
        ("003.sec1.direct@noise", {"d": "9"}),
        ("003.prose.gender@empirical", {"data": [[0, 0], [0, 1]]}),
        ("003.def2.norm@l2", {"other": [0, 1, 1]}),
        ("003.sec23.fact@equality", {"parents": [[], [0]]}),
        ("003.sec22.mi-compare", {"one": [0, 1, 0, 1]}),
        ("003.sec22.mic-detects@function", {"column": [0, 0, 1, 1]}),
        ("003.def5.defined@strict.a2", {"n": 20}),
        ("003.alg1.cut@within", {"points": [[0, 0], [0, 0], [30, 40], [30, 40]]}),
        ("003.alg3.grouping", {"pairs": [[0, 0]] * 4}),
        ("003.alg2.union@setunion", {"label": [0, 0]}),
        ("003.sec31.inverse@all", {"v": "4"}),
        ("003.alg3.rows@columns", {"d": 1}),
        ("003.sec32.kmeanspp@d2", {"seeds": [0, 2]}),
        ("003.sec32.kmeanspp@farthest", {"seeds": [0, 1]}),
        ("003.prose.maxroot@l2", {"data": [[0, 0, 0, 0], [1, 1, 1, 1]]}),
        ("003.alg4.candidates@exact-l", {"placed": [0, 1]}),
        ("003.alg4.tight", {"t": "1"}),
        ("003.eq9.strongest@noisy.off", {"S": [[0, 1], [1, 0]]}),
        ("003.eq7.entropy@records", {"data": [0, 1]}),
        ("003.sec33.hmax@records", {"data": [0, 1]}),
        ("003.sec33.independent@records", {"other": [0, 1]}),
        ("003.sec33.independent@statistical", {"data": [[0, 0], [0, 1]]}),
        ("003.eq11.range@records", {"m": 1}),
        ("003.alg5.normalise@undefined", {"noisy": [0, 2]}),
        ("003.prose.attrprotect@attrloss", {"parent": 0}),
        ("003.prose.splits@per-cluster", {"d": "3"}),
        ("003.fig5.nopriv.best@general", {"alpha": "99/100"}),
        ("003.fig5.limit", {"noise": [1, 0, 0]}),
        pytest.param("003.fig5.monotone", {"g": 1, "h": 2}, marks=pytest.mark.slow),
        ("003.fig6.l@count.all", {"c": 6}),
        ("003.base.jtree.junction@clamped", {"first": [1, 0, 0, 0]}),
    ],
)
def test_an_instance_in_which_the_statement_holds_is_a_disagreement(claim: str, changes: dict[str, Any]) -> None:
    inner = evidence(claim).get("evidence", evidence(claim))
    planted = {
        key: {**value, **{n: x for n, x in changes.items() if n in value}}
        for key, value in inner.items()
        if isinstance(value, dict)
    }
    assert planted != {key: inner[key] for key in planted}
    with pytest.raises(InternalDisagreementError, match=claim.split("@")[0]):
        replayed(claim, planted)


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
            "records in the bins of the observed range [1, 3] and [3, 1], 2 have moved, stated at most 1",
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


@pytest.mark.parametrize("claim", NO_PROGRAM)
def test_other_statements_say_why_they_are_not_run(claim: str) -> None:
    assert replayed(claim, evidence(claim)) == [f"no program: {NO_PROGRAM[claim]}"]


def test_of_other_sources_nothing_is_said() -> None:
    assert replayed("002.eq12", {}) == []
