"""Unary encoding of one item (Wang, Blocki, Li, Jha 2017): optimized, and symmetric, which is basic RAPPOR."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from dp_refimpl.coins import Coins
from dp_refimpl.frequency.parameters import ItemParameters
from dp_refimpl.frequency.rappor import RAPPOR, Bits, bit_estimates, perturb_bits
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.scalar import S

SUE = RAPPOR
"""Symmetric unary encoding: another name."""


@dataclass(frozen=True)
class OUE(ItemParameters[S]):
    """Optimized unary encoding: a one-hot vector whose 1 stays with 1/2; a 0 becomes 1 with 1 / (e^eps + 1).

    Among encodings with two probabilities p > q and p(1-q) / (q(1-p)) = e^eps this one has the least variance for items
    that nobody holds. The bound e^eps is attained by any two items.
    """

    @cached_property
    def p(self) -> S:
        """Probability that the 1 stays 1."""
        return self.one / 2

    @cached_property
    def q(self) -> S:
        """Probability that a 0 becomes 1."""
        return 1 / (self.budget.exp() + 1)

    def randomize(self, item: Item, coins: Coins) -> Bits:
        """A report: d bits in domain order. Raises `DomainError` for an unknown item."""
        self.require_item(item)
        return perturb_bits(frozenset([item]), self.domain, self.p, self.q, coins)

    def estimate(self, reports: Sequence[Bits]) -> dict[Item, S]:
        """Estimated frequency of every item: (F_x / n - q) / (p - q), F_x the number of ones at the position of x.

        Raises `DomainError` for vectors that are not d bits, without reports, and at epsilon = 0.
        """
        return bit_estimates(reports, self.domain, self.q, self.p - self.q)
