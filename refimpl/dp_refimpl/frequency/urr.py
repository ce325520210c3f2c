"""uRR: utility-optimized randomized response on one item (source 002, reference [21])."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from dp_refimpl.coins import Coins
from dp_refimpl.frequency.grr import require_reports
from dp_refimpl.frequency.parameters import ItemParameters, protected_estimates
from dp_spec.vocabulary.items import Item, ItemDomain
from dp_spec.vocabulary.scalar import S


@dataclass(frozen=True)
class URR(ItemParameters[S]):
    """uRR: c1 = e^eps / (e^eps + K - 1), c2 = 1 / (e^eps + K - 1), c3 = c1 - c2; Y_pro = X_sen, Y_inv = X_non."""

    @cached_property
    def c1(self) -> S:
        """Probability that a sensitive item is reported as itself."""
        return self.budget.exp() / (self.budget.exp() + (len(self.domain.sensitive) - 1))

    @cached_property
    def c2(self) -> S:
        """Probability that an item is reported as a given (other) sensitive item."""
        return 1 / (self.budget.exp() + (len(self.domain.sensitive) - 1))

    @cached_property
    def c3(self) -> S:
        """Probability that a non-sensitive item is reported as itself."""
        return self.c1 - self.c2

    def randomize(self, item: Item, coins: Coins) -> Item:
        """A report: one item. Raises `DomainError` for an unknown item."""
        self.require_item(item)
        return perturb_protected(item, self.domain, self.c1, self.c2, self.c3, coins)

    def estimate(self, reports: Sequence[Item]) -> dict[Item, S]:
        """(F_x / n - c2) / (c1 - c2) for sensitive items, F_x / (n c3) for the others."""
        require_reports(reports, self.domain)
        return protected_estimates(self.domain, reports.count, len(reports), (self.c2, self.c1 - self.c2), self.c3)


def perturb_protected(item: Item, domain: ItemDomain, own: S, other: S, kept: S, coins: Coins) -> Item:
    """The item randomizer of uRR and of suGRR (13).

    A sensitive item becomes itself with probability `own`, every other sensitive item with `other`; a non-sensitive one
    becomes every sensitive item with `other` and itself with `kept`.
    """
    if item in domain.sensitive:
        return domain.sensitive[coins.choose([own if z == item else other for z in domain.sensitive])]
    return (*domain.sensitive, item)[coins.choose([*(other for _ in domain.sensitive), kept])]
