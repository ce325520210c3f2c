"""The segmentation of HMPrivBayes (source 003, Algorithm 2, step 3): DPSC, and the filter (9) of its noisy matrix."""

from dataclasses import dataclass, replace

from flint import fmpq

from dp_refimpl.requirements import require_word
from dp_refimpl.synthesis.dpsc import DPSC
from dp_refimpl.synthesis.network import IBayes, Join, attribute_filter
from dp_refimpl.synthesis.spectral_embedding import Matrix
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.scalar import S, at_most


@dataclass(frozen=True)
class Segmentation:
    """DPSC, whose matrix gives the clusters, and eta of the filter; None: all pairs are kept.

    The diagonal is 0, so that it makes no difference to the filter. Raises `DomainError` unless eta is a rational
    number (fmpq) from 0 to 1, and for an unknown reading.
    """

    dpsc: DPSC
    eta: fmpq | None = None
    join: Join = "or"

    def __post_init__(self) -> None:
        require_filter(self.eta, self.join)

    def filtered(self, networks: IBayes[S], matrix: Matrix) -> IBayes[S]:
        """IBayes among the pairs that the filter keeps."""
        return networks if self.eta is None else replace(networks, kept=attribute_filter(matrix, self.eta, self.join))


def require_filter(eta: object, join: Join) -> None:
    """Raise `DomainError` unless eta is None or a rational number (fmpq) from 0 to 1, and for an unknown reading."""
    require_word("join", join, Join)
    if eta is not None and not (isinstance(eta, fmpq) and at_most(0, eta) and at_most(eta, 1)):
        raise DomainError("eta", eta, "a rational number (fmpq) from 0 to 1, or None")
