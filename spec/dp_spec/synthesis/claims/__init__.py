"""The formal statements of source 003 by claim id, grouped by what they are about."""

from dp_spec.synthesis.claims import (
    baselines,
    budgets,
    clustering,
    definitions,
    evaluation,
    information,
    noise,
    pipeline,
    privacy,
    sensitivities,
    tables,
)
from dp_spec.vocabulary.claim import Claim, read_claims

SECTIONS = (
    baselines,
    budgets,
    clustering,
    definitions,
    evaluation,
    information,
    noise,
    pipeline,
    privacy,
    sensitivities,
    tables,
)


def source_003() -> tuple[Claim, ...]:
    """The claims of source 003 in the order of the source. Raises `DomainError` if prose and forms differ."""
    return read_claims("003", {i: formal for section in SECTIONS for i, formal in section.FORMAL.items()})
