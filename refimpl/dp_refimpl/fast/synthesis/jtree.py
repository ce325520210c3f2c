"""Jtree on arrays, with Laplace noise: dependency graph, clique tables made consistent, rows drawn clique by clique.

`synthesis.jtree` is the exact program; its choices are taken, but that rounding decides between equal numbers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import exp, log, log1p, prod

import numpy as np
from flint import fmpq

from dp_refimpl.fast.synthesis.record_arrays import ArrayTable, Floats
from dp_refimpl.fast.synthesis.row_laws import ArrayConditional, draw_records
from dp_refimpl.fast.synthesis.score_arrays import as_float, information_scores
from dp_refimpl.matrix.noise import require_epsilon, require_generator
from dp_refimpl.requirements import require_pair
from dp_refimpl.synthesis.information import require_records
from dp_refimpl.synthesis.jtree import CV, DependencyGraph, amplified, printed_sensitivity, sample_size
from dp_refimpl.synthesis.junction_trees import Edge, JunctionTree, Nodes, junction_tree
from dp_spec.vocabulary.budget import Epsilon
from dp_spec.vocabulary.exceptions import DomainError

WHOLE = fmpq(1)
"""The rate at which all records are drawn."""


class NoRecordError(DomainError):
    """The noisy clique tables, made consistent, leave no record possible: there is no law to draw rows from."""


@dataclass(frozen=True, eq=False)
class CliqueArray:
    """Noisy numbers of records of a clique: an axis for each attribute, in increasing order."""

    attributes: Nodes
    cells: Floats

    def marginal(self, attributes: Sequence[int]) -> Floats:
        """The sums over all other attributes, with axes of one value in their places."""
        other = tuple(i for i, a in enumerate(self.attributes) if a not in attributes)
        sums: Floats = self.cells.sum(axis=other, keepdims=True)
        return sums


@dataclass(frozen=True, eq=False)
class TreeRelease:
    """What a run makes: the junction tree, the clique tables with noise, the conditional distributions, the rows."""

    tree: JunctionTree
    tables: tuple[CliqueArray, ...]
    conditionals: tuple[ArrayConditional, ...]
    data: ArrayTable


@dataclass(frozen=True)
class ArrayJtree:
    """`jtree.Jtree` on arrays, by the budgets of the graph and of the clique tables, and a sampling rate.

    Raises `DomainError` unless both budgets are > 0, 0 < CV < 1 and 0 < rate <= 1.
    """

    epsilons: tuple[Epsilon, Epsilon]
    cv: fmpq = CV
    rate: fmpq = WHOLE

    def __post_init__(self) -> None:
        for epsilon in require_pair("epsilons", self.epsilons):
            require_epsilon(epsilon)
        amplified(fmpq(1), self.rate)
        self._graph()

    def scale(self, table: ArrayTable) -> float:
        """2 Delta_s / epsilon_a, in nats. Raises `DomainError` for a table, or a sample, of fewer than 2 records."""
        epsilon, rate = require_epsilon(self.epsilons[0]), int(self.rate.p) / int(self.rate.q)
        amplified_epsilon = epsilon + log1p((rate - 1) * exp(-epsilon)) - log(rate)
        change = printed_sensitivity(sample_size(table.n, self.rate), table.sizes)
        return 2 * as_float(change) / amplified_epsilon

    def edges(self, table: ArrayTable, generator: np.random.Generator) -> frozenset[Edge]:
        """Steps 1 and 2: a sample, and the pairs whose noisy information reaches the noisy threshold.

        Raises `DomainError` for a table, or a sample, of fewer than 2 records.
        """
        rng, scale = require_generator(generator), self.scale(table)
        drawn = table
        if self.rate != 1:
            chosen = rng.choice(table.n, sample_size(table.n, self.rate), replace=False)
            drawn = ArrayTable(table.sizes, table.records[chosen])
        pairs = list(combinations(range(len(table.sizes)), 2))
        thresholds = [self._graph().threshold(table.sizes[k], table.sizes[m]) for k, m in pairs]
        least = np.array([int(number.p) / int(number.q) for number in thresholds])
        information = np.array([float(information_scores(drawn.joint(pair))) for pair in pairs])
        noisy = information + rng.laplace(0.0, scale, len(pairs))
        reached = np.greater_equal(noisy, least + rng.laplace(0.0, scale))
        return frozenset(pair for pair, edge in zip(pairs, reached.tolist(), strict=True) if edge)

    def _graph(self) -> DependencyGraph[fmpq]:
        """For its thresholds: its noise is not used."""
        return DependencyGraph(self.cv, fmpq(1), fmpq(1, 2), 0)

    def run(self, table: ArrayTable, generator: np.random.Generator, rows: int | None = None) -> TreeRelease:
        """One run with so many rows (default: as many as the data has). Raises as `edges` and `publish`."""
        tree = junction_tree(len(table.sizes), self.edges(table, generator))
        return self.publish(table, tree, generator, rows)

    def publish(
        self, table: ArrayTable, tree: JunctionTree, generator: np.random.Generator, rows: int | None = None
    ) -> TreeRelease:
        """Steps 4 to 6 for a junction tree.

        Raises `NoRecordError` where no record is left possible, and `DomainError` for cliques of more than 2^31 cells.
        """
        scale = 2 * len(tree.cliques) / require_epsilon(self.epsilons[1])
        counts = [(clique, table.joint(clique)) for clique in tree.cliques]
        noisy = tuple(CliqueArray(clique, c + generator.laplace(0.0, scale, c.shape)) for clique, c in counts)
        made = tree_conditionals(consistent(noisy, tree, table.n), tree)
        data = draw_records([made], table.sizes, table.n if rows is None else rows, generator)
        return TreeRelease(tree, noisy, made, data)


def consistent(tables: Sequence[CliqueArray], tree: JunctionTree, n: int) -> tuple[CliqueArray, ...]:
    """Step 5: totals n, equal marginals on all intersections, then no negative cells. Raises unless n >= 1."""
    require_records(n)
    arrays = [_scaled(table.cells, n) for table in tables]
    for nodes in tree.intersections:
        places = [i for i, table in enumerate(tables) if set(nodes) <= set(table.attributes)]
        marginals = [CliqueArray(tables[i].attributes, arrays[i]).marginal(nodes) for i in places]
        widths = [arrays[i].size / m.size for i, m in zip(places, marginals, strict=True)]
        parts = [m.ravel() / w for m, w in zip(marginals, widths, strict=True)]
        average = np.sum(parts, axis=0) / sum(1 / w for w in widths)
        for i, own, width in zip(places, marginals, widths, strict=True):
            arrays[i] = arrays[i] + (average.reshape(own.shape) - own) / width
    clamped = [cells if (cells >= 0).all() else _clamped(cells, n) for cells in arrays]
    return tuple(CliqueArray(table.attributes, cells) for table, cells in zip(tables, clamped, strict=True))


def tree_conditionals(tables: Sequence[CliqueArray], tree: JunctionTree) -> tuple[ArrayConditional, ...]:
    """Step 6 as conditional distributions, attribute after attribute, clique after clique from the root.

    A clique that is impossible with some values of its separator makes these impossible in its parent: the product of
    the conditional distributions is prod Pr(Q_c) / prod Pr(separators) over its sum. Raises `NoRecordError` where that
    is 0.
    """
    cells = [table.cells.copy() for table in tables]
    separators = [(), *tree.separators]
    for child in range(len(tables) - 1, 0, -1):
        parent, nodes = tree.parents[child], separators[child]
        before = tables[child].marginal(nodes)
        after = CliqueArray(tables[child].attributes, cells[child]).marginal(nodes)
        possible = np.divide(after, before, out=np.zeros_like(after), where=before > 0)
        if parent is not None:
            shape = [
                s if a in nodes else 1 for a, s in zip(tables[parent].attributes, cells[parent].shape, strict=True)
            ]
            cells[parent] *= possible.reshape(shape)
    if not float(cells[0].sum()) > 0:
        cliques = tuple([table.attributes for table in tables])
        raise NoRecordError("cliques", cliques, "cliques whose tables leave some record possible")
    laws = []
    for table, left, nodes in zip(tables, cells, separators, strict=True):
        parents = tuple(nodes)
        for x in (a for a in table.attributes if a not in nodes):
            laws.append(ArrayConditional.of_joint(left, table.attributes, x, parents))
            parents = (*parents, x)
    return tuple(laws)


def _scaled(cells: Floats, n: int) -> Floats:
    """With total n; uniform where the total is not positive."""
    total = float(cells.sum())
    return cells * (n / total) if total > 0 else np.full(cells.shape, n / cells.size)


def _clamped(cells: Floats, n: int) -> Floats:
    """The largest positive cells whose sum is nearest to n, others 0; uniform where no cell is positive."""
    flat, positive = cells.ravel(), np.zeros(prod(cells.shape))
    order = np.argsort(-flat, kind="stable")[: int((flat > 0).sum())]
    if not order.size:
        return np.full(cells.shape, n / cells.size)
    kept = order[: int(np.abs(np.cumsum(flat[order]) - n).argmin()) + 1]
    positive[kept] = flat[kept]
    return positive.reshape(cells.shape)
