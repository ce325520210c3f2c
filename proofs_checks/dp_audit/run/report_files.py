"""Tables in files, CSV and Parquet: their rows and cells, and where one stands that cannot be read."""

import csv
from collections.abc import Hashable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from dp_audit.observation.exact_json import canonical, is_json, read_json, shorten
from dp_spec.vocabulary.exceptions import DomainError, FormatError, RefusedError

Format = Literal["csv", "parquet"]
COLUMNS = ("input", "report")
LINE_BYTES = 1 << 20
"""Longest line of a CSV file."""
_ROWS = 1 << 16
_REMEMBERED = 1 << 16


class MissingExtraError(RefusedError, ImportError):
    """An optional dependency is not installed; the message says how to install it."""


@dataclass(frozen=True)
class Place:
    """A line of a CSV file, or a row of a Parquet file, counted from 1."""

    unit: Literal["line", "row"]
    number: int

    def __str__(self) -> str:
        return f"{self.unit} {self.number}"


def format_of(path: Path, columns: tuple[str, str], form: Format | None) -> Format:
    """Return the format of a file of reports. Raises `DomainError` for columns or a format that cannot be."""
    if len(set(columns)) != 2 or not all(isinstance(name, str) and name for name in columns):
        raise DomainError("columns", columns, "two different names")
    suffixes: dict[str, Format] = {".csv": "csv", ".parquet": "parquet", ".pq": "parquet"}
    form = form or suffixes.get(path.suffix.lower())
    if form not in ("csv", "parquet"):
        raise DomainError("form", form or path.name, "csv or parquet, or a file *.csv, *.parquet, *.pq")
    return form


class CsvTable:
    """The columns of a CSV file in UTF-8 (a byte order mark is skipped), record by record.

    Raises `FormatError`, also when it is made: for a header without the columns. To be closed.
    """

    def __init__(self, path: Path, columns: Sequence[str]) -> None:
        self.path: Path = path
        self.number: int = 0
        self._file = path.open("rb")
        self._block, self._rest = b"", b""
        self._split: list[bytes] | None = []
        self._at = 0
        self._records = csv.reader(iter(self._line, None), strict=True)
        self._width = 0
        try:
            self._places = self._header(columns)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def ahead(self) -> list[bytes]:
        """Return lines that come next, as many as were read from the file at once; none at its end."""
        if self._at == len(self._lines):
            self._read_block()
        return self._lines[self._at :]

    def block(self) -> bytes:
        """Return the same lines in one piece."""
        if self._split is not None and self._at == len(self._split):
            self._read_block()
        return self._block[sum(map(len, self._lines[: self._at])) if self._at else 0 :]

    def skip_block(self, lines: int) -> None:
        """Go on behind all lines ahead, so many, which were records."""
        self.number += lines
        self._block, self._split, self._at = b"", [], 0

    def skip(self, lines: int) -> None:
        """Go on behind some of the lines ahead, which were records."""
        self._at += lines
        self.number += lines

    def cells_of(self, line: bytes) -> list[str] | None:
        """Return the cells of a line that is a record of its own. None, or an error of Python's own, if it is not."""
        if len(line) > LINE_BYTES:
            return None
        row = next(csv.reader([line.decode("utf-8")], strict=True))
        return [row[i] for i in self._places] if len(row) == self._width else None

    def record(self) -> tuple[Place, list[str]] | None:
        """Return the place and the cells of the next record, None at the end."""
        row = self._record()
        if row is None:
            return None
        if len(row) != self._width:
            where = f"{self.path}, line {self.number}"
            raise FormatError(where, f"{len(row)} cells", f"{self._width} cells, as in the header")
        return Place("line", self.number), [row[i] for i in self._places]

    def _header(self, columns: Sequence[str]) -> list[int]:
        header = self._record()
        if header is None:
            raise FormatError(str(self.path), "an empty file", f"a header with the columns {', '.join(columns)}")
        for name in columns:
            if header.count(name) != 1:
                where, columns_in = f"{self.path}, line 1", shorten(", ".join(header))
                if len(header) == 1 and ";" in header[0]:
                    raise FormatError(where, columns_in, "cells separated by commas, not by semicolons")
                raise FormatError(where, columns_in, f"a header in which {name!r} is one column, and only one")
        self._width = len(header)
        return [header.index(name) for name in columns]

    def _record(self) -> list[str] | None:
        try:
            return next(self._records, None)
        except csv.Error as error:
            raise FormatError(f"{self.path}, line {self.number}", str(error), "CSV text") from None

    def _line(self) -> str | None:
        if self._at == len(self._lines):
            self._read_block()
            if not self._lines:
                return None
        line = self._lines[self._at]
        self.skip(1)
        where = f"{self.path}, line {self.number}"
        if len(line) > LINE_BYTES:
            raise FormatError(where, shorten(repr(line[:40])), f"at most {LINE_BYTES} bytes")
        try:
            return line.decode("utf-8-sig" if self.number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            excerpt = shorten(repr(line[max(0, error.start - 20) : error.start + 20]))
            raise FormatError(where, excerpt, f"UTF-8 text ({error.reason})") from None

    @property
    def _lines(self) -> list[bytes]:
        """The lines that were read at once."""
        if self._split is None:
            *lines, rest = self._block.split(b"\n")
            self._split = [line + b"\n" for line in lines] + [rest] * bool(rest)
        return self._split

    def _read_block(self) -> None:
        """Read the next whole lines; what is too long for a line is one, too, and refused when it is read."""
        self._block, self._at = b"", 0
        while not self._block:
            block = self._file.read(LINE_BYTES)
            data = self._rest + block
            end = data.rfind(b"\n") + 1
            if not block or len(data) - end > LINE_BYTES:
                end = len(data)
            self._block, self._rest = data[:end], data[end:]
            if not block:
                break
        self._split = None


def csv_rows(path: Path, columns: Sequence[str]) -> Iterator[tuple[Place, list[str]]]:
    """Yield (place, the cells of these columns) of every row below the header. Raises `FormatError`."""
    with closing(CsvTable(path, columns)) as table:
        while (record := table.record()) is not None:
            yield record


def cell(text: str, decimals: bool = False) -> Hashable:
    """Return the value of a cell: canonical JSON where it is JSON, otherwise the text as it stands. Raises
    `FormatError`."""
    if not text:
        raise FormatError("cell", "an empty cell", "a value")
    return canonical("cell", read_json("cell", text), decimals) if is_json(text) else text


class Cells:
    """Values of cells; the values of texts that repeat are kept. `decimals` as in `exact_json.canonical`."""

    def __init__(self, decimals: bool = False) -> None:
        self._decimals = decimals
        self._known: dict[str, Hashable] = {}

    def read_at(self, path: Path, place: Place | None, column: str, text: object) -> Hashable:
        """Return the value of a cell at some place. Raises `FormatError` that names it."""
        try:
            return self.read(text)
        except FormatError as error:
            raise FormatError(f"{path}, {place}, column {column}", error.value, error.allowed) from None

    def read(self, text: object) -> Hashable:
        """Return the value of a cell. Raises `FormatError`."""
        if not isinstance(text, str):
            return cell("") if text is None else canonical("cell", text, self._decimals)
        if text not in self._known:
            value = cell(text, self._decimals)
            if len(self._known) >= _REMEMBERED:
                return value
            self._known[text] = value
        return self._known[text]


@contextmanager
def arrow_errors(path: Path, rows: int) -> Iterator[None]:
    """Raise what pyarrow raises, or Python for values that it cannot hold (dates, text that is not UTF-8), as
    `FormatError` behind so many rows."""
    import pyarrow

    try:
        yield
    except FormatError:
        raise
    except (pyarrow.ArrowException, OSError, ValueError, TypeError, ArithmeticError, LookupError) as error:
        raise FormatError(f"{path}, after row {rows}", shorten(str(error)), "a Parquet file") from None


def parquet_batches(path: Path, columns: Sequence[str]) -> Iterator[tuple[int, Any]]:
    """Yield pyarrow's record batches of these columns, with the number of rows before each. Raises `FormatError`."""
    try:
        from pyarrow import parquet
    except ImportError as error:
        raise MissingExtraError("Parquet files need pyarrow: pip install 'dp-refimpl[parquet]'") from error
    number = 0
    with path.open("rb") as file:
        with arrow_errors(path, 0):
            table = parquet.ParquetFile(file)
            for name in columns:
                if table.schema_arrow.names.count(name) != 1:
                    problem = f"{table.schema_arrow.names.count(name)} columns {name!r}"
                    raise FormatError(str(path), f"{problem} of {shorten(', '.join(table.schema_arrow.names))}", "one")
            batches = table.iter_batches(batch_size=_ROWS, columns=list(columns))
        while True:
            with arrow_errors(path, number):
                batch = next(batches, None)
            if batch is None:
                return
            yield number, batch
            number += len(batch)
