"""Basic RAPPOR (symmetric unary encoding): one item, sets, sets by sampling (source 002, 2.3.2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Generic

from dp_refimpl.coins import Coins, uniform
from dp_refimpl.frequency.parameters import ItemParameters, SetParameters, affine_estimate, require_bits
from dp_spec.vocabulary.items import Item, ItemDomain
from dp_spec.vocabulary.scalar import S

Bits = tuple[int, ...]


@dataclass(frozen=True)
class RAPPOR(ItemParameters[S]):
    """RAPPOR on one item: a one-hot vector, each bit flipped independently with probability 1 / (e^(eps/2) + 1)."""

    @cached_property
    def p(self) -> S:
        """Probability that a 1 stays 1."""
        h = self.budget.exp(Fraction(1, 2))
        return h / (h + 1)

    @cached_property
    def q(self) -> S:
        """Probability that a 0 becomes 1."""
        return 1 / (self.budget.exp(Fraction(1, 2)) + 1)

    def randomize(self, item: Item, coins: Coins) -> Bits:
        """A report: d bits in domain order. Raises `DomainError` for an unknown item."""
        self.require_item(item)
        return perturb_bits(frozenset([item]), self.domain, self.p, self.q, coins)

    def estimate(self, reports: Sequence[Bits]) -> dict[Item, S]:
        """Estimated frequency of every item: (F_x / n - q) / (p - q), F_x the number of ones at the position of x."""
        return bit_estimates(reports, self.domain, self.q, self.p - self.q)


@dataclass(frozen=True)
class RAPPORSet(SetParameters[S], Generic[S]):
    """RAPPOR for sets: the m-hot vector, every bit with e^(eps/2m) (6), (7)."""

    @cached_property
    def p(self) -> S:
        """Probability that a 1 stays 1."""
        t = self.budget.exp(Fraction(1, 2 * self.m))
        return t / (t + 1)

    @cached_property
    def q(self) -> S:
        """Probability that a 0 becomes 1."""
        return 1 / (self.budget.exp(Fraction(1, 2 * self.m)) + 1)

    def randomize(self, items: frozenset[Item], coins: Coins) -> Bits:
        """A report: d bits in domain order. Raises `DomainError` for a set the mechanism does not accept."""
        self.require_accepted(items)
        return perturb_bits(items, self.domain, self.p, self.q, coins)

    def estimate(self, reports: Sequence[Bits]) -> dict[Item, S]:
        """Estimated frequency of every item: (F_x / n - q) / (p - q)."""
        return bit_estimates(reports, self.domain, self.q, self.p - self.q)


@dataclass(frozen=True)
class RAPPORSample(SetParameters[S], Generic[S]):
    """RAPPOR for sets by sampling: one uniformly drawn item, then the one-item version with the whole budget."""

    @cached_property
    def p(self) -> S:
        """Probability that a 1 stays 1."""
        h = self.budget.exp(Fraction(1, 2))
        return h / (h + 1)

    @cached_property
    def q(self) -> S:
        """Probability that a 0 becomes 1."""
        return 1 / (self.budget.exp(Fraction(1, 2)) + 1)

    def randomize(self, items: frozenset[Item], coins: Coins) -> Bits:
        """A report: d bits in domain order. Raises `DomainError` for a set the mechanism does not accept."""
        drawn = uniform(coins, self.require_set(items), self.one)
        return perturb_bits(frozenset([drawn]), self.domain, self.p, self.q, coins)

    def estimate(self, reports: Sequence[Bits]) -> dict[Item, S]:
        """Estimated frequency of every item: m (F_x / n - q) / (p - q)."""
        return bit_estimates(reports, self.domain, self.q, self.p - self.q, self.m)


def perturb_bits(held: frozenset[Item], domain: ItemDomain, p: S, q: S, coins: Coins) -> Bits:
    """One bit per item of the domain, independently 1 with probability p if held, else q."""
    kept, flipped = (1 - p, p), (1 - q, q)
    return coins.choose_each([kept if x in held else flipped for x in domain.items])


def bit_estimates(reports: Sequence[Bits], domain: ItemDomain, offset: S, slope: S, scale: int = 1) -> dict[Item, S]:
    """scale (F_x / n - offset) / slope for every item. Raises `DomainError` for vectors that are not d bits."""
    for report in reports:
        require_bits(report, len(domain.items))
    return {
        x: affine_estimate(sum(r[j] for r in reports), len(reports), offset, slope, scale)
        for j, x in enumerate(domain.items)
    }
