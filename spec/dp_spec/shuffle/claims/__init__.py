"""The formal statements of source 000 by claim id, grouped as its sections are."""

from dp_spec.shuffle.claims import amplification, baselines, efficiency, estimators, evaluation, tables, variances
from dp_spec.shuffle.claims import open as unformalized
from dp_spec.vocabulary.claim import Claim, read_claims

SECTIONS = (amplification, tables, estimators, variances, efficiency, baselines, evaluation, unformalized)


def source_000() -> tuple[Claim, ...]:
    """The claims of source 000 in the order of the source. Raises `DomainError` if prose and forms differ."""
    return read_claims("000", {i: formal for section in SECTIONS for i, formal in section.FORMAL.items()})
