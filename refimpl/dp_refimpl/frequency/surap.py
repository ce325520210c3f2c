"""suRAP and suRAP-Sample: utility-optimized RAPPOR for sets (source 002, 4.2.1)."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import compress
from typing import Generic, cast

from dp_refimpl.coins import Coins, uniform
from dp_refimpl.frequency.parameters import SetParameters, protected_estimates, require_bits
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item, ItemDomain, Report
from dp_spec.vocabulary.scalar import S

BitLaws = tuple[tuple[S, S], tuple[S, S], tuple[S, S], tuple[S, S]]


@dataclass(frozen=True)
class SuRAP(SetParameters[S], Generic[S]):
    """suRAP: the m-hot vector perturbed bit by bit with (18), e^(eps/2m); y0 is the K sensitive bits (reading `sen`).

    The reading `whole` (y0 = b) is the push-forward by `whole_vector`.
    """

    @cached_property
    def p(self) -> S:
        """Probability that a sensitive 1 stays 1."""
        t = self.budget.exp(Fraction(1, 2 * self.m))
        return t / (t + 1)

    @cached_property
    def q(self) -> S:
        """Probability that a sensitive 0 becomes 1."""
        return 1 / (self.budget.exp(Fraction(1, 2 * self.m)) + 1)

    @cached_property
    def r(self) -> S:
        """Probability that a non-sensitive 1 stays 1 (a non-sensitive 0 stays 0)."""
        t = self.budget.exp(Fraction(1, 2 * self.m))
        return (t - 1) / t

    @cached_property
    def bit_laws(self) -> BitLaws[S]:
        """Table (18) with p, q and r."""
        return protected_bit_laws(self.p, self.q, self.r)

    def randomize(self, items: frozenset[Item], coins: Coins) -> Report:
        """A report. Raises `DomainError` for a set the mechanism does not accept."""
        self.require_accepted(items)
        return perturb_protected_bits(items, self.domain, self.bit_laws, coins)

    def estimate(self, reports: Sequence[Report]) -> dict[Item, S]:
        """Estimator (19): (F_x / n - q) / (p - q) for sensitive items, F_x / (n r) for the others."""
        return estimate_protected_bits(reports, self.domain, self.p, self.q, self.r)


@dataclass(frozen=True)
class SuRAPSample(SetParameters[S], Generic[S]):
    """suRAP-Sample: one uniformly drawn item, encoded alone, perturbed with (18) at e^(eps/2)."""

    @cached_property
    def p(self) -> S:
        """Probability that a sensitive 1 stays 1."""
        h = self.budget.exp(Fraction(1, 2))
        return h / (h + 1)

    @cached_property
    def q(self) -> S:
        """Probability that a sensitive 0 becomes 1."""
        return 1 / (self.budget.exp(Fraction(1, 2)) + 1)

    @cached_property
    def r(self) -> S:
        """Probability that a non-sensitive 1 stays 1."""
        h = self.budget.exp(Fraction(1, 2))
        return (h - 1) / h

    @cached_property
    def bit_laws(self) -> BitLaws[S]:
        """Table (18) with p, q and r."""
        return protected_bit_laws(self.p, self.q, self.r)

    def randomize(self, items: frozenset[Item], coins: Coins) -> Report:
        """A report. Raises `DomainError` for a set the mechanism does not accept (the empty set among them)."""
        drawn = uniform(coins, self.require_set(items), self.one)
        return perturb_protected_bits(frozenset([drawn]), self.domain, self.bit_laws, coins)

    def estimate(self, reports: Sequence[Report]) -> dict[Item, S]:
        """Estimator (20): m (F_x / n - q) / (p - q) for sensitive items, m F_x / (n r) for the others."""
        return estimate_protected_bits(reports, self.domain, self.p, self.q, self.r, self.m)


def protected_bit_laws(p: S, q: S, r: S) -> BitLaws[S]:
    """Table (18), the laws of a bit: sensitive and held, sensitive and not held, other and held, other and not held."""
    return (1 - p, p), (1 - q, q), (1 - r, r), (1 - p * 0, p * 0)


def perturb_protected_bits(held: frozenset[Item], domain: ItemDomain, laws: BitLaws[S], coins: Coins) -> Report:
    """One bit per item, drawn from Table (18): the sensitive ones are y0, the others show the invertible data."""
    kept, flipped, shown, hidden = laws
    sensitive = [kept if x in held else flipped for x in domain.sensitive]
    nonsensitive = [shown if x in held else hidden for x in domain.nonsensitive]
    bits, k = coins.choose_each(sensitive + nonsensitive), len(sensitive)
    return Report(bits[:k], frozenset(compress(domain.nonsensitive, bits[k:])))


def estimate_protected_bits(
    reports: Sequence[Report], domain: ItemDomain, p: S, q: S, r: S, scale: int = 1
) -> dict[Item, S]:
    """scale (F_x / n - q) / (p - q) for sensitive items, scale F_x / (n r) for the others.

    Raises `DomainError` for reports that are not K bits and a set of non-sensitive items.
    """
    k = len(domain.sensitive)
    vectors = [cast("tuple[int, ...]", y.protected) for y in reports]
    for report, bits in zip(reports, vectors, strict=True):
        require_bits(bits, k)
        if not report.invertible <= set(domain.nonsensitive):
            raise DomainError("reports", report, f"invertible data among {domain.nonsensitive}")
    ones = {x: sum(bits[j] for bits in vectors) for j, x in enumerate(domain.sensitive)}
    ones |= {x: sum(x in y.invertible for y in reports) for x in domain.nonsensitive}
    return protected_estimates(domain, ones.__getitem__, len(reports), (q, p - q), r, scale)


def whole_vector(report: Report) -> Report:
    """The reading `whole` of y0: the protected datum is all of b: the sensitive bits and the invertible data."""
    return Report((report.protected, tuple(sorted(report.invertible, key=str))), report.invertible)
