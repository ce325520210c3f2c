"""The shuffler as a typed part, and the pipeline randomizer -> shuffler -> analyzer (source 000, Definition 4).

A shuffler receives all messages and hands on their multiset or a uniformly random arrangement of them. The pipeline
compares what went in with what came out: a shuffler that loses or doubles messages is refused.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import factorial
from typing import Any, Generic, Literal, Protocol, TypeVar

from dp_refimpl.coins import Coins, uniform
from dp_refimpl.requirements import require_integer, require_word
from dp_refimpl.shuffle.protocol_parts import Message, Multiset, Randomizer, elements, multiset
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.scalar import S, Scalar

Technique = Literal["fisheryates", "heap"]
Unit = Literal["message", "bundle"]
R_co = TypeVar("R_co", covariant=True)


class ShufflerError(DomainError):
    """What a shuffler handed on is not what it received."""


class LostMessagesError(ShufflerError):
    """A shuffler dropped messages."""


class DoubledMessagesError(ShufflerError):
    """A shuffler doubled or invented messages."""


class Shuffler(Protocol):
    """Messages in, the same messages out, in an order that does not depend on the order in which they came."""

    def shuffle(self, messages: Sequence[Message], coins: Coins, one: Any) -> Multiset | tuple[Message, ...]:
        """What the collector receives; `one` is the 1 of the field of the coins."""
        ...


@dataclass(frozen=True)
class ToMultiset:
    """The collector sees how often each message was sent, and nothing else."""

    def shuffle(self, messages: Sequence[Message], coins: Coins, one: Scalar) -> Multiset:
        """The multiset; no coin is tossed."""
        return multiset(messages)


@dataclass(frozen=True)
class ToSet:
    """The unions of Algorithm 1, lines 4 and 7, read as unions of sets: equal messages merge, so that some are lost."""

    def shuffle(self, messages: Sequence[Message], coins: Coins, one: Scalar) -> Multiset:
        """Every different message once."""
        return multiset(set(messages))


@dataclass(frozen=True)
class Permuting:
    """A uniformly random arrangement; MRS of HP-SDP in two readings.

    `fisheryates`: exchanges with independent uniform indices; `heap`: the K-th arrangement that Heap's algorithm
    visits, K uniform in 0..N! - 1. Raises `DomainError` for another technique.
    """

    technique: Technique = "fisheryates"

    def __post_init__(self) -> None:
        require_word("technique", self.technique, Technique)

    def shuffle(self, messages: Sequence[Message], coins: Coins, one: S) -> tuple[Message, ...]:
        """The messages, rearranged."""
        draw = fisher_yates if self.technique == "fisheryates" else heap_index
        return tuple([messages[i] for i in draw(len(messages), coins, one)])


def fisher_yates(size: int, coins: Coins, one: S) -> tuple[int, ...]:
    """A uniform arrangement of 0..size - 1: from the last place down, exchange with a uniform place not above."""
    places = list(range(size))
    for last in range(size - 1, 0, -1):
        other = uniform(coins, range(last + 1), one)
        places[last], places[other] = places[other], places[last]
    return tuple(places)


def heap_index(size: int, coins: Coins, one: S) -> tuple[int, ...]:
    """The arrangement with a uniform index below size!, drawn by digits: the k-th of k values and weight (k-1)!."""
    index = 0
    for k in range(size, 1, -1):
        index = index * k + uniform(coins, range(k), one)
    return heap_arrangement(size, index)


def heap_arrangement(size: int, index: int) -> tuple[int, ...]:
    """The arrangement of 0..size - 1 with this index among those that Heap's algorithm visits (Heap 1963).

    generate(k): generate(k - 1); then k - 1 times: exchange place k - 1 with place i (k even) or 0 (k odd), and
    generate(k - 1) again. What a whole generate(k - 1) does to the places is one permutation, so that an index is
    reached in O(size^2) steps. Raises `DomainError` for an index outside 0..size! - 1.
    """
    require_integer("size", size, 0)
    require_integer("index", index, 0)
    if index >= factorial(size):
        raise DomainError("index", index, f"an integer below {size}!")
    places = list(range(size))
    for k in range(size, 1, -1):
        rounds, index = divmod(index, factorial(k - 1))
        for i in range(rounds):
            _round(places, k, i)
    return tuple(places)


def _round(places: list[int], k: int, i: int) -> None:
    """generate(k - 1) and the exchange after it."""
    places[: k - 1] = [places[j] for j in _whole(k - 1)]
    _exchange(places, k, i)


def _exchange(places: list[int], k: int, i: int) -> None:
    other = i if k % 2 == 0 else 0
    places[other], places[k - 1] = places[k - 1], places[other]


@lru_cache(maxsize=1024)
def _whole(k: int) -> tuple[int, ...]:
    """Where generate(k) leaves the places 0..k - 1."""
    places = list(range(k))
    for i in range(k - 1):
        _round(places, k, i)
    if k > 1:
        places[: k - 1] = [places[j] for j in _whole(k - 1)]
    return tuple(places)


@dataclass(frozen=True)
class Pipeline(Generic[R_co, S]):
    """randomizer -> shuffler -> analyzer. `fakes`: further messages that the shuffling parties add.

    `unit`: what is permuted, single messages or the unordered bundles of users. The analyzer is given what the shuffler
    handed on and the number of users. Raises `DomainError` for another unit.
    """

    randomizer: Randomizer[S]
    shuffler: Shuffler
    analyzer: Callable[[Multiset | tuple[Message, ...], int], R_co]
    unit: Unit = "message"
    fakes: Callable[[Coins], tuple[Message, ...]] | None = None

    def __post_init__(self) -> None:
        require_unit(self.unit)

    def shuffled(self, items: Sequence[Item], coins: Coins) -> Multiset | tuple[Message, ...]:
        """What the collector receives from users with these items.

        Raises `DomainError` without users and for unknown items, `LostMessagesError` and `DoubledMessagesError` for a
        shuffler that does not hand on what it received.
        """
        if isinstance(items, str) or not isinstance(items, Sequence) or not items:
            raise DomainError("items", items, "a sequence of one or more items")
        sent: list[Message] = []
        for item in items:
            own = self.randomizer.messages(item, coins)
            sent += own if self.unit == "message" else (multiset(own),)
        if self.fakes is not None:
            sent += self.fakes(coins)
        handed = self.shuffler.shuffle(tuple(sent), coins, self.randomizer.one)
        require_kept(sent, handed)
        return handed

    def run(self, items: Sequence[Item], coins: Coins) -> R_co:
        """What is published. Raises as `shuffled`."""
        return self.analyzer(self.shuffled(items, coins), len(items))


def listed(handed: Multiset | tuple[Message, ...]) -> tuple[Message, ...]:
    """The messages that a shuffler handed on, one by one."""
    return elements(handed) if isinstance(handed, frozenset) else handed


def estimates(randomizer: Randomizer[S]) -> Callable[[Multiset | tuple[Message, ...], int], dict[Item, S]]:
    """The analyzer that publishes the randomizer's estimates."""
    return lambda handed, users: randomizer.estimate(listed(handed), users)


def require_kept(received: Sequence[Message], handed: Multiset | tuple[Message, ...]) -> None:
    """Raise `LostMessagesError` or `DoubledMessagesError` unless what came out is what came in, as often."""
    came, went = Counter(received), Counter(listed(handed))
    if lost := came - went:
        raise LostMessagesError("shuffled messages", dict(lost), "all that were received; these are missing")
    if doubled := went - came:
        raise DoubledMessagesError("shuffled messages", dict(doubled), "none but those received; these are too many")


def require_unit(unit: str) -> None:
    """Raise `DomainError` for a unit that is none."""
    require_word("unit", unit, Unit)
