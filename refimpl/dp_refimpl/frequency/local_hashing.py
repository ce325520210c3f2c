"""Local hashing (Wang, Blocki, Li, Jha 2017): the item is mapped to a label by a public random function, and the label
perturbed by generalized randomized response. BLH is two labels, OLH the best number of them; FLH (Cormode, Maddock,
Maple 2021) draws from a short public list.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Generic, Literal, NamedTuple

from flint import fmpq

from dp_refimpl.coins import Coins
from dp_refimpl.frequency.grr import GRR
from dp_refimpl.frequency.hash_families import (
    AffineLabels,
    AllFunctions,
    CarterWegman,
    LabelFamily,
    LabelFunction,
    PublicFunctions,
)
from dp_refimpl.frequency.hash_properties import collision_probability
from dp_refimpl.frequency.parameters import NOT_GIVEN, ItemParameters, affine_estimate
from dp_refimpl.requirements import is_integer, require_integer, require_word
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item, ItemDomain
from dp_spec.vocabulary.scalar import S, at_most, is_zero

HashedReport = tuple[LabelFunction, int]
"""(the function, which is public; the perturbed label)."""
Rounding = Literal["best", "nearest"]
MAX_LABELS = 1 << 1024
"""Best ranges of larger budgets are not sought."""


@dataclass(frozen=True)
class LocalHashing(ItemParameters[S], Generic[S]):
    """GRR on the g labels of a function that is drawn from a family for every report.

    `collision`: the chance that two different items share a label, as the server's estimator takes it; None for the
    family's own, which is then computed, and has to be the same for any two items. A given one is not compared with the
    family: with 1/g and other functions the estimator is that of the literature, and biased. Raises `DomainError` for a
    family of one label, or not on the items, and for a collision chance that is no rational number in [0, 1].
    """

    family: LabelFamily = NOT_GIVEN
    collision: fmpq | None = None

    def _range(self) -> int | None:
        """The number of labels that the family has to have; where it is left out, it is all functions to them."""
        return None

    def _require_fields(self) -> None:
        super()._require_fields()
        wanted = self._range()
        if self.family is NOT_GIVEN and wanted is not None:
            object.__setattr__(self, "family", AllFunctions(self.domain.items, wanted))
        items, labels = getattr(self.family, "items", None), getattr(self.family, "labels", None)
        if not isinstance(items, tuple) or not isinstance(labels, int) or not set(self.domain.items) <= set(items):
            raise DomainError("family", self.family, f"a family of functions on the items {self.domain.items}")
        if labels < 2:
            raise DomainError("family", self.family, "a family of functions to two or more labels")
        if wanted is not None and labels != wanted:
            raise DomainError("family", self.family, f"a family of functions to {wanted} labels")
        chance = self.collision
        if chance is not None and not (isinstance(chance, fmpq) and at_most(0, chance) and at_most(chance, 1)):
            raise DomainError("collision", chance, "a rational number (fmpq) in [0, 1], or None")

    @property
    def g(self) -> int:
        """The number of labels."""
        return self.family.labels

    @cached_property
    def p(self) -> S:
        """Probability of reporting the item's own label."""
        return self._labels.p

    @cached_property
    def q(self) -> S:
        """Probability of reporting a given other label."""
        return self._labels.q

    @cached_property
    def chance(self) -> S:
        """Probability that a report supports an item that its user does not hold: kappa p + (1 - kappa) q.

        It is 1/g for the collision chance kappa = 1/g. Raises `DomainError` as `collision_chance`.
        """
        kappa = collision_chance(self.family, self.domain.items) if self.collision is None else self.collision
        return self.q + (self.p - self.q) * int(kappa.p) / int(kappa.q)

    def randomize(self, item: Item, coins: Coins) -> HashedReport:
        """A report: the drawn function and a label. Raises `DomainError` for an unknown item."""
        self.require_item(item)
        h = self.family.draw(coins, self.one)
        return h, self._labels.randomize(h(item), coins)  # type: ignore[return-value]

    def estimate(self, reports: Sequence[HashedReport]) -> dict[Item, S]:
        """Estimated frequency of every item: (F_x / n - chance) / (p - chance), F_x the number of reports supporting x.

        A report supports the items that its function maps to its label. Raises `DomainError` for reports with other
        functions (none of the family's items and labels; none of a public list) or labels, for items of which the
        family does not have one collision chance, where p is `chance` (epsilon = 0, or items always collide), and
        without reports.
        """
        for report in reports:
            self._require_report(report)
        slope = self.p - self.chance
        if is_zero(slope) and not is_zero(self.p - self.q):
            raise DomainError("collision", self.collision, "a collision chance below 1, so that p differs from chance")
        return {
            x: affine_estimate(sum(h(x) == label for h, label in reports), len(reports), self.chance, slope)
            for x in self.domain.items
        }

    @cached_property
    def _labels(self) -> GRR[S]:
        return GRR(ItemDomain.of_sizes(self.g), self.budget)

    def _require_report(self, report: object) -> None:
        if not isinstance(report, tuple) or len(report) != 2 or not isinstance(report[0], LabelFunction):
            raise DomainError("reports", report, "pairs of a function and a label")
        h, label = report
        if h.labels != self.g or h.items != self.family.items:
            raise DomainError("reports", report, f"functions from {self.family.items} to {self.g} labels")
        if isinstance(self.family, PublicFunctions) and h not in self.family.functions:
            raise DomainError("reports", report, "functions of the public list")
        if not is_integer(label, 0, self.g - 1):
            raise DomainError("reports", report, f"labels in 0..{self.g - 1}")


@dataclass(frozen=True)
class BLH(LocalHashing[S], Generic[S]):
    """Binary local hashing: two labels. A `family` left out is the idealized hash, all functions to them.

    Raises `DomainError` for a family of another number of labels, and as `LocalHashing`.
    """

    def _range(self) -> int:
        return 2


@dataclass(frozen=True)
class OLH(LocalHashing[S], Generic[S]):
    """Optimized local hashing: the number of labels is e^eps + 1, made an integer.

    `rounding`: `best` is the integer with the least variance (`optimal_labels`), `nearest` the one next to e^eps + 1
    (`nearest_labels`), as libraries take it. A `family` left out is the idealized hash, all functions to that many
    labels. Raises `DomainError` for another rounding, for a family of another number of labels, and as
    `optimal_labels`.
    """

    rounding: Rounding = "best"

    def _range(self) -> int:
        require_word("rounding", self.rounding, Rounding)
        return optimal_labels(self.budget).best if self.rounding == "best" else nearest_labels(self.budget)


@dataclass(frozen=True)
class FLH(LocalHashing[S], Generic[S]):
    """Fast local hashing: the function is one of k public ones, a list that all users share.

    The estimator is that of the literature, with the collision chance 1/g, unless another one is given: for a list it
    is biased by the collisions in it, and unbiased over the draw of a list from a family with that chance. Raises
    `DomainError` for a family that is no list (`PublicFunctions`), and as `LocalHashing`.
    """

    def _require_fields(self) -> None:
        if not isinstance(self.family, PublicFunctions):
            raise DomainError("family", self.family, "a list of functions (PublicFunctions)")
        if self.collision is None:
            object.__setattr__(self, "collision", fmpq(1, self.family.labels))
        super()._require_fields()


class Labels(NamedTuple):
    """The integers on both sides of e^eps + 1 (one and the same if it is an integer), and the better of them."""

    below: int
    above: int
    best: int


def optimal_labels(budget: Budget[S]) -> Labels:
    """The number of labels with the least variance of an item nobody holds; of two equal ones the smaller.

    Over real numbers that is e^eps + 1, and the variance is convex, so that the best integer is one of its neighbors.
    Raises `DomainError` at epsilon = 0 and above `MAX_LABELS`, `UndecidedError` where the field cannot order (rational
    functions, balls).
    """
    e = budget.exp()
    below = _floor(e) + 1
    above = below if is_zero(e + 1 - below) else below + 1
    best = below if at_most(label_variance(below, budget), label_variance(above, budget)) else above
    return Labels(below, above, best)


def nearest_labels(budget: Budget[S]) -> int:
    """The integer nearest e^eps + 1; of two equally near the smaller. Raises `UndecidedError` as `optimal_labels`."""
    e = budget.exp()
    below = _floor(e) + 1
    return below if at_most(2 * (e + 1 - below), 1) else below + 1


def label_variance(g: int, budget: Budget[S]) -> S:
    """n times the variance of an item nobody holds, with collision chance 1/g: (e^eps + g - 1)^2 / ((g-1) (e^eps-1)^2).

    Raises `DomainError` for g < 2 and at epsilon = 0.
    """
    require_integer("g", g, 2)
    e = budget.exp()
    if is_zero(e - 1):
        raise DomainError("budget", budget, "epsilon > 0: at epsilon = 0 the reports carry no information")
    return (e + (g - 1)) ** 2 / ((g - 1) * (e - 1) ** 2)


def collision_chance(family: LabelFamily, items: Iterable[Item]) -> fmpq:
    """The chance that two different items share a label under a drawn function, by the family's law; 1/g for one item.

    Raises `DomainError` if it differs between pairs of items.
    """
    listed = tuple(items)
    if isinstance(family, AllFunctions) or len(listed) == 1:
        return fmpq(1, family.labels)
    if isinstance(family, CarterWegman | AffineLabels):
        return affine_collision(family)
    chances: dict[fmpq, tuple[Item, Item]] = {}
    for x, y in combinations(listed, 2):
        chances.setdefault(collision_probability(family, x, y), (x, y))
    if len(chances) > 1:
        examples = {str(chance): pair for chance, pair in chances.items()}
        raise DomainError("family", examples, "one collision chance for any two items, or the parameter `collision`")
    return next(iter(chances))


def affine_collision(family: CarterWegman | AffineLabels) -> fmpq:
    """The chance that any two different items share a label, from how many of 0..P - 1 have each label.

    The numbers (a x + b) mod P and (a y + b) mod P are independent and uniform; where a is not 0, they differ.
    """
    prime = family.prime
    each, more = divmod(prime, family.labels)
    sizes = ((more, each + 1), (family.labels - more, each))
    if isinstance(family, CarterWegman) and not family.zero:
        return fmpq(sum(times * size * (size - 1) for times, size in sizes), prime * (prime - 1))
    return fmpq(sum(times * size * size for times, size in sizes), prime * prime)


def _floor(number: S) -> int:
    """The floor of a number >= 1: doubled until it is passed, then halved. Raises `DomainError` above `MAX_LABELS`."""
    low, step = 1, 1
    while at_most(low + step, number):
        low, step = low + step, 2 * step
        if low > MAX_LABELS:
            raise DomainError("budget", number, "e^epsilon <= 2^1024, as many labels as are counted")
    while step > 1:
        step //= 2
        if at_most(low + step, number):
            low += step
    return low
