"""Histograms: how many users hold each item. Synthetic ones of the sizes of source 000, and those of files.

The source's histograms are not in our text, only their sizes. The synthetic ones are skewed as counts of clicks and of
cities often are: the item of rank x has a share in proportion to 1/x, rounded by largest remainders, so that all add
up. What is exact of the errors does not depend on the histogram at all; POP and EM do.
"""

import csv
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from hashlib import sha256
from pathlib import Path

import numpy as np

from dp_refimpl.fast.array_coins import ArrayCoins, Indices
from dp_refimpl.requirements import is_integer
from dp_spec.vocabulary.exceptions import DomainError, FormatError, RefusedError
from dp_studies.reproduce.s004.data import largest_remainder

SIZES: Mapping[str, tuple[int, int]] = {"ipums": (602_325, 915), "kosarak": (1_000_000, 42_178)}
"""Users and items of the source's data sets."""
LARGEST = 10**7
"""Users, and items, of a histogram."""
_UNIT = 1 << 64


@dataclass(frozen=True)
class DataSet:
    """A name, and how many users hold each item. Raises `DomainError` unless there are two items and two users."""

    name: str
    held: tuple[int, ...] = field(repr=False)

    def __post_init__(self) -> None:
        if not 2 <= len(self.held) <= LARGEST:
            raise DomainError("items", len(self.held), f"from 2 to {LARGEST}")
        if not all(is_integer(times, 0) for times in self.held):
            raise DomainError("held", self.held[:10], "integers >= 0")
        if not 2 <= self.users <= LARGEST:
            raise DomainError("users", self.users, f"from 2 to {LARGEST}")

    @cached_property
    def users(self) -> int:
        """n."""
        return sum(self.held)

    @property
    def items(self) -> int:
        """d."""
        return len(self.held)

    @cached_property
    def array(self) -> Indices:
        """The numbers of users, shape (d,)."""
        return np.array(self.held, np.int64)

    @cached_property
    def digest(self) -> str:
        """Of the name and the numbers."""
        return sha256(f"{self.name}:{self.held}".encode()).hexdigest()


@lru_cache(maxsize=8)
def synthetic(name: str, users: int, items: int) -> DataSet:
    """Shares in proportion to 1/x (weights are multiples of 2^-64). Raises `DomainError` as `DataSet`."""
    for what, number in (("users", users), ("items", items)):
        if not is_integer(number, 2, LARGEST):
            raise DomainError(what, number, f"an integer from 2 to {LARGEST}")
    weights = [Fraction(_UNIT // rank) for rank in range(1, items + 1)]
    return DataSet(name, largest_remainder(weights, users))


def named(name: str) -> DataSet:
    """The synthetic data set of one of the source's sizes. Raises `DomainError` for another name."""
    if name not in SIZES:
        raise DomainError("data", name, f"{', '.join(SIZES)}, or a file")
    return synthetic(name, *SIZES[name])


def of_file(path: Path, column: str | None, coins: ArrayCoins) -> DataSet:
    """The histogram of a file: of a column of *.csv or *.parquet, or of transactions, one user in each line.

    Of a transaction (items with blanks or commas between them) one different item is drawn, each with equal chance; the
    file's lines without any are no users. Items are in the order of their counts, then of their first rows. Raises
    `DomainError` for a column that is missing or given in vain and for too few items, `FormatError` for what cannot be
    read, `RefusedError` without pyarrow for Parquet, and `OSError`.
    """
    readers = {".csv": _csv, ".parquet": _parquet, ".pq": _parquet}
    reader = readers.get(path.suffix.lower())
    if reader is None and column is not None:
        raise DomainError("column", column, f"none: {path.name} is read as transactions, one line each")
    if reader is not None and column is None:
        raise DomainError("column", column, f"the name of a column of {path.name}")
    values = _transactions(path, coins) if reader is None or column is None else reader(path, column)
    return DataSet(path.name, tuple([times for _, times in Counter(values).most_common()]))


def _csv(path: Path, column: str) -> Iterator[Hashable]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = csv.reader(file, strict=True)
        try:
            header = next(rows, [])
            if header.count(column) != 1:
                raise FormatError(f"{path}, line 1", f"{header.count(column)} columns {column!r}", "one")
            place = header.index(column)
            for row in rows:
                if len(row) != len(header) or not row[place]:
                    where = f"{path}, line {rows.line_num}"
                    raise FormatError(where, row[:10], f"{len(header)} cells, as in the header, and a value")
                yield row[place]
        except (csv.Error, UnicodeDecodeError) as error:
            raise FormatError(f"{path}, after line {rows.line_num}", str(error), "CSV in UTF-8") from None


def _parquet(path: Path, column: str) -> Iterator[Hashable]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise RefusedError("Parquet files need pyarrow: pip install 'dp-refimpl[parquet]'") from error
    with path.open("rb") as file:
        try:
            table = parquet.ParquetFile(file)
            times = table.schema_arrow.names.count(column)
            if times != 1:
                raise FormatError(str(path), f"{times} columns {column!r}", "one")
            for batch in table.iter_batches(columns=[column]):
                for value in batch.column(column).to_pylist():
                    if value is None or not isinstance(value, Hashable):
                        raise FormatError(f"{path}, column {column}", value, "numbers or texts, none missing")
                    yield value
        except FormatError:
            raise
        except (pyarrow.ArrowException, ValueError, TypeError, LookupError) as error:
            raise FormatError(str(path), str(error)[:200], "a Parquet file") from None


def _transactions(path: Path, coins: ArrayCoins) -> Iterator[Hashable]:
    """One item of every line."""
    lines: list[list[str]] = []
    with path.open(encoding="utf-8-sig") as file:
        try:
            for line in file:
                if words := list(dict.fromkeys(line.replace(",", " ").split())):
                    lines.append(words)
        except UnicodeDecodeError as error:
            raise FormatError(f"{path}, after line {len(lines)}", str(error), "text in UTF-8") from None
    if lines:
        drawn = coins.below(np.array([len(line) for line in lines], np.int64), len(lines))
        for items, place in zip(lines, drawn, strict=True):
            yield items[int(place)]
