"""Oracles that hash an item with one of several functions and report its cell by a mechanism on cells.

Local hashing (Wang, Blocki, Li, Jha 2017) is GRR on g cells; BLH is g = 2. Three laws of its function: given (LH, what
an audit can compute of a library that draws a seed), drawn uniformly from a few given ones (FLH, Cormode, Maddock,
Maple 2021), and the ideal of the literature, uniform over all functions (LH-ideal). The estimator is the same; it is
unbiased for the ideal, and for a given function it counts colliding items. Sketch response, which hashes an item before
FLH, has the law of FLH with the composed functions, on all their pairs. Sketches are in `sketch`.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any, ClassVar

from flint import fmpq

from dp_audit.oracles.additive import SupportOracle, is_tuple
from dp_audit.oracles.base import Event, Number, OracleKind, epsilon, exact_sum, integer, part
from dp_audit.oracles.frequency import grr
from dp_audit.oracles.readers import integers, tables
from dp_refimpl.mechanisms import RECORDS
from dp_refimpl.records import always
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.real import Real

HashTable = tuple[int, ...]
"""The cells of the items 0 .. d-1."""
MAX_REPORTS = 1 << 20
"""Laws of more reports are not listed."""


@dataclass(frozen=True)
class HashedOracle(SupportOracle):
    """A function is drawn uniformly from `functions`; a report is that of `cells` on the item's cell, and the number of
    the function. It supports the items whose cells are supported. Items agree as their cells do, on average.

    The tables may be equal, and are facts of the audited code: laws and moments are those given them. What two cells
    agree on average is taken off by the estimator, so that it is unbiased on average over independent functions.
    """

    cells: SupportOracle
    functions: tuple[HashTable, ...]

    epsilon: ClassVar[Any] = part("cells", "epsilon")  # type: ignore[misc]  # that of what it holds
    p: ClassVar[Any] = part("cells", "p")
    q: ClassVar[Any] = part("cells", "q")

    def joined(self, report: Any, function: int) -> Hashable:
        """Return the report with the number of the function: (report, number)."""
        return report, function

    def read(self, report: Any) -> tuple[Hashable, HashTable] | None:
        """Return the report on the cell and the table of the function; None for what has another form."""
        pair = isinstance(report, tuple) and len(report) == 2 and report[1] in range(len(self.functions))
        return (report[0], self.functions[report[1]]) if pair else None

    @property
    def shared(self) -> fmpq:
        """The average agreement of two cells."""
        return fmpq(1, self.cells.d) * sum(self.cells.agreement(0, cell) for cell in range(self.cells.d))

    def agreement(self, held: int, item: int) -> fmpq:
        """Return the agreement of the two items' cells, averaged over the functions."""
        total = sum(self.cells.agreement(table[held], table[item]) for table in self.functions)
        return fmpq(1, len(self.functions)) * total

    def landing(self, held: int) -> Mapping[int, fmpq]:
        """Return for every cell the probability that a drawn function sends the item there."""
        counts = Counter(table[held] for table in self.functions)
        return {cell: fmpq(times, len(self.functions)) for cell, times in counts.items()}

    def law(self, item: Item) -> Mapping[Hashable, Number]:
        """Return the law of the report: that of its cell, for every function."""
        held, number = self.require_item(item), len(self.functions)
        laws = {cell: [(y, p / number) for y, p in self.cells.law(cell).items()] for cell in self.landing(held)}
        return {self.joined(y, j): p for j, table in enumerate(self.functions) for y, p in laws[table[held]]}

    @property
    def reports(self) -> int:
        """The number of possible reports: every one on a cell, with every function."""
        return self.cells.reports * len(self.functions)

    def possible(self, output: Hashable) -> bool:
        """Return whether the output is a possible report on a cell with the number of a function."""
        pair = self.read(output)
        return pair is not None and self.cells.possible(pair[0])

    def supports(self, report: Hashable, item: int) -> bool:
        """Return whether the item's cell is supported."""
        pair = self.read(report)
        return pair is not None and self.cells.supports(pair[0], pair[1][item])

    def watched(self, held: int) -> tuple[Event, ...]:
        """Return the events watched on the cells, on average, and that the number of the function is low."""
        of_cells = [(share, self.cells.marginals(cell)) for cell, share in self.landing(held).items()]
        chances = zip(*([event.probability * share for event in events] for share, events in of_cells), strict=True)
        averaged = [
            Event(f"the cell's {event.name}", partial(self._on_cell, event.holds), exact_sum(chance))
            for event, chance in zip(of_cells[0][1], chances, strict=True)
        ]
        return (*averaged, lower_half(self.possible, len(self.functions)))

    def _on_cell(self, holds: Callable[[Hashable], bool], report: Hashable) -> bool:
        pair = self.read(report)
        return pair is not None and holds(pair[0])


class FixedHashing(HashedOracle):
    """Given the hash function; the report is that of the cell alone, a list of reports has one and the same function.

    The nominal bound is attained unless the function is constant.
    """

    listed = lists_outputs = True

    @property
    def g(self) -> int:
        """The number of cells."""
        return self.cells.d

    @property
    def table(self) -> HashTable:
        """The function, as a table."""
        return self.functions[0]

    def joined(self, report: Any, function: int) -> Hashable:
        """Return the report on the cell."""
        return report  # type: ignore[no-any-return]

    def read(self, report: Any) -> tuple[Hashable, HashTable]:
        """Return the report and the function."""
        return report, self.table


class IdealHashing(HashedOracle):
    """The literature's ideal: the function is uniform over all g^d; the report is (that of the cell, the table)."""

    def law(self, item: Item) -> Mapping[Hashable, Number]:
        """Return the law of the report, with all functions. Raises `DomainError` for more than `MAX_REPORTS`
        reports."""
        self.require_item(item)
        if self.reports > MAX_REPORTS:
            raise DomainError("d", self.d, f"sizes with at most {MAX_REPORTS} reports")
        functions = tuple(product(range(self.cells.d), repeat=self.d))
        listed: Mapping[Any, Number] = HashedOracle(self.d, self.cells, functions).law(item)
        return {(y, functions[j]): p for (y, j), p in listed.items()}

    def read(self, report: Any) -> tuple[Hashable, HashTable] | None:
        """Return the output if it is a pair of a report and a table; None for what has another form."""
        pair = isinstance(report, tuple) and len(report) == 2
        return report if pair and is_tuple(report[1], *[range(self.cells.d)] * self.d) else None

    def agreement(self, held: int, item: int) -> fmpq:
        """Return 1 for the item held; any other item collides with probability 1/g."""
        return fmpq(1, 1 if held == item else self.cells.d)

    @property
    def reports(self) -> int:
        """The number of possible reports: those of a cell, with g^d functions."""
        return int(self.cells.reports * self.cells.d**self.d)

    def watched(self, held: int) -> tuple[Event, ...]:
        """Return no events: the support of items is all that is watched."""
        return ()


def lower_half(possible: Callable[[Hashable], bool], functions: int) -> Event:
    """Return the event that the number of the function, the second entry of a report, is in the lower half."""
    half = (functions + 1) // 2
    lower = lambda report: possible(report) and report[1] < half  # noqa: E731
    return Event(f"function < {half}", lower, fmpq(half, functions))


def require_tables(name: str, listed: tuple[HashTable, ...], d: int, g: int) -> tuple[HashTable, ...]:
    """Return the tables. Raises `DomainError` unless every one has d cells in 0 .. g-1."""
    for table in listed:
        if len(table) != d or any(cell not in range(g) for cell in table):
            raise DomainError(name, table, f"the cells, in 0..{g - 1}, of {d} items")
    return listed


# --- from parameters --------------------------------------------------------------------------------------------------


def fixed_hashing(d: int, g: int, epsilon: Budget[Real], hash: HashTable) -> FixedHashing:
    """Return the oracle of LH."""
    return FixedHashing(d, grr(g, epsilon), require_tables("hash", (hash,), d, g))


def fast_hashing(d: int, g: int, epsilon: Budget[Real], hashes: tuple[HashTable, ...]) -> HashedOracle:
    """Return the oracle of FLH."""
    return HashedOracle(d, grr(g, epsilon), require_tables("hashes", hashes, d, g))


def ideal_hashing(d: int, g: int, epsilon: Budget[Real]) -> IdealHashing:
    """Return the oracle of LH-ideal."""
    return IdealHashing(d, grr(g, epsilon), ())


_SIZES = {"d": integer(2), "g": integer(2), "epsilon": epsilon}
KINDS = {
    "LH": OracleKind.of(
        RECORDS["LocalHashing"],
        fixed_hashing,
        {**_SIZES, "hash": integers},
        certified=always("olh.privacy", source="lit.wang2017"),
        words={"hash": ("the cells of all items; not needed with --hash", "0, 1, 1")},
    ),
    "FLH": OracleKind.of(RECORDS["FLH"], fast_hashing, {**_SIZES, "hashes": tables}),
    "LH-ideal": OracleKind.of(RECORDS["OLH"], ideal_hashing, _SIZES),
}
