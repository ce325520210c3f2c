"""The formal statements of source 002 by claim id, grouped as the source's sections are."""

from dp_spec.frequency.claims import (
    baselines,
    budget,
    communication,
    comparison,
    definitions,
    experiments,
    privset,
    sugrr,
    surap,
    wheel,
)
from dp_spec.vocabulary.claim import Claim, read_claims

SECTIONS = (definitions, baselines, sugrr, surap, budget, wheel, privset, comparison, communication, experiments)


def source_002() -> tuple[Claim, ...]:
    """The claims of source 002 in the order of the source. Raises `DomainError` if prose and forms differ."""
    return read_claims("002", {i: formal for section in SECTIONS for i, formal in section.FORMAL.items()})
