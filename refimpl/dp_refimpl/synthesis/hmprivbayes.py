"""HMPrivBayes for a given partition of the attributes (source 003, Algorithm 2 from step 4 on, and its budget split).

Every cluster gets the whole epsilon_2 for its network and the whole epsilon_3 for its joint tables, as printed. The
partition and the filter come from the segmentation, which has used epsilon_1.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, Literal, get_args

from dp_refimpl.coins import Coins
from dp_refimpl.synthesis.conditionals import Conditionals, EmptyMass, JointTable, draw_row
from dp_refimpl.synthesis.network import IBayes, Network
from dp_refimpl.synthesis.noisy_tables import (
    Base,
    CellNoise,
    HnoisyConditionals,
    NoCellNoise,
    Prefix,
    RangeGeometric,
    entropy_weights,
    geometric_alphas,
    shares,
)
from dp_refimpl.synthesis.tables import CountTable, Record, require_attributes
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.scalar import S

Joining = Literal["rowjoin", "setunion"]
"""How the rows of the clusters become one data set: the r-th rows side by side, or the set of all rows."""
Order = Literal["prose", "listing"]
"""Whether the noisy conditionals come before the rows (3.1) or, as the lines of the listing are ordered, after them."""
PartialRecord = tuple[tuple[int, int], ...]
"""Pairs of an attribute and its value, for the attributes of one cluster."""
Synthetic = CountTable | frozenset[PartialRecord]
Partition = tuple[tuple[int, ...], ...]
NoiseOf = Callable[[CountTable, Network], CellNoise]
"""The noise of the joint tables of some pairs: it may look at the data, as the weights of (11) do."""


class NotComputedError(DomainError):
    """The order of the steps asks for an object before it is computed."""


@dataclass(frozen=True)
class Readings:
    """How Algorithms 2 and 5 are read where the print is open. Raises `DomainError` for what is no reading."""

    prefix: Prefix = "d-degree"
    empty: EmptyMass = "uniform"
    joining: Joining = "rowjoin"
    order: Order = "prose"

    def __post_init__(self) -> None:
        HnoisyConditionals(NoCellNoise(), 0, self.prefix, self.empty)
        for name, value, allowed in (("joining", self.joining, Joining), ("order", self.order, Order)):
            if value not in get_args(allowed):
                raise DomainError(name, value, f"one of {', '.join(get_args(allowed))}")


DEFAULT = Readings()


@dataclass(frozen=True)
class Release:
    """Everything a run makes after the segmentation, cluster by cluster; an observer sees a part of it.

    `joints` are the noisy joint tables before negative cells are set to 0, `data` is what is published.
    """

    networks: tuple[Network, ...]
    joints: tuple[tuple[JointTable, ...], ...]
    conditionals: tuple[Conditionals, ...]
    data: Synthetic


@dataclass(frozen=True)
class HMPrivBayes(Generic[S]):
    """Steps 4-6 of Algorithm 2: networks, noisy conditional distributions and rows for the clusters of a partition.

    `networks` is IBayes with the whole epsilon_2, `noise` makes the noise of the joint tables of a cluster from the
    whole epsilon_3.
    """

    networks: IBayes[S]
    noise: NoiseOf
    readings: Readings = DEFAULT

    def run(
        self, table: CountTable, partition: Sequence[Sequence[int]], coins: Coins, rows: int | None = None
    ) -> Release:
        """One run with so many synthetic rows (default: as many as the data has).

        Raises `DomainError` for what is no partition of the attributes, and unless rows >= 0; `NotComputedError` in the
        order of the listing; and what the steps raise.
        """
        clusters = require_partition(table, partition)
        count = table.n if rows is None else rows
        if isinstance(count, bool) or not isinstance(count, int) or count < 0:
            raise DomainError("rows", rows, "an integer >= 0")
        networks, joints, made, drawn = [], [], [], []
        for cluster in clusters:
            networks.append(self.networks.build(table, cluster, coins))
            if self.readings.order == "listing":
                raise NotComputedError(
                    "conditionals", None, f"P* of {cluster} before rows are drawn: the order 'prose'"
                )
            step = self.step(table, networks[-1])
            joints.append(step.noisy_joints(table, networks[-1], coins))
            made.append(step.conditionals(networks[-1], joints[-1]))
            drawn.append([draw_row(made[-1], coins) for _ in range(count)])
        data = row_join(table, clusters, drawn) if self.readings.joining == "rowjoin" else set_union(clusters, drawn)
        return Release(tuple(networks), tuple(joints), tuple(made), data)

    def step(self, table: CountTable, network: Network) -> HnoisyConditionals:
        """Algorithm 5 for the network of a cluster, with the noise of the pairs that get any."""
        plain = HnoisyConditionals(NoCellNoise(), self.networks.degree, self.readings.prefix, self.readings.empty)
        noised = network[plain.prefix_length(table, network) :]
        return HnoisyConditionals(self.noise(table, noised), plain.degree, plain.prefix, plain.empty)


def budget_shares(d: int, k: int = 3) -> tuple[Fraction, Fraction, Fraction]:
    """epsilon_1, epsilon_2, epsilon_3 as shares of epsilon: (d-1)/n : 2d/(nk) : 2d/(nk), in which n cancels (4.1).

    Raises `DomainError` unless d >= 1 and k >= 1.
    """
    for name, value in (("d", d), ("k", k)):
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise DomainError(name, value, "an integer >= 1")
    parts = (Fraction(d - 1), Fraction(2 * d, k), Fraction(2 * d, k))
    first, second, third = (part / sum(parts) for part in parts)
    return first, second, third


def data_weights(budget: Budget[S], base: Base = "values") -> NoiseOf:
    """Clamped geometric noise with the weights e^(-OE) of the data, as printed: as if they were public."""

    def noise(table: CountTable, pairs: Network) -> CellNoise:
        weights: tuple[Any, ...] = entropy_weights(table, [x for x, _ in pairs], base)
        return RangeGeometric(geometric_alphas(budget, shares(weights)))

    return noise


def fixed_weights(budget: Budget[S], weights: Mapping[int, Any]) -> NoiseOf:
    """Clamped geometric noise with given weights of the attributes, constants that do not depend on the data."""

    def noise(table: CountTable, pairs: Network) -> CellNoise:
        missing = [x for x, _ in pairs if x not in weights]
        if missing:
            raise DomainError("weights", dict(weights), f"a weight for each of {missing}")
        return RangeGeometric(geometric_alphas(budget, shares([weights[x] for x, _ in pairs])))

    return noise


def row_join(table: CountTable, clusters: Partition, drawn: Sequence[Sequence[Record]]) -> CountTable:
    """The data set whose r-th record has the r-th rows of all clusters side by side."""
    places = [a for cluster in clusters for a in cluster]
    records = [dict(zip(places, sum(rows, ()), strict=True)) for rows in zip(*drawn, strict=True)]
    return CountTable.of_records(table.sizes, [[record[a] for a in range(len(table.sizes))] for record in records])


def set_union(clusters: Partition, drawn: Sequence[Sequence[Record]]) -> frozenset[PartialRecord]:
    """The union of the sets of rows: how often a row was drawn, and beside which others, is lost."""
    return frozenset(
        tuple(zip(cluster, row, strict=True)) for cluster, rows in zip(clusters, drawn, strict=True) for row in rows
    )


def require_partition(table: CountTable, partition: Sequence[Sequence[int]]) -> Partition:
    """The clusters, attributes in increasing order; raises `DomainError` unless each attribute is in exactly one.

    No cluster is empty.
    """
    allowed = "clusters that are not empty and have every attribute once"
    if not isinstance(partition, Sequence) or not all(
        isinstance(cluster, Sequence) and cluster for cluster in partition
    ):
        raise DomainError("partition", partition, allowed)
    clusters = tuple(tuple(sorted(require_attributes(table.sizes, cluster))) for cluster in partition)
    if sorted(a for cluster in clusters for a in cluster) != list(range(len(table.sizes))):
        raise DomainError("partition", partition, allowed)
    return clusters
