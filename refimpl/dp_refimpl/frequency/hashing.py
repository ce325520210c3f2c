"""Hash functions and families as explicit objects whose properties are computed, not assumed (source 002, 4.3.1).

A hash function is a table from items to rational numbers; a family is a finite law on hash functions, drawn from with
`Coins` like everything random. `KeyedHashes` is the one family without a law that anybody could write down: what is
proved for independent hash values holds for it only as far as BLAKE2b is taken for a random function.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from itertools import combinations, product
from math import lcm
from typing import Protocol, runtime_checkable

from flint import fmpq

from dp_refimpl.coins import Coins
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item, ItemDomain
from dp_spec.vocabulary.scalar import S, at_most, require_law

MAX_FUNCTIONS = 1_000_000
"""A family with more members than this can be drawn from, but its law is not written out."""


@dataclass(frozen=True)
class HashFunction:
    """h: X -> [0, 1] as a table (source 002, Algorithm 1); the value 1, which the source admits, is the point 0.

    Raises `DomainError` for no or repeated items, or for values that are not rational numbers in [0, 1].
    """

    items: tuple[Item, ...]
    values: tuple[fmpq, ...]

    def __post_init__(self) -> None:
        _require_items(self.items)
        if not isinstance(self.values, tuple) or len(self.values) != len(self.items):
            raise DomainError("values", self.values, f"a tuple of {len(self.items)} values, one for each item")
        for value in self.values:
            if not isinstance(value, fmpq) or not (at_most(0, value) and at_most(value, 1)):
                raise DomainError("values", value, "rational numbers (fmpq) in [0, 1]")

    @classmethod
    def of(cls, values: Mapping[Item, fmpq]) -> "HashFunction":
        """The function with the given values."""
        return cls(tuple(values), tuple(values.values()))

    @cached_property
    def table(self) -> dict[Item, fmpq]:
        """The values by item."""
        return dict(zip(self.items, self.values, strict=True))

    def __call__(self, item: Item) -> fmpq:
        """The hash value of an item. Raises `DomainError` for an unknown item."""
        if item not in self.table:
            raise DomainError("item", item, f"an item of {self.items}")
        return self.table[item]


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
class FiniteFamily:
    """Any finite law on hash functions.

    Raises `DomainError` for functions that repeat or do not have the same items, `NotStochasticError` for weights that
    are not a law.
    """

    functions: tuple[HashFunction, ...]
    weights: tuple[fmpq, ...]
    cells: int

    def __post_init__(self) -> None:
        if not isinstance(self.functions, tuple) or not all(isinstance(h, HashFunction) for h in self.functions):
            raise DomainError("functions", self.functions, "a tuple of hash functions")
        if len(set(self.functions)) != len(self.functions) or len({h.items for h in self.functions}) != 1:
            raise DomainError("functions", self.functions, "one or more different functions of the same items")
        if not isinstance(self.weights, tuple) or not all(isinstance(w, fmpq) for w in self.weights):
            raise DomainError("weights", self.weights, "a tuple of rational numbers (fmpq)")
        if len(self.weights) != len(self.functions):
            raise DomainError("weights", self.weights, f"{len(self.functions)} numbers, one for each function")
        require_law(self.weights)
        _require_cells(self.cells)

    @property
    def items(self) -> tuple[Item, ...]:
        """The items of every function."""
        return self.functions[0].items

    def law(self) -> dict[HashFunction, fmpq]:
        """Every function with its probability."""
        return dict(zip(self.functions, self.weights, strict=True))

    def draw(self, coins: Coins, one: S) -> HashFunction:
        """One choice among the functions."""
        return self.functions[coins.choose([one * int(w.p) / int(w.q) for w in self.weights])]


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


class CoefficientFamily(ABC):
    """A family whose members are indexed by independent uniform coefficients below `cells`."""

    items: tuple[Item, ...]
    cells: int

    @property
    @abstractmethod
    def coefficients(self) -> int:
        """How many coefficients there are."""

    @abstractmethod
    def member(self, coefficients: Sequence[int]) -> HashFunction:
        """The function with these coefficients."""

    def law(self) -> dict[HashFunction, fmpq]:
        """Every function with its probability; coefficients that give the same function are counted together."""
        members: int = self.cells**self.coefficients
        if members > MAX_FUNCTIONS:
            raise DomainError("cells", self.cells, f"at most {MAX_FUNCTIONS} functions to write out, not {members}")
        law: dict[HashFunction, fmpq] = {}
        for coefficients in product(range(self.cells), repeat=self.coefficients):
            function = self.member(coefficients)
            law[function] = law.get(function, fmpq(0)) + fmpq(1, members)
        return law

    def draw(self, coins: Coins, one: S) -> HashFunction:
        """The function of uniformly drawn coefficients."""
        uniform = (one / self.cells,) * self.cells
        return self.member(coins.choose_each((uniform,) * self.coefficients))


@dataclass(frozen=True)
class RandomFunctions(CoefficientFamily):
    """The idealized hash (reading `ideal`): every function from the items to the grid j / cells is equally likely.

    Raises `DomainError` unless cells >= 2.
    """

    items: tuple[Item, ...]
    cells: int

    def __post_init__(self) -> None:
        _require_items(self.items)
        _require_cells(self.cells)

    @property
    def coefficients(self) -> int:
        """One value for every item."""
        return len(self.items)

    def member(self, coefficients: Sequence[int]) -> HashFunction:
        """The function with the values coefficient / cells."""
        return HashFunction(self.items, tuple([fmpq(j, self.cells) for j in coefficients]))


@dataclass(frozen=True)
class PolynomialFamily(CoefficientFamily):
    """h(x) = ((c_0 + c_1 x + ... + c_degree x^degree) mod G) / G with uniform coefficients; x is the item's position.

    G = `cells` is prime and at least the number of items, so that every degree + 1 values are independent and uniform.
    Raises `DomainError` otherwise.
    """

    items: tuple[Item, ...]
    cells: int
    degree: int

    def __post_init__(self) -> None:
        _require_items(self.items)
        require_prime("cells", self.cells)
        if len(self.items) > self.cells:
            raise DomainError("items", len(self.items), f"at most G = {self.cells} items")
        if isinstance(self.degree, bool) or not isinstance(self.degree, int) or self.degree < 0:
            raise DomainError("degree", self.degree, "an integer >= 0")

    @property
    def coefficients(self) -> int:
        """degree + 1."""
        return self.degree + 1

    def member(self, coefficients: Sequence[int]) -> HashFunction:
        """The polynomial c_0 + c_1 x + ... modulo G, divided by G."""
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
        _require_items(self.items)

    def member(self, key: bytes) -> HashFunction:
        """The function with this key (16 bytes; raises `DomainError` otherwise)."""
        if not isinstance(key, bytes) or len(key) != 16:
            raise DomainError("key", key, "16 bytes")
        digests = [blake2b(x.to_bytes(8, "little"), digest_size=8, key=key).digest() for x in range(len(self.items))]
        return HashFunction(self.items, tuple([fmpq(int.from_bytes(y, "little"), 2**64) for y in digests]))

    def draw(self, coins: Coins, one: S) -> HashFunction:
        """The function of a uniformly drawn key (sixteen choices of a byte: for sampling coins only)."""
        byte = (one / 256,) * 256
        return self.member(bytes(coins.choose_each((byte,) * 16)))


def independence(family: HashFamily) -> int:
    """The largest k such that the values of every k different items are independent and uniform on the grid j / cells.

    By enumeration of the law. Raises `DomainError` as `HashFamily.law`.
    """
    if not isinstance(family, HashFamily):
        raise DomainError("family", family, "a HashFamily, whose law can be written out")
    law, d = family.law(), len(family.items)
    return next((k - 1 for k in range(1, d + 1) if not _independent(law, family.cells, k)), d)


def _independent(law: Mapping[HashFunction, fmpq], cells: int, k: int) -> bool:
    """Whether every k values are uniform on the k-dimensional grid."""
    grid = [fmpq(j, cells) for j in range(cells)]
    points: int = cells**k
    if points > len(law):
        return False
    share = fmpq(1, points)
    for chosen in combinations(range(len(next(iter(law)).items)), k):
        joint: dict[tuple[fmpq, ...], fmpq] = {}
        for function, weight in law.items():
            values = tuple([function.values[i] for i in chosen])
            joint[values] = joint.get(values, fmpq(0)) + weight
        if any(joint.get(values) != share for values in product(grid, repeat=k)):
            return False
    return True


def require_values(function: HashFunction, domain: ItemDomain) -> None:
    """Raise `DomainError` unless this is a hash function with a value for every item of the domain."""
    if not isinstance(function, HashFunction):
        raise DomainError("h", function, "a HashFunction")
    if missing := [x for x in domain.items if x not in function.table]:
        raise DomainError("h", function, f"a function with values for {missing} as well")


def require_prime(name: str, number: int) -> None:
    """Raise `DomainError` unless the number is a prime below 2^31 (by trial division)."""
    if isinstance(number, bool) or not isinstance(number, int) or not 2 <= number < 2**31:
        raise DomainError(name, number, "a prime below 2^31")
    if any(number % f == 0 for f in range(2, min(number, 46341)) if f * f <= number):
        raise DomainError(name, number, "a prime")


def _require_items(items: tuple[Item, ...]) -> None:
    if not isinstance(items, tuple):
        raise DomainError("items", items, "a tuple of items")
    ItemDomain(items)


def _require_cells(cells: int) -> None:
    if isinstance(cells, bool) or not isinstance(cells, int) or cells < 2:
        raise DomainError("cells", cells, "an integer >= 2")
