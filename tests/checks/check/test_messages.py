"""Statements about messages with dummies: proved for all sizes, refuted in the programs; programs that do not have the
stated law are found."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from dp_checks.certificate import json_value
from dp_checks.check import ties
from dp_checks.check.decision import decide
from dp_checks.verdict import InternalDisagreementError
from dp_kernel.certificate.check import check
from dp_kernel.meter import Rejected
from dp_refimpl.coins import uniform
from dp_refimpl.frequency.hash_families import PublicFunctions
from dp_refimpl.shuffle import aue, dump, odhp
from dp_spec.frequency.local_hashing import W
from dp_spec.shuffle import messages
from dp_spec.shuffle.messages import DUMMIES, S2, T3_GRR, VARIANCE_GRR, VARIANCE_OLH
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.law import Estimator, F, K, Law
from dp_spec.vocabulary.statement import Mse, Ratio, Smallest, Unbiased
from dp_spec.vocabulary.term import Term, term

RIGHT = {"GRR": (messages.GRR, T3_GRR, VARIANCE_GRR), "OD-HP": (messages.SHARED, S2, VARIANCE_OLH)}


def unbiased(law: Law, of: Estimator) -> Unbiased:
    return Unbiased(law, "vector", "sensitive", of, where=(K - 2,))


def mse(law: Law, of: Estimator, formula: Term) -> Mse:
    return Mse(law, "vector", "sensitive", of, where=(K - 2,), formula=formula)


@pytest.mark.parametrize("name", RIGHT)
def test_other_estimators_and_variances_are_refuted_with_a_witness(name: str) -> None:
    law, of, formula = RIGHT[name]
    assert decide(unbiased(law, of)).verdict == decide(mse(law, of, formula)).verdict == "proved"
    for other in (
        Estimator(of.slope * 2, of.offset),
        Estimator(of.slope, of.offset + 1),
        Estimator(of.slope, of.offset - DUMMIES / 7),
    ):
        assert decide(unbiased(law, other)).verdict == "refuted"
    for wrong in (formula * 2, formula + F, formula + DUMMIES):
        outcome = decide(mse(law, of, wrong))
        assert outcome.verdict == "refuted"
        assert outcome.evidence.data["exact"] != outcome.evidence.data["stated"]


def test_a_witness_is_checked() -> None:
    statement = mse(messages.SHARED, S2, VARIANCE_OLH * 2)
    evidence = decide(statement).evidence.data
    check(json_value(statement.json()), "refuted", json_value(evidence))
    for change in ({"exact": "7"}, {"hashes": {"hash": [["1", [0, 0]]]}}, {"item": 5}, {"users": [[0], [0]]}):
        with pytest.raises((Rejected, ValueError, LookupError)):
            check(json_value(statement.json()), "refuted", json_value({**evidence, **change}))


def test_dummies_do_not_change_the_smallest_constant() -> None:
    for law in (messages.GRR, messages.SHARED):
        assert decide(Ratio(law, "vector", "ldp")).verdict == "proved"
        assert decide(Smallest(law, "vector", "ldp", where=(K - 2,), constant=W)).verdict == "proved"
        for other in (W**2, term(1) * 1, W + 1):
            assert decide(Smallest(law, "vector", "ldp", where=(K - 2,), constant=other)).verdict == "refuted"
    assert decide(Ratio(messages.PLAIN, "vector", "ldp", where=(K - 2,))).verdict == "refuted"


def test_a_mechanism_without_a_program_is_named() -> None:
    with pytest.raises(DomainError, match="perpetual"):
        ties.tie(replace(messages.GRR, mechanism="perpetual"))


# --- programs that are none -----------------------------------------------------------------------------------------


def always_own(item: Any, domain: Any, p: Any, q: Any, coins: Any) -> Any:
    return item


def first_function(oracle: Any, item: Any, coins: Any) -> Any:
    sent: Any = SENT(oracle, item, coins)
    return tuple((next(iter(oracle.family.law())), label) for _, label in sent)


def never_first(domain: Any, dummies: Any, coins: Any, one: Any) -> Any:
    items = domain.items[1:] or domain.items
    return tuple(uniform(coins, items, one) for _ in range(dummies.m))


def first_choice(family: Any, coins: Any, one: Any) -> Any:
    return family.functions[0]


SENT = odhp.ODHP.messages
FAULTS: dict[str, tuple[Law, Any, str, Callable[..., Any]]] = {
    "reports are not perturbed": (messages.GRR, dump, "perturb", always_own),
    "another function is said": (messages.SHARED, odhp.ODHP, "messages", first_function),
    "dummies are not uniform": (messages.SHARED, odhp.ODHP, "_label", lambda oracle, h, coins: 0),
    "dummies of randomized response are not": (messages.GRR, dump, "uniform_dummies", never_first),
    "always the first function": (messages.FRESH, PublicFunctions, "draw", first_choice),
    "bits are certain": (messages.AUE, aue, "bernoulli", lambda coins, p: True),
}


@pytest.mark.usefixtures("other_programs")
@pytest.mark.parametrize("name", FAULTS)
def test_a_wrong_program_stops_the_decision(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    law, owner, attribute, fault = FAULTS[name]
    monkeypatch.setattr(owner, attribute, fault)
    with pytest.raises(InternalDisagreementError):
        ties.tie(law)
