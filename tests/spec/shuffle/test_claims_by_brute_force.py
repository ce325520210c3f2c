"""Claims of source 000 that the brute force of the attack does not know, and EM, decided again; against the ledger."""

from dataclasses import replace
from math import factorial

import pytest
from mpmath import workdps

from dp_checks.check.decision import decide
from dp_checks.ledger import load_ledger
from dp_spec.shuffle import claims
from dp_spec.shuffle.claims import baselines, few_messages
from dp_spec.vocabulary.error_statements import Formula
from dp_spec.vocabulary.shuffle_statements import Divergence
from dp_spec.vocabulary.statement import Instances
from dp_spec.vocabulary.term import Term, term
from independent import em_claims, message_estimates, message_formulas, shuffle_claims
from independent.brute_force_messages import cases
from independent.message_formulas import heap
from independent.message_outcomes import functions

FORMAL = {i: formal for section in claims.SECTIONS for i, formal in section.FORMAL.items()}
LEDGER = load_ledger()
DECIDED = message_estimates.DECIDED | message_formulas.DECIDED | shuffle_claims.DECIDED | em_claims.DECIDED


@pytest.mark.parametrize("claim", DECIDED)
def test_listed_outcomes_and_grids_agree_with_the_ledger(claim: str) -> None:
    with workdps(30):
        expected = {"proved", "verified"} if DECIDED[claim]() else {"refuted"}
    assert LEDGER[claim].verdict in expected


@pytest.mark.parametrize("claim", ["000.thm1.count@bin-mean", "000.base.aue.privacy@r50-range"])
def test_bounds_that_are_too_small_are_refuted(claim: str) -> None:
    """By the enumerated data sets of few users; and by the numbers in the stated range."""
    statement = FORMAL[claim]
    assert isinstance(statement, Instances)
    few = [part for part in statement.parts if isinstance(part, Divergence)]
    assert all(decide(replace(part, delta=part.delta / 100)).verdict == "refuted" for part in few if part.users != 1)
    numbers = next(part for part in statement.parts if isinstance(part, Formula))
    *within, (op, bound, delta) = numbers.relations
    assert decide(replace(numbers, relations=(*within, (op, bound, delta / 10**4)))).verdict == "refuted"


def test_of_few_users_epsilon_of_the_published_settings_is_above_1() -> None:
    """The range is part of the statement."""
    listed = few_messages.within_range(few_messages.R50, (60, term(1) / 2, term(1) / 2, 3))
    assert decide(listed).verdict == "refuted"


def test_all_functions_collide_with_the_stated_chance() -> None:
    for case in cases("shared"):
        every = functions(case.items, case.labels)
        assert sum(h[0] == h[1] for h in every) * case.labels == len(every)


def test_heaps_algorithm_is_the_one_that_is_stated() -> None:
    """The places before every round, from a run of its own; another parity is not a way to all orders."""
    for size in (2, 3, 4, 5, 6):
        rounds = baselines.generated(list(range(size)), size)
        each = factorial(size - 1)
        assert [tuple(rounds[i]) for i in range(size)] == list(heap(list(range(size)), size))[::each]


def test_exchanges_by_another_parity_are_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(order: list[Term], size: int) -> list[list[Term]]:
        states = [order]
        for i in range(size):
            places = [*(wrong(states[-1], size - 1)[-1] if size > 1 else order)]
            if i < size - 1:
                other = 0 if size % 2 == 0 else i
                places[other], places[size - 1] = places[size - 1], places[other]
            states.append(places)
        return states

    monkeypatch.setattr(baselines, "generated", wrong)
    assert decide(Instances((baselines.visited(3),))).verdict == "refuted"
    assert decide(Instances((baselines.put_last(4),))).verdict == "refuted"
