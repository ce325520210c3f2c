"""HMPrivBayes (source 003, Algorithm 2, and its budget split), and NoPrivacy, which is the same without noise.

Every cluster gets the whole epsilon_2 for its network and the whole epsilon_3 for its joint tables, as printed. The
partition and the filter come from the segmentation, which has used epsilon_1; or a partition is given.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Generic, Literal, get_args, overload

from flint import fmpq

from dp_refimpl.coins import Coins
from dp_refimpl.requirements import is_integer, require_budget, require_integer, require_word
from dp_refimpl.synthesis.conditionals import Conditionals, EmptyMass, JointTable, draw_row
from dp_refimpl.synthesis.network import IBayes, Network, require_degree
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
from dp_refimpl.synthesis.segmentation import Segmentation
from dp_refimpl.synthesis.selection import ExponentialMechanism, Maximum, Ties
from dp_refimpl.synthesis.spectral_embedding import Matrix
from dp_refimpl.synthesis.table_mechanisms import TableMechanism
from dp_refimpl.synthesis.tables import CountTable, Record, Relation, require_attributes, require_sizes
from dp_spec.vocabulary.budget import Budget, Epsilon
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.real import Real
from dp_spec.vocabulary.scalar import S, at_most

Joining = Literal["rowjoin", "setunion"]
"""How the rows of the clusters become one data set: the r-th rows side by side, or the set of all rows."""
Order = Literal["prose", "listing"]
"""Whether the noisy conditionals come before the rows (3.1) or, as the lines of the listing are ordered, after them."""
PartialRecord = tuple[tuple[int, int], ...]
"""Pairs of an attribute and its value, for the attributes of one cluster."""
Synthetic = CountTable | frozenset[PartialRecord]
Partition = tuple[tuple[int, ...], ...]
Published = Literal["matrix", "partition", "networks", "joints", "conditionals", "data"]
"""What is released: S; the clusters; clusters and networks; the transcript, which is all of these and the noisy joint
tables; clusters, networks and P*; the rows."""
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
        require_word("joining", self.joining, Joining)
        require_word("order", self.order, Order)


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
class Transcript:
    """A whole run: the noisy matrix S, the partition that is made of it, and what is made after the segmentation."""

    matrix: Matrix
    partition: Partition
    release: Release


@dataclass(frozen=True)
class HMPrivBayes(Generic[S]):
    """Networks, noisy conditional distributions and rows for the clusters of a partition, or after a segmentation.

    `networks` is IBayes with the whole epsilon_2, `noise` makes the noise of the joint tables of a cluster from the
    whole epsilon_3.
    """

    networks: IBayes[S]
    noise: NoiseOf
    readings: Readings = DEFAULT

    @overload
    @staticmethod
    def of_budgets(
        epsilon_2: Epsilon, epsilon_3: Epsilon, degree: int = 1, weights: Base | Mapping[int, fmpq] | None = None
    ) -> "HMPrivBayes[Real]": ...
    @overload
    @staticmethod
    def of_budgets(
        epsilon_2: Budget[S], epsilon_3: Budget[S], degree: int = 1, weights: Base | Mapping[int, fmpq] | None = None
    ) -> "HMPrivBayes[S]": ...
    @staticmethod
    def of_budgets(
        epsilon_2: Any, epsilon_3: Any, degree: int = 1, weights: Base | Mapping[int, fmpq] | None = None
    ) -> "HMPrivBayes[Any]":
        """The mechanism with exact laws: exponential mechanism, geometric noise clamped to 0..n on joint tables.

        `weights`: of attributes (None: equal ones), or those of the data with log n of (11) over values or records.
        Raises `DomainError` for what is no epsilon > 0, degree or reading, and for weights that are not > 0.
        """
        second, third = require_budget("epsilon_2", epsilon_2), require_budget("epsilon_3", epsilon_3)
        networks = IBayes(ExponentialMechanism(second), degree)
        if weights is None:
            return HMPrivBayes(networks, equal_weights(third))
        if isinstance(weights, Mapping):
            return HMPrivBayes(networks, fixed_weights(third, weights))
        return HMPrivBayes(networks, data_weights(third, weights))

    @property
    def one(self) -> S:
        """The 1 of the number field: the probability of an only candidate."""
        return self.networks.selection.law((fmpq(0),), fmpq(1))[0]

    def on_tables(
        self,
        sizes: Sequence[int],
        n: int,
        partition: Partition | Segmentation,
        published: Published = "joints",
        relation: Relation = "ro",
    ) -> TableMechanism[Any, S]:
        """The mechanism on all tables of a domain, with what is published of a run: `exact_channel` gives its law.

        With a partition that is given there is no matrix. Raises `DomainError` for an unknown word, for what is no
        partition of the attributes, and as `TableMechanism`.
        """
        allowed = get_args(Published)[0 if isinstance(partition, Segmentation) else 2 :]
        if published not in allowed:
            raise DomainError("published", published, f"one of {', '.join(allowed)}")
        require_degree(require_sizes(sizes), self.networks.degree)
        if not isinstance(partition, Segmentation):
            require_partition(CountTable(require_sizes(sizes), ()), partition)

        def program(table: CountTable, coins: Coins) -> Hashable:
            if not isinstance(partition, Segmentation):
                return self._published(table, partition, published, coins)
            matrix = partition.dpsc.noisy_matrix(table, coins)
            if published == "matrix":
                return matrix
            clusters = partition.dpsc.partition(matrix, coins)
            if published == "partition":
                return clusters
            made = self.after(partition, matrix)._published(table, clusters, published, coins)
            if published == "joints":
                return matrix, clusters, made
            return made if published == "data" else (clusters, made)

        return TableMechanism(tuple(sizes), n, program, self.one, relation)

    def after(self, segmentation: Segmentation, matrix: Matrix) -> "HMPrivBayes[S]":
        """The mechanism with the filter of a matrix that the segmentation has made."""
        return HMPrivBayes(segmentation.filtered(self.networks, matrix), self.noise, self.readings)

    def publish(
        self, table: CountTable, segmentation: Segmentation, coins: Coins, rows: int | None = None
    ) -> Transcript:
        """All of Algorithm 2, with so many rows (default: as many as the data has). Raises as the steps."""
        matrix = segmentation.dpsc.noisy_matrix(table, coins)
        partition = segmentation.dpsc.partition(matrix, coins)
        return Transcript(matrix, partition, self.after(segmentation, matrix).run(table, partition, coins, rows))

    def run(
        self, table: CountTable, partition: Sequence[Sequence[int]], coins: Coins, rows: int | None = None
    ) -> Release:
        """Steps 4 to 6 for a partition, with so many synthetic rows (default: as many as the data has).

        Raises `DomainError` for what is no partition of the attributes, and unless rows >= 0; `NotComputedError` in the
        order of the listing; and what the steps raise.
        """
        require_degree(table.sizes, self.networks.degree)
        clusters = require_partition(table, partition)
        count = require_integer("rows", table.n if rows is None else rows, 0)
        networks = self._networks(table, clusters, coins)
        require_computed(self.readings.order, clusters)
        joints = self._joints(table, networks, coins)
        made = self._conditionals(networks, joints)
        drawn = [[draw_row(conditionals, coins) for _ in range(count)] for conditionals in made]
        data = row_join(table, clusters, drawn) if self.readings.joining == "rowjoin" else set_union(clusters, drawn)
        return Release(networks, joints, made, data)

    def step(self, table: CountTable, network: Network) -> HnoisyConditionals:
        """Algorithm 5 for the network of a cluster, with the noise of the pairs that get any."""
        step = self._noiseless
        return replace(step, noise=self.noise(table, network[step.prefix_length(table, network) :]))

    @property
    def _noiseless(self) -> HnoisyConditionals:
        return HnoisyConditionals(NoCellNoise(), self.networks.degree, self.readings.prefix, self.readings.empty)

    def _networks(self, table: CountTable, clusters: Partition, coins: Coins) -> tuple[Network, ...]:
        return tuple([self.networks.build(table, cluster, coins) for cluster in clusters])

    def _joints(
        self, table: CountTable, networks: tuple[Network, ...], coins: Coins
    ) -> tuple[tuple[JointTable, ...], ...]:
        return tuple([self.step(table, network).noisy_joints(table, network, coins) for network in networks])

    def _conditionals(
        self, networks: tuple[Network, ...], joints: tuple[tuple[JointTable, ...], ...]
    ) -> tuple[Conditionals, ...]:
        pairs = zip(networks, joints, strict=True)
        return tuple(self._noiseless.conditionals(network, noisy) for network, noisy in pairs)

    def _published(self, table: CountTable, partition: Partition, published: Published, coins: Coins) -> Hashable:
        """What is published of a run for a partition, which stops there."""
        if published == "data":
            return self.run(table, partition, coins).data
        networks = self._networks(table, require_partition(table, partition), coins)
        if published == "networks":
            return networks
        joints = self._joints(table, networks, coins)
        return networks, joints if published == "joints" else self._conditionals(networks, joints)


class NoPrivacy(HMPrivBayes[fmpq]):
    """HMPrivBayes without noise: pairs of the largest scores (ties drawn, or the first), exact joint tables.

    Its segmentation has `NoEntryNoise`. Raises `DomainError` as `IBayes`, and for an unknown rule for ties.
    """

    def __init__(self, degree: int = 3, ties: Ties = "uniform", readings: Readings = DEFAULT) -> None:
        super().__init__(IBayes(Maximum(ties), degree), lambda table, pairs: NoCellNoise(), readings)


def budget_shares(d: int, k: int = 3) -> tuple[Fraction, Fraction, Fraction]:
    """epsilon_1, epsilon_2, epsilon_3 as shares of epsilon: (d-1)/n : 2d/(nk) : 2d/(nk), in which n cancels (4.1).

    Raises `DomainError` unless 1 <= k <= d.
    """
    require_integer("d", d, 1)
    require_integer("k", k, 1, d, note=", at most one cluster for each attribute")
    parts = (Fraction(d - 1), Fraction(2 * d, k), Fraction(2 * d, k))
    first, second, third = (part / sum(parts) for part in parts)
    return first, second, third


def equal_weights(budget: Budget[S]) -> NoiseOf:
    """Clamped geometric noise with equal weights of all joint tables of a cluster."""
    return lambda table, pairs: _in_shares(budget, [fmpq(1)] * len(pairs))


def data_weights(budget: Budget[S], base: Base = "values") -> NoiseOf:
    """Clamped geometric noise with the weights e^(-OE) of the data, as printed: as if they were public.

    Raises `DomainError` for an unknown reading of (11).
    """
    require_word("weights", base, Base)

    def noise(table: CountTable, pairs: Network) -> CellNoise:
        return _in_shares(budget, entropy_weights(table, [x for x, _ in pairs], base))

    return noise


def fixed_weights(budget: Budget[S], weights: Mapping[int, Any]) -> NoiseOf:
    """Clamped geometric noise with given weights of the attributes, constants that do not depend on the data.

    Raises `DomainError` for weights that are not > 0, and where a table's attribute has none.
    """
    if any(not is_integer(x, 0) or at_most(weight, 0) for x, weight in weights.items()):
        raise DomainError("weights", dict(weights), "a number > 0 for each attribute")

    def noise(table: CountTable, pairs: Network) -> CellNoise:
        missing = [x for x, _ in pairs if x not in weights]
        if missing:
            raise DomainError("weights", dict(weights), f"a weight for each of {missing}")
        return _in_shares(budget, [weights[x] for x, _ in pairs])

    return noise


def _in_shares(budget: Budget[Any], weights: Sequence[Any]) -> CellNoise:
    return RangeGeometric(geometric_alphas(budget, shares(weights)))


def require_computed(order: Order, clusters: Partition) -> None:
    """Raise `NotComputedError` in the order of the listing, where rows are drawn before there is P*."""
    if order == "listing":
        raise NotComputedError("conditionals", None, f"P* of {clusters} before rows are drawn: the order 'prose'")


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
