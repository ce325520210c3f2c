"""The segmentation of HMPrivBayes on arrays (source 003, Algorithm 2, step 3): DPSC, and the filter (9)."""

from dataclasses import dataclass, replace

from flint import fmpq

from dp_refimpl.fast.synthesis.clustering import ArrayDPSC
from dp_refimpl.fast.synthesis.network import ArrayIBayes
from dp_refimpl.fast.synthesis.record_arrays import Floats
from dp_refimpl.synthesis.network import Join, attribute_filter
from dp_refimpl.synthesis.segmentation import require_filter


@dataclass(frozen=True)
class ArraySegmentation:
    """`segmentation.Segmentation` on arrays. Raises as it."""

    dpsc: ArrayDPSC
    eta: fmpq | None = None
    join: Join = "or"

    def __post_init__(self) -> None:
        require_filter(self.eta, self.join)

    def filtered(self, networks: ArrayIBayes, matrix: Floats) -> ArrayIBayes:
        """IBayes among the pairs that the filter keeps: floats are compared at their exact values."""
        if self.eta is None:
            return networks
        exact = [[fmpq(*entry.as_integer_ratio()) for entry in row] for row in matrix.tolist()]
        return replace(networks, kept=attribute_filter(exact, self.eta, self.join))
