"""The formal statements of source 000 by claim id, grouped as its sections are."""

from dp_spec.shuffle.claims import (
    algorithm,
    amplification,
    baselines,
    collusion,
    definitions,
    efficiency,
    estimators,
    evaluation,
    few_messages,
    proof,
    refinement,
    tables,
    variances,
)
from dp_spec.vocabulary.claim import Claim, read_claims

SECTIONS = (
    definitions,
    tables,
    algorithm,
    estimators,
    refinement,
    amplification,
    proof,
    collusion,
    variances,
    efficiency,
    baselines,
    few_messages,
    evaluation,
)


def source_000() -> tuple[Claim, ...]:
    """The claims of source 000 in the order of the source. Raises `DomainError` if prose and forms differ."""
    return read_claims("000", {i: formal for section in SECTIONS for i, formal in section.FORMAL.items()})
