"""AUE (Balcer, Cheu 2020): the item, and every item once more with probability r, each an anonymous message (M7)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic

from dp_refimpl.coins import Coins, bernoulli
from dp_refimpl.shuffle.protocol_parts import (
    Affine,
    Message,
    Moments,
    Randomizer,
    require_chance,
    require_domain,
)
from dp_spec.vocabulary.items import Item, ItemDomain
from dp_spec.vocabulary.scalar import S


@dataclass(frozen=True)
class AUE(Randomizer[S], Generic[S]):
    """The user's item, and for every item of the domain one more message with probability r.

    Raises `DomainError` for what is no domain, and unless r is a number in [0, 1].
    """

    domain: ItemDomain
    r: S

    def __post_init__(self) -> None:
        require_domain(self.domain)
        require_chance("r", self.r)

    @property
    def one(self) -> S:
        """The number 1 of the field of r."""
        return self.r * 0 + 1

    def messages(self, item: Item, coins: Coins) -> tuple[Message, ...]:
        """The item, then the further ones in the order of the domain."""
        self.require_item(item)
        return (item, *[x for x in self.domain.items if bernoulli(coins, self.r)])

    @property
    def estimator(self) -> Affine[S]:
        """(C_v - n r) / n."""
        return Affine(self.r, self.r * 0, self.one)

    def contribution(self, held: Item, item: Item) -> Moments[S]:
        """A bit of probability r, and 1 if the item is held, less r."""
        return Moments(self.one * int(held == item), self.r * (1 - self.r))

    def truncated(self, messages: Iterable[Message], users: int) -> dict[Item, S]:
        """The estimates with the decoding of the first setting: 0 where C_v <= n."""
        received = list(messages)
        return {
            x: f * 0 if sum(y == x for y in received) <= users else f for x, f in self.estimate(received, users).items()
        }
