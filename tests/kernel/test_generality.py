"""The kernel is general: what no ledger entry says of mechanisms of the literature, stated as any contributor would, is
decided for all sizes by the rules there are: smallest epsilons, and how private shuffled reports are."""

import inspect
import json
import re
from dataclasses import replace
from typing import Any

import pytest

from cases.shuffle_statements import ANY_FAMILY, SHOWN, STATEMENTS, TWO_LABELS, about, hint
from dp_checks.check.extremal_pairs import SINGLE
from dp_kernel import amplification
from dp_kernel.certificate.check import check
from dp_kernel.meter import Rejected
from dp_kernel.shuffle import divergences
from dp_spec.frequency.grr import GRR_SAMPLE
from dp_spec.frequency.hadamard import HCMS, RESPONSE
from dp_spec.frequency.unary import OUE
from dp_spec.vocabulary.law import K, M
from dp_spec.vocabulary.shuffle_statements import Divergence
from dp_spec.vocabulary.statement import Smallest
from dp_spec.vocabulary.term import exp, term, var

W = var("w")
SMALLEST = {
    "OUE": Smallest(OUE, "sen", "ldp", where=(1 - M, K - 2), constant=W**1),
    "HCMS": Smallest(HCMS, "vector", "ldp", where=(K - 2,), constant=W),
    "Hadamard response": Smallest(RESPONSE, "vector", "ldp", where=(K - 2,), constant=W),
}
ONE_POWER = {"rule": "product", "powers": {"ss": 1}, "cases": SINGLE}


def proved(statement: Smallest) -> None:
    """Raise `Rejected` unless the kernel accepts the proof."""
    check(json.loads(json.dumps(statement.json())), "proved", json.loads(json.dumps(ONE_POWER)))


@pytest.mark.parametrize("name", SMALLEST)
def test_the_smallest_constant_and_no_other_is_proved_for_all_sizes(name: str) -> None:
    statement = SMALLEST[name]
    proved(statement)
    for wrong in (statement.constant * W, statement.constant / W, W**3):
        with pytest.raises((Rejected, ValueError)):
            proved(replace(statement, constant=wrong))


# --- shuffled reports -------------------------------------------------------------------------------------------------

TENTH = exp(term(1) / 10)
BLH = {"w": term(7), "K": term(1000), "b": term(2)}
CROWDS: dict[str, tuple[Divergence, str, Any]] = {
    "binary randomized response": (
        *(about(GRR_SAMPLE, 10_000, TENTH, "1/500000000000000", at=TWO_LABELS), "blanket"),
        hint(10, 96),
    ),
    "binary randomized response, one data set": (
        *(about(GRR_SAMPLE, 10_000, TENTH, "1/30000000000000000000", at=TWO_LABELS), "one label"),
        hint(10, 96, data=[0]),
    ),
    "BLH": (about(ANY_FAMILY, 10_000, TENTH, "1/250000", at=BLH), "blanket", hint(10, 96)),
    "BLH, one data set": (about(ANY_FAMILY, 10_000, TENTH, "1/20000000", at=BLH), "one label", hint(10, 96, data=[0])),
    "every randomizer": (about(None, 100_000, TENTH, "1/20000000000000000000000"), "blanket", hint(10, 96)),
    "four labels beside fake reports": (
        *(about(GRR_SAMPLE, 1000, TENTH, "1/300000000000", dummies=term(10_000)), "blanket"),
        hint(10, 96, *range(300, 500, 10)),
    ),
}
"""Bounds for a data set, or all of them."""


@pytest.mark.parametrize("name", CROWDS)
def test_shuffled_reports_are_bounded(name: str) -> None:
    statement, by, fields = CROWDS[name]
    instance = {"values": {}, "by": by, **fields}
    refuted = "data" in fields
    for factor, holds in ((1, True), (4 if refuted else term(1) / 4, False)):
        body = json.loads(json.dumps(replace(statement, delta=statement.delta * factor).json()))
        evidence = instance if refuted else {"instances": [instance]}
        if holds:
            check(body, "refuted" if refuted else "proved", evidence)
            continue
        with pytest.raises(Rejected, match="not refuted" if refuted else "not shown"):
            check(body, "refuted" if refuted else "proved", evidence)


def test_every_rule_on_shuffled_reports_is_used_by_a_certificate() -> None:
    """From both sides, by every relation, beside another law."""
    listed_rules: Any = divergences.INSTANCE["by"]
    rules: dict[str, set[str]] = {"proofs": set(), "refutations": set()}
    for _, verdict, evidence in SHOWN.values():
        listed = [evidence] if verdict == "refuted" else evidence["instances"]
        rules["refutations" if verdict == "refuted" else "proofs"] |= {instance["by"] for instance in listed}
    assert rules["proofs"] == {*listed_rules}
    beside = re.findall(r'case "([a-z ]+)":\n', inspect.getsource(amplification.below))
    assert rules["refutations"] == {divergences.LISTED, "third", *beside}
    used = [STATEMENTS[of] for of, *_ in SHOWN.values()]
    stated = [statement for statement in used if isinstance(statement, Divergence)]
    assert {statement.relation for statement in stated} == {"le", "lt", "eq"}
    assert {statement.than is None for statement in stated} == {True, False}
    assert {statement.law is None for statement in stated} == {True, False}
