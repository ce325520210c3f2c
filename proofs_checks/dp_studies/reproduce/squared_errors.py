"""How far a sum of squares can be from its expectation: rigorous, from the moments of the squares.

S is the sum of X = D^2 over random variables D of mean 0. If for any non-decreasing functions of the squares, and for
any non-increasing ones, the expectation of a product is at most (the product of the expectations of the h-th
powers)^(1/h) (h = 1 for independent ones), then because of 1 + y <= e^y for u > 0

    E exp(u S) <= exp(1/h sum E[exp(h u X) - 1])    and    E exp(-u S) <= exp(-1/h sum E[1 - exp(-h u X)]).

Markov's inequality makes tails of them, for any u; X is truncated at B for the first.

Moments. e^y <= sum_{j<J} y^j/j! + y^J/J! e^Y for 0 <= y <= Y, e^-y <= sum_{j<=k} (-y)^j/j! for even k, and
P(X > B) <= E X^J / B^J.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from math import factorial

from flint import arb, arb_series, fmpq

from dp_spec.vocabulary.precision import allow_series
from dp_spec.vocabulary.scalar import Ordering, compare
from dp_studies.reproduce.numbers import ball_order

MOMENTS = 32
"""J."""
_FACTORS = tuple(factorial(2 * j) // factorial(j) for j in range(MOMENTS + 1))
PRECISION = 320
"""Bits: the series lose some."""
EXPONENTS = tuple(fmpq(2) ** k * fmpq(a, 8) for k in range(-3, 7) for a in (8, 10, 13))
"""Values of u B that are tried: any one gives a valid bound, the best is taken."""


@dataclass(frozen=True)
class Group:
    """So many squares with E X^j / j! between low[j] and high[j], X in units of its mean over all of them."""

    size: int
    low: tuple[arb, ...]
    high: tuple[arb, ...]


def even_moments(cumulants: arb_series, unit: arb) -> tuple[arb, ...]:
    """E X^j / j! for j = 0..J, X = D^2 / unit, from the power series of log E exp(t D)."""
    series = cumulants.exp()
    return tuple(series[2 * j] * _FACTORS[j] / unit**j for j in range(MOMENTS + 1))


def largest_positive(bounds: Iterable[arb]) -> arb | None:
    """The largest of the balls that are above 0; None if none is."""
    return max((bound for bound in bounds if compare(bound, 0) is Ordering.GREATER), key=ball_order, default=None)


def bit_cumulants(p: arb) -> arb_series:
    """log E exp(t bit) for a bit of probability p."""
    t = arb_series([0, 1], prec=to_all_moments())
    return (1 + p * (t.exp() - 1)).log()


def to_all_moments() -> int:
    """The length of the series that are needed, which flint is told of."""
    return allow_series(2 * MOMENTS + 1)


@dataclass(frozen=True)
class Spread:
    """With probability >= 1 - 2 level the mean of S over the runs is between low and high times its expectation.

    low is None where there is no such bound at this level (counts that are nearly always 0).
    """

    low: arb | None
    high: arb

    def expectation(self, mean: arb) -> tuple[arb, arb | None]:
        """Where the expectation is, given the mean (None: no upper end), in the present precision."""
        return mean / self.high, None if self.low is None else mean / self.low


@dataclass(frozen=True)
class Sums:
    """S in units of the mean of X: groups of items, h, runs, E S, and the level of a tail."""

    groups: list[Group]
    h: int
    runs: int
    expected: arb
    level: arb

    @cached_property
    def largest(self) -> arb:
        """B with P(some X > B) <= level / 10."""
        beyond = sum((self.runs * g.size * g.high[MOMENTS] for g in self.groups), arb(0)) * factorial(MOMENTS)
        return (10 * beyond / self.level).root(MOMENTS)

    def high(self) -> arb:
        """(1/h sum E[exp(h u X) - 1] + log(1 / level)) / u, in units of E S."""
        bounds = []
        for exponent in EXPONENTS:
            u = exponent / self.largest
            y = self.h * u
            growth = arb(0)
            for g in self.groups:
                value = g.high[MOMENTS] * (self.h * exponent * arb(1)).exp()
                for coefficient in reversed(g.high[1:MOMENTS]):
                    value = value * y + coefficient
                growth += g.size * value * y
            bounds.append((self.runs * growth / self.h - (self.level * 9 / 10).log()) / (u * self.expected))
        return min(bounds, key=ball_order)

    def low(self) -> arb | None:
        """(1/h sum E[1 - exp(-h u X)] - log(1 / level)) / u, in units of E S; None if that is never positive."""
        bounds = []
        for exponent in EXPONENTS:
            u = exponent / self.largest
            decay = sum((g.size * (1 - _negative_exponential(g, self.h * u)) for g in self.groups), arb(0))
            bounds.append((self.runs * decay / self.h + self.level.log()) / (u * self.expected))
        return largest_positive(bounds)

    def spread(self) -> Spread:
        """Both ends."""
        return Spread(self.low(), self.high())


def _negative_exponential(group: Group, y: arb) -> arb:
    """An upper bound of E exp(-y X), the best of the partial sums of even length."""
    values, power = [arb(1)], arb(1)
    for j in range(2, MOMENTS + 1, 2):
        less = values[-1] - group.low[j - 1] * power * y
        power *= y * y
        values.append(less + group.high[j] * power)
    return min(values, key=ball_order)
