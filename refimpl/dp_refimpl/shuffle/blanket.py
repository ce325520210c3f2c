"""SH: generalized randomized response in the form of the privacy blanket; DDPS, the case of two items (source 000, M7).

Balle, Bell, Gascon, Nissim 2019; Cheu, Smith, Ullman, Zeber, Zhilyaev 2019. One message: with probability gamma a
uniform item, otherwise the own one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic

from flint import fmpq

from dp_refimpl.coins import Coins, bernoulli, uniform
from dp_refimpl.requirements import is_integer, require_integer
from dp_refimpl.shuffle.parameter_choices import blanket_gamma
from dp_refimpl.shuffle.protocol_parts import (
    Affine,
    Message,
    Moments,
    Randomizer,
    require_chance,
    require_domain,
)
from dp_spec.vocabulary.budget import Budget, Epsilon
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item, ItemDomain
from dp_spec.vocabulary.scalar import S, at_most, is_zero


@dataclass(frozen=True)
class SH(Randomizer[S], Generic[S]):
    """One message: a uniform item with probability gamma, otherwise the user's own.

    Raises `DomainError` for what is no domain, and unless gamma is a number in (0, 1].
    """

    domain: ItemDomain
    gamma: S

    def __post_init__(self) -> None:
        require_domain(self.domain)
        require_chance("gamma", self.gamma, positive=True)

    @classmethod
    def of_budget(cls, domain: ItemDomain, budget: Budget[S]) -> "SH[S]":
        """GRR of this local budget: gamma = k / (e^eps + k - 1)."""
        require_domain(domain)
        k = len(domain.items)
        return cls(domain, k / (budget.exp() + (k - 1)))

    @classmethod
    def chosen(cls, domain: ItemDomain, users: int, epsilon: Epsilon, delta: fmpq | Fraction) -> "SH":
        """With the gamma of the literature for central (epsilon, delta): a ball. Raises as `blanket_gamma`."""
        require_domain(domain)
        return SH(domain, blanket_gamma(len(domain.items), users, epsilon, delta))  # type: ignore[arg-type]

    @property
    def one(self) -> S:
        """The number 1 of the field of gamma."""
        return self.gamma * 0 + 1

    @property
    def p(self) -> S:
        """Probability of sending the own item: 1 - gamma + gamma / k."""
        return 1 - self.gamma + self.q

    @property
    def q(self) -> S:
        """Probability of sending a given other item: gamma / k."""
        return self.gamma / len(self.domain.items)

    @property
    def budget(self) -> Budget[S]:
        """The local budget: e^eps = p / q. Raises `DomainError` for one item, where it is not defined."""
        if len(self.domain.items) < 2:
            raise DomainError("domain", self.domain, "two or more items")
        return Budget.of_root(self.p / self.q)

    def messages(self, item: Item, coins: Coins) -> tuple[Message, ...]:
        """One item."""
        self.require_item(item)
        return (uniform(coins, self.domain.items, self.one) if bernoulli(coins, self.gamma) else item,)

    @property
    def estimator(self) -> Affine[S]:
        """(C_v / n - q) / (p - q)."""
        return Affine(self.q, self.gamma * 0, self.p - self.q)

    def contribution(self, held: Item, item: Item) -> Moments[S]:
        """A bit of probability p or q, less q."""
        chance = self.p if held == item else self.q
        return Moments(chance - self.q, chance * (1 - chance))


@dataclass(frozen=True)
class DDPS:
    """Bits of n users: a fair coin with probability lambda / n, otherwise the true bit.

    Raises `DomainError` unless 0 < lambda <= n and n is an integer >= 1.
    """

    users: int
    rate: fmpq

    def __post_init__(self) -> None:
        require_integer("users", self.users, 1)
        rate: object = self.rate
        if not isinstance(rate, fmpq):
            raise DomainError("rate", rate, "lambda as a rational number (fmpq)")
        if at_most(rate, 0) or not at_most(rate, self.users):
            raise DomainError("rate", rate, f"lambda in (0, n], n = {self.users}")

    @property
    def randomizer(self) -> SH[fmpq]:
        """SH on the items 0 and 1 with gamma = lambda / n."""
        return SH(ItemDomain((0, 1)), self.rate / self.users)

    def estimate(self, bits: Sequence[int]) -> fmpq:
        """The estimated number of ones: n / (n - lambda) (sum - lambda / 2).

        Raises `DomainError` unless these are n bits, and at lambda = n.
        """
        if not isinstance(bits, Sequence) or len(bits) != self.users:
            raise DomainError("bits", bits, f"a sequence of {self.users} bits")
        if any(not is_integer(b, 0, 1) for b in bits):
            raise DomainError("bits", bits, "bits 0 and 1")
        if is_zero(self.users - self.rate):
            raise DomainError("rate", self.rate, "lambda < n: otherwise the bits carry no information")
        return fmpq(self.users) / (self.users - self.rate) * (sum(bits) - self.rate / 2)
