"""Checkers for PrivSet: verdicts, ties to the program, first counterexamples by brute force, planted faults."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest
from flint import fmpq

from cases.subset_statements import STATEMENTS
from dp_checks.check import decide, moments, places, ratios
from dp_checks.check.proposals import ROOTS
from dp_checks.check.public_choices import instances, with_premise
from dp_checks.check.ties import tie
from dp_checks.ledger import load_ledger
from dp_checks.programs import published_table
from dp_checks.verdict import InternalDisagreementError
from dp_refimpl.coins import uniform_subset
from dp_refimpl.frequency.privset import PrivSet
from dp_spec.frequency.grr import W
from dp_spec.frequency.privset import CHOSEN, PADDED, PLAIN, RADICAND, SCALE, SHIFT, omega
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.items import ItemDomain
from dp_spec.vocabulary.law import K, Law, dummies, subset
from independent import brute_force_privset

FIRST = [Fraction(int(root.p), int(root.q)) for root in ROOTS]


def test_the_disagreement_of_the_objectives_is_the_first() -> None:
    """By brute force: at every smaller instance they share a best k. The row is refuted at d = 8, m = 2."""
    at = load_ledger()["002.base.privset.objective"].evidence["witness"]["values"]
    witness = None
    for d, m, w in product(range(1, 9), range(1, 9), FIRST):
        if m <= d and d + m <= 10:
            both = [brute_force_privset.errors(d, m, w, True, first) for first in (m, 1)]
            best = [{k for k, error in enumerate(errors) if error == min(errors)} for errors in both]
            if not best[0] & best[1]:
                witness = {"d": str(d), "m": str(m), "w": str(w)}
                break
    assert witness == {"d": "8", "m": "2", **at}


def test_the_instance_on_which_rappor_is_better_is_the_first() -> None:
    at = load_ledger()["002.base.privset.better"].evidence["witness"]["evidence"]["values"]
    for d, m, t in product(range(2, 9), range(1, 8), FIRST):
        if m < d and min(brute_force_privset.errors(d, m, t ** (2 * m), False, m)) >= d * t / (t - 1) ** 2:
            assert {"d": str(d), "m": str(m), "t": str(t)} == {"d": str(int(at["m"]) + 1), **at}
            return
    raise AssertionError("no such instance")


@pytest.mark.parametrize("d", range(2, 9))
def test_the_formula_of_one_item_against_brute_force(d: int) -> None:
    """What the relations of the correction say, read as its prose does."""
    for w in (Fraction(101, 100), Fraction(3, 2), Fraction(3), Fraction(40)):
        radicand, shift, scale = (x.evaluate({"D": d, "w": w}) for x in (RADICAND, SHIFT, SCALE))
        stated = next(k for k in range(1, d) if scale * k + shift >= 0 and (scale * k + shift) ** 2 >= radicand)
        errors = brute_force_privset.errors(d, 1, w, False, 1)
        assert stated == 1 + errors.index(min(errors))
        assert stated in {max(1, int(d / (1 + w))), max(1, -int(-d // (1 + w)))}


# --- ties ---------------------------------------------------------------------------------------------------------

WRONG = {
    "hit and miss exchanged": replace(PLAIN, term=subset(CHOSEN, 1 / omega(K), W / omega(K))),
    "no budget": replace(PADDED, term=dummies("sen", subset(CHOSEN, 1 / omega(K), 1 / omega(K)))),
    "half the weight": replace(PLAIN, term=subset(CHOSEN, W / omega(K) / 2, 1 / omega(K))),
}


@pytest.mark.parametrize("fault", WRONG)
def test_a_wrong_law_is_not_that_of_the_program(fault: str) -> None:
    with pytest.raises(InternalDisagreementError, match="privset"):
        tie.__wrapped__(WRONG[fault])


def uniform(self: Any, items: Any, coins: Any) -> Any:
    self.completed(items)
    return frozenset(uniform_subset(coins, self.outputs, self.k, self.hit * 0 + 1))


def test_a_wrong_program_does_not_have_the_law(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PrivSet, "randomize", uniform)
    with pytest.raises(InternalDisagreementError, match="privset"):
        tie.__wrapped__(PADDED)


@pytest.mark.parametrize("law", [PLAIN, PADDED])
def test_the_chances_that_a_mechanism_states_are_those_of_its_reports(law: Law) -> None:
    """`PrivSet.p` and `PrivSet.q`, at two budgets."""
    for at, w in product(instances(law), ROOTS[:2]):
        target: Any = PrivSet(ItemDomain.of_sizes(at["K"]), Budget.of_root(w), at["m"], at["k"], bool(law.brought))
        for s, row in published_table(law, at, w).items():
            chances = [sum((p for (o, _), p in row.items() if x in o), fmpq(0)) for x in range(at["K"])]
            assert chances == [target.p if x in s else target.q for x in range(at["K"])]


# --- planted faults -----------------------------------------------------------------------------------------------


@cache
def expected() -> dict[str, tuple[str, str]]:
    """Verdicts and scopes without a fault."""
    outcomes = {name: decide(statement, name) for name, statement in STATEMENTS.items()}
    return {name: (outcome.verdict, outcome.evidence.scope) for name, outcome in outcomes.items()}


def differences() -> Iterator[str]:
    for name, statement in STATEMENTS.items():
        try:
            outcome = decide(statement, name)
        except InternalDisagreementError as error:
            yield f"{name}: {error}"
            continue
        if (outcome.verdict, outcome.evidence.scope) != expected()[name]:
            yield name


WRONG_COUNT = {0: Fraction(1, 3), 1: Fraction(2, 3)}
FAULTS: dict[str, list[tuple[Any, str, Any]]] = {
    "nothing fails": [
        (ratios, "violation", lambda *args: None),
        (ratios, "_constants", lambda *args: iter(())),
        (moments, "_counted", lambda *args: iter(())),
    ],
    "everything fails": [
        (ratios, "violation", lambda *args: ((0,), (1,), ((0,), ()), Fraction(1), Fraction(0))),
        (ratios, "largest", lambda comparisons: ((0,), (1,), ((0,), ()), Fraction(1), Fraction(0))),
        (moments.Counts, "law_of", lambda counts, s, x: WRONG_COUNT),
    ],
    "two items are skipped": [
        (places, "with_premise", lambda *args: (at for at in with_premise(*args) if at["K"] > 2))
    ],
    "ratios are not compared": [(ratios, "compared", lambda *args: iter(()))],
}


@pytest.mark.parametrize("fault", FAULTS)
def test_planted_faults_are_caught(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected()  # before anything is broken
    for module, name, replacement in FAULTS[fault]:
        monkeypatch.setattr(module, name, replacement)
    assert next(differences(), None) is not None


def test_nothing_differs_without_a_fault() -> None:
    assert list(differences()) == []
