"""Oracles of local hashing (Wang, Blocki, Li, Jha 2017): GRR on g cells of the item's hash value. BLH is g = 2.

Three laws of the hash function: given (LH, what an audit can compute of a library that draws a seed), drawn uniformly
from a few given ones (FLH, Cormode, Maddock, Maple 2021), and the ideal of the literature, uniform over all functions
(LH-ideal). The estimator is the same; it is unbiased for the ideal, and for a given function it counts colliding items.
Sketch response, which hashes an item before FLH, has the law of FLH with the composed functions, on all their pairs.
"""

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flint import fmpq

from dp_audit.oracles.additive import MarginalOracle, SupportOracle, integers, is_tuple, tables
from dp_audit.oracles.base import Epsilon, Event, Number, OracleKind, epsilon, integer
from dp_refimpl.enumeration import output_law
from dp_refimpl.frequency import local_hashing as refimpl
from dp_refimpl.frequency.grr import GRR
from dp_refimpl.frequency.hash_families import AllFunctions, LabelFamily, LabelFunction, PublicFunctions
from dp_refimpl.mechanisms import RECORDS
from dp_refimpl.records import always
from dp_spec.frequency import local_hashing as stated
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item, ItemDomain

HashTable = tuple[int, ...]
"""The cells 0 .. g-1 of the items 0 .. d-1."""


@dataclass(frozen=True)
class LocalHashing(SupportOracle):
    """The item's cell is reported with probability p = e^eps / (e^eps + g - 1), any other with q = 1 / (e^eps + g - 1).

    A report supports the items hashed to its cell; the score is (1[support] - 1/g) / (p - 1/g). The law is the core's
    program, enumerated. The nominal bound is attained unless every hash function that may be drawn is constant.
    """

    g: int
    epsilon: Epsilon

    @abstractmethod
    def read(self, report: Any) -> tuple[int, HashTable]:
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

    @property
    def base(self) -> Number:
        """1/g."""
        return fmpq(1, self.g)

    def supports(self, report: Hashable, item: int) -> bool:
        """Whether the item is hashed to the reported cell."""
        cell, table = self.read(report)
        return table[item] == cell

    def support(self, held: int, item: int) -> Number:
        """Probability that the report of a user who holds `held` supports `item`."""
        found: Number = stated.support(self.p, self.q, self.collisions(held, item))
        return found

    def moments(self, held: int, item: int) -> tuple[Number, Number]:
        """Of a 0-1 variable, the support, scaled: colliding items are counted too."""
        return (self.support(held, item) - self.base) / (self.p - self.base), self.spread(held, item)

    def all_moments(self, held: int) -> Sequence[tuple[Number, Number]]:
        """The moments of two items depend on their collisions only."""
        known: dict[fmpq, tuple[Number, Number]] = {}
        shares = [self.collisions(held, x) for x in range(self.d)]
        for x, share in enumerate(shares):
            if share not in known:
                known[share] = self.moments(held, x)
        return [known[share] for share in shares]

    def supporting(self, item: int) -> Callable[[Hashable], bool]:
        """The test of the event that a report (of any form) supports the item."""
        return lambda report: self.possible(report) and self.supports(report, item)

    def supported(self, held: int) -> tuple[Event, ...]:
        """For every item, that a report supports it."""
        return tuple(Event(f"supports {x}", self.supporting(x), self.support(held, x)) for x in range(self.d))

    def drawn_law(self, item: Item, family: LabelFamily) -> dict[tuple[LabelFunction, int], Number]:
        """Law of the report of the core's mechanism on a family."""
        domain, chance = ItemDomain.of_sizes(self.d), fmpq(1, self.g)
        held, target = self.require_item(item), refimpl.LocalHashing(domain, self.epsilon.numbers(), family, chance)
        return output_law(lambda coins: target.randomize(held, coins), target.one)

    def _cells(self) -> GRR[Number]:
        return GRR(ItemDomain.of_sizes(self.g), self.epsilon.numbers())


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
        family = PublicFunctions(as_functions([self.table], self.d, self.g))
        return {cell: chance for (_, cell), chance in self.drawn_law(item, family).items()}

    def possible(self, output: Hashable) -> bool:
        """Every cell is."""
        return output in range(self.g)

    def read(self, report: Any) -> tuple[int, HashTable]:
        """The cell and the function."""
        return report, self.table

    def collisions(self, held: int, item: int) -> fmpq:
        """0 or 1."""
        return fmpq(self.table[held] == self.table[item])


@dataclass(frozen=True)
class DrawnHashing(LocalHashing, MarginalOracle):
    """The hash function is drawn uniformly from given ones; the report is (cell, number of the function).

    Raises `DomainError` for tables that are not d cells.
    """

    tables: tuple[HashTable, ...]

    def __post_init__(self) -> None:
        require_tables("hashes", self.tables, self.d, self.g)

    def law(self, item: Item) -> Mapping[Hashable, Number]:
        """Law of (cell, number): the program does not tell equal functions apart, their numbers are equally likely."""
        functions = as_functions(self.tables, self.d, self.g)
        law, times = self.drawn_law(item, PublicFunctions(functions)), Counter(functions)
        return {(cell, j): law[h, cell] / times[h] for j, h in enumerate(functions) for cell in range(self.g)}

    def possible(self, output: Hashable) -> bool:
        """Every cell with every number is."""
        return is_tuple(output, range(self.g), range(len(self.tables)))

    def read(self, report: Any) -> tuple[int, HashTable]:
        """The cell and the function."""
        return report[0], self.tables[report[1]]

    def collisions(self, held: int, item: int) -> fmpq:
        """The share of the functions that make the items collide."""
        return fmpq(sum(table[held] == table[item] for table in self.tables), len(self.tables))

    @property
    def reports(self) -> int:
        """g cells of every function."""
        return self.g * len(self.tables)

    def marginals(self, held: int) -> tuple[Event, ...]:
        """That the number is in the lower half, and that an item is supported."""
        return (lower_half(self.possible, len(self.tables)), *self.supported(held))


@dataclass(frozen=True)
class IdealHashing(LocalHashing, MarginalOracle):
    """The literature's ideal: the function is uniform over all g^d; the report is (cell, the table of the function).

    Unbiased; the variance is (f p(1-p) + (1-f) (1/g)(1-1/g)) / (n (p - 1/g)^2), f the frequency of the item.
    """

    def law(self, item: Item) -> Mapping[Hashable, Number]:
        """Law of (cell, table): g^(d+1) reports."""
        law = self.drawn_law(item, AllFunctions(tuple(range(self.d)), self.g))
        return {(cell, h.values): chance for (h, cell), chance in law.items()}

    def possible(self, output: Hashable) -> bool:
        """Every cell with every table is."""
        pair = isinstance(output, tuple) and len(output) == 2 and output[0] in range(self.g)
        return pair and is_tuple(output[1], *[range(self.g)] * self.d)  # type: ignore[index]

    def read(self, report: Any) -> tuple[int, HashTable]:
        """The cell and the function."""
        return report  # type: ignore[no-any-return]

    def collisions(self, held: int, item: int) -> fmpq:
        """1 for the item held; any other collides with probability 1/g, and p/g + (g-1)/g q = 1/g."""
        return fmpq(1, 1 if held == item else self.g)

    @property
    def reports(self) -> int:
        """g^(d+1)."""
        return int(self.g ** (self.d + 1))

    def marginals(self, held: int) -> tuple[Event, ...]:
        """That an item is supported."""
        return self.supported(held)


def as_functions(tables: Iterable[HashTable], d: int, g: int) -> tuple[LabelFunction, ...]:
    """Tables as the core has them."""
    return tuple(LabelFunction(tuple(range(d)), table, g) for table in tables)


def lower_half(possible: Callable[[Hashable], bool], functions: int) -> Event:
    """That the number of the function, the second entry of a report, is in the lower half."""
    half = (functions + 1) // 2
    lower = lambda report: possible(report) and report[1] < half  # noqa: E731
    return Event(f"function < {half}", lower, fmpq(half, functions))


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
