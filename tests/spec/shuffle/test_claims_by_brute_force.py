"""Source 000 decided again: all outcomes of one user's messages listed, formulas on grids; against the verdicts."""

from itertools import permutations

import pytest
from mpmath import workdps

from dp_checks.check.decide import decide
from dp_spec.shuffle.claims import baselines, efficiency, estimators, evaluation, tables, variances
from dp_spec.vocabulary.claim import Unchecked
from independent import message_estimates, message_formulas
from independent.message_formulas import heap
from independent.plain_messages import cases, functions

SECTIONS = (tables, estimators, variances, efficiency, baselines, evaluation)
FORMAL = {i: formal for section in SECTIONS for i, formal in section.FORMAL.items()}
DECIDED = message_estimates.DECIDED | message_formulas.DECIDED


@pytest.mark.parametrize("claim", DECIDED)
def test_listed_outcomes_and_grids_agree_with_the_verdict(claim: str) -> None:
    with workdps(30):
        expected = "proved" if DECIDED[claim]() else "refuted"
    assert decide(FORMAL[claim], claim).verdict == expected


def test_every_claim_is_decided_once_more() -> None:
    unchecked = {i for i, formal in FORMAL.items() if isinstance(formal, Unchecked)}
    assert message_estimates.DECIDED.keys().isdisjoint(message_formulas.DECIDED)
    assert set(DECIDED) == set(FORMAL) - unchecked


def test_all_functions_collide_with_the_stated_chance() -> None:
    for case in cases("shared"):
        every = functions(case)
        assert sum(h[0] == h[1] for h in every) * case.labels == len(every)


def test_heaps_algorithm_visits_every_arrangement_once() -> None:
    for n in range(1, 7):
        assert sorted(heap(list(range(n)), n)) == sorted(permutations(range(n)))
