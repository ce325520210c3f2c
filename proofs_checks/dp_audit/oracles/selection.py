"""Oracles of private selection: a candidate is drawn by its utility on the data.

The exponential mechanism (McSherry and Talwar 2007), permute-and-flip (McKenna and Sheldon 2020, whose law is that of
report-noisy-max with exponential noise, Ding et al. 2021), report-noisy-max with Laplace noise (Dwork and Roth 2014,
Section 3.3), and the exponential mechanism on categories, for which the input itself is the data and a distance the
utility. The inputs are data sets, every two of them neighbors.
"""

from abc import abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import Any

from flint import arb, fmpq

from dp_audit.oracles.base import DataSets, Number, OracleKind, epsilon, exact_sum, exponential, integer
from dp_audit.oracles.readers import as_fraction, flag, matrix, rational, rationals, several, square
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.integers import is_integer
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.real import Real
from dp_spec.vocabulary.scalar import Ordering, compare

Utilities = tuple[tuple[fmpq, ...], ...]
"""Of every data set: the utility of every candidate."""


@dataclass(frozen=True)
class Selection(DataSets):
    """Data sets 0 .. n-1, given by the utilities of the candidates 0 .. m-1; a report is a candidate.

    A candidate's weight is e^(epsilon u / scale), u its utility.
    """

    utilities: Utilities
    scale: fmpq
    epsilon: Budget[Real]

    @property
    def number(self) -> int:
        """The number of rows of utilities."""
        return len(self.utilities)

    def law(self, item: Item) -> Mapping[Hashable, Number]:
        """Return the law of the candidate."""
        utilities = self.utilities[self.require_input(item)]
        best = max(as_fraction(u) for u in utilities)
        return dict(enumerate(self.chances([(as_fraction(u) - best) / as_fraction(self.scale) for u in utilities])))

    def possible(self, output: Hashable) -> bool:
        """Return whether the output is a candidate."""
        return is_integer(output, 0, len(self.utilities[0]) - 1)

    @abstractmethod
    def chances(self, places: Sequence[Fraction]) -> list[Number]:
        """Return the probabilities of candidates of weight e^(epsilon place), places <= 0: relative to the best one."""


class Exponential(Selection):
    """The exponential mechanism: probabilities proportional to the weights. Its own ratio is below e^epsilon for most
    utilities."""

    def chances(self, places: Sequence[Fraction]) -> list[Number]:
        """Return the shares of the weights."""
        weights = [exponential(self.epsilon, place) for place in places]
        total = exact_sum(weights)
        return [weight / total for weight in weights]


class PermuteAndFlip(Selection):
    """Permute-and-flip: candidates in a random order, each taken with probability its weight, until one is."""

    def chances(self, places: Sequence[Fraction]) -> list[Number]:
        """Return for every candidate the probability that it is taken, and nobody before it."""
        weights = [exponential(self.epsilon, place) for place in places]
        return [w * _nobody_before([*weights[:r], *weights[r + 1 :]]) for r, w in enumerate(weights)]


def _nobody_before(others: Sequence[Number]) -> Number:
    """Return the integral over t in [0, 1] of prod (1 - t p): places in a random order are independent uniform times
    t."""
    product: list[Number] = [fmpq(1)]
    for p in others:
        product = [a - p * b for a, b in zip([*product, fmpq(0)], [fmpq(0), *product], strict=True)]
    return exact_sum([coefficient / (power + 1) for power, coefficient in enumerate(product)])


class NoisyMax(Selection):
    """The candidate with the largest utility + Laplace noise of scale `scale` / epsilon. Its probability is an integral
    of exponential polynomials, in closed form with logarithms: balls of the current precision."""

    def chances(self, places: Sequence[Fraction]) -> list[Number]:
        """Return the probabilities that a candidate's noisy utility is the largest. With v = e^(epsilon x) and w =
        e^(epsilon place) the density of noise is v / 2w below w and w / 2v above it, its distribution function v / 2w
        and 1 - w / 2v: Laurent polynomials between two neighboring w."""
        ends = {place: exponential(self.epsilon, place) for place in places}
        return [_wins(candidate, places, ends) for candidate in range(len(places))]


def _wins(candidate: int, places: Sequence[Fraction], ends: Mapping[Fraction, Number]) -> Number:
    probability: Number = fmpq(0)
    inner = sorted(ends)
    for left, right in zip([None, *inner], [*inner, None], strict=True):
        integrand: dict[int, Number] = {0: fmpq(1)}
        for j, place in enumerate(places):
            w = ends[place]
            if right is not None and right <= place:
                factor: dict[int, Number] = {1: 1 / (2 * w)}
            else:
                factor = {-1: w / 2} if j == candidate else {0: fmpq(1), -1: -w / 2}
            integrand = _times(integrand, factor)
        for power, coefficient in integrand.items():
            probability = probability + coefficient * _integral(power, left, right, ends)
    return probability


def _times(one: Mapping[int, Number], other: Mapping[int, Number]) -> dict[int, Number]:
    product: dict[int, Number] = {}
    for a, x in one.items():
        for b, y in other.items():
            product[a + b] = product.get(a + b, fmpq(0)) + x * y
    return product


def _integral(power: int, left: Fraction | None, right: Fraction | None, ends: Mapping[Fraction, Number]) -> Number:
    """Return the integral of v^power dv / v from e^left to e^right; powers are > 0 at 0 and < 0 at infinity."""
    if power == 0:
        assert left is not None
        assert right is not None
        return (arb(ends[right]) / arb(ends[left])).log()
    upper = fmpq(0) if right is None else ends[right] ** power
    lower = fmpq(0) if left is None else ends[left] ** power
    return (upper - lower) / power


# --- from parameters --------------------------------------------------------------------------------------------------


def _selected(
    kind: type[Selection], utilities: Utilities, sensitivity: fmpq, epsilon: Budget[Real], monotonic: bool = False
) -> Selection:
    """Return the selection by weights e^(epsilon u / (2 sensitivity)); the 2 is not needed if the utility is
    `monotonic`: between two neighbors all utilities change in one direction.

    Raises `DomainError` unless every two data sets are neighbors: no utility differs by more than the sensitivity (and
    they change in one direction, if monotonic).
    """
    if compare(sensitivity, 0) is not Ordering.GREATER:
        raise DomainError("sensitivity", sensitivity, "a number > 0")
    _require_neighbors("utilities", utilities, (sensitivity,) * len(utilities[0]), monotonic)
    return kind(utilities, sensitivity if monotonic else 2 * sensitivity, epsilon)


def _scores(
    scores: Utilities, sensitivities: tuple[fmpq, ...], epsilon: Budget[Real], monotonic: bool = False
) -> Selection:
    """Return the selection by scores, each of a sensitivity of its own: in units of these the utilities have
    sensitivity 1."""
    if len(sensitivities) != len(scores[0]) or any(compare(s, 0) is not Ordering.GREATER for s in sensitivities):
        raise DomainError("sensitivities", sensitivities, "a number > 0 for every candidate")
    _require_neighbors("scores", scores, sensitivities, monotonic)
    utilities = tuple(tuple(u / s for u, s in zip(row, sensitivities, strict=True)) for row in scores)
    return Exponential(utilities, fmpq(1 if monotonic else 2), epsilon)


def _require_neighbors(name: str, rows: Utilities, sensitivities: Sequence[fmpq], monotonic: bool) -> None:
    """Raise `DomainError` unless between every two rows no number changes by more than its sensitivity, and all change
    in one direction, if monotonic."""
    for one, other in combinations(rows, 2):
        changes = [a - b for a, b in zip(one, other, strict=True)]
        if monotonic and {Ordering.LESS, Ordering.GREATER} <= {compare(change, 0) for change in changes}:
            raise DomainError(name, rows, f"{name} that change in one direction (monotonic)")
        if any(compare(abs(c), s) is Ordering.GREATER for c, s in zip(changes, sensitivities, strict=True)):
            most = ", ".join(map(str, dict.fromkeys(sensitivities)))
            raise DomainError(name, rows, f"differences of at most {most}")


def _categorical(distances: Utilities, epsilon: Budget[Real]) -> Exponential:
    """Return the selection of categories 0 .. n-1 by weights e^(-epsilon d(x, y) / (2 D)), D the largest distance.

    This is the exponential mechanism with utility -d(x, y). The 2 pays for the change of the normalizing constant: it
    is not needed if all rows of distances are permutations of each other, which makes that constant the same for every
    x at every epsilon. Raises `DomainError` for distances that are not symmetric, >= 0 with 0 on the diagonal, and not
    all 0.
    """
    n = range(len(distances))
    rows = [[as_fraction(value) for value in row] for row in distances]
    symmetric = all(rows[x][y] == rows[y][x] for x in n for y in n)
    largest = max(map(max, rows))
    if not symmetric or any(rows[x][x] for x in n) or min(map(min, rows)) < 0 or not largest:
        raise DomainError("distances", distances, "symmetric numbers >= 0, 0 on the diagonal only")
    balanced = len({tuple(sorted(row)) for row in rows}) == 1
    scale = largest if balanced else 2 * largest
    utilities = tuple(tuple(-value for value in row) for row in distances)
    return Exponential(utilities, fmpq(scale.numerator, scale.denominator), epsilon)


def _hierarchical(hierarchy: tuple[object, ...], epsilon: Budget[Real]) -> Exponential:
    """Return the selection of leaves; the distance of two is the height of their lowest common node."""
    leaves = _leaves(hierarchy, ())
    paths = dict(leaves)
    numbered = len(leaves) > 1 and sorted(leaf for leaf, _ in leaves) == list(range(len(leaves)))
    if not numbered or len({len(path) for _, path in leaves}) != 1:
        allowed = "nested lists with every leaf 0 .. n-1 once, two or more, all at one depth"
        raise DomainError("hierarchy", hierarchy, allowed)

    def distance(x: int, y: int) -> fmpq:
        """Return the length of a path without what is common."""
        common = next((i for i, (a, b) in enumerate(zip(paths[x], paths[y], strict=True)) if a != b), len(paths[x]))
        return fmpq(len(paths[x]) - common)

    return _categorical(tuple(tuple(distance(x, y) for y in sorted(paths)) for x in sorted(paths)), epsilon)


def _leaves(node: Any, path: tuple[int, ...]) -> list[tuple[int, tuple[int, ...]]]:
    """Return the leaves below a node, each with its path."""
    if not isinstance(node, tuple):
        return [(node, path)]
    return [leaf for place, child in enumerate(node) for leaf in _leaves(child, (*path, place))]


def _node(name: str, value: object) -> object:
    """Return a leaf or a list of nodes. Raises `DomainError` for anything else."""
    return several(_node)(name, value) if isinstance(value, list | tuple) else integer(0)(name, value)


_TWICE = "; without the 2 if monotonic"
_CHOSEN = "a candidate 0, 1, ...; an input is the number of a row of utilities"


def _kind(kind: type[Selection], law: str) -> OracleKind:
    readers = {"utilities": matrix, "sensitivity": rational, "epsilon": epsilon, "monotonic": flag}
    return OracleKind(partial(_selected, kind), readers, law + _TWICE, _CHOSEN, frozenset({"monotonic"}))


KINDS = {
    "Exponential": _kind(
        Exponential,
        "a candidate with probability proportional to e^(epsilon u / (2 sensitivity)), u its utility",
    ),
    "ExponentialScores": OracleKind(
        _scores,
        {"scores": matrix, "sensitivities": rationals, "epsilon": epsilon, "monotonic": flag},
        "a candidate with probability proportional to e^(epsilon u / (2 s)), u its score and s its sensitivity"
        + _TWICE,
        _CHOSEN,
        frozenset({"monotonic"}),
    ),
    "PermuteAndFlip": _kind(
        PermuteAndFlip,
        "candidates in a random order; each is taken with probability e^(epsilon (u - largest) / (2 sensitivity)), u "
        "its utility, until one is",
    ),
    "NoisyMax": _kind(
        NoisyMax, "the candidate with the largest utility + Laplace noise of scale 2 sensitivity / epsilon"
    ),
    "ExponentialCategorical": OracleKind(
        _categorical,
        {"distances": square, "epsilon": epsilon},
        "y with probability proportional to e^(-epsilon d(x, y) / (2 D)), D the largest distance; without the 2 if all "
        "rows of distances are permutations of each other",
        "a category 0, 1, ..., as the input is",
    ),
    "ExponentialHierarchical": OracleKind(
        _hierarchical,
        {"hierarchy": several(_node), "epsilon": epsilon},
        "as ExponentialCategorical; the distance of two leaves is the height of their lowest common node",
        "a leaf, as the input is",
    ),
}
