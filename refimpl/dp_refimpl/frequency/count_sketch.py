"""Private count-mean sketch (source 004: client, server, aggregation), the plain sketches, and thinning before upload.

The source numbers rows and columns from 1; here they are 0..k-1 and 0..m-1. `aggregate` gives f'(d), a number of
records, as in the source; `estimate` the frequency f'(d) / n, as for all mechanisms.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Generic, Protocol

from flint import fmpq

from dp_refimpl.coins import Coins, bernoulli, uniform
from dp_refimpl.enumeration import Enumerable, X, Y
from dp_refimpl.frequency.hash_families import LabelFunction, PublicFunctions
from dp_refimpl.frequency.parameters import ItemParameters
from dp_refimpl.requirements import is_integer, require_integer
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item, ItemDomain
from dp_spec.vocabulary.scalar import Ordering, S, at_most, compare, is_zero

Functions = tuple[LabelFunction, ...]
SignsReport = tuple[tuple[int, ...], int]
"""(m signs, each 1 or -1; the row in 0..k-1)."""
Matrix = tuple[tuple[S, ...], ...]
"""k rows of m numbers."""
Counters = tuple[tuple[int, ...], ...]
"""k rows of m counters."""


@dataclass(frozen=True)
class SketchParameters(ItemParameters[S], Generic[S]):
    """Parameters of a sketch: k >= 1 public functions from the items of the domain to 0..m-1.

    Nothing is assumed of the functions; one may be listed repeatedly. Raises `DomainError` for what is no tuple of
    `LabelFunction`, for functions of different items or numbers of labels, and for functions that lack an item.
    """

    functions: Functions = ()

    def _require_fields(self) -> None:
        super()._require_fields()
        require_functions(self.functions)
        if not set(self.domain.items) <= set(self.functions[0].items):
            raise DomainError("functions", self.functions, f"functions on the items {self.domain.items}")

    @cached_property
    def rows(self) -> PublicFunctions:
        """The functions as a family, of which one is drawn for a report."""
        return PublicFunctions(self.functions)

    @property
    def k(self) -> int:
        """The number of functions: the rows of the sketch."""
        return len(self.functions)

    @property
    def m(self) -> int:
        """The number of labels: the columns of the sketch."""
        return self.functions[0].labels

    def frequencies(self, matrix: "Matrix[S]", n: int) -> dict[Item, S]:
        """f'(d) / n for every item, from the matrix of n reports. Raises as `aggregate`, and for n = 0."""
        if n == 0:
            raise DomainError("reports", n, "at least one report")
        return {x: aggregate(matrix, n, self.functions, x) / n for x in self.domain.items}


@dataclass(frozen=True)
class ClientCMS(SketchParameters[S], Generic[S]):
    """The client of the private count-mean sketch, and the server's estimates. See `SketchParameters`."""

    @cached_property
    def flip(self) -> S:
        """Probability that a sign is flipped."""
        return flip_probability(self.budget)

    def randomize(self, item: Item, coins: Coins) -> SignsReport:
        """A report: m signs and a row. Raises `DomainError` for an unknown item."""
        self.require_item(item)
        row = self.rows.draw_row(coins, self.one)
        own = self.functions[row](item)
        vector = [1 if column == own else -1 for column in range(self.m)]
        flips = coins.choose_each([(1 - self.flip, self.flip)] * self.m)
        return tuple(-sign if flip else sign for sign, flip in zip(vector, flips, strict=True)), row

    def estimate(self, reports: Sequence[SignsReport]) -> dict[Item, S]:
        """Estimated frequency of every item, f'(d) / n. Raises as `server_cms`, `aggregate`, and without reports."""
        return self.frequencies(server_cms(reports, self.k, self.m, self.budget), len(reports))


def flip_probability(budget: Budget[S]) -> S:
    """1 / (e^(eps/2) + 1): the client flips a sign."""
    return 1 / (budget.exp(Fraction(1, 2)) + 1)


def server_cms(reports: Sequence[SignsReport], k: int, m: int, budget: Budget[S]) -> Matrix[S]:
    """M: a report (u, j) adds k (c_eps/2 u + 1/2) to row j, c_eps = (e^(eps/2) + 1) / (e^(eps/2) - 1).

    The signs of a cell are added before they are scaled, once. Raises `DomainError` for reports that are not m signs
    and a row below k, and at epsilon = 0.
    """
    c = server_constant(budget.exp(Fraction(1, 2)))
    totals, users = [[0] * m for _ in range(k)], [0] * k
    for report in reports:
        signs, row = _require_signs_report(report, k, m)
        users[row] += 1
        totals[row] = [total + sign for total, sign in zip(totals[row], signs, strict=True)]
    return tuple(tuple(k * (c * total + n) / 2 for total in row) for row, n in zip(totals, users, strict=True))


def server_constant(x: S) -> S:
    """(x + 1) / (x - 1), which makes a sign unbiased that is flipped with probability 1 / (x + 1).

    Raises `DomainError` for x = 1 (epsilon = 0).
    """
    if is_zero(x - 1):
        raise DomainError("budget", x, "epsilon > 0: at epsilon = 0 the server's constant c_eps is not defined")
    return (x + 1) / (x - 1)


def aggregate(matrix: Matrix[S], n: int, functions: Functions, item: Item) -> S:
    """f'(d) = m/(m-1) (1/k sum_l M[l, h_l(d)] - n/m), n the number of reports in the k x m matrix M.

    Raises `DomainError` for one column (m/(m-1) is not defined), a matrix of another size, an n that is no integer
    >= 0, and an item that is not one of the functions'.
    """
    require_functions(functions)
    k, m = len(functions), functions[0].labels
    if m == 1:
        raise DomainError("m", m, "m >= 2: for one column m / (m - 1) is not defined")
    if len(matrix) != k or any(len(row) != m for row in matrix):
        raise DomainError("matrix", matrix, f"{k} rows of {m} numbers")
    require_integer("n", n, 0, note=", the number of reports")
    cells = [row[h(item)] for row, h in zip(matrix, functions, strict=True)]
    mean = sum(cells[1:], cells[0]) / k
    return (m * mean - n) / (m - 1)


def plain_sketch(records: Sequence[Item], functions: Functions) -> Counters:
    """The sketch of the true items: every record adds 1 to its cell of every row.

    Raises `DomainError` for what are no functions, and for a record that is not an item of theirs.
    """
    require_functions(functions)
    counters = [[0] * h.labels for h in functions]
    for item in records:
        for row, h in zip(counters, functions, strict=True):
            row[h(item)] += 1
    return tuple(map(tuple, counters))


@dataclass(frozen=True)
class PlainRow:
    """A row of the sketch of the true items, drawn uniformly: where a record is counted."""

    domain: ItemDomain
    budget: Budget[Any]
    functions: Functions

    @property
    def one(self) -> Any:
        """1 in the budget's field."""
        return self.budget.root * 0 + 1

    def randomize(self, item: Any, coins: Coins) -> SignsReport:
        """The counters of the row for this record, as signs (1 where it is counted), and the row."""
        counters = plain_sketch((item,), self.functions)
        row = uniform(coins, range(len(counters)), self.one)
        return tuple(2 * count - 1 for count in counters[row]), row


def count_mean(sketch: Counters, functions: Functions, item: Item) -> fmpq:
    """Count-Mean: the average of an item's counters.

    Raises `DomainError` for a sketch of other functions' size, and for counters that are none or do not add up to the
    same number of records in every row.
    """
    return fmpq(sum(_counters_of(sketch, functions, item)), len(functions))


class Estimating(Enumerable[X, Y, S], Protocol[X, Y, S]):
    """A mechanism on the items of a domain whose estimates are frequencies, averages over the reports."""

    @property
    def domain(self) -> ItemDomain: ...
    def estimate(self, reports: Sequence[Y], /) -> dict[Item, S]: ...


@dataclass(frozen=True)
class Sampled(Generic[X, Y, S]):
    """A mechanism whose reports are uploaded with probability rho each, independently of the data (source 004).

    The source prints no law of the sampling; this is the independent one. Raises `DomainError` unless 0 < rho <= 1.
    """

    mechanism: Estimating[X, Y, S]
    rho: S | Fraction

    def __post_init__(self) -> None:
        if compare(self.rho, 0) is not Ordering.GREATER or not at_most(self.rho, 1):
            raise DomainError("rho", self.rho, "a probability in (0, 1]")

    @property
    def inputs(self) -> tuple[X, ...]:
        """What a user can hold."""
        return self.mechanism.inputs

    @property
    def one(self) -> S:
        """The number 1 of the mechanism's field."""
        return self.mechanism.one

    @property
    def chance(self) -> S:
        """rho in the mechanism's field."""
        if isinstance(self.rho, Fraction):
            return self.one * self.rho.numerator / self.rho.denominator
        return self.rho

    def randomize(self, item: X, coins: Coins) -> Y | None:
        """The stored report if it is uploaded, else None. Raises as the mechanism."""
        report = self.mechanism.randomize(item, coins)
        return report if bernoulli(coins, self.chance) else None

    def estimate(self, reports: Sequence[Y | None]) -> dict[Item, S]:
        """Estimated frequency of every item among all records: what is uploaded of n reports, over rho n.

        Unbiased where the mechanism's estimator is (source 004, the estimate f' / rho); the mechanism's own, on what is
        uploaded, is about the records that are. Raises as the mechanism, and without reports.
        """
        if not reports:
            raise DomainError("reports", reports, "at least one report, or None for one that is not uploaded")
        uploaded = [report for report in reports if report is not None]
        if not uploaded:
            return dict.fromkeys(self.mechanism.domain.items, self.one * 0)
        weight = len(uploaded) / (self.chance * len(reports))
        return {x: weight * estimated for x, estimated in self.mechanism.estimate(uploaded).items()}


def require_functions(functions: Functions) -> None:
    """Raise `DomainError` unless this is a tuple of one or more functions from the same items to the same labels."""
    if not isinstance(functions, tuple) or not functions:
        raise DomainError("functions", functions, "a tuple of one or more functions")
    for h in functions:
        if not isinstance(h, LabelFunction):
            raise DomainError("functions", h, "functions from items to labels")
        if (h.items, h.labels) != (functions[0].items, functions[0].labels):
            raise DomainError("functions", h, "functions from the same items to the same number of labels")


def require_index(name: str, value: object, size: int, report: object) -> int:
    """A number of a report that has to be in 0..size-1. Raises `DomainError` otherwise."""
    if not isinstance(value, int) or not is_integer(value, 0, size - 1):
        raise DomainError("reports", report, f"reports with a {name} in 0..{size - 1}")
    return value


def require_sign(value: object, report: object) -> int:
    """A sign of a report. Raises `DomainError` unless it is the integer 1 or -1."""
    if not isinstance(value, int) or not is_integer(value) or value not in (-1, 1):
        raise DomainError("reports", report, "reports with signs 1 and -1")
    return value


def _require_signs_report(report: object, k: int, m: int) -> SignsReport:
    if not isinstance(report, tuple) or len(report) != 2:
        raise DomainError("reports", report, "pairs of signs and a row")
    signs, row = report
    if not isinstance(signs, tuple) or len(signs) != m:
        raise DomainError("reports", report, f"reports with {m} signs")
    return tuple(require_sign(sign, report) for sign in signs), require_index("row", row, k, report)


def _counters_of(sketch: Counters, functions: Functions, item: Item) -> list[int]:
    require_functions(functions)
    if [len(row) for row in sketch] != [h.labels for h in functions]:
        raise DomainError("sketch", sketch, f"{len(functions)} rows of {functions[0].labels} counters")
    if any(not is_integer(n, 0) for row in sketch for n in row):
        raise DomainError("sketch", sketch, "counters that are integers >= 0")
    if len({sum(row) for row in sketch}) > 1:
        raise DomainError("sketch", sketch, "rows that add up to one number, that of the records")
    return [row[h(item)] for row, h in zip(sketch, functions, strict=True)]
