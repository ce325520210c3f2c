"""The claims of every source."""

from dp_spec.frequency.claims import literature_claims, source_002, source_004
from dp_spec.matrix.claims import source_001
from dp_spec.shuffle.claims import source_000
from dp_spec.vocabulary.claim import Claim


def all_sources() -> tuple[Claim, ...]:
    """The claims of every source, source by source; the literature's last."""
    return (*source_000(), *source_001(), *source_002(), *source_004(), *literature_claims())
