"""A few thousand attempts of `make attack`: nothing false is accepted; and the brute force knows what is false."""

import json
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from attack import formulas, generate, multisets, prover, referee, terms, truth, worlds
from attack.accepted_once import FALSE
from attack.campaign import attack, campaign, printed
from dp_checks.certificate import certificate
from dp_checks.check import decide
from dp_checks.kernel.check import check
from dp_checks.parallel import Workers
from dp_spec.frequency.claims import source_002
from dp_spec.vocabulary.statement import Statement

SAMPLE = (
    *(
        "002.base.urr.uldp",
        "002.thm2.sugrr.proof@multiset",
        "002.thm2.sugrr.proof@set",
        "002.alg.sugrr.output@multiset",
    ),
    *("002.prose.uldp.split", "002.base.grr.eq5.norm", "002.thm4.surap.inv", "002.alg.surap.output"),
    *("002.thm6.eq21.sens@fixed-data", "002.pad.unbiased@long.corrected", "002.pad.unbiased@long"),
    *("002.thm1.sugrr.proof.product@ordered", "002.thm1.sugrr.proof.product@set", "002.thm1.sugrr.eq11@multiset-joint"),
    *("002.thm4.surap.eq11@joint", "002.thm4.surap.eq11@whole-marginal", "002.base.rappor.one.tight"),
    *("002.budget.sugrr@multiset-joint", "002.budget.surap@samenon", "002.thm5.surap.sens", "002.thm2.sugrr.sens@set"),
)


@cache
def certificates() -> tuple[dict[str, Any], ...]:
    """Certificates of some claims."""
    formals = {name: formal for claim in source_002() for name, formal in claim.formals() if name in SAMPLE}
    assert len(formals) == len(SAMPLE)
    found = []
    for name, formal in formals.items():
        assert isinstance(formal, Statement)
        found.append(certificate(name, formal, decide(formal, name)))
    return tuple(found)


@pytest.mark.slow
def test_nothing_false_is_accepted() -> None:
    report = attack(2500, 5, certificates())
    assert not report.false, printed(report)
    proved = sum(n for (_, verdict), n in report.known.items() if verdict == "proved")
    refuted = sum(n for (_, verdict), n in report.known.items() if verdict == "refuted")
    assert proved > 80, "too little that is proved was accepted and judged"
    assert refuted > 40, "too little that is refuted was accepted and judged"
    accepted, judged = {kind for kind, _ in report.accepted}, {*truth.JUDGES, "divergence"}
    assert accepted >= judged, "of some kind nothing is accepted: what is proposed is out of date"


@pytest.mark.slow
def test_processes_make_the_attempts_of_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("attack.campaign.BATCH", 20)
    alone, two = (campaign(60, 1, tmp_path, Workers(jobs)) for jobs in (1, 2))
    assert alone == two
    assert alone.tried.total() >= 60


def test_attempts_are_the_same_every_time() -> None:
    first, again = (list(generate.attempts(Random("7"), ())) for _ in "12")
    assert first == again


@pytest.mark.parametrize("name", FALSE)
def test_what_was_accepted_once_is_rejected(name: str) -> None:
    statement, verdict, evidence = json.loads(json.dumps(FALSE[name]))
    with pytest.raises(prover.ERRORS):
        check(statement, verdict, evidence)


@pytest.mark.parametrize("name", sorted(FALSE.keys() - {"sizes of another world"}))  # false for 6 items only
def test_the_brute_force_knows_what_was_accepted_once(name: str) -> None:
    statement, verdict, evidence = json.loads(json.dumps(FALSE[name]))
    assert referee.contradiction(statement, verdict, evidence, Random(3).randrange)[0]


W, K = terms.W, terms.K
GRR = ["row", {"sen": {"own": terms.div(W, terms.DEN), "other": terms.div(1, terms.DEN)}}]
LAW = {
    "mechanism": "grr",
    "base": W,
    "power": "m",
    "parameters": [],
    "term": ["push", "multiset", ["each", "held", GRR]],
}
RATIO: dict[str, Any] = {
    "type": "ratio",
    "law": LAW,
    "relation": "ldp",
    "counted": "all",
    "sizes": "exactm",
    "where": [],
    "any_order": False,
}
HELD = {"type": "chance", "law": LAW, "item": "sensitive", "event": "other", "where": [], "sizes": "exactm"}
MISS = terms.mul("m", terms.div(1, terms.DEN))
X = {"variables": {"x": {"min": 0, "strict": False, "integer": False, "unit": False}}, "constraints": []}
JUDGED: list[tuple[dict[str, Any], bool]] = [
    (RATIO, True),
    ({**RATIO, "law": {**LAW, "power": 1}}, False),
    ({**RATIO, "type": "smallest", "where": [["sub", K, ["mul", 2, "m"]]], "constant": ["pow", W, "m"]}, False),
    ({**RATIO, "type": "smallest", "where": [["sub", 1, "m"], ["sub", K, 2]], "constant": W}, True),
    ({**HELD, "probability": MISS}, True),
    ({**HELD, "probability": terms.mul(2, MISS)}, False),
    ({**HELD, "probability": terms.div(1, terms.sub(K, 1))}, False),
    ({"type": "formula", "domain": X, "values": {}, "relations": [["le", "x", ["mul", "x", "x"]]]}, False),
    ({"type": "formula", "domain": X, "values": {}, "relations": [["le", 0, ["mul", "x", "x"]]]}, True),
    ({"type": "formula", "domain": X, "values": {}, "relations": [["eq", ["div", "x", "x"], 1]]}, False),
]
"""Statements about all sizes and budgets, and whether they are true."""


@pytest.mark.parametrize(("statement", "holds"), JUDGED)
def test_the_brute_force_tells_false_from_true(statement: dict[str, Any], holds: bool) -> None:
    why, known = referee.contradiction(statement, "proved", {}, Random(3).randrange)
    assert known
    assert (why == "") == holds, why


def test_a_made_up_family_has_the_stated_collisions() -> None:
    world = worlds.World(1, 3, 0, {}, (), {"h": ["div", 3, 5]})
    listed = worlds.maps(world, "h", 2)
    assert sum(weight for _, weight in listed) == 1
    for x, y in ((0, 1), (0, 2), (1, 2)):
        assert sum(weight for image, weight in listed if image[x] == image[y]) == Fraction(3, 5)


def test_the_brute_force_imports_nothing_of_the_project() -> None:
    for module in (worlds, truth, formulas, multisets, referee):
        used = {str(getattr(value, "__module__", "")) for value in vars(module).values()}
        used |= {str(getattr(value, "__name__", "")) for value in vars(module).values()}
        assert not [name for name in used if name.startswith("dp_")]
