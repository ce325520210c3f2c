"""IBayes and the network of PrivBayes on arrays: all candidates of a step are scored at once, each pair only once.

What is new when an attribute is placed are the sets of parents that it belongs to. Selections are those of
`fast.synthesis.selection`; laws are the ones of `synthesis.network` and `synthesis.privbayes` but for rounding.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from flint import fmpq

from dp_refimpl.fast.array_coins import Indices
from dp_refimpl.fast.synthesis.parent_rules import ArrayParentRule, BoundedSets, SizedSets
from dp_refimpl.fast.synthesis.record_arrays import ArrayTable, Floats
from dp_refimpl.fast.synthesis.score_arrays import ScoreOf, as_float, entropies, score_function, sensitivity
from dp_refimpl.fast.synthesis.selection import ArraySelection
from dp_refimpl.requirements import require_word
from dp_refimpl.synthesis.information import entropy_sensitivity, require_records
from dp_refimpl.synthesis.network import (
    IBayes,
    Network,
    NoCandidateError,
    Pair,
    ParentSets,
    require_degree,
)
from dp_refimpl.synthesis.privbayes import DEFAULT_SCORE, DomainBound, FixedDegree, ScoreName
from dp_refimpl.synthesis.selection import Maximum
from dp_refimpl.synthesis.tables import require_attributes
from dp_spec.vocabulary.exceptions import DomainError

Choice = Callable[[Floats], int]
"""The index of one of the scores."""


@dataclass(frozen=True)
class ArrayIBayes:
    """`network.IBayes` on arrays (source 003, Algorithm 4): c choices, each with epsilon_2 / c. Raises as it."""

    selection: ArraySelection
    degree: int
    sets: ParentSets = "min-l"
    kept: frozenset[tuple[int, int]] | None = None
    score: ScoreName = "I"

    def __post_init__(self) -> None:
        IBayes(Maximum(), self.degree, self.sets)

    def build(self, table: ArrayTable, cluster: Sequence[int], generator: np.random.Generator) -> Network:
        """A network of the attributes of a cluster.

        Raises `NoCandidateError` where no pair is admissible, `DomainError` for a cluster that is empty or not of the
        table, for a table without records, and what the selection raises.
        """
        attributes, part = cluster_table(table, cluster)
        selection, frontier = self.selection.split(len(attributes)), self._frontier(part, attributes)
        root = selection.choose(_root_scores(part), as_float(entropy_sensitivity(part.n)), generator)
        change = sensitivity(self.score, part.n)
        network = frontier.grow(root, lambda scores: selection.choose(scores, change, generator))
        return tuple((attributes[x], tuple(attributes[p] for p in parents)) for x, parents in network)

    def _frontier(self, part: ArrayTable, attributes: Sequence[int]) -> "Frontier":
        kept = None
        if self.kept is not None:
            kept = np.array([[(a, b) in self.kept for b in attributes] for a in attributes], np.bool_)
        rule = SizedSets(len(attributes), self.degree, self.sets, kept)
        return Frontier(len(attributes), rule, score_function(part, self.score, rule.most))


@dataclass(frozen=True)
class ArrayGreedyBayes:
    """`privbayes.GreedyBayes` on arrays: a uniform root, then d - 1 choices.

    Raises `DomainError` unless the bound of a `DomainBound` is rational (fmpq), and for an unknown score.
    """

    selection: ArraySelection
    rule: FixedDegree | DomainBound[fmpq]
    score: ScoreName = DEFAULT_SCORE

    def __post_init__(self) -> None:
        require_word("score", self.score, ScoreName)
        if isinstance(self.rule, DomainBound) and not isinstance(self.rule.bound, fmpq):
            raise DomainError("bound", self.rule.bound, "a rational number (fmpq)")

    def build(self, table: ArrayTable, generator: np.random.Generator) -> Network:
        """A network of all attributes.

        Raises `DomainError` for a table without any, for a degree that is not below their number, for joint tables
        within the bound of more than 2^31 cells, and as the selection.
        """
        attributes, part = self._whole(table)
        root = int(generator.integers(len(attributes)))
        selection, change = self._selection(len(attributes)), sensitivity(self.score, part.n)
        if self._is_free:
            return self._frontier(part).grow(root, lambda scores: int(generator.integers(len(scores))))
        return self._frontier(part).grow(root, lambda scores: selection.choose(scores, change, generator))

    def _whole(self, table: ArrayTable) -> tuple[list[int], ArrayTable]:
        if isinstance(self.rule, FixedDegree):
            require_degree(table.sizes, self.rule.k)
        return cluster_table(table, range(len(table.sizes)))

    @property
    def _is_free(self) -> bool:
        return isinstance(self.rule, FixedDegree) and self.rule.k == 0

    def _selection(self, attributes: int) -> ArraySelection:
        return self.selection.split(max(attributes - 1, 1))

    def _frontier(self, table: ArrayTable) -> "Frontier":
        rule: ArrayParentRule
        if isinstance(self.rule, FixedDegree):
            rule = SizedSets(len(table.sizes), self.rule.k)
        else:
            rule = BoundedSets.of(table.sizes, self.rule.bound)
        return Frontier(len(table.sizes), rule, score_function(table, self.score, rule.most))


def cluster_table(table: ArrayTable, cluster: Sequence[int]) -> tuple[list[int], ArrayTable]:
    """The attributes of a cluster in increasing order, and the table of them.

    Raises `DomainError` for a cluster that is empty or not of the table, and for a table without records.
    """
    require_records(table.n)
    attributes = sorted(require_attributes(table.sizes, cluster))
    if not attributes:
        raise DomainError("cluster", cluster, "at least one attribute")
    return attributes, table.marginal(attributes)


class Frontier:
    """The scores of the attributes that are left with the sets of placed ones, while a network grows.

    Sets of at most `rule.most` attributes are kept as long as the rule finds them useful.
    """

    def __init__(self, attributes: int, rule: ArrayParentRule, score_of: ScoreOf) -> None:
        self._rule, self._score_of = rule, score_of
        self._left, self._placed = np.arange(attributes), np.zeros(0, np.int64)
        self._parents: list[Indices] = [np.zeros((int(k == 0), k), np.int64) for k in range(rule.most + 1)]
        self._scores = [score_of(self._left, parents) for parents in self._parents]
        self._listed: list[int] = []

    def grow(self, root: int, choose: Choice) -> Network:
        """A network with a given root, pair after pair. Raises `NoCandidateError` where no pair is admissible."""
        pairs: list[Pair] = [(root, ())]
        self.place(root)
        while self._left.size:
            x, parents = self._pair(choose(self.candidates()))
            pairs.append((x, parents))
            self.place(x)
        return tuple(pairs)

    def candidates(self) -> Floats:
        """The scores of all pairs, by number of parents, attribute and set; -inf for those that are not admissible."""
        used = {k: self._rule.admissible(self._left, self._placed, parents) for k, parents in enumerate(self._parents)}
        self._listed = [k for k, mask in used.items() if np.any(mask)]
        listed = [
            (self._scores[k] if np.all(used[k]) else np.where(used[k], self._scores[k], -np.inf)).ravel()
            for k in self._listed
        ]
        scores = listed[0] if len(listed) == 1 else np.concatenate([np.zeros(0), *listed])
        if not scores.size:
            placed = tuple(self._placed.tolist())
            raise NoCandidateError("placed", placed, "attributes with an admissible set of parents of another one")
        return scores

    def place(self, x: int) -> None:
        """Take an attribute from those that are left, and score all sets of parents that it belongs to."""
        rows = self._left != x
        self._left, self._placed = self._left[rows], np.append(self._placed, x)
        for k in range(len(self._parents) - 1, 0, -1):
            smaller = self._parents[k - 1]
            new = self._rule.useful(np.column_stack([smaller, np.full(len(smaller), x)]))
            self._parents[k] = np.concatenate([self._parents[k], new])
            self._scores[k] = np.hstack([self._scores[k][rows], self._score_of(self._left, new)])
        self._scores[0] = self._scores[0][rows]

    def _pair(self, index: int) -> Pair:
        """The candidate of an index."""
        for k in self._listed:
            if index < self._scores[k].size:
                break
            index -= self._scores[k].size
        row, column = divmod(index, len(self._parents[k]))
        return int(self._left[row]), tuple(sorted(self._parents[k][column].tolist()))


def _root_scores(table: ArrayTable) -> Floats:
    return np.array([float(entropies(table.joint((x,)))) for x in range(len(table.sizes))])
