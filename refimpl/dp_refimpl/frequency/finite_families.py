"""Finite laws on functions of items: what families of hash values (`hashing`) and of labels (`hash_families`) share."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from itertools import combinations, product
from typing import Any, ClassVar, Generic, TypeVar

from flint import fmpq

from dp_refimpl.coins import Coins
from dp_refimpl.requirements import is_integer, require_integer
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item, ItemDomain
from dp_spec.vocabulary.scalar import S, require_law

MAX_FUNCTIONS = 1_000_000
"""A family with more members than this can be drawn from, but its law is not written out."""

OUTCOMES = 1024
"""A uniform index is drawn in steps of at most so many outcomes, so that a coefficient may have any range."""

V = TypeVar("V")


@dataclass(frozen=True)
class FunctionTable(Generic[V]):
    """A function of items as a table. Raises `DomainError` for no or repeated items, or another number of values."""

    items: tuple[Item, ...]
    values: tuple[V, ...]

    def __post_init__(self) -> None:
        require_items(self.items)
        if not isinstance(self.values, tuple) or len(self.values) != len(self.items):
            raise DomainError("values", self.values, f"a tuple of {len(self.items)} values, one for each item")

    @cached_property
    def table(self) -> dict[Item, V]:
        """The values by item."""
        return dict(zip(self.items, self.values, strict=True))

    def __call__(self, item: Item) -> V:
        """The value of an item. Raises `DomainError` for an unknown item."""
        try:
            return self.table[item]
        except (KeyError, TypeError):
            raise DomainError("item", item, f"an item of {self.items}") from None


F = TypeVar("F", bound=FunctionTable[Any])


@dataclass(frozen=True)
class WeightedFunctions(Generic[F]):
    """Any finite law on functions.

    Raises `DomainError` for functions that repeat or do not have the same items, `NotStochasticError` for weights that
    are not a law.
    """

    functions: tuple[F, ...]
    weights: tuple[fmpq, ...]

    kind: ClassVar[type[FunctionTable[Any]]]

    def __post_init__(self) -> None:
        require_alike(self.functions, self.kind)
        if len(set(self.functions)) != len(self.functions):
            raise DomainError("functions", self.functions, "different functions")
        if not isinstance(self.weights, tuple) or not all(isinstance(w, fmpq) for w in self.weights):
            raise DomainError("weights", self.weights, "a tuple of rational numbers (fmpq)")
        if len(self.weights) != len(self.functions):
            raise DomainError("weights", self.weights, f"{len(self.functions)} numbers, one for each function")
        require_law(self.weights)

    @property
    def items(self) -> tuple[Item, ...]:
        """The items of every function."""
        return self.functions[0].items

    def law(self) -> dict[F, fmpq]:
        """Every function with its probability."""
        return dict(zip(self.functions, self.weights, strict=True))

    def draw(self, coins: Coins, one: S) -> F:
        """One choice among the functions."""
        return self.functions[coins.choose([one * int(w.p) / int(w.q) for w in self.weights])]


class CoefficientFamily(ABC, Generic[F]):
    """A family whose members are indexed by independent coefficients, each uniform in a range of its own."""

    items: tuple[Item, ...]

    @property
    @abstractmethod
    def ranges(self) -> tuple[range, ...]:
        """What each of the coefficients is drawn from."""

    @abstractmethod
    def _member(self, coefficients: Sequence[int]) -> F:
        """The function with coefficients that are known to be in their ranges."""

    def member(self, coefficients: Sequence[int]) -> F:
        """The function with these coefficients. Raises `DomainError` unless they are integers in their ranges."""
        ranges = self.ranges
        if not isinstance(coefficients, Sequence) or len(coefficients) != len(ranges):
            raise DomainError("coefficients", coefficients, f"a sequence of {len(ranges)} integers")
        for number, allowed in zip(coefficients, ranges, strict=True):
            require_integer("coefficients", number, allowed.start, allowed.stop - 1)
        return self._member(coefficients)

    def law(self) -> dict[F, fmpq]:
        """Every function with its probability; coefficients that give the same function are counted together.

        Raises `DomainError` for more than `MAX_FUNCTIONS` choices of coefficients.
        """
        require_few("family", self, (_size(r) for r in self.ranges))
        return equally_likely([self._member(c) for c in product(*self.ranges)])

    def draw(self, coins: Coins, one: S) -> F:
        """The function of uniformly drawn coefficients."""
        return self._member([r[_below(_size(r), coins, one)] for r in self.ranges])


def equally_likely(functions: Sequence[F]) -> dict[F, fmpq]:
    """The law of one of the functions, each as likely as any; the weights of equal ones add up."""
    return {h: fmpq(times, len(functions)) for h, times in Counter(functions).items()}


def independence_of(rows: Sequence[tuple[tuple[int, ...], fmpq]], cells: int) -> int:
    """The largest k such that every k of the numbers in a row are independent and uniform in 0..cells - 1.

    `rows` is a law: rows of the same number of columns with their probabilities.
    """
    most, points, columns = 0, cells, len(rows[0][0])
    while most < columns and points <= len(rows):  # uniform on more points than there are rows is nothing
        most, points = most + 1, points * cells
    return next((k for k in range(most, 0, -1) if independent(rows, cells, k)), 0)


def independent(rows: Sequence[tuple[tuple[int, ...], fmpq]], cells: int, k: int) -> bool:
    """Whether every k of the numbers in a row are uniform on the grid {0, .., cells - 1}^k."""
    points: int = cells**k
    if points > len(rows):
        return False
    share = fmpq(1, points)
    for chosen in combinations(range(len(rows[0][0])), k):
        joint: dict[tuple[int, ...], fmpq] = {}
        for row, weight in rows:
            values = tuple([row[i] for i in chosen])
            joint[values] = joint.get(values, fmpq(0)) + weight
        if any(joint.get(values) != share for values in product(range(cells), repeat=k)):
            return False
    return True


def fresh_key(coins: Coins, one: S) -> bytes:
    """A uniformly drawn key of 128 bits (sixteen choices of a byte: for sampling coins only)."""
    return bytes(coins.choose_each(((one / 256,) * 256,) * 16))


def keyed_numbers(key: bytes, count: int, size: int) -> list[int]:
    """BLAKE2b of the numbers 0..count - 1 under a key: integers of `size` bytes.

    Raises `DomainError` for a key of other than 16 bytes.
    """
    if not isinstance(key, bytes) or len(key) != 16:
        raise DomainError("key", key, "16 bytes")
    digests = [blake2b(x.to_bytes(8, "little"), digest_size=size, key=key).digest() for x in range(count)]
    return [int.from_bytes(y, "little") for y in digests]


def require_alike(functions: Sequence[FunctionTable[Any]], kind: type[FunctionTable[Any]]) -> None:
    """Raise `DomainError` unless this is a tuple of one or more functions of that kind, of the same items."""
    if not isinstance(functions, tuple) or not all(isinstance(h, kind) for h in functions):
        raise DomainError("functions", functions, f"a tuple of functions ({kind.__name__})")
    if len({h.items for h in functions}) != 1:
        raise DomainError("functions", functions, "one or more functions of the same items")


def require_few(name: str, value: object, sizes: Iterable[int]) -> None:
    """Raise `DomainError` where the product of the sizes (each >= 1) is above `MAX_FUNCTIONS`."""
    members = 1
    for size in sizes:
        members *= size
        if members > MAX_FUNCTIONS:
            raise DomainError(name, value, f"at most {MAX_FUNCTIONS} functions to write out, these are more")


def require_items(items: tuple[Item, ...]) -> None:
    """Raise `DomainError` unless this is a tuple of one or more different items."""
    if not isinstance(items, tuple):
        raise DomainError("items", items, "a tuple of items")
    ItemDomain(items)


def require_prime(name: str, number: int) -> None:
    """Raise `DomainError` unless the number is a prime below 2^31 (by trial division)."""
    if not is_integer(number, 2, 2**31 - 1):
        raise DomainError(name, number, "a prime below 2^31")
    if any(number % f == 0 for f in range(2, min(number, 46341)) if f * f <= number):
        raise DomainError(name, number, "a prime")


def _size(numbers: range) -> int:
    """The length of a range of any length."""
    return numbers.stop - numbers.start


def _below(number: int, coins: Coins, one: S) -> int:
    """A uniform integer in 0..number - 1: first the part of 0..number - 1 that it is in, then its place there."""
    if number <= OUTCOMES:
        return coins.choose((one / number,) * number)
    size = -(-number // OUTCOMES)
    parts = [min(size, number - start) for start in range(0, number, size)]
    chosen = coins.choose([one * part / number for part in parts])
    return chosen * size + _below(parts[chosen], coins, one)
