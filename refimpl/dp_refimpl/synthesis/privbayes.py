"""PrivBayes (Zhang, Cormode, Procopiuc, Srivastava, Xiao 2014/2017; [13] of source 003): degree, network, joint tables.

The root is uniform, every other pair is chosen by the exponential mechanism with epsilon_1 / (d - 1), and all joint
tables that get noise get equal shares of epsilon_2. Scores and sensitivities are as printed there; neighbors replace a
record.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import prod
from typing import Any, Generic, Literal, Protocol, overload

from flint import fmpq

from dp_refimpl.coins import Coins, uniform
from dp_refimpl.requirements import require_above, require_budget, require_integer, require_share, require_word
from dp_refimpl.synthesis.conditionals import Conditionals, EmptyMass, draw_row
from dp_refimpl.synthesis.information import information_sensitivity, mutual_information
from dp_refimpl.synthesis.network import INFORMATION, Network, Pair, ParentScore, require_degree, require_network
from dp_refimpl.synthesis.noisy_tables import CellNoise, HnoisyConditionals, RangeGeometric
from dp_refimpl.synthesis.scores import f_score, f_sensitivity, r_score, r_sensitivity
from dp_refimpl.synthesis.selection import ExponentialMechanism, Selection
from dp_refimpl.synthesis.table_mechanisms import TableMechanism
from dp_refimpl.synthesis.tables import CountTable, Relation, require_sizes
from dp_spec.vocabulary.budget import Budget, Epsilon
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.real import Real
from dp_spec.vocabulary.scalar import S, at_most

Published = Literal["networks", "joints", "conditionals", "data"]
"""What is released: the network; the transcript, which is that and the noisy joint tables; network and P*; the rows."""
ScoreName = Literal["I", "I-general", "F", "R"]
SCORES: dict[ScoreName, ParentScore] = {
    "I": INFORMATION,
    "I-general": ParentScore(mutual_information, information_sensitivity),
    "F": ParentScore(f_score, f_sensitivity),
    "R": ParentScore(r_score, r_sensitivity),
}
"""Scores with their printed sensitivities: `I` where the attribute or its parents are binary, `I-general` otherwise."""
DEFAULT_SCORE: ScoreName = "F"
"""Of all programs and oracles of PrivBayes: with it laws are exact at every epsilon; it is of binary attributes."""


class ParentRule(Protocol):
    """Which sets of parents an attribute may get."""

    def parent_sets(self, sizes: Sequence[int], x: int, placed: Sequence[int]) -> list[tuple[int, ...]]:
        """Sets of placed attributes, each in increasing order."""
        ...

    @property
    def prefix(self) -> int:
        """How many conditional distributions are derived from the joint table of another pair."""
        ...


@dataclass(frozen=True)
class FixedDegree:
    """All sets of min(k, number of placed attributes). Raises `DomainError` unless k >= 0 is an integer."""

    k: int

    def __post_init__(self) -> None:
        require_integer("k", self.k, 0)

    @property
    def prefix(self) -> int:
        """k."""
        return self.k

    def parent_sets(self, sizes: Sequence[int], x: int, placed: Sequence[int]) -> list[tuple[int, ...]]:
        """In lexicographic order."""
        return list(combinations(sorted(placed), min(self.k, len(placed))))


@dataclass(frozen=True)
class DomainBound(Generic[S]):
    """All sets Pi with |dom(X, Pi)| <= bound that are in no larger one; the empty set where X alone is too large.

    The bound is n epsilon_2 / (2 d theta) for general domains; all d joint tables get noise.
    """

    bound: S

    @property
    def prefix(self) -> int:
        """0."""
        return 0

    def parent_sets(self, sizes: Sequence[int], x: int, placed: Sequence[int]) -> list[tuple[int, ...]]:
        """By number of parents, then in lexicographic order."""
        useful = [
            parents
            for k in range(len(placed) + 1)
            for parents in combinations(sorted(placed), k)
            if at_most(sizes[x] * prod(sizes[p] for p in parents), self.bound)
        ]
        maximal = [one for one in useful if not any(set(one) < set(other) for other in useful)]
        return maximal or [()]


@dataclass(frozen=True)
class GreedyBayes(Generic[S]):
    """The network: a uniform root, then pair after pair by its score; `selection` has the whole budget epsilon_1.

    `one` is the 1 of the number field. With `FixedDegree(0)` there is nothing to choose by, and all is uniform.
    """

    selection: Selection[S]
    rule: ParentRule
    one: S
    score: ParentScore = SCORES[DEFAULT_SCORE]

    def build(self, table: CountTable, coins: Coins) -> Network:
        """A network of all attributes.

        Raises `DomainError` for a table without attributes, for a degree that is not below their number, for score F
        and attributes that are not binary, and as the selection.
        """
        attributes = self._attributes(table)
        pairs: list[Pair] = [(uniform(coins, attributes, self.one), ())]
        while len(pairs) < len(attributes):
            candidates = self.candidates(table, [x for x, _ in pairs])
            if self._is_free:
                pairs.append(uniform(coins, candidates, self.one))
            else:
                scores = [self.score.value(table, x, parents) for x, parents in candidates]
                selection = self.selection.split(len(attributes) - 1)
                pairs.append(candidates[selection.choose(scores, self.score.sensitivity(table.n), coins)])
        return tuple(pairs)

    def probability(self, table: CountTable, network: Network) -> S:
        """The probability of an ordered network of all attributes. Raises as `build`, and for what is no network."""
        attributes = self._attributes(table)
        placed = [x for x, _ in require_network(network)]
        if sorted(placed) != list(attributes) or network[0][1]:
            return self.one * 0
        chance = self.one / len(attributes)
        for t in range(1, len(network)):
            candidates = self.candidates(table, placed[:t])
            if network[t] not in candidates:
                return self.one * 0
            if self._is_free:
                chance = chance / len(candidates)
            else:
                scores = [self.score.value(table, x, parents) for x, parents in candidates]
                law = self.selection.split(len(attributes) - 1).law(scores, self.score.sensitivity(table.n))
                chance = chance * law[candidates.index(network[t])]
        return chance

    def candidates(self, table: CountTable, placed: Sequence[int]) -> list[Pair]:
        """All pairs of an attribute that is left and a set of parents, in order."""
        left = [x for x in self._attributes(table) if x not in placed]
        return [(x, parents) for x in left for parents in self.rule.parent_sets(table.sizes, x, placed)]

    def _attributes(self, table: CountTable) -> range:
        if not table.sizes:
            raise DomainError("table", table, "a table with attributes")
        if isinstance(self.rule, FixedDegree):
            require_degree(table.sizes, self.rule.k)
        if self.score is SCORES["F"] and not self._is_free and any(size != 2 for size in table.sizes):
            raise DomainError("sizes", table.sizes, "two values for each attribute, which score F is of")
        return range(len(table.sizes))

    @property
    def _is_free(self) -> bool:
        return isinstance(self.rule, FixedDegree) and self.rule.k == 0


@dataclass(frozen=True)
class PrivBayes(Generic[S]):
    """The network, noisy joint tables with equal shares, and rows drawn from their conditional distributions."""

    network: GreedyBayes[S]
    noise: CellNoise
    empty: EmptyMass = "uniform"

    @overload
    @staticmethod
    def of_budgets(
        epsilon_1: Epsilon, epsilon_2: Epsilon, d: int, degree: int = 1, score: ScoreName = DEFAULT_SCORE
    ) -> "PrivBayes[Real]": ...
    @overload
    @staticmethod
    def of_budgets(
        epsilon_1: Budget[S], epsilon_2: Budget[S], d: int, degree: int = 1, score: ScoreName = DEFAULT_SCORE
    ) -> "PrivBayes[S]": ...
    @staticmethod
    def of_budgets(
        epsilon_1: Any, epsilon_2: Any, d: int, degree: int = 1, score: ScoreName = DEFAULT_SCORE
    ) -> "PrivBayes[Any]":
        """The mechanism with exact laws for d attributes: geometric noise clamped to 0..n on joint tables.

        At degree 0 epsilon_1 is not used. Raises `DomainError` for what is no epsilon > 0 or score, and unless
        0 <= degree < d.
        """
        require_word("score", score, tuple(SCORES))
        rule = FixedDegree(degree)
        require_integer("d", d, degree + 1, note=", above the degree")
        first = require_budget("epsilon_1", epsilon_1) if degree else Budget.of(epsilon_1)
        second = require_budget("epsilon_2", epsilon_2)
        network = GreedyBayes(ExponentialMechanism(first), rule, second.root * 0 + 1, SCORES[score])
        return PrivBayes(network, RangeGeometric(joint_alphas(second, d - degree)))

    def on_tables(
        self, sizes: Sequence[int], n: int, published: Published = "joints", relation: Relation = "ro"
    ) -> TableMechanism[Any, S]:
        """The mechanism on all tables of a domain, with what is published of a run: `exact_channel` gives its law.

        Raises `DomainError` for an unknown word, for a number of attributes that epsilon_2 is not divided by, and as
        `TableMechanism`.
        """
        require_word("published", published, Published)
        self._require_shares(require_sizes(sizes))

        def program(table: CountTable, coins: Coins) -> Hashable:
            if published == "data":
                return self.publish(table, table.n, coins)
            network = self.network.build(table, coins)
            if published == "networks":
                return network
            step = self._step
            joints = step.noisy_joints(table, network, coins)
            return network, joints if published == "joints" else step.conditionals(network, joints)

        return TableMechanism(tuple(sizes), n, program, self.network.one, relation)

    def conditionals(self, table: CountTable, network: Network, coins: Coins) -> Conditionals:
        """P* of a network: pairs k + 1, ..., d have noisy joint tables, from the first of which the first k follow."""
        return self._step.publish(table, network, coins)

    def _require_shares(self, sizes: Sequence[int]) -> None:
        prefix = self.network.rule.prefix
        if isinstance(self.noise, RangeGeometric) and len(sizes) - prefix != len(self.noise.alphas):
            raise DomainError(
                "sizes", tuple(sizes), f"{len(self.noise.alphas) + prefix} attributes, as epsilon_2 has shares"
            )

    @property
    def _step(self) -> HnoisyConditionals:
        return HnoisyConditionals(self.noise, self.network.rule.prefix, "d-degree", self.empty)

    def publish(self, table: CountTable, rows: int, coins: Coins) -> CountTable:
        """A synthetic data set of so many records (n in print).

        Raises `DomainError` unless rows >= 0, for a number of attributes that epsilon_2 is not divided by, and as the
        steps.
        """
        self._require_shares(table.sizes)
        require_integer("rows", rows, 0)
        conditionals = self.conditionals(table, self.network.build(table, coins), coins)
        return CountTable.of_records(table.sizes, [draw_row(conditionals, coins) for _ in range(rows)])


def useful_degree(n: int, d: int, epsilon_2: Any, theta: Any) -> int:
    """The largest k in 1..d-1 with n epsilon_2 / ((d - k) 2^(k+2)) >= theta, for binary attributes; else 0.

    Raises `DomainError` unless n, d >= 1 and epsilon_2, theta > 0, `UndecidedError` where balls cannot tell.
    """
    _require_sizes(n, d, theta)
    _require_positive("epsilon_2", epsilon_2)
    useful = [k for k in range(1, d) if at_most(theta * (d - k) * 2 ** (k + 2), epsilon_2 * n)]
    return useful[-1] if useful else 0


def useful_domain(n: int, d: int, epsilon_2: S, theta: Any) -> S:
    """n epsilon_2 / (2 d theta), the largest useful |dom(X, Pi)| of general domains. Raises as `useful_degree`."""
    _require_sizes(n, d, theta)
    _require_positive("epsilon_2", epsilon_2)
    bound: S = epsilon_2 * n / (2 * d * theta)
    return bound


def degree_and_budgets(n: int, d: int, epsilon: fmpq, beta: fmpq, theta: fmpq) -> tuple[int, fmpq, fmpq]:
    """(k, epsilon_1, epsilon_2) = (k, beta epsilon, (1 - beta) epsilon); (0, 0, epsilon) where no degree is useful.

    Defaults there: beta = 3/10, theta = 4. Raises `DomainError` unless epsilon > 0 and 0 < beta < 1, and as
    `useful_degree`.
    """
    require_above("epsilon", epsilon, 0)
    require_share("beta", beta)
    k = useful_degree(n, d, (1 - beta) * epsilon, theta)
    return (k, beta * epsilon, (1 - beta) * epsilon) if k else (0, fmpq(0), epsilon)


def joint_scale(n: int, noisy: int, epsilon_2: S) -> S:
    """2 (d - k) / (n epsilon_2), the scale for frequencies, of `noisy` = d - k joint tables. Raises `DomainError`."""
    require_integer("noisy", noisy, 1, note=", the number of joint tables with noise")
    _require_positive("epsilon_2", epsilon_2)
    _require_sizes(n, noisy, 1)
    return 2 * noisy / (epsilon_2 * n)


def joint_alphas(budget: Budget[S], noisy: int) -> tuple[S, ...]:
    """alpha = e^(-epsilon_2 / (2 (d - k))) for each of `noisy` = d - k joint tables: the same noise on counts.

    Raises `NotExactError` where the field has no such number.
    """
    return (1 / budget.exp(Fraction(1, 2 * noisy)),) * noisy


def _require_sizes(n: int, d: int, theta: Any) -> None:
    require_integer("n", n, 1)
    require_integer("d", d, 1)
    _require_positive("theta", theta)


def _require_positive(name: str, number: Any) -> None:
    if number is None or at_most(number, 0):
        raise DomainError(name, number, "a number > 0")
