"""The exact law of the shuffled messages of n users, and the worst pair of neighboring data sets.

Equal histograms are merged at every step, and data sets are compositions (how many users hold each item): the order of
the users does not matter after the shuffle. A histogram is one integer, its counts the digits, so that adding users is
adding integers.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from itertools import combinations, combinations_with_replacement, pairwise
from math import comb
from typing import Any, Generic, NamedTuple, TypeVar

from dp_refimpl.requirements import require_integer
from dp_refimpl.shuffle.profile import Profile, Witness, profile_of, upper_envelope
from dp_refimpl.shuffle.protocol_parts import Message, Multiset, Randomizer, multiset
from dp_refimpl.shuffle.shuffler import Unit, require_unit
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.scalar import S, at_most, is_zero
from dp_spec.vocabulary.table import Channel

MAX_HISTOGRAMS = 2_000_000
"""Laws on more histograms than this are not written out."""

K = TypeVar("K", bound=Hashable)


class Pair(NamedTuple):
    """Neighboring data sets: what all but one user hold (one number for each item), and the two items of that user."""

    others: tuple[int, ...]
    item: Item
    replaced: Item


class ShuffledLaws(Generic[S]):
    """Laws of the shuffled messages of `users` users, from the laws of one user's unordered messages by item.

    `fakes`: the law of what the shuffling parties add. Raises `DomainError` for no users or no items, and where a law
    has more than `MAX_HISTOGRAMS` histograms.
    """

    def __init__(
        self, laws: Mapping[Item, Mapping[Multiset, S]], users: int, fakes: Mapping[Multiset, S] | None = None
    ) -> None:
        require_integer("users", users, 1)
        if not laws:
            raise DomainError("laws", laws, "at least one item")
        Channel(laws)
        self.items: tuple[Item, ...] = tuple(laws)
        self.users: int = users
        some = next(iter(laws[self.items[0]].values()))
        added: Mapping[Multiset, S] = {frozenset(): some * 0 + 1} if fakes is None else fakes
        bundles = [bundle for law in (*laws.values(), added) for bundle in law]
        self._alphabet: dict[Message, int] = {}
        for bundle in bundles:
            for message, _ in bundle:
                self._alphabet.setdefault(message, len(self._alphabet))
        self._base = users * max(_size(b) for law in laws.values() for b in law) + max(map(_size, added)) + 1
        self._own = [self._packed(law) for law in laws.values()]
        self._symmetric = all(_unchanged(laws, added, *two) for two in pairwise(self.items))
        self._known = {(0,) * len(self.items): self._packed(added)}

    def law(self, data: Sequence[Item]) -> dict[Multiset, S]:
        """The law of the multiset of all messages when the users hold these items, in any order.

        Raises `DomainError` for unknown items and for another number of users.
        """
        unknown = [x for x in data if x not in self.items]
        if unknown or len(data) != self.users:
            raise DomainError("data", data, f"{self.users} items of {self.items}")
        return self._written(self._at(tuple([list(data).count(x) for x in self.items])))

    def channel(self) -> Channel[tuple[int, ...], Multiset, S]:
        """All data sets, as compositions, with the laws of their shuffled messages."""
        return Channel({c: self._written(self._at(c)) for c in compositions(self.users, len(self.items))})

    def pairs(self) -> Iterator[Pair]:
        """All neighboring pairs, up to the order of the users: one record is replaced."""
        for others in compositions(self.users - 1, len(self.items)):
            for x in self.items:
                yield from (Pair(others, x, other) for other in self.items if other != x)

    def representatives(self) -> Iterator[Pair]:
        """Neighboring pairs, one at least of all that differ in the names of items, where the laws are the same under
        every renaming of items (messages that are items are renamed, too); else all pairs."""
        if not self._symmetric or len(self.items) < 2:
            yield from self.pairs()
            return
        for others in compositions(self.users - 1, len(self.items)):
            if all(a <= b for a, b in pairwise(others[2:])):
                yield Pair(others, *self.items[:2])

    def profile(self, pair: Pair) -> Profile[S]:
        """delta as a function of e^eps for one ordered pair of neighboring data sets."""
        return profile_of(self._with(pair.others, pair.item), self._with(pair.others, pair.replaced), pair)

    def delta(self, e: S) -> Witness[S]:
        """delta(eps) at e^eps = e: the largest over all neighboring pairs; the witness is the first one of
        `representatives` that attains it.

        `e` may be of any field that compares with the laws' numbers. Raises `DomainError` for one item and e < 1.
        """
        best: Witness[S] | None = None
        for pair in self.representatives():
            value = positive_part(self._with(pair.others, pair.item), self._with(pair.others, pair.replaced), e)
            if best is None or not at_most(value, best.value):
                best = Witness(value, pair)
        if best is None:
            raise DomainError("items", self.items, "two or more items")
        return best

    def worst_profile(self) -> Profile[S]:
        """The largest delta over all neighboring pairs, for every eps >= 0 at once: exact, piecewise linear in e^eps.

        Raises `DomainError` for one item.
        """
        return upper_envelope(self.profile(pair) for pair in self.representatives())

    def _with(self, others: tuple[int, ...], item: Item) -> dict[int, S]:
        place = self.items.index(item)
        return self._at(tuple([c + (j == place) for j, c in enumerate(others)]))

    def _at(self, counts: tuple[int, ...]) -> dict[int, S]:
        """The law of a composition: that of one user less, and this user's messages."""
        if counts not in self._known:
            place = max(j for j, c in enumerate(counts) if c)
            before = self._at(tuple([c - (j == place) for j, c in enumerate(counts)]))
            law = convolved(before, self._own[place], _plus)
            if len(law) > MAX_HISTOGRAMS:
                raise DomainError("users", self.users, f"laws of at most {MAX_HISTOGRAMS} histograms")
            self._known[counts] = law
        return self._known[counts]

    def _packed(self, law: Mapping[Multiset, S]) -> dict[int, S]:
        return {
            sum(times * self._base ** self._alphabet[y] for y, times in bundle): p
            for bundle, p in law.items()
            if not is_zero(p)
        }

    def _written(self, law: Mapping[int, S]) -> dict[Multiset, S]:
        return {self._unpacked(key): p for key, p in law.items()}

    def _unpacked(self, key: int) -> Multiset:
        messages = []
        for message in self._alphabet:
            key, times = divmod(key, self._base)
            if times:
                messages.append((message, times))
        return frozenset(messages)


def _unchanged(laws: Mapping[Item, Mapping[Multiset, S]], added: Mapping[Multiset, S], x: Item, y: Item) -> bool:
    """Whether all laws are what they were if two items change names."""
    names: dict[Any, Any] = {x: y, y: x}

    def renamed(law: Mapping[Multiset, S]) -> dict[Multiset, S]:
        return {frozenset((names.get(z, z), times) for z, times in bundle): p for bundle, p in law.items()}

    pairs = [(added, added), *((law, laws[names.get(z, z)]) for z, law in laws.items())]
    return all(_equal(renamed(law), other) for law, other in pairs)


def _equal(first: Mapping[K, S], second: Mapping[K, S]) -> bool:
    return first.keys() == second.keys() and all(is_zero(p - second[y]) for y, p in first.items())


def shuffled_laws(
    randomizer: Randomizer[S], users: int, unit: Unit = "message", fakes: Mapping[Multiset, S] | None = None
) -> ShuffledLaws[S]:
    """The exact laws of a protocol; `unit`: whether single messages are shuffled or the unordered bundles of users."""
    require_unit(unit)
    laws = {x: randomizer.bundle_law(x) for x in randomizer.inputs}
    if unit == "bundle":
        laws = {x: {multiset([bundle]): p for bundle, p in law.items()} for x, law in laws.items()}
    return ShuffledLaws(laws, users, fakes)


def bundle_channel(randomizer: Randomizer[S]) -> Channel[Item, Multiset, S]:
    """View `bundle`: the unordered messages of one user, as a channel from the item."""
    return Channel({x: randomizer.bundle_law(x) for x in randomizer.inputs})


def compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """All ways to write `total` as an ordered sum of `parts` integers >= 0. Raises `DomainError` for no parts."""
    require_integer("total", total, 0)
    require_integer("parts", parts, 1)
    for bars in combinations(range(total + parts - 1), parts - 1):
        ends = (-1, *bars, total + parts - 1)
        yield tuple([right - left - 1 for left, right in pairwise(ends)])


def multinomial_law(number: int, chances: Mapping[Any, S]) -> dict[Multiset, S]:
    """The law of the multiset of `number` independent messages with these probabilities, by compositions.

    Raises `DomainError` for a negative number, `NotStochasticError` for what is no law.
    """
    require_integer("number", number, 0)
    Channel({0: chances})
    offered = [(y, p) for y, p in chances.items() if not is_zero(p)]
    one = offered[0][1] * 0 + 1
    law: dict[Multiset, S] = {}
    for counts in compositions(number, len(offered)):
        weight, left = one, number
        for times, (_, p) in zip(counts, offered, strict=True):
            weight, left = weight * comb(left, times) * p**times, left - times
        law[frozenset((y, c) for c, (y, _) in zip(counts, offered, strict=True) if c)] = weight
    return law


def joined(first: Mapping[Multiset, S], second: Mapping[Multiset, S]) -> dict[Multiset, S]:
    """The law of both bundles together, drawn independently."""
    return convolved(first, second, union)


def union(first: Multiset, second: Multiset) -> Multiset:
    """All messages of both."""
    counts = dict(first)
    for message, times in second:
        counts[message] = counts.get(message, 0) + times
    return frozenset(counts.items())


def convolved(first: Mapping[K, S], second: Mapping[K, S], add: Callable[[K, K], K]) -> dict[K, S]:
    """The law of the sum of independent variables."""
    law: dict[K, S] = {}
    for a, p in first.items():
        for b, q in second.items():
            key = add(a, b)
            law[key] = law[key] + p * q if key in law else p * q
    return law


def positive_part(first: Mapping[K, S], second: Mapping[K, S], e: S) -> S:
    """The sum over outcomes of the positive part of P - e Q. Raises `DomainError` for e < 1."""
    if not at_most(1, e):
        raise DomainError("e", e, "e^eps >= 1")
    total = e * 0
    for y, p in first.items():
        gain = p - e * second[y] if y in second else p + e * 0
        if not at_most(gain, 0):
            total = total + gain
    return total


def data_sets(items: Sequence[Item], users: int) -> Iterator[tuple[Item, ...]]:
    """All data sets up to order."""
    return combinations_with_replacement(items, users)


def _plus(a: int, b: int) -> int:
    return a + b


def _size(bundle: Multiset) -> int:
    return sum(times for _, times in bundle)
