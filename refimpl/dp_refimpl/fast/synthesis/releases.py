"""Releases of synthetic tables on arrays: HMPrivBayes and PrivBayes.

They run the steps of `synthesis.hmprivbayes` and `synthesis.privbayes`. Every cluster gets the whole epsilon_2 and the
whole epsilon_3, as printed.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from dp_refimpl.fast.synthesis.joint_tables import ArrayJointNoise, WeightedNoise
from dp_refimpl.fast.synthesis.network import ArrayGreedyBayes, ArrayIBayes
from dp_refimpl.fast.synthesis.record_arrays import ArrayTable, Floats, require_table
from dp_refimpl.fast.synthesis.row_laws import ArrayConditional, conditionals, draw_records
from dp_refimpl.fast.synthesis.segmentation import ArraySegmentation
from dp_refimpl.fast.synthesis.selection import ExponentialArray
from dp_refimpl.matrix.noise import require_generator
from dp_refimpl.requirements import require_pair
from dp_refimpl.synthesis.conditionals import EmptyMass
from dp_refimpl.synthesis.hmprivbayes import (
    Order,
    Partition,
    Readings,
    require_computed,
    require_partition,
)
from dp_refimpl.synthesis.information import require_records
from dp_refimpl.synthesis.network import Network, require_degree
from dp_refimpl.synthesis.noisy_tables import HnoisyConditionals, NoCellNoise, Prefix
from dp_refimpl.synthesis.privbayes import DEFAULT_SCORE, FixedDegree, ScoreName
from dp_refimpl.synthesis.tables import CountTable
from dp_spec.vocabulary.budget import Epsilon


@dataclass(frozen=True, eq=False)
class ArrayRelease:
    """What a run makes, cluster by cluster: networks, noisy joint tables, conditional distributions; and the rows.

    `data` are the r-th rows of all clusters side by side, the reading `rowjoin`.
    """

    networks: tuple[Network, ...]
    joints: tuple[tuple[Floats, ...], ...]
    conditionals: tuple[tuple[ArrayConditional, ...], ...]
    data: ArrayTable


@dataclass(frozen=True, eq=False)
class ArrayTranscript:
    """A whole run: the noisy matrix S, the partition that is made of it, and what is made after the segmentation."""

    matrix: Floats
    partition: Partition
    release: ArrayRelease


@dataclass(frozen=True)
class ArrayHMPrivBayes:
    """`hmprivbayes.HMPrivBayes` on arrays. Raises `DomainError` for an unknown reading."""

    networks: ArrayIBayes
    noise: ArrayJointNoise
    prefix: Prefix = "d-degree"
    empty: EmptyMass = "uniform"
    order: Order = "prose"

    def __post_init__(self) -> None:
        Readings(self.prefix, self.empty, order=self.order)

    def publish(
        self,
        table: ArrayTable,
        segmentation: ArraySegmentation,
        generator: np.random.Generator,
        rows: int | None = None,
    ) -> ArrayTranscript:
        """All of Algorithm 2, with so many rows (default: as many as the data has). Raises as the steps."""
        require_degree(require_table(table).sizes, self.networks.degree)
        matrix = segmentation.dpsc.noisy_matrix(table, generator)
        partition = segmentation.dpsc.partition(matrix, generator)
        after = replace(self, networks=segmentation.filtered(self.networks, matrix))
        return ArrayTranscript(matrix, partition, after.run(table, partition, generator, rows))

    def run(
        self,
        table: ArrayTable,
        partition: Sequence[Sequence[int]],
        generator: np.random.Generator,
        rows: int | None = None,
    ) -> ArrayRelease:
        """Steps 4 to 6 for a partition, with so many rows (default: as many as the data has).

        Raises `DomainError` for what is no partition of the attributes, for a degree that is not below their number,
        for a table without records, and as the steps; `NotComputedError` in the order of the listing.
        """
        clusters = _clusters(table, partition)
        require_degree(table.sizes, self.networks.degree)
        networks = [self.networks.build(table, cluster, require_generator(generator)) for cluster in clusters]
        require_computed(self.order, clusters)
        program = HnoisyConditionals(NoCellNoise(), self.networks.degree, self.prefix, self.empty)
        return _published(table, networks, program, self.noise, generator, rows)


@dataclass(frozen=True)
class ArrayPrivBayes:
    """`privbayes.PrivBayes` on arrays."""

    network: ArrayGreedyBayes
    noise: ArrayJointNoise
    empty: EmptyMass = "uniform"

    def run(self, table: ArrayTable, generator: np.random.Generator, rows: int | None = None) -> ArrayRelease:
        """One run with so many rows (default: as many as the data has). Raises as the steps."""
        network = self.network.build(require_table(table), require_generator(generator))
        program = HnoisyConditionals(NoCellNoise(), self.network.rule.prefix, "d-degree", self.empty)
        return _published(table, [network], program, self.noise, generator, rows)


def hmprivbayes(
    table: ArrayTable,
    partition: Sequence[Sequence[int]],
    epsilons: tuple[Epsilon, Epsilon],
    degree: int,
    generator: np.random.Generator,
    rows: int | None = None,
) -> ArrayTable:
    """HMPrivBayes as printed for a partition, with (epsilon_2, epsilon_3), weights of the data and Laplace noise.

    Raises as `ArrayHMPrivBayes`.
    """
    second, third = require_pair("epsilons", epsilons)
    networks = ArrayIBayes(ExponentialArray(second), degree)
    return ArrayHMPrivBayes(networks, WeightedNoise(third)).run(table, partition, generator, rows).data


def privbayes(
    table: ArrayTable,
    epsilons: tuple[Epsilon, Epsilon],
    degree: int,
    generator: np.random.Generator,
    rows: int | None = None,
    *,
    score: ScoreName = DEFAULT_SCORE,
) -> ArrayTable:
    """PrivBayes with a degree, (epsilon_1, epsilon_2) and Laplace noise.

    Raises `DomainError` unless the degree is below the number of attributes, and as `ArrayPrivBayes`.
    """
    require_degree(require_table(table).sizes, degree)
    first, second = require_pair("epsilons", epsilons)
    network = ArrayGreedyBayes(ExponentialArray(first), FixedDegree(degree), score)
    return ArrayPrivBayes(network, WeightedNoise(second, "equal")).run(table, generator, rows).data


def _published(
    table: ArrayTable,
    networks: Sequence[Network],
    program: HnoisyConditionals,
    noise: ArrayJointNoise,
    generator: np.random.Generator,
    rows: int | None,
) -> ArrayRelease:
    """Algorithm 5 for each network, with the noise on the pairs that get any, and the rows."""
    require_records(table.n)
    domain, joints, made = CountTable(table.sizes, ()), [], []
    for network in networks:
        noised = network[program.prefix_length(domain, network) :]
        joints.append(noise.noisy(table, noised, generator))
        made.append(conditionals(network, joints[-1], program.empty))
    data = draw_records(made, table.sizes, table.n if rows is None else rows, generator)
    return ArrayRelease(tuple(networks), tuple(joints), tuple(made), data)


def _clusters(table: ArrayTable, partition: Sequence[Sequence[int]]) -> Partition:
    return require_partition(CountTable(require_table(table).sizes, ()), partition)
