"""A reconstruction of PrivSCBN (Hong, Wu, Cai, Sun 2022; [20] of source 003): not the method of the paper.

Of the paper only the abstract is known here: clusters of binary attributes by their Jaccard distances, a network for
each by dynamic programming and the exponential mechanism, noise on the conditional distributions of binary data. Noise
scales, split of the budget and all details, (R1) to (R5) below, are ours; no statement about privacy is made. In
particular the parent sets are improved on the exact data, which costs no budget here and would have to.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any, Generic, Literal

from flint import fmpq

from dp_refimpl.coins import Coins, uniform
from dp_refimpl.requirements import require_budget, require_integer, require_word
from dp_refimpl.synthesis.clustering import Partition, Seeding, k_means_plus_plus
from dp_refimpl.synthesis.conditionals import Conditional, Conditionals, draw_row
from dp_refimpl.synthesis.dpsc import EntryNoise, LatticeNoise
from dp_refimpl.synthesis.information import mutual_information, require_records
from dp_refimpl.synthesis.log_quotients import Exact, LogQuotient
from dp_refimpl.synthesis.network import INFORMATION, Network, Pair, require_network
from dp_refimpl.synthesis.scores import jaccard
from dp_refimpl.synthesis.selection import ExponentialMechanism, Selection
from dp_refimpl.synthesis.spectral_embedding import Matrix, Reduction, SpectralEmbedding
from dp_refimpl.synthesis.table_mechanisms import TableMechanism
from dp_refimpl.synthesis.tables import CountTable, Relation, domain_records, require_attributes, require_sizes
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.scalar import Ordering, S, at_most

Published = Literal["matrix", "networks", "conditionals", "data"]
"""What is released: the noisy distances; these, clusters and networks; the transcript, which is all of this and the
conditional distributions; the rows."""


@dataclass(frozen=True)
class ReconstructedSegmentation:
    """(R1), (R2): noisy Jaccard distances, one draw for each pair, and steps 2 to 8 of Algorithm 1 with k-means++.

    Raises `DomainError` unless k >= 1, and for an unknown seeding.
    """

    noise: EntryNoise
    reduction: Reduction
    k: int
    seeding: Seeding = "d2"

    def __post_init__(self) -> None:
        require_integer("k", self.k, 1)
        require_word("seeding", self.seeding, Seeding)

    def noisy_matrix(self, table: CountTable, coins: Coins) -> Matrix:
        """J plus noise, zeros on the diagonal. Raises `DomainError` for attributes that are not binary."""
        d = len(table.sizes)
        noisy = {(i, j): self.noise.entry(jaccard(table, i, j), coins) for i, j in combinations(range(d), 2)}
        noisy |= {(j, i): entry for (i, j), entry in noisy.items()}
        return tuple(tuple(noisy.get((i, j), fmpq(0)) for j in range(d)) for i in range(d))

    def partition(self, matrix: Matrix, coins: Coins) -> Partition:
        """The clusters of the attributes, from the noisy distances alone. Raises as k-means++."""
        return k_means_plus_plus(SpectralEmbedding(matrix, self.reduction), self.k, self.seeding, coins)


@dataclass(frozen=True)
class ReconstructedNetwork(Generic[S]):
    """(R3): a uniform root, then attribute after attribute with its current parents, each choice with an equal share.

    `one` is the 1 of the number field, `degree` the bound l. Raises `DomainError` unless l >= 0 is an integer.
    """

    selection: Selection[S]
    degree: int
    one: S

    def __post_init__(self) -> None:
        require_integer("degree", self.degree, 0)

    def build(self, table: CountTable, cluster: Sequence[int], coins: Coins) -> Network:
        """A network of the attributes of a cluster. Raises `DomainError` for an empty one, and as the selection."""
        attributes = sorted(require_attributes(table.sizes, tuple(cluster)))
        if not attributes:
            raise DomainError("cluster", cluster, "at least one attribute")
        pairs: list[Pair] = [(uniform(coins, attributes, self.one), ())]
        current: dict[int, tuple[int, ...]] = dict.fromkeys(attributes, ())
        while len(pairs) < len(attributes):
            joined = pairs[-1][0]
            current = {x: self.improved(table, x, parents, joined) for x, parents in current.items() if x != joined}
            candidates = list(current.items())
            scores = [INFORMATION.value(table, x, parents) for x, parents in candidates]
            selection = self.selection.split(len(attributes) - 1)
            pairs.append(candidates[selection.choose(scores, INFORMATION.sensitivity(table.n), coins)])
        return tuple(pairs)

    def improved(self, table: CountTable, x: int, parents: tuple[int, ...], new: int) -> tuple[int, ...]:
        """The parents, or with a new one more, or in the place of one, whichever have most information on x.

        The first of several: unchanged, one more, in the place of the first, ...
        """
        best, most = parents, mutual_information(table, x, parents)
        for option in parent_options(parents, new, self.degree)[1:]:
            information = mutual_information(table, x, option)
            if information.compare(most) is Ordering.GREATER:
                best, most = option, information
        return best


def parent_options(parents: tuple[int, ...], new: int, degree: int) -> list[tuple[int, ...]]:
    """The parents, these and a new one if there are fewer than l, and with it in the place of each."""
    options = [parents]
    if len(parents) < degree:
        options.append(tuple(sorted((*parents, new))))
    return options + [tuple(sorted({*parents} - {old} | {new})) for old in parents]


def reconstructed_conditionals(table: CountTable, network: Network, noise: EntryNoise, coins: Coins) -> Conditionals:
    """(R4): for all values of the parents Pr[X = 1 | pi] with noise, set to 0 below 0 and to 1 above 1.

    Without records of these values it is 1/2 before noise. Raises `DomainError` for attributes that are not binary.
    """
    return tuple(_conditional(table, x, parents, noise, coins) for x, parents in require_network(network))


def reconstructed_rows(parts: Sequence[Conditionals], sizes: Sequence[int], rows: int, coins: Coins) -> CountTable:
    """(R5): so many rows, each the concatenation of independent rows of the clusters, in order of attribute."""
    names = [a for conditionals in parts for a in sorted(c.attribute for c in conditionals)]
    drawn = []
    for _ in range(rows):
        values = [value for conditionals in parts for value in draw_row(conditionals, coins)]
        row = dict(zip(names, values, strict=True))
        drawn.append([row[a] for a in range(len(sizes))])
    return CountTable.of_records(sizes, drawn)


@dataclass(frozen=True)
class ReconstructedSCBN(Generic[S]):
    """(R1) to (R5), one after the other; `noise` is that of the conditional distributions."""

    segmentation: ReconstructedSegmentation
    network: ReconstructedNetwork[S]
    noise: EntryNoise

    @staticmethod
    def of_budgets(
        budgets: tuple[Budget[S], Budget[S], Budget[S]], sizes: Sequence[int], n: int, k: int = 1, degree: int = 1
    ) -> "ReconstructedSCBN[S]":
        """The reconstruction with exact laws for n records: noise on the multiples of 1 / n, clamped to 0..1.

        The scales are ours: b_J = d (d - 1) / (2 epsilon_1), b_C = 2 d / epsilon_3, as if a record changed every
        distance by 1, and every conditional distribution at two values of the parents. Raises `DomainError` unless
        n >= 1, and as the steps.
        """
        if not isinstance(budgets, tuple) or len(budgets) != 3:
            raise DomainError("budgets", budgets, "the three parts of epsilon")
        first, second, third = (require_budget("budgets", budget) for budget in budgets)
        d, reduction = len(require_sizes(sizes)), Reduction(fmpq(1), k)
        step = fmpq(1, require_records(n))
        alphas = (1 / first.exp(Fraction(2, n * max(d * (d - 1), 2))), 1 / third.exp(Fraction(1, 2 * d * n)))
        distances, shares = (LatticeNoise(step, alpha, 0, n) for alpha in alphas)
        network = ReconstructedNetwork(ExponentialMechanism(second), degree, second.root * 0 + 1)
        return ReconstructedSCBN(ReconstructedSegmentation(distances, reduction, k), network, shares)

    def on_tables(
        self, sizes: Sequence[int], n: int, published: Published = "conditionals", relation: Relation = "ro"
    ) -> TableMechanism[Any, S]:
        """The reconstruction on all tables of a domain: `exact_channel` gives its law.

        Raises `DomainError` for an unknown word, and as `TableMechanism`.
        """
        require_word("published", published, Published)

        def program(table: CountTable, coins: Coins) -> Hashable:
            if published == "data":
                return self.publish(table, table.n, coins)
            matrix = self.segmentation.noisy_matrix(table, coins)
            if published == "matrix":
                return matrix
            partition = self.segmentation.partition(matrix, coins)
            networks = tuple([self.network.build(table, cluster, coins) for cluster in partition])
            if published == "networks":
                return matrix, partition, networks
            return matrix, partition, networks, self._conditionals(table, networks, coins)

        return TableMechanism(tuple(sizes), n, program, self.network.one, relation)

    def publish(self, table: CountTable, rows: int, coins: Coins) -> CountTable:
        """A synthetic data set of so many records. Raises `DomainError` unless rows >= 0, and as the steps."""
        require_integer("rows", rows, 0)
        partition = self.segmentation.partition(self.segmentation.noisy_matrix(table, coins), coins)
        networks = [self.network.build(table, cluster, coins) for cluster in partition]
        return reconstructed_rows(self._conditionals(table, networks, coins), table.sizes, rows, coins)

    def _conditionals(self, table: CountTable, networks: Sequence[Network], coins: Coins) -> tuple[Conditionals, ...]:
        return tuple([reconstructed_conditionals(table, network, self.noise, coins) for network in networks])


def _conditional(table: CountTable, x: int, parents: tuple[int, ...], noise: EntryNoise, coins: Coins) -> Conditional:
    joint = table.marginal((x, *parents))
    if joint.sizes[0] != 2:
        raise DomainError("attribute", x, "an attribute with two values")
    rows = []
    for values in domain_records(joint.sizes[1:]):
        zeros, ones = joint.count((0, *values)), joint.count((1, *values))
        share = fmpq(ones, zeros + ones) if zeros + ones else fmpq(1, 2)
        p = _clamped(noise.entry(share, coins))
        rows.append((values, (1 - p, p)))
    return Conditional(x, parents, tuple(rows))


def _clamped(number: Exact) -> fmpq:
    if isinstance(number, LogQuotient):
        raise DomainError("noise", number, "noise that leaves rational numbers rational")
    return fmpq(0) if at_most(number, 0) else fmpq(1) if at_most(1, number) else number
