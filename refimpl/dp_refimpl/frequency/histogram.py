"""Histogram encoding (Wang, Blocki, Li, Jha 2017): Laplace noise of scale 2 / eps on every entry of a one-hot vector.

SHE reports the noisy entries, THE whether each is above a threshold. All chances are powers of e^eps, so that they are
exact; a real number is not, and no sum with one in floating point has the law of the paper. So the entries of SHE are
rounded: to the midpoint of the one of `steps` cells per unit that they lie in. That is a function of the noisy entry,
hence as private; it keeps the estimator unbiased, as the cells of the noise are symmetric; and it gives back every
event whose ends are ends of cells.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Generic, Protocol, TypeVar

from flint import arb, fmpq

from dp_refimpl.coins import Coins, bernoulli
from dp_refimpl.frequency.parameters import NOT_GIVEN, ItemParameters
from dp_refimpl.frequency.rappor import Bits, bit_estimates, perturb_bits
from dp_refimpl.requirements import require_integer
from dp_spec.vocabulary.exceptions import DomainError, MissingError
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.scalar import S, is_zero

S_co = TypeVar("S_co", covariant=True)
Entries = tuple[fmpq, ...]
"""A noisy vector: one rational number for every item, in domain order."""


@dataclass(frozen=True)
class SHE(ItemParameters[S], Generic[S]):
    """Summation with histogram encoding: d noisy entries, each the midpoint of a cell of width 1 / `steps`.

    Raises `DomainError` for steps that are no integer >= 1, and at epsilon = 0, where the scale of the noise is not
    defined. There are infinitely many reports (`finite` is False). The bound e^eps is attained by any two items.
    """

    steps: int = 1
    finite = False

    def _require_fields(self) -> None:
        super()._require_fields()
        require_integer("steps", self.steps, 1, note=", the number of cells per unit")
        if is_zero(self.unit - 1):
            raise DomainError("budget", self.budget, "epsilon > 0: at epsilon = 0 the scale 2 / epsilon is not defined")

    @cached_property
    def unit(self) -> S:
        """e^(-eps/2): the probability that the noise, in absolute value, passes a further unit."""
        return 1 / self.budget.exp(Fraction(1, 2))

    @cached_property
    def ratio(self) -> S:
        """e^(-eps / (2 steps)): the same for a further cell."""
        return 1 / self.budget.exp(Fraction(1, 2 * self.steps))

    @cached_property
    def places(self) -> tuple[S, ...]:
        """The law of the cell in its unit, which is independent of the unit."""
        return tuple(self.ratio**j * (1 - self.ratio) / (1 - self.unit) for j in range(self.steps))

    @property
    def variance(self) -> S:
        """Of the noise of an entry, hence n times that of every estimate: (2 r / (1 - r)^2 + 1/4) / steps^2, r `ratio`.

        For ever finer cells it falls to that of the real-valued noise, 8 / eps^2.
        """
        return (2 * self.ratio / (1 - self.ratio) ** 2 + self.one / 4) / self.steps**2

    def randomize(self, item: Item, coins: Coins) -> Entries:
        """A report: d midpoints. Raises `DomainError` for an unknown item."""
        self.require_item(item)
        return tuple(int(x == item) + self.noise(coins) for x in self.domain.items)

    def noise(self, coins: Coins) -> fmpq:
        """The midpoint of the cell of Laplace noise: its side, its unit, and its place there, which are independent."""
        negative, units = bernoulli(coins, self.one / 2), 0
        while bernoulli(coins, self.unit):
            units += 1
        midpoint = units + fmpq(2 * coins.choose(self.places) + 1, 2 * self.steps)
        return -midpoint if negative else midpoint

    def prob(self, report: Entries, item: Item) -> S:
        """P[report | item]: for every entry (1 - r) r^j / 2, j the cells between it and the entry without noise.

        Raises `DomainError` for an unknown item, and for what is no report.
        """
        self.require_item(item)
        chance = self.one
        for x, entry in zip(self.domain.items, self._require_cells(report), strict=True):
            cells = (abs(entry - int(x == item)) * 2 * self.steps - 1) / 2
            chance = chance * (1 - self.ratio) * self.ratio ** int(cells.p) / 2
        return chance

    def estimate(self, reports: Sequence[Sequence[Any]]) -> dict[Item, S]:
        """Estimated frequency of every item: the mean of its entries.

        Reports may have any rational entries (`int`, `Fraction`, `fmpq`; a float is its exact binary value), as of an
        implementation with other noise. Raises `DomainError` for vectors that are not d such numbers, for NaN and
        infinities, and without reports.
        """
        if not reports:
            raise DomainError("reports", reports, "at least one report")
        totals = [fmpq(0)] * len(self.domain.items)
        for report in reports:
            totals = [a + b for a, b in zip(totals, require_entries(report, len(totals)), strict=True)]
        return {
            x: self.one * int(total.p) / (int(total.q) * len(reports))
            for x, total in zip(self.domain.items, totals, strict=True)
        }

    def _require_cells(self, report: object) -> Entries:
        entries = require_entries(report, len(self.domain.items))
        doubled = [entry * 2 * self.steps for entry in entries]
        if any(j.q != 1 or j.p % 2 != 1 for j in doubled):
            raise DomainError("report", report, f"midpoints of cells of width 1/{self.steps}")
        return entries


@dataclass(frozen=True)
class THE(ItemParameters[S], Generic[S]):
    """Thresholding with histogram encoding: a 1 for every noisy entry above theta, any rational number.

    The paper takes theta between 1/2 and 1, where the best one is (`best_threshold`). A threshold forgets what was paid
    for: the ratio that two items attain, `attained`, is less than e^eps for every theta and epsilon > 0. Raises
    `DomainError` for what is no rational number, `MissingError` without one.
    """

    theta: Fraction = NOT_GIVEN

    def _require_fields(self) -> None:
        super()._require_fields()
        theta: object = self.theta
        if theta is NOT_GIVEN:
            raise MissingError("theta", "give theta=Fraction(3, 4), or another threshold")
        if isinstance(theta, fmpq):
            theta = Fraction(int(theta.p), int(theta.q))
        if isinstance(theta, bool) or not isinstance(theta, int | Fraction):
            raise DomainError("theta", theta, "a rational number (Fraction or fmpq)")
        object.__setattr__(self, "theta", Fraction(theta))

    @cached_property
    def p(self) -> S:
        """Probability that the entry of the item held is above: 1 - e^(eps (theta - 1) / 2) / 2, if theta <= 1."""
        return above(self.theta - 1, self.budget)

    @cached_property
    def q(self) -> S:
        """Probability that another entry is: e^(-eps theta / 2) / 2, if theta >= 0."""
        return above(self.theta, self.budget)

    @property
    def attained(self) -> S:
        """The largest ratio of the chances of a report: p (1 - q) / (q (1 - p)); 1 for one item."""
        return self.p * (1 - self.q) / (self.q * (1 - self.p)) if len(self.domain.items) > 1 else self.one

    def randomize(self, item: Item, coins: Coins) -> Bits:
        """A report: d bits in domain order. Raises `DomainError` for an unknown item."""
        self.require_item(item)
        return perturb_bits(frozenset([item]), self.domain, self.p, self.q, coins)

    def estimate(self, reports: Sequence[Bits]) -> dict[Item, S]:
        """Estimated frequency of every item: (F_x / n - q) / (p - q), F_x the number of ones at the position of x.

        Raises `DomainError` for vectors that are not d bits, without reports, and at epsilon = 0.
        """
        return bit_estimates(reports, self.domain, self.q, self.p - self.q)


class Powers(Protocol[S_co]):
    """What has e^(eps share) for shares > 0: a budget."""

    def exp(self, share: Fraction, /) -> S_co: ...


def above(level: Fraction, budget: Powers[S]) -> S:
    """P[noise > level]: e^(-eps level / 2) / 2 for level >= 0, else 1 - e^(eps level / 2) / 2.

    Raises `NotExactError` where the field has no such power.
    """
    if level < 0:
        return 1 - above(-level, budget)
    return 1 / (2 * (budget.exp(level / 2) if level else budget.exp(Fraction(1)) * 0 + 1))


def threshold_chances(half: S, power: S) -> tuple[S, S]:
    """p and q of a threshold theta in [0, 1], from e^(eps/2) and e^(eps theta / 2)."""
    return 1 - power / (2 * half), 1 / (2 * power)


def best_power(half: arb) -> arb:
    """e^(eps theta / 2) of the theta with the smallest variance of an item nobody holds, over all real theta.

    That variance is q (1 - q) / (n (p - q)^2). Let u = e^(eps theta / 2), a = e^(-eps/2) < 1. For 0 <= theta <= 1,
    q = 1/(2u), p = 1 - au/2, the variance is (2u-1) / (n (2u-1-au^2)^2), and its derivative has the sign of
    3au^2 - 2(1+a)u + 1: negative at u = 1 (a - 1), positive at u = 1/a (1/a - 1). So the larger root
    u* = (1 + a + sqrt(1-a+a^2)) / (3a) is inside and the minimum there. For theta < 0 the variance is
    (2-u) / (n u (1-a)^2), which falls, for theta > 1 (2u-1) a^2 / (n (1-a)^2), which rises.
    """
    a = 1 / half
    return (1 + a + (1 - a + a * a).sqrt()) / (3 * a)


def best_threshold(half: arb) -> arb:
    """The theta of `best_power`, 2 ln(u*) / eps, a ball at the current precision."""
    return best_power(half).log() / half.log()


def require_entries(report: object, length: int) -> Entries:
    """The entries as rational numbers. Raises `DomainError` unless they are `length` finite ones (no booleans)."""
    if not isinstance(report, Sequence) or isinstance(report, str) or len(report) != length:
        raise DomainError("reports", report, f"vectors of {length} numbers")
    return tuple(_rational(entry, report) for entry in report)


def _rational(entry: Any, report: object) -> fmpq:
    if isinstance(entry, fmpq):
        return entry
    if isinstance(entry, bool) or not isinstance(entry, int | float | Fraction):
        raise DomainError("reports", report, "rational numbers (int, Fraction, fmpq, or a finite float)")
    try:
        exact = Fraction(entry)
    except (ValueError, OverflowError):
        raise DomainError("reports", report, "finite numbers") from None
    return fmpq(exact.numerator, exact.denominator)
