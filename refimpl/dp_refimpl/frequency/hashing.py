"""Hash functions and families as explicit objects whose properties are computed, not assumed (source 002, 4.3.1).

A hash function is a table from items to rational numbers; a family is a finite law on hash functions, drawn from with
`Coins` like everything random. `KeyedHashes` is the one family without a law that anybody could write down: what is
proved for independent hash values holds for it only as far as BLAKE2b is taken for a random function.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import lcm
from typing import Any, ClassVar, Protocol, runtime_checkable

from flint import fmpq

from dp_refimpl.coins import Coins
from dp_refimpl.frequency.finite_families import (
    CoefficientFamily,
    FunctionTable,
    WeightedFunctions,
    fresh_key,
    independence_of,
    keyed_numbers,
    require_items,
    require_prime,
)
from dp_refimpl.requirements import require_integer
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item, ItemDomain
from dp_spec.vocabulary.scalar import S, at_most


@dataclass(frozen=True)
class HashFunction(FunctionTable[fmpq]):
    """h: X -> [0, 1] as a table (source 002, Algorithm 1); the value 1, which the source admits, is the point 0.

    Raises `DomainError` for no or repeated items, or for values that are not rational numbers in [0, 1].
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        for value in self.values:
            if not isinstance(value, fmpq) or not (at_most(0, value) and at_most(value, 1)):
                raise DomainError("values", value, "rational numbers (fmpq) in [0, 1]")

    @classmethod
    def of(cls, values: Mapping[Item, fmpq]) -> "HashFunction":
        """The function with the given values."""
        return cls(tuple(values), tuple(values.values()))


@runtime_checkable
class HashFamily(Protocol):
    """A finite law on hash functions of the same items, whose values are meant to be uniform on the grid j / cells."""

    @property
    def items(self) -> tuple[Item, ...]:
        """The items of every function."""
        ...

    @property
    def cells(self) -> int:
        """How many points the grid of hash values has."""
        ...

    def law(self) -> dict[HashFunction, fmpq]:
        """Every function with its probability. Raises `DomainError` where there are more than `MAX_FUNCTIONS`."""
        ...

    def draw(self, coins: Coins, one: S) -> HashFunction:
        """A hash function drawn from the law; `one` is the 1 of the field of the coins."""
        ...

    def __hash__(self) -> int:
        """Families are values: equal ones have equal laws."""
        ...


@dataclass(frozen=True)
class FiniteFamily(WeightedFunctions[HashFunction]):
    """Any finite law on hash functions.

    Raises `DomainError` for functions that repeat or do not have the same items, `NotStochasticError` for weights that
    are not a law.
    """

    cells: int

    kind: ClassVar[type[FunctionTable[Any]]] = HashFunction

    def __post_init__(self) -> None:
        super().__post_init__()
        require_integer("cells", self.cells, 2)


@dataclass(frozen=True)
class FixedFunction:
    """One public function shared by all users; the grid is the coarsest one (of at least two cells) that it fits."""

    function: HashFunction

    def __post_init__(self) -> None:
        if not isinstance(self.function, HashFunction):
            raise DomainError("function", self.function, "a HashFunction")

    @property
    def items(self) -> tuple[Item, ...]:
        """The items of the function."""
        return self.function.items

    @property
    def cells(self) -> int:
        """The least common denominator of the values, or 2."""
        return max(2, lcm(*(int(v.q) for v in self.function.values)))

    def law(self) -> dict[HashFunction, fmpq]:
        """The function, certainly."""
        return {self.function: fmpq(1)}

    def draw(self, coins: Coins, one: S) -> HashFunction:
        """The function; no coin is tossed."""
        return self.function


@dataclass(frozen=True)
class RandomFunctions(CoefficientFamily[HashFunction]):
    """The idealized hash (reading `ideal`): every function from the items to the grid j / cells is equally likely.

    Raises `DomainError` unless cells >= 2.
    """

    items: tuple[Item, ...]
    cells: int

    def __post_init__(self) -> None:
        require_items(self.items)
        require_integer("cells", self.cells, 2)

    @property
    def ranges(self) -> tuple[range, ...]:
        """One value for every item."""
        return (range(self.cells),) * len(self.items)

    def _member(self, coefficients: Sequence[int]) -> HashFunction:
        return HashFunction(self.items, tuple([fmpq(j, self.cells) for j in coefficients]))


@dataclass(frozen=True)
class PolynomialFamily(CoefficientFamily[HashFunction]):
    """h(x) = ((c_0 + c_1 x + ... + c_degree x^degree) mod G) / G with uniform coefficients; x is the item's position.

    G = `cells` is prime and at least the number of items, so that every degree + 1 values are independent and uniform.
    Raises `DomainError` otherwise.
    """

    items: tuple[Item, ...]
    cells: int
    degree: int

    def __post_init__(self) -> None:
        require_items(self.items)
        require_prime("cells", self.cells)
        if len(self.items) > self.cells:
            raise DomainError("items", len(self.items), f"at most G = {self.cells} items")
        require_integer("degree", self.degree, 0)

    @property
    def ranges(self) -> tuple[range, ...]:
        """c_0, c_1, ..., c_degree, each in 0..G - 1."""
        return (range(self.cells),) * (self.degree + 1)

    def _member(self, coefficients: Sequence[int]) -> HashFunction:
        g = self.cells
        values = [sum(c * x**i for i, c in enumerate(coefficients)) % g for x in range(len(self.items))]
        return HashFunction(self.items, tuple([fmpq(j, g) for j in values]))


@dataclass(frozen=True)
class AffineFamily(PolynomialFamily):
    """h(x) = ((a x + b) mod G) / G with G = `cells` prime, a and b uniform (the source's reading `pairwise`)."""

    degree: int = field(default=1, init=False)


@dataclass(frozen=True)
class KeyedHashes:
    """For real use: h(x) is a BLAKE2b hash of the item's position under a fresh 128-bit key, a multiple of 2^-64.

    Idealized: no claim that is decided here about independent hash values covers it, since 2^128 keys cannot make the
    values of three items independent, and nobody can enumerate them.
    """

    items: tuple[Item, ...]

    def __post_init__(self) -> None:
        require_items(self.items)

    def member(self, key: bytes) -> HashFunction:
        """The function with this key (16 bytes; raises `DomainError` otherwise)."""
        values = [fmpq(y, 2**64) for y in keyed_numbers(key, len(self.items), 8)]
        return HashFunction(self.items, tuple(values))

    def draw(self, coins: Coins, one: S) -> HashFunction:
        """The function of a uniformly drawn key (sixteen choices of a byte: for sampling coins only)."""
        return self.member(fresh_key(coins, one))


def independence(family: HashFamily) -> int:
    """The largest k such that the values of every k different items are independent and uniform on the grid j / cells.

    By enumeration of the law. Raises `DomainError` as `HashFamily.law`.
    """
    if not isinstance(family, HashFamily):
        raise DomainError("family", family, "a HashFamily, whose law can be written out")
    cells = family.cells
    return independence_of([(_on_grid(h, cells), weight) for h, weight in family.law().items()], cells)


def _on_grid(function: HashFunction, cells: int) -> tuple[int, ...]:
    """The values as multiples of 1 / cells; -1 for what is none."""
    scaled = [value * cells for value in function.values]
    return tuple([int(j.p) if j.q == 1 else -1 for j in scaled])


def require_values(function: HashFunction, domain: ItemDomain) -> None:
    """Raise `DomainError` unless this is a hash function with a value for every item of the domain."""
    if not isinstance(function, HashFunction):
        raise DomainError("h", function, "a HashFunction")
    if missing := [x for x in domain.items if x not in function.table]:
        raise DomainError("h", function, f"a function with values for {missing} as well")
