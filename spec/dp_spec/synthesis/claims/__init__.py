"""The formal statements of source 003 by claim id, grouped by what they are about."""

from dp_spec.synthesis.claims import (
    baselines,
    budgets,
    clustering,
    complexity,
    composition,
    definitions,
    evaluation,
    filters,
    information,
    junctions,
    networks,
    noise,
    pipeline,
    privacy,
    privbayes,
    selections,
    sensitivities,
    tables,
    thresholds,
)
from dp_spec.vocabulary.claim import Claim, read_claims

SECTIONS = (
    baselines,
    budgets,
    clustering,
    complexity,
    composition,
    definitions,
    evaluation,
    filters,
    information,
    junctions,
    networks,
    noise,
    pipeline,
    privacy,
    privbayes,
    selections,
    sensitivities,
    tables,
    thresholds,
)


def source_003() -> tuple[Claim, ...]:
    """The claims of source 003 in the order of the source. Raises `DomainError` if prose and forms differ."""
    return read_claims("003", {i: formal for section in SECTIONS for i, formal in section.FORMAL.items()})
