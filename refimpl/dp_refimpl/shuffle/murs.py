"""SOLH, also MURS (Wang, Ding, et al. 2020): local hashing, one message, with the range for the central budget (M7).

PEOS: the shuffling parties add uniform fake messages (H, y).
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Generic, NamedTuple

from flint import arb, fmpq

from dp_refimpl.coins import Coins, uniform
from dp_refimpl.enumeration import MAX_PATHS
from dp_refimpl.frequency.hash_families import LabelFamily, LabelFunction
from dp_refimpl.frequency.local_hashing import LocalHashing
from dp_refimpl.frequency.parameters import NOT_GIVEN, ItemParameters
from dp_refimpl.requirements import require_integer
from dp_refimpl.shuffle.channel import multinomial_law
from dp_refimpl.shuffle.hashed_messages import HashedMessages, collision
from dp_refimpl.shuffle.parameter_choices import central_epsilon, log_over, whole
from dp_refimpl.shuffle.protocol_parts import Affine, Message, Moments, Multiset, in_field
from dp_spec.vocabulary.budget import Epsilon
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.scalar import S, at_most


@dataclass(frozen=True)
class SOLH(ItemParameters[S], HashedMessages[S], Generic[S]):
    """One message (H, y): the label of the item under a drawn function, perturbed by GRR with the local budget.

    `fakes`: how many uniform messages the shuffling parties add in all; the estimator takes them off. Raises
    `DomainError` as `LocalHashing`, and for a negative number of fakes.
    """

    family: LabelFamily = NOT_GIVEN
    fakes: int = 0

    def _require_fields(self) -> None:
        super()._require_fields()
        LocalHashing(self.domain, self.budget, self.family)
        require_integer("fakes", self.fakes, 0)

    @cached_property
    def p(self) -> S:
        """Probability of sending the item's own label."""
        return LocalHashing(self.domain, self.budget, self.family).p

    @cached_property
    def q(self) -> S:
        """Probability of sending a given other label."""
        return LocalHashing(self.domain, self.budget, self.family).q

    def messages(self, item: Item, coins: Coins) -> tuple[Message, ...]:
        """One report."""
        self.require_item(item)
        return (LocalHashing(self.domain, self.budget, self.family).randomize(item, coins),)

    def fake_messages(self, coins: Coins) -> tuple[Message, ...]:
        """What the shuffling parties add: functions of the family with uniform labels."""
        return tuple(
            [
                (self.family.draw(coins, self.one), uniform(coins, range(self.family.labels), self.one))
                for _ in range(self.fakes)
            ]
        )

    def bundle_law(self, item: Item, max_paths: int = MAX_PATHS) -> dict[Multiset, S]:
        """The exact law of the one message."""
        self.require_item(item)
        return multinomial_law(1, report_law(self.family, item, self.p, self.q, self.one))

    @property
    def estimator(self) -> Affine[S]:
        """(C_v - N / d') / (n (p - 1/d')), N = n + the number of fakes: that of the literature, whatever the family."""
        cell = self.one / self.family.labels
        return Affine(self.one * 0, cell, self.p - cell)

    def contribution(self, held: Item, item: Item) -> Moments[S]:
        """A bit that supports the item with probability p kappa + q (1 - kappa), less 1/d'."""
        kappa: Any = in_field(collision(self.family, held, item), self.one)
        chance = self.q + (self.p - self.q) * kappa
        return Moments(chance - self.estimator.per_message, chance * (1 - chance))


class Choice(NamedTuple):
    """M_c; d', the number of labels; e^eps of the local budget; whether the local budget is the central one."""

    amplification: arb
    labels: int
    root: arb
    fallback: bool


def solh_choice(users: int, epsilon: Epsilon, delta: fmpq | Fraction) -> Choice:
    """M_c = eps^2 (n-1) / (14 ln(2/delta)), d' = max(2, floor((M_c + 2) / 3)), e^eps_l = M_c - d' + 1.

    Where that is below 1, as published code has it, eps_l = eps. Raises `DomainError` for fewer than two users and as
    the choices do.
    """
    require_integer("users", users, 2)
    eps = central_epsilon(epsilon)
    amplification = eps**2 * (users - 1) / (14 * log_over(2, delta))
    labels = max(2, whole((amplification + 2) / 3))
    root = amplification - labels + 1
    fallback = not at_most(1, root)
    return Choice(amplification, labels, eps.exp() if fallback else root, fallback)


def report_law(family: LabelFamily, item: Item, p: S, q: S, one: S) -> dict[Message, S]:
    """The law of the message (H, y) of an item."""
    law: dict[Message, S] = {}
    for h, weight in family.law().items():
        share: Any = in_field(weight, one)
        for label in range(family.labels):
            law[h, label] = share * (p if label == h(item) else q)
    return law


def uniform_messages(family: LabelFamily, one: S) -> dict[Message, S]:
    """The law of (H, y) with y uniform."""
    cells: dict[tuple[LabelFunction, int], Any] = {
        (h, label): in_field(weight, one) / family.labels
        for h, weight in family.law().items()
        for label in range(family.labels)
    }
    return cells  # type: ignore[return-value]
