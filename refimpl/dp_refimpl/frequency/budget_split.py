"""Budget split of a one-item mechanism over a set (source 002, "further baselines"): m reports with epsilon / m
each."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Generic, Protocol

from dp_refimpl.coins import Coins
from dp_refimpl.frequency.parameters import SetParameters
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.items import Item, ItemDomain
from dp_spec.vocabulary.scalar import S


class ItemRandomizer(Protocol):
    """A mechanism on one item."""

    def randomize(self, item: Item, coins: Coins) -> Hashable:
        """A report."""
        ...


@dataclass(frozen=True)
class BudgetSplit(SetParameters[S], Generic[S]):
    """The one-item mechanism `of(domain, budget)` run independently on every item of the set with epsilon / m."""

    of: Callable[[ItemDomain, Budget[S]], ItemRandomizer] = field(kw_only=True)

    def randomize(self, items: frozenset[Item], coins: Coins) -> tuple[Hashable, ...]:
        """The reports, in the order of the items. Raises `DomainError` for a set the mechanism does not accept."""
        mechanism = self.of(self.domain, self.budget.split(self.m))
        return tuple(mechanism.randomize(x, coins) for x in self.require_set(items))
