"""Source 000 on privacy, Algorithm 1 and EM decided again, by listing all outcomes; against the verdicts."""

import pytest
from mpmath import workdps

from dp_checks.check.decide import decide
from dp_spec.shuffle.claims import algorithm, amplification, collusion, definitions, exact, proof, refinement
from independent.shuffle_claims import DECIDED

SECTIONS = (definitions, algorithm, refinement, proof, collusion, exact)
FORMAL = {i: formal for section in SECTIONS for i, formal in section.FORMAL.items()}
BOUNDS = {"000.def3.universal@privacy", "000.thm1.pointwise@event"}
"""At numbers of users that are not listed: bounds of the section on amplification, which these repeat."""


@pytest.mark.parametrize("claim", DECIDED)
def test_listed_outcomes_agree_with_the_verdict(claim: str) -> None:
    with workdps(30):
        expected = {"proved", "verified"} if DECIDED[claim]() else {"refuted"}
    assert decide((FORMAL | dict(amplification.FORMAL))[claim], claim).verdict in expected


def test_every_claim_is_decided_once_more() -> None:
    assert set(FORMAL) - BOUNDS <= set(DECIDED) <= set(FORMAL) | set(amplification.FORMAL)
