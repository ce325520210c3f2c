"""Source 000 on privacy, Algorithm 1 and EM decided again, by listing all outcomes; against the verdicts."""

from dataclasses import replace

import pytest
from mpmath import workdps

from dp_checks.check.decision import decide
from dp_checks.ledger import load_ledger
from dp_spec.shuffle.claims import algorithm, amplification, collusion, definitions, few_messages, proof, refinement
from dp_spec.vocabulary.error_statements import Formula
from dp_spec.vocabulary.shuffle_statements import Divergence
from dp_spec.vocabulary.statement import Instances
from dp_spec.vocabulary.term import term
from independent import em_claims, shuffle_claims

DECIDED = shuffle_claims.DECIDED | em_claims.DECIDED
SECTIONS = (definitions, algorithm, refinement, proof, collusion, few_messages)
FORMAL = {i: formal for section in SECTIONS for i, formal in section.FORMAL.items()}
BOUNDS = {"000.def3.universal@privacy", "000.thm1.pointwise@event"}
"""At numbers of users that are not listed: bounds of the section on amplification, which these repeat."""


@pytest.mark.parametrize("claim", DECIDED)
def test_listed_outcomes_agree_with_the_verdict(claim: str) -> None:
    with workdps(30):
        expected = {"proved", "verified"} if DECIDED[claim]() else {"refuted"}
    assert load_ledger()[claim].verdict in expected


def test_every_claim_is_decided_once_more() -> None:
    assert set(FORMAL) - BOUNDS <= set(DECIDED) <= set(FORMAL) | set(amplification.FORMAL)


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
