"""Jtree (Chen, Xiao, Zhang, Xu 2015; [14] of source 003), as its public reference code has it.

A graph of dependent attributes from a sample, a junction tree, noisy clique tables of all data, made consistent, and
the distribution that they imply. All logarithms are natural. Noise is on a lattice, so that laws are exact. What the
sources leave open: a sample has floor(beta n) records, at least 2 (of one record every information is 0, and so is its
printed sensitivity); a table without positive total is uniform; of two nearest sums of cells the one of fewer cells is
taken.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import combinations
from math import prod
from typing import Any, Generic, Literal

from flint import arb, fmpq

from dp_refimpl.coins import Coins, bernoulli, uniform_subset
from dp_refimpl.matrix.geometric import DiscreteLaplace
from dp_refimpl.requirements import require_above, require_budget, require_integer, require_share, require_word
from dp_refimpl.synthesis.conditionals import JointTable
from dp_refimpl.synthesis.information import (
    Information,
    entropy_sensitivity,
    information_sensitivity,
    mutual_information,
    require_records,
)
from dp_refimpl.synthesis.junction_trees import Edge, JunctionTree, junction_tree
from dp_refimpl.synthesis.noisy_tables import CellNoise, RangeGeometric
from dp_refimpl.synthesis.table_mechanisms import TableMechanism
from dp_refimpl.synthesis.tables import CountTable, Record, Relation, domain_records, require_sizes
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError, UndecidedError
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.scalar import Ordering, S, at_most, compare, is_zero

MAX_BITS = 1 << 14
RATES = tuple(fmpq(i, 1000) for i in range(1, 1001))
"""The sampling rates 0.001, 0.002, ..., 1."""
CV, STEP = fmpq(1, 5), fmpq(1, 4)
"""The default of the reference code, and the lattice of noise here."""
Published = Literal["graph", "tables", "data"]
"""What is released: the edges of the dependency graph; the transcript, which is that and the noisy clique tables; the
rows."""


# --- the sample -------------------------------------------------------------------------------------------------------


def amplified(exp_epsilon: S, rate: fmpq) -> S:
    """e^(epsilon_a) = (e^(epsilon_1) - 1 + beta) / beta. Raises `DomainError` unless 0 < beta <= 1."""
    if not isinstance(rate, fmpq) or at_most(rate, 0) or not at_most(rate, 1):
        raise DomainError("rate", rate, "a rational number (fmpq) above 0 and at most 1")
    q, p = int(rate.q), int(rate.p)
    return ((exp_epsilon - 1) * q + p) / p


def noise_scale(n: int, rate: fmpq, exp_epsilon: fmpq, binary: bool, bits: int = 128) -> arb:
    """A ball around 2 Delta_s / epsilon_a, Delta_s being S(I) in nats for a sample of floor(beta n) records.

    `binary`: whether one of any two attributes is. Raises `DomainError` for a sample of fewer than 2 records, unless
    e^(epsilon_1) > 1 is rational, and as `amplified`.
    """
    require_above("exp_epsilon", exp_epsilon, 1)
    power, size = amplified(exp_epsilon, rate), sample_size(n, rate)
    if size < 2:
        raise DomainError("rate", rate, f"a rate that leaves at least 2 of {n} records")
    with precision(bits):
        if binary:
            delta = arb(size).log() + (size - 1) * arb(fmpq(size, size - 1)).log()
        else:
            delta = 2 * arb(fmpq(size + 1, 2)).log() + (size - 1) * arb(fmpq(size + 1, size - 1)).log()
        return 2 * delta / size / arb(power).log()


def best_rate(n: int, exp_epsilon: fmpq, binary: bool = True, rates: Sequence[fmpq] = RATES) -> fmpq:
    """The rate with the least noise scale. Raises `DomainError` as `noise_scale` and if no rate leaves 2 records.

    Raises `UndecidedError` where the scales of two rates agree to `MAX_BITS` bits.
    """
    left, bits = [rate for rate in rates if sample_size(n, rate) >= 2], 64
    if not left:
        raise DomainError("n", n, "enough records for a sample of 2")
    while len(left) > 1:
        if bits > MAX_BITS:
            raise UndecidedError(f"two noise scales agree to {MAX_BITS} bits")
        scales = [noise_scale(n, rate, exp_epsilon, binary, bits) for rate in left]
        smallest = reduce(lambda a, b: a.min(b), scales)
        pairs = zip(left, scales, strict=True)
        left, bits = [rate for rate, scale in pairs if compare(scale, smallest) is not Ordering.GREATER], 2 * bits
    return left[0]


def sample_size(n: int, rate: fmpq) -> int:
    """floor(beta n). Raises `DomainError` unless n >= 1."""
    return int((rate * require_records(n)).floor())


def printed_sensitivity(n: int, sizes: Sequence[int]) -> Information:
    """Delta_s of n records: S(I) where one of any two attributes has at most two values, or the other formula.

    Raises `DomainError` unless n >= 2: of one record it is 0.
    """
    if require_records(n) < 2:
        raise DomainError("n", n, "at least 2: of one record the printed sensitivity is 0")
    binary = sum(size > 2 for size in require_sizes(sizes)) <= 1
    return entropy_sensitivity(n) if binary else information_sensitivity(n)


def sample(table: CountTable, rate: fmpq, coins: Coins) -> CountTable:
    """floor(beta n) records drawn uniformly without replacement. Raises `DomainError` unless 0 < beta <= 1."""
    amplified(fmpq(1), rate)
    records = uniform_subset(coins, table.records, sample_size(table.n, rate), fmpq(1))
    return CountTable.of_records(table.sizes, records)


# --- the dependency graph ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class DependencyGraph(Generic[S]):
    """Step 2: an edge where I + Z_kl >= CV^2 (min(v_k, v_l) - 1) / 2 + Z_0, all comparisons with one Z_0.

    Z is `step` times a two-sided geometric variable with alpha = e^(-step / scale); Z_0 is clamped to
    -reach..reach steps, so that its law is finite. Raises `DomainError` unless 0 < alpha < 1, step > 0, 0 < CV < 1,
    reach >= 0.
    """

    cv: fmpq
    step: fmpq
    alpha: S
    reach: int

    def __post_init__(self) -> None:
        DiscreteLaplace(self.alpha)
        require_share("cv", self.cv)
        require_above("step", self.step, 0)
        require_integer("reach", self.reach, 0)

    @staticmethod
    def of_budget(
        budget: Budget[S], n: int, sizes: Sequence[int], cv: fmpq = CV, step: fmpq = STEP
    ) -> "DependencyGraph[S]":
        """The graph of all n records by epsilon_1: Delta_s is rounded up to m steps, alpha = e^(-epsilon_1 / (2 m)).

        Z_0 is clamped to -m..m. Raises `DomainError` unless n >= 2, and as the class; `NotExactError` where the field
        has no such number.
        """
        change = printed_sensitivity(n, sizes)
        steps = _ceiling(lambda bits: change.nats(bits) / step)
        return DependencyGraph(cv, step, 1 / require_budget("budget", budget).exp(Fraction(1, 2 * steps)), steps)

    def threshold(self, k: int, other: int) -> fmpq:
        """CV^2 (min(v_k, v_l) - 1) / 2 for numbers of values."""
        return self.cv**2 * (min(k, other) - 1) / 2

    def edges(self, table: CountTable, coins: Coins) -> frozenset[Edge]:
        """The dependency graph of a sample. Raises `DomainError` for a table without records."""
        noise = DiscreteLaplace(self.alpha)
        common = coins.choose(self._common_law()) - self.reach
        return frozenset(
            (k, m)
            for k, m in combinations(range(len(table.sizes)), 2)
            if bernoulli(coins, noise.at_least(common + self.missing_steps(table, k, m)))
        )

    def probability(self, table: CountTable, edges: Sequence[Edge], others: Sequence[Edge] = ()) -> S:
        """The chance that the graph has all of these edges and none of the others. Raises as `edges`."""
        noise = DiscreteLaplace(self.alpha)
        present, absent = ([self.missing_steps(table, *edge) for edge in pairs] for pairs in (edges, others))
        total = self.alpha * 0
        for common, chance in enumerate(self._common_law(), -self.reach):
            has = prod((noise.at_least(common + steps) for steps in present), start=chance)
            total += prod((1 - noise.at_least(common + steps) for steps in absent), start=has)
        return total

    def _common_law(self) -> list[S]:
        """The law of Z_0 in steps, from -reach on."""
        noise = DiscreteLaplace(self.alpha)
        inside = [noise.prob(z) for z in range(1 - self.reach, self.reach)]
        return [noise.at_least(self.reach), *inside, noise.at_least(self.reach)] if self.reach else [self.alpha**0]

    def missing_steps(self, table: CountTable, k: int, m: int) -> int:
        """The least integer z with I + z * step >= threshold."""
        information, threshold = mutual_information(table, k, (m,)), self.threshold(table.sizes[k], table.sizes[m])
        if information.is_zero:
            return int((threshold / self.step).ceil())
        # ln of a rational other than 1 is irrational
        return _ceiling(lambda bits: (threshold - information.nats(bits)) / self.step)


def clique_alpha(budget: Budget[S], cliques: int) -> S:
    """alpha = e^(-epsilon_2 / (2 q)) for q clique tables, the analog of Lap(2 q / epsilon_2) per cell."""
    return 1 / budget.exp(Fraction(1, 2 * cliques))


# --- clique tables ----------------------------------------------------------------------------------------------------


def clique_tables(table: CountTable, tree: JunctionTree, noise: CellNoise, coins: Coins) -> tuple[JointTable, ...]:
    """Step 4: the counts of every clique with noise. Raises `DomainError` for a table without records."""
    n, tables = require_records(table.n), []
    for index, clique in enumerate(tree.cliques):
        exact = table.marginal(clique)
        tables.append(JointTable(clique, exact.sizes, noise.cells(index, exact.vector, n, coins)))
    return tuple(tables)


def scaled(table: JointTable, n: int) -> JointTable:
    """The table with total n; uniform where its total is not positive."""
    total = sum(table.cells, fmpq(0))
    if at_most(total, 0):
        return JointTable(table.attributes, table.sizes, (fmpq(n, len(table.cells)),) * len(table.cells))
    return JointTable(table.attributes, table.sizes, tuple(cell * n / total for cell in table.cells))


def averaged(tables: Sequence[JointTable], attributes: Sequence[int]) -> tuple[JointTable, ...]:
    """The tables with equal marginals on some attributes: the average of theirs with weights 1 / w_c.

    w_c is the number of cells of table c for each cell of the marginal; every one of them gets (average - own) / w_c.
    Tables without one of the attributes stay as they are.
    """
    chosen = [t for t in tables if set(attributes) <= set(t.attributes)]
    if not chosen:
        return tuple(tables)
    marginals = [t.marginal(attributes) for t in chosen]
    widths = [len(t.cells) // len(m.cells) for t, m in zip(chosen, marginals, strict=True)]
    total = sum((fmpq(1, w) for w in widths), fmpq(0))
    columns = zip(*(m.cells for m in marginals), strict=True)
    average = [sum((c / w for c, w in zip(cells, widths, strict=True)), fmpq(0)) / total for cells in columns]
    target = dict(zip(domain_records(marginals[0].sizes), average, strict=True))
    return tuple(_with_marginal(t, attributes, target) if t in chosen else t for t in tables)


def clamped(table: JointTable, n: int) -> JointTable:
    """The largest positive cells whose sum is nearest to n, others 0; uniform where no cell is positive.

    Equal cells are taken in their order.
    """
    positive = [i for i, cell in enumerate(table.cells) if not at_most(cell, 0)]
    if not positive:
        return JointTable(table.attributes, table.sizes, (fmpq(n, len(table.cells)),) * len(table.cells))
    positive.sort(key=lambda i: (-Fraction(int(table.cells[i].p), int(table.cells[i].q)), i))
    taken, total = [positive[0]], table.cells[positive[0]]
    for i in positive[1:]:
        if at_most(abs(total - n), abs(total + table.cells[i] - n)):
            break
        taken, total = [*taken, i], total + table.cells[i]
    kept = set(taken)
    cells = tuple(cell if i in kept else fmpq(0) for i, cell in enumerate(table.cells))
    return JointTable(table.attributes, table.sizes, cells)


def consistent(tables: Sequence[JointTable], tree: JunctionTree, n: int) -> tuple[JointTable, ...]:
    """Step 5: totals n, equal marginals on all intersections from small to large, then no negative cells.

    The last operation may make marginals and totals differ again.
    """
    joints = tuple(scaled(table, n) for table in tables)
    for attributes in tree.intersections:
        joints = averaged(joints, attributes)
    return tuple(t if all(at_most(0, cell) for cell in t.cells) else clamped(t, n) for t in joints)


# --- the distribution -------------------------------------------------------------------------------------------------


def junction_weights(tables: Sequence[JointTable], tree: JunctionTree, sizes: Sequence[int]) -> dict[Record, fmpq]:
    """prod Pr(Q_c) / prod Pr(separators) for all records (step 6), 0 / 0 = 0.

    Pr(Q_c) is table c over its total, the probability of a separator that of the clique that hangs on it. For
    consistent tables without negative cells it is a distribution with these marginals; for others the sum may differ
    from 1. Raises `DomainError` for tables without positive total.
    """
    shares = []
    for table in tables:
        total = sum(table.cells, fmpq(0))
        if at_most(total, 0):
            raise DomainError("tables", table, "tables with a total above 0")
        shares.append(JointTable(table.attributes, table.sizes, tuple(cell / total for cell in table.cells)))
    children = [share for share, parent in zip(shares, tree.parents, strict=True) if parent is not None]
    below = [share.marginal(nodes) for share, nodes in zip(children, tree.separators, strict=True)]
    tops, bottoms = [_cells(share) for share in shares], [_cells(share) for share in below]
    weights = {}
    for record in domain_records(sizes):
        weight = fmpq(1)
        for share, cells in zip(shares, tops, strict=True):
            weight *= cells[tuple(record[a] for a in share.attributes)]
        for share, cells in zip(below, bottoms, strict=True):
            if not is_zero(weight):
                weight /= cells[tuple(record[a] for a in share.attributes)]
        weights[record] = weight
    return weights


@dataclass(frozen=True)
class Jtree(Generic[S]):
    """The whole of Jtree: a sampling rate, a graph of the sample, noise of the clique tables.

    The noise has one alpha (or scale) for each clique, so that it is made from their number. Raises `DomainError`
    unless 0 < rate <= 1.
    """

    rate: fmpq
    graph: DependencyGraph[S]

    def __post_init__(self) -> None:
        amplified(fmpq(1), self.rate)

    def tree(self, table: CountTable, coins: Coins) -> JunctionTree:
        """Steps 1 to 3: the junction tree of the dependency graph of a sample."""
        return self._tree(table, coins)[0]

    def on_tables(
        self,
        sizes: Sequence[int],
        n: int,
        budget: Budget[S],
        published: Published = "tables",
        relation: Relation = "ro",
    ) -> TableMechanism[Any, S]:
        """The mechanism on all tables of a domain, with epsilon_2 for the clique tables: geometric noise, in 0..n.

        `exact_channel` gives its law. Raises `DomainError` for an unknown word, for a budget of 0, and as
        `TableMechanism`.
        """
        require_word("published", published, Published)
        second = require_budget("budget", budget)

        def program(table: CountTable, coins: Coins) -> Hashable:
            tree, edges = self._tree(table, coins)
            if published == "graph":
                return edges
            noise = RangeGeometric((clique_alpha(second, len(tree.cliques)),) * len(tree.cliques))
            if published == "data":
                return self._rows(table, tree, noise, table.n, coins)
            return edges, clique_tables(table, tree, noise, coins)

        return TableMechanism(tuple(sizes), n, program, second.root * 0 + 1, relation)

    def publish(self, table: CountTable, noise: CellNoise, rows: int, coins: Coins) -> CountTable:
        """Steps 1 to 6 with so many rows.

        Raises `DomainError` unless rows >= 0, and where the distribution has total 0.
        """
        require_integer("rows", rows, 0)
        return self._rows(table, self.tree(table, coins), noise, rows, coins)

    def _tree(self, table: CountTable, coins: Coins) -> tuple[JunctionTree, tuple[Edge, ...]]:
        drawn = sample(table, self.rate, coins) if not at_most(1, self.rate) else table
        edges = tuple(sorted(self.graph.edges(drawn, coins)))
        return junction_tree(len(table.sizes), edges), edges

    def _rows(self, table: CountTable, tree: JunctionTree, noise: CellNoise, rows: int, coins: Coins) -> CountTable:
        tables = consistent(clique_tables(table, tree, noise, coins), tree, table.n)
        weights = junction_weights(tables, tree, table.sizes)
        total = sum(weights.values(), fmpq(0))
        if is_zero(total):
            raise DomainError("tables", tables, "clique tables that leave some record possible")
        records, law = list(weights), [weight / total for weight in weights.values()]
        return CountTable.of_records(table.sizes, [records[coins.choose(law)] for _ in range(rows)])


def _with_marginal(table: JointTable, attributes: Sequence[int], target: dict[Record, fmpq]) -> JointTable:
    own = dict(zip(domain_records(table.marginal(attributes).sizes), table.marginal(attributes).cells, strict=True))
    width = len(table.cells) // len(own)
    places = [table.attributes.index(a) for a in attributes]
    cells = []
    for record, cell in zip(domain_records(table.sizes), table.cells, strict=True):
        at = tuple(record[i] for i in places)
        cells.append(cell + (target[at] - own[at]) / width)
    return JointTable(table.attributes, table.sizes, tuple(cells))


def _cells(table: JointTable) -> dict[Record, fmpq]:
    return dict(zip(domain_records(table.sizes), table.cells, strict=True))


def _ceiling(enclosure: Callable[[int], arb]) -> int:
    """The least integer above an irrational number, balls around which have so many bits: the loop ends."""
    bits = 64
    while True:
        with precision(bits):
            integer = enclosure(bits).ceil().unique_fmpz()
        if integer is not None:
            return int(integer)
        bits *= 2
