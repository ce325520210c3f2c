"""The reconstruction of PrivSCBN on arrays, with Laplace noise: not the method of the paper, as `synthesis.scbn` says.

That is the exact program, with the steps (R1) to (R5); here rounding decides between equal scores and distances.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from dp_refimpl.fast.synthesis.clustering import entry_noise, k_means_plus_plus, spectral_rows
from dp_refimpl.fast.synthesis.network import cluster_table
from dp_refimpl.fast.synthesis.record_arrays import ArrayTable, Floats, require_table
from dp_refimpl.fast.synthesis.row_laws import ArrayConditional, draw_records
from dp_refimpl.fast.synthesis.score_arrays import score_function, sensitivity
from dp_refimpl.fast.synthesis.selection import ArraySelection
from dp_refimpl.fast.synthesis.subset_counts import SubsetCounts
from dp_refimpl.matrix.noise import require_generator
from dp_refimpl.requirements import require_integer, require_pair, require_word
from dp_refimpl.synthesis.clustering import Partition, Seeding
from dp_refimpl.synthesis.information import require_records
from dp_refimpl.synthesis.network import Network, Pair, require_degree
from dp_refimpl.synthesis.scbn import parent_options
from dp_refimpl.synthesis.spectral_embedding import Reduction
from dp_spec.vocabulary.exceptions import DomainError


@dataclass(frozen=True, eq=False)
class ReconstructedRelease:
    """What a run makes: clusters, a network and conditional distributions of each, and the rows."""

    partition: Partition
    networks: tuple[Network, ...]
    conditionals: tuple[tuple[ArrayConditional, ...], ...]
    data: ArrayTable


@dataclass(frozen=True)
class ArrayReconstructedSCBN:
    """`scbn.ReconstructedSCBN` on arrays: the scales (b_J, b_C) of the noise, and the selection of the whole epsilon_2.

    Raises `DomainError` unless the scales are finite and >= 0, k >= 1, degree >= 0, and for an unknown seeding.
    """

    scales: tuple[float, float]
    selection: ArraySelection
    reduction: Reduction
    k: int
    degree: int
    seeding: Seeding = "d2"

    def __post_init__(self) -> None:
        if not all(isinstance(b, float | int) and 0 <= b < np.inf for b in require_pair("scales", self.scales)):
            raise DomainError("scales", self.scales, "two finite numbers >= 0")
        require_integer("k", self.k, 1)
        require_word("seeding", self.seeding, Seeding)
        require_integer("degree", self.degree, 0)

    def noisy_matrix(self, table: ArrayTable, generator: np.random.Generator) -> Floats:
        """(R1): noisy Jaccard distances, zeros on the diagonal. Raises `DomainError` unless all are binary."""
        d = len(table.sizes)
        if not d:
            raise DomainError("sizes", table.sizes, "at least one attribute")
        noisy = entry_noise(d, self.scales[0], "once", require_generator(generator))
        pairs = np.array(list(combinations(range(d), 2)), np.int64).reshape(-1, 2)
        counts = SubsetCounts(table, 2).joints(pairs).reshape(len(pairs), 4)
        either: Floats = counts[:, 1:].sum(axis=1).astype(np.float64)
        both = counts[:, 3]
        distances = np.zeros((d, d))
        distances[pairs[:, 0], pairs[:, 1]] = np.where(either > 0, 1 - both / np.maximum(either, 1), 0.0)
        noisy += distances + distances.T
        return noisy

    def partition(self, matrix: Floats, generator: np.random.Generator) -> Partition:
        """(R2): the clusters of the attributes, from the noisy distances alone. Raises as its steps."""
        return k_means_plus_plus(spectral_rows(matrix, self.reduction), self.k, self.seeding, generator)

    def build(self, table: ArrayTable, cluster: Sequence[int], generator: np.random.Generator) -> Network:
        """(R3): a network of the attributes of a cluster. Raises `DomainError` for an empty one."""
        attributes, part = cluster_table(table, cluster)
        selection, change = self.selection.split(max(len(attributes) - 1, 1)), sensitivity("I", part.n)
        score_of = score_function(part, "I", self.degree)

        def score(x: int, parents: tuple[int, ...]) -> float:
            return float(score_of(np.array([x]), np.array(parents, np.int64).reshape(1, -1))[0, 0])

        def improved(x: int, parents: tuple[int, ...], new: int) -> tuple[int, ...]:
            options = parent_options(parents, new, self.degree)
            return options[int(np.argmax([score(x, option) for option in options]))]

        joined = int(generator.integers(len(attributes)))
        pairs: list[Pair] = [(joined, ())]
        current: dict[int, tuple[int, ...]] = dict.fromkeys(range(len(attributes)), ())
        while len(pairs) < len(attributes):
            current = {x: improved(x, parents, joined) for x, parents in current.items() if x != joined}
            scores = np.array([score(x, parents) for x, parents in current.items()])
            pairs.append(list(current.items())[selection.choose(scores, change, generator)])
            joined = pairs[-1][0]
        return tuple((attributes[x], tuple(attributes[p] for p in parents)) for x, parents in pairs)

    def conditionals(
        self, table: ArrayTable, network: Network, generator: np.random.Generator
    ) -> tuple[ArrayConditional, ...]:
        """(R4): Pr[X = 1 | pi] with noise, clamped to [0, 1]; 1/2 before noise where there are no records of pi."""
        laws = []
        for x, parents in network:
            zeros, ones = table.joint((x, *parents)).reshape(2, -1)
            shares = np.where(zeros + ones > 0, ones / np.maximum(zeros + ones, 1), 0.5)
            p = np.clip(shares + generator.laplace(0.0, self.scales[1], shares.shape), 0.0, 1.0)
            laws.append(ArrayConditional(x, parents, np.column_stack([1 - p, p])))
        return tuple(laws)

    def run(self, table: ArrayTable, generator: np.random.Generator, rows: int | None = None) -> ReconstructedRelease:
        """One run with so many rows (default: as many as the data has).

        Raises `DomainError` for a degree that is not below the number of attributes, and as the steps.
        """
        require_records(require_table(table).n)
        require_degree(table.sizes, self.degree)
        partition = self.partition(self.noisy_matrix(table, generator), generator)
        networks = tuple([self.build(table, cluster, generator) for cluster in partition])
        made = tuple([self.conditionals(table, network, generator) for network in networks])
        data = draw_records(made, table.sizes, table.n if rows is None else rows, generator)
        return ReconstructedRelease(partition, networks, made, data)
