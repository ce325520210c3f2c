"""Oracles of frequency oracles that are programs with a pair (p, q): GRR, SUE (basic RAPPOR), OUE, THE, unary encoding
with given p and q, subset selection SS, and one coefficient of a Hadamard transform, HM.

A program of `dp_refimpl` is the law, its p and q are all that the moments need. THE, thresholded histogram encoding
(Wang, Blocki, Li, Jha 2017), has the chances of `dp_refimpl.frequency.histogram`; without the threshold (SHE) there are
infinitely many reports: no oracle. The default k of SS is the core's search for the smallest variance (rounding
d / (e^epsilon + 1), as libraries do, is not always the same).
"""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from flint import arb, fmpq

from dp_audit.oracles.additive import SupportOracle, program_law
from dp_audit.oracles.base import (
    Event,
    Number,
    Ones,
    OracleKind,
    epsilon,
    exponential,
    integer,
    number,
    numbers,
    part,
)
from dp_audit.oracles.forms import Coefficients, Form, Items, Subsets, Vector
from dp_audit.oracles.readers import as_fraction, rational
from dp_refimpl.coins import Coins
from dp_refimpl.frequency.grr import GRR
from dp_refimpl.frequency.hadamard import HadamardResponse
from dp_refimpl.frequency.histogram import above, best_power, threshold_chances
from dp_refimpl.frequency.privset import best_k
from dp_refimpl.frequency.rappor import RAPPOR, perturb_bits
from dp_refimpl.frequency.subset_selection import SubsetSelection
from dp_refimpl.frequency.unary import OUE
from dp_refimpl.mechanisms import RECORDS
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item, ItemDomain
from dp_spec.vocabulary.precision import kept_by_precision
from dp_spec.vocabulary.real import Real
from dp_spec.vocabulary.scalar import Ordering, compare

LARGE = 64
"""Items up to which every law of GRR is enumerated on its own."""

Maker = Callable[[ItemDomain, Budget[Real]], Any]
"""Makes a program on items from a budget: it has `p`, `q`, `one` and `randomize`. Equal ones are made once."""


@dataclass(frozen=True)
class FrequencyOracle(SupportOracle):
    """A program, of which `form` is that of the reports."""

    epsilon: Budget[Real]
    maker: Maker
    form: Form

    @property
    def p(self) -> Number:
        """Probability that a report supports the item held."""
        return self.program().p  # type: ignore[no-any-return]

    @property
    def q(self) -> Number:
        """Probability that a report supports a given other item."""
        return self.program().q  # type: ignore[no-any-return]

    @kept_by_precision(256)
    def program(self) -> Any:
        """Return the program, in numbers of the current precision."""
        return self.maker(ItemDomain.of_sizes(self.d), self.epsilon)

    def law(self, item: Item) -> Mapping[Hashable, Number]:
        """Return the law of the report of a user who holds `item`: the program, enumerated."""
        return self._law(self.require_item(item))

    @kept_by_precision(4096)
    def _law(self, held: int) -> Mapping[Hashable, Number]:
        if not self.is_large or held == 0:
            return program_law(self.program(), held)
        first = self._law(0)
        return {y: first[0] if y == held else first[1] for y in range(self.d)}

    @property
    def is_large(self) -> bool:
        """Whether the laws are those of one item with the items renamed: all are treated alike, in d^2 paths."""
        return isinstance(self.form, Items) and self.d > LARGE

    reports: ClassVar[Any] = part("form", "reports")
    listed: ClassVar[Any] = part("form", "listed")
    word: ClassVar[Any] = part("form", "word")

    def agreement(self, held: int, item: int) -> int:
        """Return the agreement of two items in the form."""
        return self.form.agreement(held, item)

    def possible(self, output: Hashable) -> bool:
        """Return whether the output is a report of the form."""
        return self.form.possible(output)

    def supports(self, report: Hashable, item: int) -> bool:
        """Return whether the report counts for the item in the form."""
        return self.form.supports(report, item)

    @property
    def lists_outputs(self) -> bool:
        """Whether reports are items."""
        return isinstance(self.form, Items)

    @property
    def row_width(self) -> int:
        """d if reports are rows of d bits, else 0."""
        return self.d if self.form == Vector(self.d) else 0

    @property
    def independent(self) -> int:
        """The number of independent bits: all, if reports are rows of bits."""
        return self.row_width

    def ones(self, item: int) -> Ones | None:
        """Return which rows support an item, if reports are rows of bits: those in which its bit is 1."""
        return Ones((item,), 1, 1) if self.row_width else None

    def watched(self, held: int) -> tuple[Event, ...]:
        """Return the events that the form watches beside the support of every item."""
        return self.form.watched(held, self.p, self.q)


@dataclass(frozen=True)
class IndependentBits:
    """The program of a vector of independent bits with these chances of a 1."""

    domain: ItemDomain
    p: Number
    q: Number

    @property
    def one(self) -> Number:
        """The 1 of the numbers."""
        return self.p * 0 + 1

    def randomize(self, item: Item, coins: Coins) -> tuple[int, ...]:
        """Return the bits: each is 1 with probability p for the item, q for the others."""
        return perturb_bits(frozenset([item]), self.domain, self.p, self.q, coins)


@dataclass(frozen=True)
class Core:
    """Makes a mechanism of `dp_refimpl`; `root`: the root of e^epsilon that it takes, `own`: its parameters."""

    mechanism: Callable[..., Any]
    root: int = 1
    own: tuple[Any, ...] = ()

    def __call__(self, domain: ItemDomain, epsilon: Budget[Real]) -> Any:
        """Return the mechanism, in numbers of the current precision."""
        return self.mechanism(domain, numbers(epsilon, self.root), *self.own)


@dataclass(frozen=True)
class Threshold:
    """Makes THE with threshold theta, any rational number; None is the best one, of `best_power`."""

    theta: fmpq | None

    def __call__(self, domain: ItemDomain, epsilon: Budget[Real]) -> IndependentBits:
        """Return the program of entries above the threshold: 1 + noise > theta, noise > theta."""
        if self.theta is None:
            half = arb(exponential(epsilon, Fraction(1, 2)))
            return IndependentBits(domain, *threshold_chances(half, best_power(half)))
        theta = as_fraction(self.theta)
        try:
            p, q = (number(above(level, epsilon)) for level in (theta - 1, theta))
        except DomainError:  # the power of the budget is no `Real`
            p, q = (above(level, Budget.of_root(arb(exponential(epsilon)))) for level in (theta - 1, theta))
        return IndependentBits(domain, p, q)


@dataclass(frozen=True)
class BitChances:
    """Makes independent bits with given p and q."""

    p: fmpq
    q: fmpq

    def __call__(self, domain: ItemDomain, epsilon: Budget[Real]) -> IndependentBits:
        """Return the program with these probabilities, whatever the budget is."""
        return IndependentBits(domain, self.p, self.q)


# --- from parameters --------------------------------------------------------------------------------------------------


def grr(d: int, epsilon: Budget[Real]) -> FrequencyOracle:
    """Return GRR on d items."""
    return FrequencyOracle(d, epsilon, Core(GRR), Items(d))


def symmetric(d: int, epsilon: Budget[Real]) -> FrequencyOracle:
    """Return SUE on d items."""
    return FrequencyOracle(d, epsilon, Core(RAPPOR, 2), Vector(d))


def optimized(d: int, epsilon: Budget[Real]) -> FrequencyOracle:
    """Return OUE on d items."""
    return FrequencyOracle(d, epsilon, Core(OUE), Vector(d))


def thresholded(d: int, epsilon: Budget[Real], theta: fmpq | None = None) -> FrequencyOracle:
    """Return THE on d items. The bound e^epsilon is that of the noisy vector (two entries change by 1); after the
    threshold it is not attained."""
    return FrequencyOracle(d, epsilon, Threshold(theta), Vector(d))


def unary(d: int, p: fmpq, q: fmpq) -> FrequencyOracle:
    """Return unary encoding with 0 < q < p < 1; its bound p(1-q) / (q(1-p)) is attained. Raises `DomainError` for
    others."""
    for name, chance, low, high in (("q", q, fmpq(0), p), ("p", p, fmpq(0), fmpq(1))):
        if compare(low, chance) is not Ordering.LESS or compare(chance, high) is not Ordering.LESS:
            raise DomainError(name, chance, "probabilities with 0 < q < p < 1")
    return FrequencyOracle(d, Budget.of_root(Real.lift(p * (1 - q) / (q * (1 - p)))), BitChances(p, q), Vector(d))


def subsets(d: int, epsilon: Budget[Real], k: int | None = None) -> FrequencyOracle:
    """Return SS, whose k-subsets with the item held are e^epsilon times as likely (Ye and Barg 2018; Wang et al. 2016).

    The bound e^epsilon is attained. Raises `DomainError` for k outside 1..d-1.
    """
    size = best_k(ItemDomain.of_sizes(d), epsilon, 1) if k is None else k
    if not 1 <= size < d:
        raise DomainError("k", size, f"an integer in 1..{d - 1} (d - 1)")
    return FrequencyOracle(d, epsilon, Core(SubsetSelection, 1, (size,)), Subsets(d, size))


def coefficient(d: int, epsilon: Budget[Real], first: int = 0) -> FrequencyOracle:
    """Return HM: a uniformly drawn coefficient of the item's column of H, its sign perturbed.

    Hadamard randomized response (Nguyen et al. 2016; Bassily et al. 2017). `first` is 0, or 1 to leave out the constant
    column. A report supports another item than the one held with chance 1/2. The bound e^epsilon is attained.
    """
    return FrequencyOracle(d, epsilon, Core(HadamardResponse, 1, (first,)), Coefficients(d, first))


_SIZES = {"d": integer(2), "epsilon": epsilon}
KINDS = {
    "GRR": OracleKind.of(RECORDS["GRR"], grr, _SIZES),
    "SUE": OracleKind.of(RECORDS["RAPPOR"], symmetric, _SIZES),
    "OUE": OracleKind.of(RECORDS["OUE"], optimized, _SIZES),
    "THE": OracleKind.of(RECORDS["THE"], thresholded, {**_SIZES, "theta": rational}, optional=frozenset({"theta"})),
    "UE": OracleKind(
        unary,
        {"d": integer(2), "p": rational, "q": rational},
        "every bit of the item's indicator on its own: 1 stays 1 with probability p, 0 becomes 1 with probability q",
        "d bits",
    ),
    "SS": OracleKind.of(RECORDS["SubsetSelection"], subsets, {**_SIZES, "k": integer(1)}, optional=frozenset({"k"})),
}
