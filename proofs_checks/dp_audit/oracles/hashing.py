"""Oracles of local hashing (Wang, Blocki, Li, Jha 2017): GRR on g cells of the item's hash value. BLH is g = 2.

Three laws of the hash function: given (LH, what an audit can compute of a library that draws a seed), drawn uniformly
from a few given ones (FLH, Cormode, Maddock, Maple 2021), and the ideal of the literature, uniform over all functions
(LH-ideal). The estimator is the same; it is unbiased for the ideal, and for a given function it counts colliding items.
Sketch response, which hashes an item before FLH, has the law of FLH with the composed functions, on all their pairs.
"""

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any

from flint import fmpq

from dp_audit.oracles.additive import LISTED, AdditiveOracle, integers, tables
from dp_audit.oracles.base import Epsilon, Event, Number, OracleKind, epsilon, integer
from dp_refimpl.enumeration import output_law
from dp_refimpl.frequency import local_hashing as refimpl
from dp_refimpl.frequency.grr import GRR
from dp_refimpl.frequency.hash_families import AllFunctions, LabelFamily, LabelFunction, PublicFunctions
from dp_refimpl.mechanisms import RECORDS
from dp_refimpl.records import always
from dp_spec.frequency import local_hashing as stated
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item, ItemDomain

HashTable = tuple[int, ...]
"""The cells 0 .. g-1 of the items 0 .. d-1."""


@dataclass(frozen=True)
class LocalHashing(AdditiveOracle):
    """The item's cell is reported with probability p = e^eps / (e^eps + g - 1), any other with q = 1 / (e^eps + g - 1).

    A report supports the items hashed to its cell; the score is (1[support] - 1/g) / (p - 1/g). Both are the core's
    program, enumerated, and its estimator with the collision chance 1/g.
    """

    g: int
    epsilon: Epsilon

    @abstractmethod
    def read(self, report: Hashable) -> tuple[int, HashTable]:
        """The cell and the hash function of a (possible) report."""

    @abstractmethod
    def collisions(self, held: int, item: int) -> fmpq:
        """The chance that the two items are hashed to one cell."""

    @property
    def p(self) -> Number:
        """Probability of the item's own cell."""
        return self._cells().p

    @property
    def q(self) -> Number:
        """Probability of a given other cell."""
        return self._cells().q

    def privacy(self) -> Number:
        """The nominal bound e^epsilon; attained unless every hash function that may be drawn is constant."""
        return self.epsilon.exp()

    def supports(self, report: Hashable, item: int) -> bool:
        """Whether the item is hashed to the reported cell."""
        cell, table = self.read(report)
        return table[item] == cell

    def support(self, held: int, item: int) -> Number:
        """Probability that the report of a user who holds `held` supports `item`."""
        found: Number = stated.support(self.p, self.q, self.collisions(held, item))
        return found

    def scores(self, report: Hashable) -> tuple[Number, ...]:
        """(1[the report supports x] - 1/g) / (p - 1/g)."""
        cell, table = self.read(report)
        h = self.function(table)
        return tuple(self.program(PublicFunctions((h,))).estimate([(h, cell)]).values())

    def moments(self, held: int, item: int) -> tuple[Number, Number]:
        """Of a 0-1 variable, the support, scaled."""
        records: Any = [(1, self.collisions(held, item))]
        p, q, chance = self.p, self.q, fmpq(1, self.g)
        return stated.fixed_mean(p, q, chance, records), stated.fixed_variance(p, q, chance, records)

    def supporting(self, item: int) -> Callable[[Hashable], bool]:
        """The test of the event that a report (of any form) supports the item."""
        return lambda report: self.possible(report) and self.supports(report, item)

    def program(self, family: LabelFamily) -> refimpl.LocalHashing[Number]:
        """The core's mechanism on a family, with the estimator of the literature."""
        budget: Budget[Number] = Budget.of_root(self.epsilon.exp())
        return refimpl.LocalHashing(ItemDomain.of_sizes(self.d), budget, family, fmpq(1, self.g))

    def function(self, table: HashTable) -> LabelFunction:
        """A table as the core has it."""
        return LabelFunction(tuple(range(self.d)), table, self.g)

    def drawn_law(self, item: Item, family: LabelFamily) -> dict[tuple[LabelFunction, int], Number]:
        """Law of the program's own report."""
        held, target = self.require_item(item), self.program(family)
        return output_law(lambda coins: target.randomize(held, coins), target.one)

    def _cells(self) -> GRR[Number]:
        budget: Budget[Number] = Budget.of_root(self.epsilon.exp())
        return GRR(ItemDomain.of_sizes(self.g), budget)


@dataclass(frozen=True)
class FixedHashing(LocalHashing):
    """Given the hash function; the report is the cell alone, a list of reports has one and the same function.

    Expectation and variance are those given the function: E of item x is (s - 1/g) / (p - 1/g) averaged over the
    users, s = p if x shares the cell of the item held, else q. Raises `DomainError` for a table that is not d cells.
    """

    table: HashTable

    def __post_init__(self) -> None:
        require_tables("hash", (self.table,), self.d, self.g)

    def law(self, item: Item) -> Mapping[Hashable, Number]:
        """Law of the cell."""
        listed = PublicFunctions((self.function(self.table),))
        return {cell: chance for (_, cell), chance in self.drawn_law(item, listed).items()}

    def possible(self, output: Hashable) -> bool:
        """Every cell is."""
        return output in range(self.g)

    def read(self, report: Hashable) -> tuple[int, HashTable]:
        """The cell and the function."""
        assert isinstance(report, int)
        return report, self.table

    def collisions(self, held: int, item: int) -> fmpq:
        """0 or 1."""
        return fmpq(self.table[held] == self.table[item])


@dataclass(frozen=True)
class DrawnHashing(LocalHashing):
    """The hash function is drawn uniformly from given ones; the report is (cell, number of the function).

    Raises `DomainError` for tables that are not d cells.
    """

    tables: tuple[HashTable, ...]

    def __post_init__(self) -> None:
        require_tables("hashes", self.tables, self.d, self.g)

    def law(self, item: Item) -> Mapping[Hashable, Number]:
        """Law of (cell, number): the program does not tell equal functions apart, their numbers are equally likely."""
        functions = tuple(map(self.function, self.tables))
        law, times = self.drawn_law(item, PublicFunctions(functions)), Counter(functions)
        return {(cell, j): law[h, cell] / times[h] for j, h in enumerate(functions) for cell in range(self.g)}

    def possible(self, output: Hashable) -> bool:
        """Every cell with every number is."""
        return (
            isinstance(output, tuple)
            and len(output) == 2
            and output[0] in range(self.g)
            and output[1] in range(len(self.tables))
        )

    def read(self, report: Hashable) -> tuple[int, HashTable]:
        """The cell and the function."""
        assert isinstance(report, tuple)
        return report[0], self.tables[report[1]]

    def collisions(self, held: int, item: int) -> fmpq:
        """The share of the functions that make the items collide."""
        return fmpq(sum(table[held] == table[item] for table in self.tables), len(self.tables))

    def events(self, item: Item) -> tuple[Event, ...]:
        """All reports if they are few; else that an item is supported, and that the number is in the lower half."""
        if self.g * len(self.tables) <= LISTED:
            return super().events(item)
        held, half = self.require_item(item), (len(self.tables) + 1) // 2
        lower = Event(
            f"function < {half}",
            lambda report: self.possible(report) and isinstance(report, tuple) and report[1] < half,
            fmpq(half, len(self.tables)),
        )
        return (lower, *(Event(f"supports {x}", self.supporting(x), self.support(held, x)) for x in range(self.d)))


@dataclass(frozen=True)
class IdealHashing(LocalHashing):
    """The literature's ideal: the function is uniform over all g^d; the report is (cell, the table of the function).

    Unbiased; the variance is (f p(1-p) + (1-f) (1/g)(1-1/g)) / (n (p - 1/g)^2), f the frequency of the item.
    """

    def law(self, item: Item) -> Mapping[Hashable, Number]:
        """Law of (cell, table): g^(d+1) reports."""
        law = self.drawn_law(item, AllFunctions(tuple(range(self.d)), self.g))
        return {(cell, h.values): chance for (h, cell), chance in law.items()}

    def possible(self, output: Hashable) -> bool:
        """Every cell with every table is."""
        return (
            isinstance(output, tuple)
            and len(output) == 2
            and output[0] in range(self.g)
            and isinstance(output[1], tuple)
            and len(output[1]) == self.d
            and all(cell in range(self.g) for cell in output[1])
        )

    def read(self, report: Hashable) -> tuple[int, HashTable]:
        """The cell and the function."""
        assert isinstance(report, tuple)
        return report

    def collisions(self, held: int, item: int) -> fmpq:
        """1 for the item held; any other collides with probability 1/g, and p/g + (g-1)/g q = 1/g."""
        return fmpq(1, 1 if held == item else self.g)

    def events(self, item: Item) -> tuple[Event, ...]:
        """All reports if they are few; else that an item is supported."""
        if self.g ** (self.d + 1) <= LISTED:
            return super().events(item)
        held = self.require_item(item)
        return tuple(Event(f"supports {x}", self.supporting(x), self.support(held, x)) for x in range(self.d))


def best_cells(epsilon: Epsilon) -> int:
    """The integer g >= 2 with the smallest variance of an item nobody holds; of two equal ones the smaller.

    Libraries round e^eps instead, which differs where sqrt(t (t + 1)) < e^eps < t + 1/2 for an integer t.
    """
    return refimpl.optimal_labels(epsilon.budget).best


def require_tables(name: str, listed: tuple[HashTable, ...], d: int, g: int) -> None:
    """Raise `DomainError` unless every table has d cells in 0 .. g-1."""
    for table in listed:
        if len(table) != d or any(cell not in range(g) for cell in table):
            raise DomainError(name, table, f"the cells, in 0..{g - 1}, of {d} items")


_SIZES = {"d": integer(2), "g": integer(2), "epsilon": epsilon}
KINDS = {
    "LH": OracleKind.of(
        RECORDS["LocalHashing"],
        lambda d, g, epsilon, hash: FixedHashing(d, g, epsilon, hash),
        {**_SIZES, "hash": integers},
        certified=always("olh.privacy", source="lit.wang2017"),
        words={"hash": ("the cells of all items; not needed with --hash", "0, 1, 1")},
    ),
    "FLH": OracleKind.of(
        RECORDS["FLH"],
        lambda d, g, epsilon, hashes: DrawnHashing(d, g, epsilon, hashes),
        {**_SIZES, "hashes": tables},
    ),
    "LH-ideal": OracleKind.of(RECORDS["OLH"], IdealHashing, _SIZES),
}
