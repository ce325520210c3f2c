"""The formal statements of the sources by claim id, grouped as the sources' sections are."""

from dp_spec.frequency.claims import (
    baselines,
    budget,
    communication,
    comparison,
    count_sketch,
    definitions,
    evaluation,
    experiments,
    privset,
    sugrr,
    surap,
    wheel,
)
from dp_spec.vocabulary.claim import Claim, read_claims

SECTIONS_002 = (definitions, baselines, sugrr, surap, budget, wheel, privset, comparison, communication, experiments)


def source_002() -> tuple[Claim, ...]:
    """The claims of source 002 in the order of the source. Raises `DomainError` if prose and forms differ."""
    return read_claims("002", {i: formal for section in SECTIONS_002 for i, formal in section.FORMAL.items()})


def source_004() -> tuple[Claim, ...]:
    """The claims of source 004, likewise."""
    return read_claims("004", count_sketch.FORMAL | evaluation.FORMAL)
