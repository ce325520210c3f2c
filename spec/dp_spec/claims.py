"""The claims of every source."""

from dp_spec.frequency.claims import hash_families, literature, source_002, source_004
from dp_spec.matrix.claims import source_001
from dp_spec.shuffle.claims import literature_bounds, source_000
from dp_spec.synthesis.claims import source_003
from dp_spec.vocabulary.claim import Claim, read_claims


def literature_claims() -> tuple[Claim, ...]:
    """What the literature states of frequency oracles, hash families and amplification by shuffling. Raises
    `DomainError` if prose and forms differ."""
    return read_claims("lit", {**literature.FORMAL, **hash_families.FORMAL, **literature_bounds.FORMAL})


def all_sources() -> tuple[Claim, ...]:
    """The claims of every source, source by source; the literature's last."""
    return (*source_000(), *source_001(), *source_002(), *source_003(), *source_004(), *literature_claims())
