"""The formal statements of source 001 by claim id, grouped as its sections are."""

from dp_spec.matrix.claims import basics, comparison, covariance
from dp_spec.vocabulary.claim import Claim, read_claims


def source_001() -> tuple[Claim, ...]:
    """The claims of source 001 in the order of the source. Raises `DomainError` if prose and forms differ."""
    return read_claims("001", basics.FORMAL | covariance.FORMAL | comparison.FORMAL)
