"""Matrix mechanisms: a strategy is measured with independent noise, and a workload is restored from it (source 001).

`dp_refimpl` exports what is listed here, and imports it when it is asked for: mechanisms of users do without.
"""

from dp_refimpl.matrix.consistency import Boost
from dp_refimpl.matrix.haar import Haar, Normalization
from dp_refimpl.matrix.identity import Identity
from dp_refimpl.matrix.mechanism import MatrixMechanism
from dp_refimpl.matrix.noise import DiscreteLaplaceNoise, LaplaceNoise
from dp_refimpl.matrix.parameters import Neighbors, Root
from dp_refimpl.matrix.privelet import Privelet
from dp_refimpl.matrix.tree import Tree
from dp_refimpl.matrix.weighted_privelet import WeightedPrivelet

__all__ = [
    "Boost",
    "DiscreteLaplaceNoise",
    "Haar",
    "Identity",
    "LaplaceNoise",
    "MatrixMechanism",
    "Neighbors",
    "Normalization",
    "Privelet",
    "Root",
    "Tree",
    "WeightedPrivelet",
]
