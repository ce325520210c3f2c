"""Oracles of private selection: a candidate is drawn by its utility on the data.

The exponential mechanism (McSherry and Talwar 2007), permute-and-flip (McKenna and Sheldon 2020, whose law is that of
report-noisy-max with exponential noise, Ding et al. 2021), and the exponential mechanism on categories, for which the
input itself is the data and a distance the utility. The inputs are data sets, every two of them neighbors.
"""

from abc import abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from flint import fmpq

from dp_audit.oracles.additive import as_fraction, listed, rational
from dp_audit.oracles.base import Epsilon, Number, Oracle, OracleKind, epsilon, exact_sum
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.scalar import Ordering, compare

Utilities = tuple[tuple[fmpq, ...], ...]
"""Of every data set: the utility of every candidate."""


@dataclass(frozen=True)
class Selection(Oracle):
    """Data sets 0 .. n-1, given by the utilities of the candidates 0 .. m-1; a report is a candidate.

    e^(epsilon u / (2 sensitivity)) is a candidate's weight; the 2 is not needed if the utility is `monotonic`: between
    two neighbors all utilities change in one direction. Raises `DomainError` unless every two data sets are
    neighbors: no utility differs by more than the sensitivity (and they change in one direction, if monotonic).
    """

    utilities: Utilities
    sensitivity: fmpq
    epsilon: Epsilon
    monotonic: bool = False

    def __post_init__(self) -> None:
        if compare(self.sensitivity, 0) is not Ordering.GREATER:
            raise DomainError("sensitivity", self.sensitivity, "a number > 0")
        for one, other in combinations(self.utilities, 2):
            signs = {compare(a, b) for a, b in zip(one, other, strict=True)}
            if self.monotonic and {Ordering.LESS, Ordering.GREATER} <= signs:
                raise DomainError("utilities", self.utilities, "utilities that change in one direction (monotonic)")
            if any(compare(abs(a - b), self.sensitivity) is Ordering.GREATER for a, b in zip(one, other, strict=True)):
                raise DomainError("utilities", self.utilities, f"differences of at most {self.sensitivity}")

    @property
    def inputs(self) -> tuple[Item, ...]:
        """The numbers of the data sets."""
        return tuple(range(len(self.utilities)))

    def law(self, item: Item) -> Mapping[Hashable, Number]:
        """Law of the candidate."""
        return dict(enumerate(self._chances(self._weights(self.utilities[self.require_input(item)]))))

    def possible(self, output: Hashable) -> bool:
        """Every candidate is."""
        return isinstance(output, int) and not isinstance(output, bool) and output in range(len(self.utilities[0]))

    def _weights(self, utilities: Sequence[fmpq]) -> list[Number]:
        """Weights <= 1: relative to the best candidate."""
        scale = self.sensitivity if self.monotonic else 2 * self.sensitivity
        best = max(as_fraction(u) for u in utilities)
        return [self.epsilon.exp((as_fraction(u) - best) / as_fraction(scale)) for u in utilities]

    @abstractmethod
    def _chances(self, weights: Sequence[Number]) -> list[Number]:
        """Probabilities of the candidates with these weights."""


@dataclass(frozen=True)
class Exponential(Selection):
    """The exponential mechanism: probabilities proportional to the weights. Its own ratio is below e^epsilon for most
    utilities."""

    def _chances(self, weights: Sequence[Number]) -> list[Number]:
        total = exact_sum(weights)
        return [weight / total for weight in weights]


@dataclass(frozen=True)
class PermuteAndFlip(Selection):
    """Permute-and-flip: candidates in a random order, each taken with probability its weight, until one is."""

    def _chances(self, weights: Sequence[Number]) -> list[Number]:
        return [w * _nobody_before([*weights[:r], *weights[r + 1 :]]) for r, w in enumerate(weights)]


def _nobody_before(others: Sequence[Number]) -> Number:
    """The integral over t in [0, 1] of prod (1 - t p): places in a random order are independent uniform times t."""
    product: list[Number] = [fmpq(1)]
    for p in others:
        product = [a - p * b for a, b in zip([*product, fmpq(0)], [fmpq(0), *product], strict=True)]
    return exact_sum([coefficient / (power + 1) for power, coefficient in enumerate(product)])


@dataclass(frozen=True)
class ExponentialCategorical(Oracle):
    """Categories 0 .. n-1; y is reported for x with weight e^(-epsilon d(x, y) / (2 D)), D the largest distance.

    This is the exponential mechanism with utility -d(x, y). The 2 pays for the change of the normalizing constant: it
    is not needed if all rows of distances are permutations of each other, which makes that constant the same for every
    x. Raises `DomainError` for distances that are not symmetric, >= 0 with 0 on the diagonal, and not all 0.
    """

    distances: Utilities
    epsilon: Epsilon

    def __post_init__(self) -> None:
        n = range(len(self.distances))
        symmetric = all(self.distances[x][y] == self.distances[y][x] for x in n for y in n)
        diagonal = all(self.distances[x][x] == 0 for x in n)
        negative = any(compare(value, 0) is Ordering.LESS for row in self.distances for value in row)
        if not symmetric or not diagonal or negative or self._largest() == 0:
            raise DomainError("distances", self.distances, "symmetric numbers >= 0, 0 on the diagonal only")

    @property
    def inputs(self) -> tuple[Item, ...]:
        """The categories."""
        return tuple(range(len(self.distances)))

    @property
    def balanced(self) -> bool:
        """Whether the normalizing constant is the same for all categories at every epsilon."""
        return len({tuple(sorted(map(as_fraction, row))) for row in self.distances}) == 1

    def law(self, item: Item) -> Mapping[Hashable, Number]:
        """Law of the category reported."""
        scale = self._largest() * (1 if self.balanced else 2)
        weights = [self.epsilon.exp(-as_fraction(d) / scale) for d in self.distances[self.require_input(item)]]
        total = exact_sum(weights)
        return {y: weight / total for y, weight in enumerate(weights)}

    def possible(self, output: Hashable) -> bool:
        """Every category is."""
        return isinstance(output, int) and not isinstance(output, bool) and output in self.inputs

    def _largest(self) -> Fraction:
        return max(as_fraction(value) for row in self.distances for value in row)


def _scores(
    scores: Utilities, sensitivities: tuple[fmpq, ...], epsilon: Epsilon, monotonic: bool = False
) -> Exponential:
    """Every candidate's score has a sensitivity of its own: in units of them the utilities have sensitivity 1."""
    if len(sensitivities) != len(scores[0]) or any(compare(s, 0) is not Ordering.GREATER for s in sensitivities):
        raise DomainError("sensitivities", sensitivities, "a number > 0 for every candidate")
    utilities = tuple(tuple(u / s for u, s in zip(row, sensitivities, strict=True)) for row in scores)
    return Exponential(utilities, fmpq(1), epsilon, monotonic)


def _hierarchical(hierarchy: tuple[object, ...], epsilon: Epsilon) -> ExponentialCategorical:
    """The distance of two leaves is the height of their lowest common node."""
    paths = dict(_leaves(hierarchy, ()))
    height = {len(path) for path in paths.values()}
    if sorted(paths) != list(range(len(paths))) or len(paths) != len(_leaves(hierarchy, ())) or len(height) != 1:
        raise DomainError("hierarchy", hierarchy, "nested lists with every leaf 0 .. n-1 once, all at one depth")

    def distance(x: int, y: int) -> fmpq:
        common = 0
        while common < len(paths[x]) and paths[x][common] == paths[y][common]:
            common += 1
        return fmpq(len(paths[x]) - common)

    return ExponentialCategorical(
        tuple(tuple(distance(x, y) for y in range(len(paths))) for x in sorted(paths)), epsilon
    )


def _leaves(node: Sequence[object], path: tuple[int, ...]) -> list[tuple[int, tuple[int, ...]]]:
    found = []
    for place, child in enumerate(node):
        if isinstance(child, list | tuple):
            found += _leaves(child, (*path, place))
        elif isinstance(child, int) and not isinstance(child, bool):
            found.append((child, (*path, place)))
        else:
            raise DomainError("hierarchy", node, "nested lists of integers")
    return found


# --- parameters -------------------------------------------------------------------------------------------------------


def matrix(name: str, value: object) -> Utilities:
    """The reader of two or more rows of equally many (two or more) numbers. Raises `DomainError`."""
    allowed = 'two or more rows of equally many numbers, or text as "[[0, 1], [1, 0]]"'
    rows = tuple(tuple(rational(name, x) for x in listed(name, row, allowed)) for row in listed(name, value, allowed))
    if len(rows) < 2 or len({len(row) for row in rows}) != 1 or len(rows[0]) < 2:
        raise DomainError(name, value, allowed)
    return rows


def rationals(name: str, value: object) -> tuple[fmpq, ...]:
    """The reader of a list of numbers. Raises `DomainError`."""
    if isinstance(value, str) and not value.lstrip().startswith("["):
        value = value.split(",")
    return tuple(rational(name, x) for x in listed(name, value, 'numbers, or text as "1, 1/2"'))


def square(name: str, value: object) -> Utilities:
    """The reader of a square matrix. Raises `DomainError`."""
    rows = matrix(name, value)
    if len(rows) != len(rows[0]):
        raise DomainError(name, value, "as many rows as columns")
    return rows


def flag(name: str, value: object) -> bool:
    """The reader of truth values: true or false, also as text. Raises `DomainError`."""
    known: Mapping[object, bool] = {"true": True, "false": False}
    found = known.get(value.lower()) if isinstance(value, str) else value
    if not isinstance(found, bool):
        raise DomainError(name, value, "true or false")
    return found


def tree(name: str, value: object) -> tuple[object, ...]:
    """The reader of nested lists. Raises `DomainError`."""
    return listed(name, value, 'nested lists of integers, or text as "[[0, 1], [2, 3]]"')


TWICE = "; without the 2 if monotonic"
CHOSEN = "a candidate 0, 1, ...; an input is the number of a row of utilities"


def _kind(make: Callable[..., Selection], law: str) -> OracleKind:
    readers = {"utilities": matrix, "sensitivity": rational, "epsilon": epsilon, "monotonic": flag}
    return OracleKind(make, readers, law + TWICE, CHOSEN, frozenset({"monotonic"}))


KINDS = {
    "Exponential": _kind(
        Exponential,
        "a candidate with probability proportional to e^(epsilon u / (2 sensitivity)), u its utility",
    ),
    "ExponentialScores": OracleKind(
        _scores,
        {"scores": matrix, "sensitivities": rationals, "epsilon": epsilon, "monotonic": flag},
        "a candidate with probability proportional to e^(epsilon u / (2 s)), u its score and s its sensitivity" + TWICE,
        CHOSEN,
        frozenset({"monotonic"}),
    ),
    "PermuteAndFlip": _kind(
        PermuteAndFlip,
        "candidates in a random order; each is taken with probability e^(epsilon (u - largest) / (2 sensitivity)), u "
        "its utility, until one is",
    ),
    "ExponentialCategorical": OracleKind(
        ExponentialCategorical,
        {"distances": square, "epsilon": epsilon},
        "y with probability proportional to e^(-epsilon d(x, y) / (2 D)), D the largest distance; without the 2 if all "
        "rows of distances are permutations of each other",
        "a category 0, 1, ..., as the input is",
    ),
    "ExponentialHierarchical": OracleKind(
        _hierarchical,
        {"hierarchy": tree, "epsilon": epsilon},
        "as ExponentialCategorical; the distance of two leaves is the height of their lowest common node",
        "a leaf, as the input is",
    ),
}
