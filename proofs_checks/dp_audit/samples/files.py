"""Statistical audits of files: (input, report) pairs as CSV or Parquet, read in their order and in bounded memory."""

import csv
from collections.abc import Generator, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from flint import fmpq

from dp_audit.audits import Audit
from dp_audit.oracles.base import Oracle
from dp_audit.reading import canonical, is_json, read_json, shorten
from dp_audit.samples.blackbox import StreamMonitor
from dp_audit.samples.family import FAULT, LEVEL
from dp_audit.samples.power import MISS
from dp_audit.subject import reference
from dp_spec.vocabulary.exceptions import DomainError, FormatError, RefusedError
from dp_spec.vocabulary.items import Item

Format = Literal["csv", "parquet"]
COLUMNS = ("input", "report")
LINE_BYTES = 1 << 20
"""Longest line of a CSV file."""
_ROWS = 1 << 14
_REMEMBERED = 1 << 16


class MissingExtraError(RefusedError, ImportError):
    """An optional dependency is not installed; the message says how to install it."""


def audit_reports(
    path: Path | str,
    oracle: Oracle | str,
    parameters: Mapping[str, object] | None = None,
    *,
    columns: tuple[str, str] = COLUMNS,
    level: fmpq = LEVEL,
    fault: fmpq = FAULT,
    miss: fmpq = MISS,
    promised: bool = False,
    inputs: Sequence[Item] | None = None,
    form: Format | None = None,
) -> Audit:
    """Test a file of reports against an oracle, or one by name. Reading stops at the first alarm.

    `columns` name the input and the report of a row, `inputs` those that occur (None: all of the oracle), `form` the
    format (None: as the suffix says); `level`, `fault`, `miss` and `promised` as in `audit_samples`. The order of rows
    must be that in which reports were made, or any other that was not chosen by looking at them. A report that the
    mechanism cannot make is a fault. Raises `FormatError` that names file, line (or row) and column for what cannot be
    read, `MissingExtraError` without pyarrow for Parquet, `OSError` for a file that cannot be opened.
    """
    known = reference(oracle, parameters)
    watched = tuple(known.oracle.inputs if inputs is None else inputs)
    monitor = StreamMonitor(known.oracle, level=level, fault=fault, miss=miss, promised=promised, inputs=watched)
    allowed = frozenset(watched)

    def pairs() -> Iterator[tuple[Item, Hashable]]:
        for where, item, report in read_reports(path, columns, form):
            if item not in allowed:
                place = f"{path}, {where}, column {columns[0]}"
                raise FormatError(place, item, f"an input of the audit: {shorten(watched)}")
            yield item, report

    monitor.add_all(pairs())
    if not monitor.reports:
        raise FormatError(str(path), "no rows", "at least one row below the header")
    return Audit(
        target=str(path),
        mechanism=known.name,
        oracle=known.name,
        certified=known.certified,
        parameters=known.parameters,
        method="reports",
        rows=monitor.rows(),
        notes=(f"read up to report {monitor.reports}, where the alarm was raised",) if monitor.alarmed else (),
        location=str(path),
    )


@dataclass(frozen=True)
class Place:
    """A line of a CSV file, or a row of a Parquet file, counted from 1."""

    unit: Literal["line", "row"]
    number: int

    def __str__(self) -> str:
        return f"{self.unit} {self.number}"


def read_reports(
    path: Path | str, columns: tuple[str, str] = COLUMNS, form: Format | None = None
) -> Iterator[tuple[Place, Item, Hashable]]:
    """(place, input, report) of every row, in the file's order. Raises as `audit_reports`."""
    path = Path(path)
    if len(set(columns)) != 2 or not all(isinstance(name, str) and name for name in columns):
        raise DomainError("columns", columns, "two different names")
    suffixes: dict[str, Format] = {".csv": "csv", ".parquet": "parquet", ".pq": "parquet"}
    form = form or suffixes.get(path.suffix.lower())
    if form not in ("csv", "parquet"):
        raise DomainError("form", form or path.name, "csv or parquet, or a file *.csv, *.parquet, *.pq")
    cells = _Cells()
    for place, found in csv_rows(path, columns) if form == "csv" else _parquet_rows(path, columns):
        column = columns[0]
        try:
            item = cells.read(found[0])
            column = columns[1]
            report = cells.read(found[1])
        except FormatError as error:
            raise FormatError(f"{path}, {place}, column {column}", error.value, error.allowed) from None
        yield place, item, report


def csv_lines(path: Path) -> Generator[str, None, None]:
    """The lines of a CSV file in UTF-8 (a byte order mark is skipped). Raises `FormatError`."""
    with path.open("rb") as file:
        for number, line in enumerate(iter(lambda: file.readline(LINE_BYTES + 1), b""), 1):
            if len(line) > LINE_BYTES:
                raise FormatError(f"{path}, line {number}", shorten(repr(line[:40])), f"at most {LINE_BYTES} bytes")
            try:
                yield line.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                found = shorten(repr(line[max(0, error.start - 20) : error.start + 20]))
                raise FormatError(f"{path}, line {number}", found, f"UTF-8 text ({error.reason})") from None


def csv_rows(path: Path, columns: Sequence[str]) -> Iterator[tuple[Place, list[str]]]:
    """(place, the cells of these columns) of every row below the header. Raises `FormatError`."""
    text = csv_lines(path)
    lines = csv.reader(text, strict=True)
    try:
        header = next(lines, None)
        if header is None:
            raise FormatError(str(path), "an empty file", f"a header with the columns {', '.join(columns)}")
        for name in columns:
            if header.count(name) != 1:
                found = f"{header.count(name)} columns {name!r} of {shorten(', '.join(header))}"
                raise FormatError(f"{path}, line 1", found, f"one column {name!r}")
        places = [header.index(name) for name in columns]
        for row in lines:
            if len(row) != len(header):
                where = f"{path}, line {lines.line_num}"
                raise FormatError(where, f"{len(row)} cells", f"{len(header)} cells, as in the header")
            yield Place("line", lines.line_num), [row[i] for i in places]
    except csv.Error as error:
        raise FormatError(f"{path}, line {lines.line_num}", str(error), "CSV text") from None
    finally:
        text.close()  # and with it the file, whatever is wrong in it


def cell(text: str) -> Hashable:
    """The value of a cell: canonical JSON where it is JSON, otherwise the text as it stands. Raises `FormatError`."""
    if not text:
        raise FormatError("cell", "an empty cell", "a value")
    return canonical("cell", read_json("cell", text)) if is_json(text) else text


class _Cells:
    """Values of cells; the values of texts that repeat are kept."""

    def __init__(self) -> None:
        self._known: dict[str, Hashable] = {}

    def read(self, found: object) -> Hashable:
        if not isinstance(found, str):
            return cell("") if found is None else canonical("cell", found)
        if found not in self._known:
            value = cell(found)
            if len(self._known) >= _REMEMBERED:
                return value
            self._known[found] = value
        return self._known[found]


def _parquet_rows(path: Path, columns: tuple[str, str]) -> Iterator[tuple[Place, Sequence[object]]]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise MissingExtraError("Parquet files need pyarrow: pip install 'dp-refimpl[parquet]'") from error
    number = 0
    with path.open("rb") as file:
        try:
            table = parquet.ParquetFile(file)
            for name in columns:
                if table.schema_arrow.names.count(name) != 1:
                    found = f"{table.schema_arrow.names.count(name)} columns {name!r}"
                    raise FormatError(str(path), f"{found} of {shorten(', '.join(table.schema_arrow.names))}", "one")
            for batch in table.iter_batches(batch_size=_ROWS, columns=list(columns)):
                pairs = zip(*(batch.column(name).to_pylist() for name in columns), strict=True)
                for pair in pairs:
                    number += 1
                    yield Place("row", number), pair
        except FormatError:
            raise
        # values that Python cannot hold (dates, text that is not UTF-8) are errors of Python's own
        except (pyarrow.ArrowException, OSError, ValueError, TypeError, ArithmeticError, LookupError) as error:
            raise FormatError(f"{path}, after row {number}", shorten(str(error)), "a Parquet file") from None
