"""What Figure 6 counts: candidate pairs f and table cells g of a network search, for one cluster or several.

HMPrivBayes searches k clusters, of sizes as equal as possible here, and computes d (d - 1) / 2 coefficients of its
segmentation before; PrivBayes searches all d attributes at once (source 003, Experiments).
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from dp_refimpl.synthesis.clustering import Partition
from dp_refimpl.synthesis.network import candidate_count, cell_count
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.integers import is_integer


@dataclass(frozen=True)
class Search:
    """Networks of in-degree `degree` for k clusters of d binary attributes. Raises `DomainError` unless 1 <= k <= d
    and degree >= 0."""

    d: int
    k: int
    degree: int

    def __post_init__(self) -> None:
        if not is_integer(self.k, 1, self.d):
            raise DomainError("k", self.k, f"an integer from 1 to {self.d}, the number of attributes")
        candidate_count(self.d, self.degree)

    @cached_property
    def clusters(self) -> Partition:
        """Consecutive attributes, the larger clusters first."""
        whole, more = divmod(self.d, self.k)
        ends = [c * whole + min(c, more) for c in range(self.k + 1)]
        return tuple(tuple(range(start, end)) for start, end in pairwise(ends))

    @property
    def candidates(self) -> int:
        """The sum of f(c, l): pairs that are scored."""
        return sum(candidate_count(len(c), self.degree) for c in self.clusters)

    @property
    def cells(self) -> int:
        """The sum of g(c, l): cells of their tables."""
        return sum(cell_count(len(c), self.degree) for c in self.clusters)

    @property
    def coefficients(self) -> int:
        """Pairs of attributes whose MIC the segmentation needs: all, or none for one cluster."""
        return self.d * (self.d - 1) // 2 if self.k > 1 else 0
