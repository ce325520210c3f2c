"""The discrete Laplace (two-sided geometric) law on the integers, P[Z = z] ~ alpha^|z|, with exact samplers."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic

from flint import fmpq

from dp_refimpl.coins import Coins, bernoulli, uniform
from dp_refimpl.requirements import require_integer
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.ratfunc import RationalFunction
from dp_spec.vocabulary.scalar import Ordering, S, compare


@dataclass(frozen=True)
class DiscreteLaplace(Generic[S]):
    """P[Z = z] = (1 - alpha) / (1 + alpha) alpha^|z|, 0 < alpha < 1 a number of any field.

    Adding Z to an integer query of L1 sensitivity Delta is epsilon-differentially private for alpha = e^(-epsilon /
    Delta). Raises `DomainError` for other alpha (a rational function is taken as it is).
    """

    alpha: S

    def __post_init__(self) -> None:
        if isinstance(self.alpha, RationalFunction):
            return
        if compare(self.alpha, 0) is not Ordering.GREATER or compare(self.alpha, 1) is not Ordering.LESS:
            raise DomainError("alpha", self.alpha, "a number above 0 and below 1")

    def prob(self, z: int) -> S:
        """P[Z = z]."""
        return (1 - self.alpha) / (1 + self.alpha) * self.alpha ** abs(require_integer("z", z))

    def at_least(self, k: int) -> S:
        """P[Z >= k]: alpha^k / (1 + alpha) for k >= 0, and 1 - P[Z >= 1 - k] for k < 0."""
        if require_integer("k", k) < 0:
            return 1 - self.at_least(1 - k)
        return self.alpha**k / (1 + self.alpha)

    def tail(self, k: int) -> S:
        """P[|Z| >= k]: 2 alpha^k / (1 + alpha) for k >= 1, and 1 for k <= 0."""
        if require_integer("k", k) <= 0:
            return self.alpha * 0 + 1
        return 2 * self.alpha**k / (1 + self.alpha)

    @property
    def variance(self) -> S:
        """2 alpha / (1 - alpha)^2; the mean is 0."""
        return 2 * self.alpha / (1 - self.alpha) ** 2

    def sample(self, coins: Coins) -> int:
        """An exact draw: the difference of two geometric variables, each counted by coins of probability alpha."""
        return _successes(lambda: bernoulli(coins, self.alpha)) - _successes(lambda: bernoulli(coins, self.alpha))


def bernoulli_exp(gamma: Fraction, coins: Coins) -> bool:
    """True with probability exactly e^-gamma, from rational coins alone (Canonne, Kamath, Steinke 2020, Algorithm 1).

    Raises `DomainError` unless gamma is a fraction >= 0.
    """
    gamma = _fraction("gamma", gamma)
    if gamma < 0:
        raise DomainError("gamma", gamma, "a fraction >= 0")
    while gamma > 1:
        if not bernoulli_exp(Fraction(1), coins):
            return False
        gamma -= 1
    k = 1
    while bernoulli(coins, fmpq(gamma.numerator, gamma.denominator * k)):
        k += 1
    return k % 2 == 1


def discrete_laplace(rate: Fraction, coins: Coins) -> int:
    """An exact draw for alpha = e^-rate, rate = s / t > 0 (Canonne, Kamath, Steinke 2020, Algorithm 2).

    U + t V, with U below t kept with probability e^(-U / t) and V counted by coins of probability 1 / e, has the law
    proportional to e^(-x / t) on x >= 0; divided by s it has alpha = e^(-s / t). Raises `DomainError` for rate <= 0.
    """
    if _fraction("rate", rate) <= 0:
        raise DomainError("rate", rate, "a fraction > 0")
    s, t = rate.numerator, rate.denominator
    while True:
        u = uniform(coins, range(t), fmpq(1)) if t > 1 else 0
        if not bernoulli_exp(Fraction(u, t), coins):
            continue
        magnitude = (u + t * _successes(lambda: bernoulli_exp(Fraction(1), coins))) // s
        negative = bernoulli(coins, fmpq(1, 2))
        if not (negative and magnitude == 0):
            return -magnitude if negative else magnitude


def _successes(toss: Callable[[], bool]) -> int:
    """How many tosses succeed before the first that fails."""
    count = 0
    while toss():
        count += 1
    return count


def _fraction(name: str, value: object) -> Fraction:
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        raise DomainError(name, value, "a fraction")
    return Fraction(value)
