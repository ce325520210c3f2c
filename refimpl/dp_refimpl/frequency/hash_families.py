"""Functions from items to labels, and families of them, which are drawn from with `Coins`."""

from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Protocol

from flint import fmpq

from dp_refimpl.coins import Coins, uniform
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.scalar import S


@dataclass(frozen=True)
class LabelFunction:
    """h: items -> 0..labels-1 as a table. Raises `DomainError` for a table that is none."""

    items: tuple[Item, ...]
    values: tuple[int, ...]
    labels: int

    def __post_init__(self) -> None:
        if isinstance(self.labels, bool) or not isinstance(self.labels, int) or self.labels < 1:
            raise DomainError("labels", self.labels, "an integer >= 1")
        if not isinstance(self.items, tuple) or not self.items or len(set(self.items)) != len(self.items):
            raise DomainError("items", self.items, "a tuple of pairwise different items")
        if not isinstance(self.values, tuple) or len(self.values) != len(self.items):
            raise DomainError("values", self.values, f"a tuple of {len(self.items)} labels, one for each item")
        for value in self.values:
            if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < self.labels:
                raise DomainError("values", value, f"integers in 0..{self.labels - 1}")

    @cached_property
    def table(self) -> dict[Item, int]:
        """The labels by item."""
        return dict(zip(self.items, self.values, strict=True))

    def __call__(self, item: Item) -> int:
        """The label of an item. Raises `DomainError` for an unknown item."""
        if item not in self.table:
            raise DomainError("item", item, f"an item of {self.items}")
        return self.table[item]


class LabelFamily(Protocol):
    """A law on functions from the same items to the same labels."""

    @property
    def items(self) -> tuple[Item, ...]: ...
    @property
    def labels(self) -> int: ...
    def law(self) -> dict[LabelFunction, fmpq]: ...
    def draw(self, coins: Coins, one: S) -> LabelFunction: ...


@dataclass(frozen=True)
class AllFunctions:
    """Uniform over all functions: independent, uniform labels."""

    items: tuple[Item, ...]
    labels: int

    def law(self) -> dict[LabelFunction, fmpq]:
        """labels^d functions."""
        functions = product(range(self.labels), repeat=len(self.items))
        weight = fmpq(1, self.labels ** len(self.items))
        return {LabelFunction(self.items, values, self.labels): weight for values in functions}

    def draw(self, coins: Coins, one: S) -> LabelFunction:
        """A function."""
        law = (one / self.labels,) * self.labels
        return LabelFunction(self.items, coins.choose_each([law] * len(self.items)), self.labels)


@dataclass(frozen=True)
class PublicFunctions:
    """Uniform over a public list of functions on the same items and labels; a function may be listed repeatedly."""

    functions: tuple[LabelFunction, ...]

    @property
    def items(self) -> tuple[Item, ...]:
        """The items of every function."""
        return self.functions[0].items

    @property
    def labels(self) -> int:
        """The number of labels of every function."""
        return self.functions[0].labels

    def law(self) -> dict[LabelFunction, fmpq]:
        """The share of the list that a function has."""
        return {h: fmpq(self.functions.count(h), len(self.functions)) for h in self.functions}

    def draw_row(self, coins: Coins, one: S) -> int:
        """The position of the drawn function."""
        return uniform(coins, range(len(self.functions)), one)

    def draw(self, coins: Coins, one: S) -> LabelFunction:
        """A function."""
        return self.functions[self.draw_row(coins, one)]
