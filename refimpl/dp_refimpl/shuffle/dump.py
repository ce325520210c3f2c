"""pureDUMP and mixDUMP (Li, Wang, Li, Skorski 2022): the item, bare or perturbed, among dummies (source 000, M7).

Both take any law of the number of dummies of a user; the published mechanisms have the same number for all.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, Literal

from flint import fmpq

from dp_refimpl.coins import Coins, uniform
from dp_refimpl.enumeration import MAX_PATHS
from dp_refimpl.frequency.grr import GRR, perturb
from dp_refimpl.frequency.parameters import NOT_GIVEN, ItemParameters
from dp_refimpl.requirements import require_word
from dp_refimpl.shuffle.channel import joined, multinomial_law
from dp_refimpl.shuffle.dummies import DummyCount
from dp_refimpl.shuffle.protocol_parts import Affine, Message, Moments, Multiset, Randomizer, in_field, require_domain
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item, ItemDomain
from dp_spec.vocabulary.scalar import S

Subtracted = Literal["realised", "expected"]
"""Whether a server subtracts for the dummies that were sent, or for those that were expected."""


@dataclass(frozen=True)
class PureDUMP(Randomizer[fmpq]):
    """The item itself and uniform dummies: no local privacy at all, each user's report is his item.

    Raises `DomainError` for what is no domain, no law of a number of dummies, or no way to subtract them.
    """

    domain: ItemDomain
    dummies: DummyCount
    subtracted: Subtracted = "realised"

    def __post_init__(self) -> None:
        require_domain(self.domain)
        require_dummies(self.dummies, self.subtracted)

    @property
    def one(self) -> fmpq:
        """1."""
        return fmpq(1)

    def messages(self, item: Item, coins: Coins) -> tuple[Message, ...]:
        """The item and the dummies."""
        self.require_item(item)
        return (item, *uniform_dummies(self.domain, self.dummies, coins, self.one))

    def bundle_law(self, item: Item, max_paths: int = MAX_PATHS) -> dict[Multiset, fmpq]:
        """The exact law, by compositions. Raises `DomainError` for an infinite law of dummies."""
        self.require_item(item)
        return with_dummies({item: self.one}, dict.fromkeys(self.domain.items, self._cell), self.dummies, self.one)

    @property
    def estimator(self) -> Affine[fmpq]:
        """(C_v - n s / k) / n."""
        return dummies_subtracted(fmpq(0), self._cell, self.one, self.dummies, self.subtracted)

    def contribution(self, held: Item, item: Item) -> Moments[fmpq]:
        """1 or 0 for the item; the dummies' part."""
        return one_report(fmpq(int(held == item)), self._cell, self.estimator, self.dummies)

    @property
    def _cell(self) -> fmpq:
        return fmpq(1, len(self.domain.items))


@dataclass(frozen=True)
class MixDUMP(ItemParameters[S], Randomizer[S], Generic[S]):
    """The item perturbed by GRR with a local budget, and uniform dummies. Raises `DomainError` as `PureDUMP`."""

    dummies: DummyCount = NOT_GIVEN
    subtracted: Subtracted = "realised"

    def _require_fields(self) -> None:
        super()._require_fields()
        require_dummies(self.dummies, self.subtracted)

    @cached_property
    def p(self) -> S:
        """Probability that the report is the own item."""
        return GRR(self.domain, self.budget).p

    @cached_property
    def q(self) -> S:
        """Probability that the report is a given other item."""
        return GRR(self.domain, self.budget).q

    @property
    def gamma(self) -> S:
        """The chance to randomize: k / (e^eps + k - 1)."""
        return len(self.domain.items) * self.q

    def messages(self, item: Item, coins: Coins) -> tuple[Message, ...]:
        """The perturbed item and the dummies."""
        self.require_item(item)
        report = perturb(item, self.domain, self.p, self.q, coins)
        return (report, *uniform_dummies(self.domain, self.dummies, coins, self.one))

    def bundle_law(self, item: Item, max_paths: int = MAX_PATHS) -> dict[Multiset, S]:
        """The exact law, by compositions. Raises `DomainError` for an infinite law of dummies."""
        self.require_item(item)
        report = {x: self.p if x == item else self.q for x in self.domain.items}
        return with_dummies(report, dict.fromkeys(self.domain.items, self._cell), self.dummies, self.one)

    @property
    def estimator(self) -> Affine[S]:
        """(C_v - n q - n s / k) / (n (p - q))."""
        return dummies_subtracted(self.q, self._cell, self.p - self.q, self.dummies, self.subtracted)

    def contribution(self, held: Item, item: Item) -> Moments[S]:
        """A report of probability p or q; the dummies' part."""
        return one_report(self.p if held == item else self.q, self._cell, self.estimator, self.dummies)

    @property
    def _cell(self) -> S:
        return self.one / len(self.domain.items)


def uniform_dummies(domain: ItemDomain, count: DummyCount, coins: Coins, one: S) -> tuple[Message, ...]:
    """As many uniform items as the law says."""
    return tuple([uniform(coins, domain.items, one) for _ in range(count.draw(coins, one))])


def with_dummies(
    report: Mapping[Message, S], dummy: Mapping[Message, S], count: DummyCount, one: S
) -> dict[Multiset, S]:
    """The law of a report and of independent dummies, without their order."""
    law: dict[Multiset, S] = {}
    reports = multinomial_law(1, report)
    for number, weight in count.law().items():
        share: Any = in_field(weight, one)
        for bundle, p in joined(reports, multinomial_law(number, dummy)).items():
            law[bundle] = law[bundle] + share * p if bundle in law else share * p
    return law


def dummies_subtracted(offset: S, cell: S, slope: S, count: DummyCount, subtracted: Subtracted) -> Affine[S]:
    """The estimator that takes `offset` off for a report and `cell` for a dummy.

    `realised`: for every message beyond one for each user; `expected`: for the expected number of dummies.
    """
    if subtracted == "realised":
        return Affine(offset - cell, cell, slope)
    mean: Any = in_field(count.mean, slope * 0 + 1)
    return Affine(offset + mean * cell, slope * 0, slope)


def one_report(chance: S, cell: S, estimator: Affine[S], count: DummyCount) -> Moments[S]:
    """Moments of one user's contribution: a report of probability `chance`, independent dummies of probability `cell`.

    With N dummies of mean mu and variance s2, less w = per_message for each message: mean
    c + mu (b - w) - w - u, variance c (1 - c) + mu b (1 - b) + s2 (b - w)^2.
    """
    mean: Any = in_field(count.mean, cell * 0 + 1)
    spread: Any = in_field(count.variance, cell * 0 + 1)
    gain = cell - estimator.per_message
    return Moments(
        chance + mean * gain - estimator.per_message - estimator.per_user,
        chance * (1 - chance) + mean * cell * (1 - cell) + spread * gain**2,
    )


def require_dummies(count: object, subtracted: str) -> None:
    """Raise `DomainError` for no law of a number of dummies, and for no way to subtract them."""
    if not isinstance(count, DummyCount):
        raise DomainError("dummies", count, "a DummyCount, for example Constant(1)")
    require_word("subtracted", subtracted, Subtracted)
