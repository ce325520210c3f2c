"""The formal statements of source 003 by claim id, grouped as its sections are."""

from dp_spec.synthesis.claims import (
    baselines,
    budgets,
    complexity,
    definitions,
    evaluation,
    filters,
    junctions,
    networks,
    privbayes,
    selections,
    sensitivities,
    tables,
    thresholds,
)
from dp_spec.vocabulary.claim import Claim, read_claims


def source_003() -> tuple[Claim, ...]:
    """The claims of source 003 in the order of the source. Raises `DomainError` if prose and forms differ."""
    sections = (
        definitions,
        budgets,
        tables,
        sensitivities,
        networks,
        selections,
        filters,
        complexity,
        evaluation,
        baselines,
        privbayes,
        thresholds,
        junctions,
    )
    return read_claims("003", {i: formal for section in sections for i, formal in section.FORMAL.items()})
