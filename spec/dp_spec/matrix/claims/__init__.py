"""The formal statements of source 001 by claim id, grouped as its sections are."""

from dp_spec.matrix.claims import algorithm1, all_ranges, basics, comparison, covariance, fixed_ranges, restorations
from dp_spec.vocabulary.claim import Claim, read_claims


def source_001() -> tuple[Claim, ...]:
    """The claims of source 001 in the order of the source. Raises `DomainError` if prose and forms differ."""
    sections = (basics, algorithm1, covariance, fixed_ranges, all_ranges, comparison, restorations)
    return read_claims("001", {i: formal for section in sections for i, formal in section.FORMAL.items()})
