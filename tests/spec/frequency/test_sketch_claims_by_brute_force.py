"""Rows of sources 002 and 004 that say more than they did, decided again; against the verdicts of the ledger."""

import pytest

from dp_checks.ledger import load_ledger
from independent.sketch_claims import DECIDED


@pytest.mark.parametrize("claim", DECIDED)
def test_listed_outcomes_agree_with_the_ledger(claim: str) -> None:
    expected = {"proved", "verified"} if DECIDED[claim]() else {"refuted"}
    assert load_ledger()[claim].verdict in expected
