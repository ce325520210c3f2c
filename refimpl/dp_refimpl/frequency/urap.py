"""uRAP: utility-optimized RAPPOR on one item (source 002, reference [21])."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Generic

from dp_refimpl.coins import Coins
from dp_refimpl.frequency.parameters import ItemParameters
from dp_refimpl.frequency.surap import BitLaws, estimate_protected_bits, perturb_protected_bits, protected_bit_laws
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item, Report
from dp_spec.vocabulary.scalar import Ordering, S, compare


@dataclass(frozen=True)
class URAP(ItemParameters[S], Generic[S]):
    """uRAP with parameter theta in (0, 1), theta > d1; default theta = e^(eps/2) / (e^(eps/2) + 1).

    Raises `DomainError` unless 0 <= theta < 1 and (for eps > 0) theta > d1.
    """

    theta_option: S | None = None

    def _require_fields(self) -> None:
        super()._require_fields()
        if compare(self.theta, 0) is Ordering.LESS or compare(self.theta, 1) is not Ordering.LESS:
            raise DomainError("theta", self.theta, "0 <= theta < 1")
        if compare(self.budget.exp(), 1) is Ordering.GREATER and compare(self.theta, self.d1) is not Ordering.GREATER:
            raise DomainError("theta", self.theta, "theta > d1 = theta / ((1 - theta) e^eps + theta)")

    @cached_property
    def theta(self) -> S:
        """Probability that a sensitive item's own bit stays 1."""
        if self.theta_option is not None:
            return self.theta_option
        h = self.budget.exp(Fraction(1, 2))
        return h / (h + 1)

    @cached_property
    def d1(self) -> S:
        """Probability that any other sensitive bit becomes 1."""
        return self.theta / ((1 - self.theta) * self.budget.exp() + self.theta)

    @cached_property
    def d2(self) -> S:
        """Probability that a non-sensitive item's own bit becomes 0."""
        return ((1 - self.theta) * self.budget.exp() + self.theta) / self.budget.exp()

    @cached_property
    def bit_laws(self) -> BitLaws[S]:
        """The laws of the bits, as in Table (18) of source 002."""
        return protected_bit_laws(self.theta, self.d1, 1 - self.d2)

    def randomize(self, item: Item, coins: Coins) -> Report:
        """A report: the sensitive bits as protected datum, the non-sensitive ones as invertible data."""
        self.require_item(item)
        return perturb_protected_bits(frozenset([item]), self.domain, self.bit_laws, coins)

    def estimate(self, reports: Sequence[Report]) -> dict[Item, S]:
        """(F_x / n - d1) / (theta - d1) for sensitive items, F_x / (n (1 - d2)) for the others."""
        return estimate_protected_bits(reports, self.domain, self.theta, self.d1, 1 - self.d2)
