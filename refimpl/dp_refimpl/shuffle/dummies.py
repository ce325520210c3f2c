"""Laws of the number of dummies of one user (source 000, Sections 1.5 and 2, (6)).

Constant, binomial, negative binomial, or any finite law. Numbers of users add up within each kind.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from flint import fmpq

from dp_refimpl.coins import Coins, bernoulli
from dp_refimpl.requirements import require_integer
from dp_refimpl.shuffle.protocol_parts import require_chance
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.scalar import S, is_zero, require_law


class DummyCount(ABC):
    """A law on 0, 1, 2, ..."""

    @property
    @abstractmethod
    def mean(self) -> fmpq:
        """The expected number."""

    @property
    @abstractmethod
    def variance(self) -> fmpq:
        """Its variance."""

    @abstractmethod
    def chance(self, number: int) -> fmpq:
        """The probability of a number. Raises `DomainError` unless it is an integer >= 0."""

    @abstractmethod
    def draw(self, coins: Coins, one: S) -> int:
        """A number; `one` is the 1 of the field of the coins."""

    @abstractmethod
    def law(self) -> dict[int, fmpq]:
        """Every possible number with its probability. Raises `DomainError` where there are infinitely many."""

    @abstractmethod
    def total(self, users: int) -> "DummyCount":
        """The law of the sum over independent users. Raises `DomainError` unless there is at least one."""


@dataclass(frozen=True)
class Listed(DummyCount):
    """Any finite law: the probability of 0, of 1, ... Raises `NotStochasticError` for what is no law."""

    weights: tuple[fmpq, ...]

    def __post_init__(self) -> None:
        if not isinstance(self.weights, tuple) or not all(isinstance(w, fmpq) for w in self.weights):
            raise DomainError("weights", self.weights, "a tuple of rational numbers (fmpq)")
        require_law(self.weights)

    @property
    def mean(self) -> fmpq:
        """The sum of k w_k."""
        return sum((k * w for k, w in enumerate(self.weights)), fmpq(0))

    @property
    def variance(self) -> fmpq:
        """The sum of k^2 w_k, less the square of the mean."""
        return sum((k * k * w for k, w in enumerate(self.weights)), fmpq(0)) - self.mean**2

    def chance(self, number: int) -> fmpq:
        """The weight; 0 beyond the last one."""
        require_integer("number", number, 0)
        return self.weights[number] if number < len(self.weights) else fmpq(0)

    def draw(self, coins: Coins, one: S) -> int:
        """One choice."""
        return coins.choose([one * int(w.p) / int(w.q) for w in self.weights])

    def law(self) -> dict[int, fmpq]:
        """All numbers of positive weight."""
        return {k: w for k, w in enumerate(self.weights) if not is_zero(w)}

    def total(self, users: int) -> "Listed":
        """The convolution power."""
        require_integer("users", users, 1)
        weights = [fmpq(1)]
        for _ in range(users):
            step = [fmpq(0)] * (len(weights) + len(self.weights) - 1)
            for i, a in enumerate(weights):
                for j, b in enumerate(self.weights):
                    step[i + j] += a * b
            weights = step
        return Listed(tuple(weights))


@dataclass(frozen=True)
class Constant(DummyCount):
    """The same number m for all users. Raises `DomainError` unless it is an integer >= 0."""

    m: int

    def __post_init__(self) -> None:
        require_integer("m", self.m, 0)

    @property
    def mean(self) -> fmpq:
        """m."""
        return fmpq(self.m)

    @property
    def variance(self) -> fmpq:
        """0."""
        return fmpq(0)

    def chance(self, number: int) -> fmpq:
        """1 for m."""
        require_integer("number", number, 0)
        return fmpq(int(number == self.m))

    def draw(self, coins: Coins, one: S) -> int:
        """m; no coin is tossed."""
        return self.m

    def law(self) -> dict[int, fmpq]:
        """m, certainly."""
        return {self.m: fmpq(1)}

    def total(self, users: int) -> "Constant":
        """n m."""
        require_integer("users", users, 1)
        return Constant(users * self.m)


@dataclass(frozen=True)
class Binomial(DummyCount):
    """Bin(r, p). Raises `DomainError` unless r is an integer >= 0 and p a rational number in [0, 1]."""

    r: int
    p: fmpq

    def __post_init__(self) -> None:
        require_integer("r", self.r, 0)
        object.__setattr__(self, "p", _rational(self.p))
        require_chance("p", self.p)

    @property
    def mean(self) -> fmpq:
        """r p."""
        return self.r * self.p

    @property
    def variance(self) -> fmpq:
        """r p (1 - p)."""
        return self.r * self.p * (1 - self.p)

    def chance(self, number: int) -> fmpq:
        """C(r, k) p^k (1 - p)^(r - k)."""
        require_integer("number", number, 0)
        if number > self.r:
            return fmpq(0)
        return comb(self.r, number) * self.p**number * (1 - self.p) ** (self.r - number)

    def draw(self, coins: Coins, one: S) -> int:
        """r coins of probability p."""
        return sum(bernoulli(coins, one * int(self.p.p) / int(self.p.q)) for _ in range(self.r))

    def law(self) -> dict[int, fmpq]:
        """All numbers of positive probability."""
        chances = {k: self.chance(k) for k in range(self.r + 1)}
        return {k: w for k, w in chances.items() if not is_zero(w)}

    def total(self, users: int) -> "Binomial":
        """Bin(n r, p)."""
        require_integer("users", users, 1)
        return Binomial(users * self.r, self.p)


@dataclass(frozen=True)
class NegativeBinomial(DummyCount):
    """NBin(r, p) of (6): failures before the r-th success, C(m + r - 1, r - 1) (1 - p)^m p^r.

    Raises `DomainError` unless r is an integer >= 1 and p a rational number in (0, 1]. Mean r (1 - p) / p, variance
    r (1 - p) / p^2. At r = 0 the coefficients of (6) are those with lower index -1, all 0: no law.
    """

    r: int
    p: fmpq

    def __post_init__(self) -> None:
        require_integer("r", self.r, 1)
        object.__setattr__(self, "p", _rational(self.p))
        require_chance("p", self.p, positive=True)

    @property
    def mean(self) -> fmpq:
        """r (1 - p) / p."""
        return self.r * (1 - self.p) / self.p

    @property
    def variance(self) -> fmpq:
        """r (1 - p) / p^2."""
        return self.r * (1 - self.p) / self.p**2

    def chance(self, number: int) -> fmpq:
        """(6)."""
        require_integer("number", number, 0)
        return comb(number + self.r - 1, self.r - 1) * (1 - self.p) ** number * self.p**self.r

    def draw(self, coins: Coins, one: S) -> int:
        """Failures until the r-th success: a loop without a bound, for coins that sample."""
        p, failures, successes = one * int(self.p.p) / int(self.p.q), 0, 0
        while successes < self.r:
            if bernoulli(coins, p):
                successes += 1
            else:
                failures += 1
        return failures

    def law(self) -> dict[int, fmpq]:
        """Only for p = 1 (no dummies at all); otherwise raises `DomainError`: see `conditioned`."""
        if is_zero(1 - self.p):
            return {0: fmpq(1)}
        raise DomainError("count", self, "a law on finitely many numbers; conditioned(most) is one")

    def tail(self, most: int) -> fmpq:
        """The probability of more than `most`."""
        require_integer("most", most, 0)
        return 1 - sum((self.chance(k) for k in range(most + 1)), fmpq(0))

    def conditioned(self, most: int) -> Listed:
        """The law given at most `most`: away from this one by `tail(most)` in total variation."""
        inside = 1 - self.tail(most)
        return Listed(tuple([self.chance(k) / inside for k in range(most + 1)]))

    def total(self, users: int) -> "NegativeBinomial":
        """NBin(n r, p)."""
        require_integer("users", users, 1)
        return NegativeBinomial(users * self.r, self.p)


def _rational(p: object) -> fmpq:
    if isinstance(p, Fraction):
        return fmpq(p.numerator, p.denominator)
    if isinstance(p, bool) or not isinstance(p, int | fmpq):
        raise DomainError("p", p, "a rational number (fmpq)")
    return fmpq(p)
