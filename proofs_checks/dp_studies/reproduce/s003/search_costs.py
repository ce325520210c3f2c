"""What Figure 6 counts: candidate pairs f and table cells g of a network search, for one cluster or several.

HMPrivBayes searches k clusters, of sizes as equal as possible here, and computes d (d - 1) / 2 coefficients of its
segmentation before; PrivBayes searches all d attributes at once (source 003, Experiments).
"""

from dataclasses import dataclass
from functools import cached_property

from dp_refimpl.synthesis.network import candidate_count, cell_count
from dp_spec.vocabulary.exceptions import DomainError


@dataclass(frozen=True)
class Search:
    """Networks of in-degree `degree` for k clusters of d binary attributes. Raises `DomainError` unless 1 <= k <= d
    and degree >= 0."""

    d: int
    k: int
    degree: int

    def __post_init__(self) -> None:
        if isinstance(self.k, bool) or not isinstance(self.k, int) or not 1 <= self.k <= self.d:
            raise DomainError("k", self.k, f"an integer from 1 to {self.d}, the number of attributes")
        candidate_count(self.d, self.degree)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """Of the clusters, the larger ones first."""
        whole, more = divmod(self.d, self.k)
        return (whole + 1,) * more + (whole,) * (self.k - more)

    @property
    def candidates(self) -> int:
        """The sum of f(c, l): pairs that are scored."""
        return sum(candidate_count(c, self.degree) for c in self.sizes)

    @property
    def cells(self) -> int:
        """The sum of g(c, l): cells of their tables."""
        return sum(cell_count(c, self.degree) for c in self.sizes)

    @property
    def coefficients(self) -> int:
        """Pairs of attributes whose MIC the segmentation needs: all, or none for one cluster."""
        return self.d * (self.d - 1) // 2 if self.k > 1 else 0
