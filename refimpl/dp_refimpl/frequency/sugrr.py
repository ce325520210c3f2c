"""suGRR and suGRR-Sample: utility-optimized GRR for sets (source 002, 4.1.1)."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Generic, Literal, cast

from dp_refimpl.coins import Coins, uniform
from dp_refimpl.frequency.parameters import SetParameters, ordered, protected_estimates
from dp_refimpl.frequency.urr import URR, perturb_protected
from dp_refimpl.requirements import require_word
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item, ItemDomain, Report
from dp_spec.vocabulary.scalar import S

View = Literal["set", "multiset", "position", "padded"]


@dataclass(frozen=True)
class SuGRR(SetParameters[S], Generic[S]):
    """suGRR: every item of the set perturbed independently by (13) with e^(eps/m).

    `view` is the reading of y0: the sensitive results as a `set`, a `multiset`, by `position` (None elsewhere), or
    `padded` with one uniformly drawn sensitive item for every result that is not sensitive. `order` is the fixed
    order of X in which the items of a set are processed (default: domain order, sensitive items first); it shows in
    `position` reports only.
    """

    view: View = "multiset"
    order: tuple[Item, ...] | None = None

    def _require_fields(self) -> None:
        super()._require_fields()
        require_word("view", self.view, View)
        if self.order is not None and (
            len(self.order) != len(self.domain.items) or set(self.order) != set(self.domain.items)
        ):
            raise DomainError("order", self.order, f"an order of the items {self.domain.items}")

    def _processed(self, items: frozenset[Item]) -> tuple[Item, ...]:
        """The set in the order of processing."""
        held = self.require_set(items)
        return held if self.order is None else tuple(x for x in self.order if x in held)

    @cached_property
    def p(self) -> S:
        """Probability that a sensitive item is reported as itself."""
        e0 = self.budget.exp(Fraction(1, self.m))
        return e0 / (e0 + (len(self.domain.sensitive) - 1))

    @cached_property
    def q(self) -> S:
        """Probability that an item is reported as a given (other) sensitive item."""
        return 1 / (self.budget.exp(Fraction(1, self.m)) + (len(self.domain.sensitive) - 1))

    @cached_property
    def r(self) -> S:
        """Probability that a non-sensitive item is reported as itself."""
        e0 = self.budget.exp(Fraction(1, self.m))
        return (e0 - 1) / (e0 + (len(self.domain.sensitive) - 1))

    def randomize(self, items: frozenset[Item], coins: Coins) -> Report:
        """A report (y0, I). Raises `DomainError` for a set the mechanism does not accept."""
        p, q, r = self.p, self.q, self.r
        slots = [perturb_protected(x, self.domain, p, q, r, coins) for x in self._processed(items)]
        sensitive = [z for z in slots if z in self.domain.sensitive]
        invertible = frozenset(slots) - frozenset(sensitive)
        if self.view == "set":
            return Report(frozenset(sensitive), invertible)
        if self.view == "position":
            return Report(tuple(z if z in self.domain.sensitive else None for z in slots), invertible)
        if self.view == "padded":
            one = self.one
            sensitive += [uniform(coins, self.domain.sensitive, one) for _ in range(len(slots) - len(sensitive))]
        return Report(ordered(sensitive, self.domain.sensitive), invertible)

    def estimate(self, reports: Sequence[Report]) -> dict[Item, S]:
        """Estimator (14): (F_x / n - m q) / (p - q) for sensitive items, F_x / (n r) for the others."""
        for report in reports:
            results = [z for z in protected_items(report) if z is not None]
            require_protected(results, report, self.domain)
            if len(results) + len(report.invertible) > self.m and self.view != "padded" and not self.any_size:
                raise DomainError("reports", report, f"at most {self.m} results")

        def count(x: Item) -> int:
            return sum(protected_items(y).count(x) + (x in y.invertible) for y in reports)

        return protected_estimates(self.domain, count, len(reports), (self.m * self.q, self.p - self.q), self.r)


@dataclass(frozen=True)
class SuGRRSample(SetParameters[S], Generic[S]):
    """suGRR-Sample: one uniformly drawn item, perturbed by (13) with the whole budget.

    The protected datum is the reported sensitive item, or None for a report that carries no sensitive element.
    """

    @cached_property
    def item_randomizer(self) -> URR[S]:
        """The law (13) with e^eps: that of uRR."""
        return URR(self.domain, self.budget)

    def randomize(self, items: frozenset[Item], coins: Coins) -> Report:
        """A report. Raises `DomainError` for a set the mechanism does not accept (the empty set among them)."""
        kernel = self.item_randomizer
        z = kernel.randomize(uniform(coins, self.require_set(items), self.one), coins)
        return Report(z) if z in self.domain.sensitive else Report(None, frozenset([z]))

    def estimate(self, reports: Sequence[Report]) -> dict[Item, S]:
        """Estimator (15): m (F_x / n - q) / (p - q) for sensitive items, m F_x / (n r) for the others."""
        kernel = self.item_randomizer
        for report in reports:
            results = [] if report.protected is None else [report.protected]
            require_protected(results, report, self.domain)
            if len(results) + len(report.invertible) != 1:
                raise DomainError("reports", report, "one result, which is sensitive or invertible")

        def count(x: Item) -> int:
            return sum(y.protected == x or x in y.invertible for y in reports)

        chances = kernel.c2, kernel.c1 - kernel.c2
        return protected_estimates(self.domain, count, len(reports), chances, kernel.c3, self.m)


def require_protected(protected: Sequence[Item], report: Report, domain: ItemDomain) -> None:
    """Raise `DomainError` unless the protected data are sensitive items and the invertible data non-sensitive ones."""
    if not (set(protected) <= set(domain.sensitive) and report.invertible <= set(domain.nonsensitive)):
        raise DomainError("reports", report, f"items of {domain.sensitive}, invertible ones of {domain.nonsensitive}")


def protected_items(report: Report) -> tuple[Item, ...]:
    """The elements of y0 as a tuple, in any reading of y0."""
    return tuple(cast("Sequence[Item]", report.protected))
