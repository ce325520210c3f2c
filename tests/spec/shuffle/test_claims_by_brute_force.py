"""Source 000 decided again: all outcomes of one user's messages listed, formulas on grids; against the verdicts."""

from math import factorial

import pytest
from mpmath import workdps

from dp_checks.check.decision import decide
from dp_checks.ledger import load_ledger
from dp_spec.shuffle.claims import baselines, efficiency, estimators, evaluation, tables, variances
from dp_spec.vocabulary.claim import Unchecked
from dp_spec.vocabulary.statement import Instances
from dp_spec.vocabulary.term import Term
from independent import message_estimates, message_formulas
from independent.message_formulas import heap
from independent.plain_messages import cases, functions

SECTIONS = (tables, estimators, variances, efficiency, baselines, evaluation)
FORMAL = {i: formal for section in SECTIONS for i, formal in section.FORMAL.items()}
DECIDED = message_estimates.DECIDED | message_formulas.DECIDED


@pytest.mark.parametrize("claim", DECIDED)
def test_listed_outcomes_and_grids_agree_with_the_verdict(claim: str) -> None:
    with workdps(30):
        expected = {"proved", "verified"} if DECIDED[claim]() else {"refuted"}
    assert load_ledger()[claim].verdict in expected


def test_every_claim_is_decided_once_more() -> None:
    unchecked = {i for i, formal in FORMAL.items() if isinstance(formal, Unchecked)}
    assert message_estimates.DECIDED.keys().isdisjoint(message_formulas.DECIDED)
    assert set(DECIDED) == set(FORMAL) - unchecked


def test_all_functions_collide_with_the_stated_chance() -> None:
    for case in cases("shared"):
        every = functions(case)
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
