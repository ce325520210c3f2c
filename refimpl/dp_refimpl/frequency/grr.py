"""Generalized randomized response (direct encoding): one item, sets by budget split or sampling (source 002, 2.3.1)."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Generic, Literal

from dp_refimpl.coins import Coins, uniform
from dp_refimpl.frequency.parameters import (
    ItemParameters,
    SetParameters,
    affine_estimate,
    ordered,
)
from dp_refimpl.requirements import require_word
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item, ItemDomain
from dp_spec.vocabulary.scalar import S


@dataclass(frozen=True)
class GRR(ItemParameters[S]):
    """GRR on one item: itself with probability e^eps / (e^eps + d - 1), any other with 1 / (e^eps + d - 1) (5)."""

    @cached_property
    def p(self) -> S:
        """Probability of reporting the true item."""
        return self.budget.exp() / (self.budget.exp() + (len(self.domain.items) - 1))

    @cached_property
    def q(self) -> S:
        """Probability of reporting a given other item."""
        return 1 / (self.budget.exp() + (len(self.domain.items) - 1))

    def randomize(self, item: Item, coins: Coins) -> Item:
        """A report. Raises `DomainError` for an unknown item."""
        self.require_item(item)
        return perturb(item, self.domain, self.p, self.q, coins)

    def estimate(self, reports: Sequence[Item]) -> dict[Item, S]:
        """Estimated frequency of every item from one report per user: (F_x / n - q) / (p - q)."""
        require_reports(reports, self.domain)
        return {x: affine_estimate(reports.count(x), len(reports), self.q, self.p - self.q) for x in self.domain.items}


@dataclass(frozen=True)
class GRRSplit(SetParameters[S], Generic[S]):
    """GRR for sets by budget split: every item perturbed independently with eps / m, the m results reported.

    `view`: `vector` in the order of the items, `multiset` without order.
    """

    view: Literal["vector", "multiset"] = "vector"

    def _require_fields(self) -> None:
        super()._require_fields()
        require_word("view", self.view, ("vector", "multiset"))

    @cached_property
    def p(self) -> S:
        """Probability that an item is reported as itself."""
        e0 = self.budget.exp(Fraction(1, self.m))
        return e0 / (e0 + (len(self.domain.items) - 1))

    @cached_property
    def q(self) -> S:
        """Probability that an item is reported as a given other item."""
        return 1 / (self.budget.exp(Fraction(1, self.m)) + (len(self.domain.items) - 1))

    def randomize(self, items: frozenset[Item], coins: Coins) -> tuple[Item, ...]:
        """A report: m items. Raises `DomainError` for a set the mechanism does not accept."""
        p, q = self.p, self.q
        reported = [perturb(x, self.domain, p, q, coins) for x in self.require_set(items)]
        return tuple(reported) if self.view == "vector" else ordered(reported, self.domain.items)

    def estimate(self, reports: Sequence[tuple[Item, ...]]) -> dict[Item, S]:
        """Estimated frequency of every item: (F_x / n - m q) / (p - q), F_x counting occurrences in all reports."""
        for report in reports:
            require_reports(report, self.domain)
            if len(report) != self.m and not self.any_size:
                raise DomainError("reports", report, f"tuples of {self.m} items")
        return {
            x: affine_estimate(sum(r.count(x) for r in reports), len(reports), self.m * self.q, self.p - self.q)
            for x in self.domain.items
        }


@dataclass(frozen=True)
class GRRSample(SetParameters[S], Generic[S]):
    """GRR for sets by sampling: one uniformly drawn item of the set, perturbed with the whole budget."""

    @cached_property
    def p(self) -> S:
        """Probability that the drawn item is reported as itself."""
        return self.budget.exp() / (self.budget.exp() + (len(self.domain.items) - 1))

    @cached_property
    def q(self) -> S:
        """Probability that the drawn item is reported as a given other item."""
        return 1 / (self.budget.exp() + (len(self.domain.items) - 1))

    def randomize(self, items: frozenset[Item], coins: Coins) -> Item:
        """A report: one item. Raises `DomainError` for a set the mechanism does not accept."""
        p, q = self.p, self.q
        return perturb(uniform(coins, self.require_set(items), self.one), self.domain, p, q, coins)

    def estimate(self, reports: Sequence[Item]) -> dict[Item, S]:
        """Estimated frequency of every item: m (F_x / n - q) / (p - q)."""
        require_reports(reports, self.domain)
        return {
            x: affine_estimate(reports.count(x), len(reports), self.q, self.p - self.q, self.m)
            for x in self.domain.items
        }


def perturb(item: Item, domain: ItemDomain, p: S, q: S, coins: Coins) -> Item:
    """The item itself with probability p, every other item of the domain with probability q."""
    return domain.items[coins.choose([p if x == item else q for x in domain.items])]


def require_reports(reported: Sequence[Item], domain: ItemDomain) -> None:
    """Raise `DomainError` if something is reported that is not an item of the domain."""
    unknown = [x for x in reported if x not in domain.items]
    if unknown:
        raise DomainError("reports", unknown, f"items of {domain.items}")
