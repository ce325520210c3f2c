"""The formal statements of source 002 by claim id, grouped as the source's sections are."""

from dp_spec.frequency.claims import baselines, definitions, sugrr, surap
from dp_spec.vocabulary.claim import Claim, read_claims


def source_002() -> tuple[Claim, ...]:
    """The claims of source 002, sections 2 to 4.2, in the order of the source. Raises `DomainError` if prose and
    forms differ."""
    return read_claims("002", definitions.FORMAL | baselines.FORMAL | sugrr.FORMAL | surap.FORMAL)
