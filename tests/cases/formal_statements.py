"""The formal statements of all claims."""

from dp_checks.certify import all_claims
from dp_spec.vocabulary.statement import Statement

FORMAL = {i: formal for claim in all_claims() for i, formal in claim.formals()}
"""By row or full reading id."""


def statement_of(claim: str) -> Statement:
    """The statement of a row or reading. Raises `KeyError` where it has none, `TypeError` where it has a reason."""
    formal = FORMAL[claim]
    if not isinstance(formal, Statement):
        raise TypeError(f"{claim} has no statement but a reason: {formal}")
    return formal
