"""The typed parts of a shuffle protocol: messages, multisets of them, randomizers, the collector's affine estimator.

A randomizer turns one user's item into a tuple of messages. The collector counts C_v, the messages that support v, and
publishes an affine function of C_v and of the number of messages, whose mean and variance are exact.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple

from flint import fmpq

from dp_refimpl.coins import Coins
from dp_refimpl.enumeration import MAX_PATHS, output_law
from dp_refimpl.requirements import require_integer
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item, ItemDomain
from dp_spec.vocabulary.scalar import S, Scalar, at_most, is_zero

Message = Hashable
Multiset = frozenset[tuple[Message, int]]
"""Messages without order: every different one with its number, >= 1."""


class Moments(NamedTuple, Generic[S]):
    """Mean and variance of one number."""

    mean: S
    variance: S


@dataclass(frozen=True)
class Affine(Generic[S]):
    """f_v = (C_v - n per_user - N per_message) / (n slope): n users, N the number of messages that were received."""

    per_user: S
    per_message: S
    slope: S

    def __call__(self, count: int, messages: int, users: int) -> S:
        """The estimate from C_v. Raises `DomainError` for negative numbers, no users, and slope 0."""
        require_integer("count", count, 0)
        require_integer("messages", messages, 0)
        require_integer("users", users, 1)
        if is_zero(self.slope):
            raise DomainError("slope", self.slope, "not 0: these messages carry no information")
        return (count - users * self.per_user - messages * self.per_message) / (users * self.slope)


class Randomizer(ABC, Generic[S]):
    """What a user runs, and what the collector computes from the shuffled messages of all users."""

    domain: ItemDomain

    @property
    @abstractmethod
    def one(self) -> S:
        """The number 1 of the field."""

    @property
    def inputs(self) -> tuple[Item, ...]:
        """What a user can hold."""
        return self.domain.items

    @property
    @abstractmethod
    def estimator(self) -> Affine[S]:
        """What is published."""

    @abstractmethod
    def messages(self, item: Item, coins: Coins) -> tuple[Message, ...]:
        """One user's messages, the report first. Raises `DomainError` for an unknown item."""

    @abstractmethod
    def contribution(self, held: Item, item: Item) -> Moments[S]:
        """Of one user's supporting messages less what the estimator subtracts for the user and for each message."""

    def supports(self, message: Message, item: Item) -> bool:
        """Whether a message counts for an item: it is the item."""
        return message == item

    def require_message(self, message: Message) -> None:
        """Raise `DomainError` for what is no message of this randomizer."""
        if message not in self.domain.items:
            raise DomainError("messages", message, f"items of {self.domain.items}")

    def require_item(self, item: Item) -> None:
        """Raise `DomainError` unless the item is in the domain."""
        if item not in self.domain.items:
            raise DomainError("item", item, f"an item of {self.domain.items}")

    def bundle_law(self, item: Item, max_paths: int = MAX_PATHS) -> dict[Multiset, S]:
        """The exact law of one user's messages without their order, by walking all paths; raises as `output_law`."""
        return output_law(lambda coins: multiset(self.messages(item, coins)), self.one, max_paths=max_paths)

    def estimate(self, messages: Iterable[Message], users: int) -> dict[Item, S]:
        """Estimated frequency of every item. Raises `DomainError` for foreign messages, and as `Affine`."""
        received = Counter(messages)
        for message in received:
            self.require_message(message)
        return {
            x: self.estimator(
                sum(times for y, times in received.items() if self.supports(y, x)), received.total(), users
            )
            for x in self.domain.items
        }

    def moments(self, data: Mapping[Any, int], item: Item) -> Moments[S]:
        """Exact mean and variance of the estimated frequency of an item; `data` is how many users hold each item.

        Raises `DomainError` for unknown items, negative numbers, no users, and slope 0.
        """
        self.require_item(item)
        users, unit = require_data(data, self.domain), self.estimator.slope
        if is_zero(unit):
            raise DomainError("slope", unit, "not 0: these messages carry no information")
        mean, variance = unit * 0, unit * 0
        for held, times in data.items():
            if times:
                one = self.contribution(held, item)
                mean, variance = mean + times * one.mean, variance + times * one.variance
        return Moments(mean / (users * unit), variance / (users * unit) ** 2)


def multiset(messages: Iterable[Message]) -> Multiset:
    """The messages without their order."""
    return frozenset(Counter(messages).items())


def elements(messages: Multiset) -> tuple[Message, ...]:
    """All messages of a multiset, in an order that means nothing."""
    return tuple(Counter(dict(messages)).elements())


def require_chance(name: str, number: object, positive: bool = False) -> None:
    """Raise `DomainError` unless this is an exact number in [0, 1]; with `positive` in (0, 1]."""
    if isinstance(number, bool | float):
        raise DomainError(name, number, "an exact number")
    if not (at_most(0, number) and at_most(number, 1)) or (positive and is_zero(number)):
        raise DomainError(name, number, "a number in (0, 1]" if positive else "a number in [0, 1]")


def require_data(data: Mapping[Any, int], domain: ItemDomain) -> int:
    """The number of users. Raises `DomainError` unless every number belongs to an item, is >= 0, and not all are 0."""
    if not isinstance(data, Mapping):
        raise DomainError("data", data, "a mapping from items to numbers of users")
    for x, times in data.items():
        if x not in domain.items:
            raise DomainError("data", x, f"items of {domain.items}")
        require_integer("data", times, 0)
    users = sum(data.values())
    require_integer("users", users, 1)
    return users


def require_domain(domain: object) -> None:
    """Raise `DomainError` for what is no domain."""
    if not isinstance(domain, ItemDomain):
        raise DomainError("domain", domain, "an ItemDomain")


def in_field(number: fmpq, one: Scalar) -> Scalar:
    """A rational number in the field of `one`."""
    return one * int(number.p) / int(number.q)


def support(messages: Sequence[Message], randomizer: "Randomizer[S]", item: Item) -> int:
    """C_v of a list of messages."""
    return sum(randomizer.supports(y, item) for y in messages)
