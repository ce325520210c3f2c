"""IBayes: a Bayesian network of one cluster, chosen pair by pair (source 003, Algorithm 4), and how many there are.

A network is the ordered list of its pairs (attribute, parents), in order of selection; parents are listed in increasing
order and have been placed before.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from math import comb, factorial, prod
from typing import Any, Generic, Literal

from dp_refimpl.coins import Coins
from dp_refimpl.requirements import require_bool, require_integer, require_word
from dp_refimpl.synthesis.information import entropy, entropy_sensitivity, mutual_information
from dp_refimpl.synthesis.log_quotients import LogQuotient, compare_quotients
from dp_refimpl.synthesis.selection import Score, Selection
from dp_refimpl.synthesis.tables import CountTable, require_attributes
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.scalar import Ordering, S, at_most

Pair = tuple[int, tuple[int, ...]]
Network = tuple[Pair, ...]
ParentSets = Literal["exact-l", "min-l", "upto-l"]
"""Parent sets taken from v attributes: all of size l, all of size min(l, v), all of size at most l."""
Join = Literal["or", "and"]
"""The filter (9) drops a pair if its entry is small in one of its two rows, or only if it is small in both."""


class NoCandidateError(DomainError):
    """No attribute that is left has an admissible set of parents."""


@dataclass(frozen=True)
class ParentScore:
    """A score of an attribute and its parents, and its sensitivity at n records."""

    value: Callable[[CountTable, int, tuple[int, ...]], Score]
    sensitivity: Callable[[int], Score]


INFORMATION = ParentScore(mutual_information, entropy_sensitivity)
"""Mutual information with the sensitivity (8), as printed."""


@dataclass(frozen=True)
class IBayes(Generic[S]):
    """Algorithm 4 of source 003 for one cluster of c attributes: c choices, each with epsilon_2 / c.

    `selection` is the exponential mechanism of the whole epsilon_2 (or a maximum, without noise), `degree` the bound l
    on the number of parents, `kept` the ordered pairs that the filter leaves (None: all). Raises `DomainError` unless
    l >= 0 is an integer and for an unknown reading of the parent sets.
    """

    selection: Selection[S]
    degree: int
    sets: ParentSets = "min-l"
    kept: frozenset[tuple[int, int]] | None = None
    score: ParentScore = INFORMATION

    def __post_init__(self) -> None:
        require_integer("degree", self.degree, 0)
        require_word("sets", self.sets, ParentSets)

    def build(self, table: CountTable, cluster: Sequence[int], coins: Coins) -> Network:
        """A network of the attributes of a cluster: the root by its entropy, then pair after pair by the score.

        Raises `NoCandidateError` where no pair is admissible, `DomainError` for a cluster that is empty or not of the
        table, and what the selection raises (for n = 1: its sensitivity is 0).
        """
        candidates = _sorted(table, cluster)
        scores = [entropy(table, (x,)) for x in candidates]
        chosen = self.selection.split(len(candidates)).choose(scores, entropy_sensitivity(table.n), coins)
        return self.grow(table, cluster, candidates[chosen], coins)

    def grow(self, table: CountTable, cluster: Sequence[int], root: int, coins: Coins) -> Network:
        """A network with a given root. Raises as `build`, and `DomainError` for a root outside the cluster."""
        attributes = _sorted(table, cluster)
        if root not in attributes:
            raise DomainError("root", root, f"one of {attributes}")
        selection = self.selection.split(len(attributes))
        pairs: list[Pair] = [(root, ())]
        while len(pairs) < len(attributes):
            candidates = self.candidates(attributes, [x for x, _ in pairs])
            chosen = selection.choose(self._scores(table, candidates), self.score.sensitivity(table.n), coins)
            pairs.append(candidates[chosen])
        return tuple(pairs)

    def probability(self, table: CountTable, network: Network) -> S:
        """The probability of an ordered network of its attributes: the product along the list, 0 if it cannot occur.

        Raises as `build`, and `DomainError` for what is no network.
        """
        placed = [x for x, _ in require_network(network)]
        attributes, root = _sorted(table, placed), placed[0]
        selection = self.selection.split(len(attributes))
        law = selection.law([entropy(table, (x,)) for x in attributes], entropy_sensitivity(table.n))
        chance = law[attributes.index(root)]
        for t in range(1, len(network)):
            candidates = self.candidates(attributes, placed[:t])
            if network[t] not in candidates:
                return chance * 0
            law = selection.law(self._scores(table, candidates), self.score.sensitivity(table.n))
            chance = chance * law[candidates.index(network[t])]
        return chance

    def candidates(self, attributes: Sequence[int], placed: Sequence[int]) -> list[Pair]:
        """All admissible pairs when some attributes are placed, in order of attribute, size and parents.

        Raises `NoCandidateError` if there are none.
        """
        pairs: list[Pair] = []
        for x in attributes:
            if x not in placed:
                left = sorted(y for y in placed if self.kept is None or (x, y) in self.kept)
                sizes = _set_sizes(len(left), self.degree, self.sets)
                pairs += [(x, parents) for k in sizes for parents in combinations(left, k)]
        if not pairs:
            allowed = f"placed attributes with a set of parents of another one ({self.sets}, l = {self.degree})"
            raise NoCandidateError("placed", tuple(placed), allowed)
        return pairs

    def _scores(self, table: CountTable, candidates: Sequence[Pair]) -> list[Score]:
        return [self.score.value(table, x, parents) for x, parents in candidates]


def attribute_filter(
    matrix: Sequence[Sequence[Any]], eta: Any, join: Join = "or", *, diagonal: bool = True
) -> frozenset[tuple[int, int]]:
    """The ordered pairs (s, c), s != c, that (9) keeps: S(s, c) > eta max S(s) and S(c, s) > eta max S(c), for "or".

    With "and", one of the two is enough. The maximum of a row is taken with its diagonal entry or without. Entries may
    be `LogQuotient`s, as exact coefficients are; eta is rational then. Raises `DomainError` for a matrix that is not
    square, an eta outside 0..1, or an unknown reading, `UndecidedError` where balls cannot tell.
    """
    require_word("join", join, Join)
    if not at_most(0, eta) or not at_most(eta, 1):
        raise DomainError("eta", eta, "a number from 0 to 1")
    d = len(matrix)
    if any(len(row) != d for row in matrix):
        raise DomainError("matrix", matrix, "as many entries in every row as rows")
    require_bool("diagonal", diagonal)
    pairs = [(s, c) for s in range(d) for c in range(d) if s != c]
    bound = {
        s: _times(eta, _largest([matrix[s][c] for c in range(d) if diagonal or c != s]))
        for s in range(d)
        if diagonal or d > 1
    }
    large = {(s, c) for s, c in pairs if not _at_most(matrix[s][c], bound[s])}
    if join == "or":
        return frozenset((s, c) for s, c in pairs if (s, c) in large and (c, s) in large)
    return frozenset((s, c) for s, c in pairs if (s, c) in large or (c, s) in large)


def candidate_count(c: int, degree: int, sets: ParentSets = "min-l") -> int:
    """f(c, l): how many pairs are scored for a cluster of c attributes without a filter."""
    return sum(left * comb(v, k) for v, left, k in _steps(c, degree, sets))


def cell_count(c: int, degree: int, sets: ParentSets = "min-l") -> int:
    """g(c, l): how many cells their joint tables have if all attributes are binary."""
    return sum(left * comb(v, k) * 2 ** (k + 1) for v, left, k in _steps(c, degree, sets))


def network_count(c: int, degree: int, sets: ParentSets = "min-l") -> int:
    """How many ordered networks a cluster of c attributes has without a filter: c! times the choices of parents."""
    require_integer("c", c, 1, note=", the number of attributes of a cluster")
    choices = (sum(comb(v, k) for k in _set_sizes(v, degree, sets)) for v in range(1, c))
    return factorial(c) * prod(choices)


def require_network(network: Network) -> Network:
    """The network; raises `DomainError` unless it lists different attributes, each with parents that are listed before.

    Parents are in increasing order.
    """
    if not isinstance(network, tuple) or not network:
        raise DomainError("network", network, "a tuple of pairs of an attribute and a tuple of parents, at least one")
    placed: list[int] = []
    for pair in network:
        if not isinstance(pair, tuple) or len(pair) != 2 or not isinstance(pair[1], tuple):
            raise DomainError("network", network, "a tuple of pairs of an attribute and a tuple of parents")
        x, parents = pair
        if x in placed or not set(parents) <= set(placed) or list(parents) != sorted(set(parents)):
            raise DomainError("network", network, "different attributes with parents before them in increasing order")
        placed.append(x)
    return network


def _steps(c: int, degree: int, sets: ParentSets) -> Iterator[tuple[int, int, int]]:
    """(placed attributes, attributes left, number of parents) for all steps after the root."""
    require_integer("c", c, 1, note=", the number of attributes of a cluster")
    require_integer("degree", degree, 0)
    require_word("sets", sets, ParentSets)
    return ((v, c - v, k) for v in range(1, c) for k in _set_sizes(v, degree, sets))


def _set_sizes(v: int, degree: int, sets: ParentSets) -> Sequence[int]:
    """How many parents are taken from v attributes."""
    if sets == "exact-l":
        return [degree] if degree <= v else []
    most = min(degree, v)
    return [most] if sets == "min-l" else range(most + 1)


def require_degree(sizes: Sequence[int], degree: int) -> None:
    """Raise `DomainError` unless 0 <= degree < attributes of the whole table, or <= 1 if it has one.

    Clusters may have no more attributes than parents are allowed.
    """
    require_integer("degree", degree, 0, max(len(sizes) - 1, 1), note=", below the number of attributes")


def _sorted(table: CountTable, cluster: Sequence[int]) -> list[int]:
    attributes = sorted(require_attributes(table.sizes, cluster))
    if not attributes:
        raise DomainError("cluster", cluster, "at least one attribute")
    return attributes


def _largest(row: Sequence[S]) -> S:
    return reduce(lambda a, b: b if _at_most(a, b) else a, row)


def _at_most(left: Any, right: Any) -> bool:
    if isinstance(left, LogQuotient) or isinstance(right, LogQuotient):
        return compare_quotients(left, right) is not Ordering.GREATER
    return at_most(left, right)


def _times(eta: Any, entry: Any) -> Any:
    if isinstance(entry, LogQuotient):
        return entry.scaled(eta) if eta else eta
    return eta * entry
