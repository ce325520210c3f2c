"""Hash functions from items to labels and families of them, explicit and validated (source 004).

A hash function is a table of labels 0..labels - 1; a family is a law on such functions, drawn from with `Coins` and
without the data. What holds of a family (chances of collisions, independence) is computed in `hash_properties`.
`SeededFunctions` is the one family whose law nobody can write out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any, ClassVar, Protocol, runtime_checkable

from flint import fmpq

from dp_refimpl.coins import Coins, uniform
from dp_refimpl.frequency.finite_families import (
    CoefficientFamily,
    FunctionTable,
    WeightedFunctions,
    equally_likely,
    fresh_key,
    keyed_numbers,
    require_alike,
    require_few,
    require_items,
    require_prime,
)
from dp_refimpl.requirements import require_bool, require_integer
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.scalar import S


@dataclass(frozen=True)
class LabelFunction(FunctionTable[int]):
    """h: X -> {0, .., labels - 1} as a table (source 004).

    Raises `DomainError` for no or repeated items, for labels < 1, or for values that are not integers in 0..labels - 1.
    """

    labels: int

    def __post_init__(self) -> None:
        super().__post_init__()
        require_integer("labels", self.labels, 1)
        for value in self.values:
            require_integer("values", value, 0, self.labels - 1)

    @classmethod
    def of(cls, values: Mapping[Item, int], labels: int) -> "LabelFunction":
        """The function with the given values. Raises `DomainError` as above, and for values that are no mapping."""
        if not isinstance(values, Mapping):
            raise DomainError("values", values, "a mapping from items to labels")
        return cls(tuple(values), tuple(values.values()), labels)


@runtime_checkable
class LabelFamily(Protocol):
    """A law on hash functions of the same items with the same labels."""

    @property
    def items(self) -> tuple[Item, ...]:
        """The items of every function."""
        ...

    @property
    def labels(self) -> int:
        """How many labels there are."""
        ...

    def law(self) -> dict[LabelFunction, fmpq]:
        """Every function with its probability. Raises `DomainError` where there are more than `MAX_FUNCTIONS`."""
        ...

    def draw(self, coins: Coins, one: S) -> LabelFunction:
        """A hash function drawn from the law; `one` is the 1 of the field of the coins."""
        ...

    def __hash__(self) -> int:
        """Families are values: equal ones have equal laws."""
        ...


@dataclass(frozen=True)
class ExplicitFamily(WeightedFunctions[LabelFunction]):
    """Any finite law on hash functions.

    Raises `DomainError` for functions that repeat or do not have the same items and labels, `NotStochasticError` for
    weights that are not a law.
    """

    kind: ClassVar[type[FunctionTable[Any]]] = LabelFunction

    def __post_init__(self) -> None:
        super().__post_init__()
        _require_same_labels(self.functions)

    @property
    def labels(self) -> int:
        """The labels of every function."""
        return self.functions[0].labels


@dataclass(frozen=True)
class PublicFunctions:
    """k published functions, some of them equal or none, one drawn uniformly: the rows of a sketch (source 004).

    Raises `DomainError` unless there is at least one, and all have the same items and labels.
    """

    functions: tuple[LabelFunction, ...]

    def __post_init__(self) -> None:
        require_alike(self.functions, LabelFunction)
        _require_same_labels(self.functions)

    @property
    def items(self) -> tuple[Item, ...]:
        """The items of every function."""
        return self.functions[0].items

    @property
    def labels(self) -> int:
        """The labels of every function."""
        return self.functions[0].labels

    def law(self) -> dict[LabelFunction, fmpq]:
        """Every function with its probability; equal ones are counted together."""
        return equally_likely(self.functions)

    def draw_row(self, coins: Coins, one: S) -> int:
        """The index of a uniformly drawn function, in 0..k - 1."""
        return uniform(coins, range(len(self.functions)), one)

    def draw(self, coins: Coins, one: S) -> LabelFunction:
        """A uniformly drawn function."""
        return self.functions[self.draw_row(coins, one)]


@dataclass(frozen=True)
class AllFunctions(CoefficientFamily[LabelFunction]):
    """The idealized hash: every function from the items to the labels is equally likely.

    Raises `DomainError` for no or repeated items, or labels < 1.
    """

    items: tuple[Item, ...]
    labels: int

    def __post_init__(self) -> None:
        require_items(self.items)
        require_integer("labels", self.labels, 1)

    @property
    def ranges(self) -> tuple[range, ...]:
        """One label for every item."""
        return (range(self.labels),) * len(self.items)

    def _member(self, coefficients: Sequence[int]) -> LabelFunction:
        return LabelFunction(self.items, tuple(coefficients), self.labels)


@dataclass(frozen=True)
class AffineLabels(CoefficientFamily[LabelFunction]):
    """h(x) = (a x + b) mod P, a and b uniform in 0..P - 1; x is the item's position, there are P labels.

    P = `prime` is a prime below 2^31 and at least the number of items. Raises `DomainError` otherwise.
    """

    items: tuple[Item, ...]
    prime: int

    def __post_init__(self) -> None:
        require_items(self.items)
        _require_large_prime(self.prime, len(self.items))

    @property
    def labels(self) -> int:
        """P."""
        return self.prime

    @property
    def ranges(self) -> tuple[range, ...]:
        """a and b."""
        return (range(self.prime),) * 2

    def _member(self, coefficients: Sequence[int]) -> LabelFunction:
        return LabelFunction(self.items, _affine(coefficients, self.prime, len(self.items)), self.prime)


@dataclass(frozen=True)
class CarterWegman(CoefficientFamily[LabelFunction]):
    """h(x) = ((a x + b) mod P) mod labels; a is uniform in 1..P - 1, with `zero` in 0..P - 1, and b in 0..P - 1.

    x is the item's position; P = `prime` is a prime below 2^31 and at least the number of items, `labels` >= 1, `zero`
    a bool. Raises `DomainError` otherwise. Labels are uniform only where `labels` divides P, that is if it is 1 or P.
    """

    items: tuple[Item, ...]
    prime: int
    labels: int
    zero: bool

    def __post_init__(self) -> None:
        require_items(self.items)
        _require_large_prime(self.prime, len(self.items))
        require_integer("labels", self.labels, 1)
        require_bool("zero", self.zero)

    @property
    def ranges(self) -> tuple[range, ...]:
        """a and b."""
        return range(0 if self.zero else 1, self.prime), range(self.prime)

    def _member(self, coefficients: Sequence[int]) -> LabelFunction:
        values = [j % self.labels for j in _affine(coefficients, self.prime, len(self.items))]
        return LabelFunction(self.items, tuple(values), self.labels)


@dataclass(frozen=True)
class SeededFunctions:
    """For real use: h(x) is BLAKE2b of the item's position under a fresh 128-bit key, 256 bits, modulo `labels`.

    Were the 256 bits uniform, every label's chance would differ from 1 / labels by less than 2^-256. Idealized: that
    they are, and independent for different items. No claim that is decided here covers it; 2^128 keys cannot make the
    labels of many items independent, and nobody can enumerate them. Raises `DomainError` as `AllFunctions`.
    """

    items: tuple[Item, ...]
    labels: int

    def __post_init__(self) -> None:
        require_items(self.items)
        require_integer("labels", self.labels, 1)

    def member(self, key: bytes) -> LabelFunction:
        """The function with this key (16 bytes; raises `DomainError` otherwise)."""
        values = [j % self.labels for j in keyed_numbers(key, len(self.items), 32)]
        return LabelFunction(self.items, tuple(values), self.labels)

    def law(self) -> dict[LabelFunction, fmpq]:
        """Not written out: always raises `DomainError`."""
        raise DomainError("family", self, "a family whose law can be written out; this one has 2^128 keys")

    def draw(self, coins: Coins, one: S) -> LabelFunction:
        """The function of a uniformly drawn key (sixteen choices of a byte: for sampling coins only)."""
        return self.member(fresh_key(coins, one))


def distinct_rows(items: tuple[Item, ...], labels: int, k: int) -> dict[tuple[LabelFunction, ...], fmpq]:
    """The law of k different functions drawn without replacement from all functions, in order of drawing (source 004).

    Raises `DomainError` as `AllFunctions`, unless k is an integer in 1..labels^d (d items), and where there are more
    than `MAX_FUNCTIONS` functions or such tuples of them.
    """
    functions = tuple(AllFunctions(items, labels).law())
    require_integer("k", k, 1, len(functions), note=", the number of functions")
    require_few("k", k, range(len(functions), len(functions) - k, -1))
    rows = list(permutations(functions, k))
    return dict.fromkeys(rows, fmpq(1, len(rows)))


def _affine(coefficients: Sequence[int], prime: int, count: int) -> tuple[int, ...]:
    """(a x + b) mod P of the positions x = 0..count - 1."""
    a, b = coefficients
    return tuple([(a * x + b) % prime for x in range(count)])


def _require_large_prime(prime: int, items: int) -> None:
    require_prime("prime", prime)
    if prime < items:
        raise DomainError("prime", prime, f"a prime of at least {items}, the number of items")


def _require_same_labels(functions: tuple[LabelFunction, ...]) -> None:
    if len({h.labels for h in functions}) != 1:
        raise DomainError("functions", functions, "functions with the same number of labels")
