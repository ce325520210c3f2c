"""Subset selection (Wang et al. 2016; Ye, Barg 2018): a random subset of k items that more often has the user's own.

It is PrivSet for one item per user, and runs that program; its law in `dp_spec` is that of PrivSet with m = 1.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic

from dp_refimpl.coins import Coins
from dp_refimpl.frequency.parameters import NOT_GIVEN, ItemParameters
from dp_refimpl.frequency.privset import PrivSet, best_k
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.scalar import S


@dataclass(frozen=True)
class SubsetSelection(ItemParameters[S], Generic[S]):
    """A subset of k items; one with the user's item is e^eps times as likely as one without it.

    `k`: an integer in 1..d-1; left out it is the one with the smallest variance (`best_k`), which rounding
    d / (e^eps + 1) does not always give. Raises `DomainError` for other k, for a domain of one item, and at epsilon = 0
    without a k. The bound e^eps is attained by any two items.
    """

    k: int = NOT_GIVEN

    def _require_fields(self) -> None:
        super()._require_fields()
        if len(self.domain.items) < 2:
            raise DomainError("domain", self.domain, "two or more items")
        if self.k is NOT_GIVEN:
            object.__setattr__(self, "k", best_k(self.domain, self.budget, 1))
        _ = self.of_sets

    @cached_property
    def of_sets(self) -> PrivSet[S]:
        """The mechanism on sets of one item."""
        return PrivSet(self.domain, self.budget, 1, self.k)

    @property
    def p(self) -> S:
        """Probability that the user's item is in the report: k e^eps / (k e^eps + d - k)."""
        return self.of_sets.p

    @property
    def q(self) -> S:
        """Probability that a given other item is: (p (k - 1) + (1 - p) k) / (d - 1)."""
        return self.of_sets.q

    def randomize(self, item: Item, coins: Coins) -> frozenset[Item]:
        """A report: k items. Raises `DomainError` for an unknown item."""
        self.require_item(item)
        return self.of_sets.randomize(frozenset([item]), coins)

    def estimate(self, reports: Sequence[frozenset[Item]]) -> dict[Item, S]:
        """Estimated frequency of every item: (F_x / n - q) / (p - q), F_x the number of reports with x.

        Raises `DomainError` for reports that are not sets of k items, without any, and at epsilon = 0.
        """
        return self.of_sets.estimate(reports)
