"""Rows of files of reports, many at a time: codes into a list of the different (input, report) pairs.

Reports repeat. So a line of a CSV file that was read before is looked up as a whole, and the values of a column of a
Parquet file are read once each; lists of bits, of which hardly any two are alike, are read at once (`bit_lines`). What
cannot be read so is read row by row, and raises the error that this raises.
"""

import csv
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from dp_audit.observation.exact_json import shorten
from dp_audit.observation.samples import BitChunk, Chunk, Codes, Pair
from dp_audit.run.bit_lines import BitLines, bits_of_column
from dp_audit.run.report_files import COLUMNS, Cells, CsvTable, Format, Place, arrow_errors, format_of, parquet_batches
from dp_spec.vocabulary.exceptions import FormatError
from dp_spec.vocabulary.items import Item

View = Callable[[Hashable], Hashable]
"""What a law tells of a report (`Oracle.view_of`)."""
_REMEMBERED = 1 << 16


class _Pairs:
    """The different pairs so far, by code, and how a row becomes one."""

    def __init__(self, path: Path, columns: tuple[str, str], inputs: Sequence[Item], view: View | None) -> None:
        self.pairs: list[Pair] = []
        self._codes: dict[Pair, int] = {}
        self._cells, self._seen = Cells(decimals=view is not None), view
        self._path, self._columns, self._inputs, self._allowed = path, columns, inputs, frozenset(inputs)

    def code(self, item: Item, report: Hashable) -> int:
        """Return the code of a pair, a new one if needed."""
        code = self._codes.setdefault((item, report), len(self.pairs))
        if code == len(self.pairs):
            self.pairs.append((item, report))
        return code

    def item(self, place: Place | None, cell: object) -> Item:
        """Return the input in a cell. Raises `FormatError`."""
        item = self._cells.read_at(self._path, place, self._columns[0], cell)
        if item not in self._allowed:
            where = f"{self._path}, {place}, column {self._columns[0]}"
            raise FormatError(where, item, f"an input of the audit: {shorten(tuple(self._inputs))}")
        return item

    def number(self, cell: object) -> int:
        """Return which input is in a cell. Raises `FormatError`."""
        return self._inputs.index(self.item(None, cell))

    def report(self, place: Place | None, cell: object) -> Hashable:
        """Return the report in a cell. Raises `FormatError`."""
        report = self._cells.read_at(self._path, place, self._columns[1], cell)
        return report if self._seen is None else self._seen(report)

    def row(self, place: Place | None, cells: Sequence[object]) -> int:
        """Return the code of a row. Raises `FormatError` that names the place."""
        return self.code(self.item(place, cells[0]), self.report(place, cells[1]))


def read_chunks(
    path: Path | str,
    inputs: Sequence[Item],
    columns: tuple[str, str] = COLUMNS,
    form: Format | None = None,
    width: int = 0,
    view: View | None = None,
) -> Iterator[Chunk | BitChunk]:
    """Return all rows of a file in their order, in chunks; with a width > 0, lists of so many bits as `BitChunk`, if it
    can.

    `view`: reports may be numbers with a fraction, of which this is kept.
    Raises as `files.audit_reports`, at the row in question: the rows before it are given first.
    """
    path = Path(path)
    if format_of(path, columns, form) == "csv":
        return _csv_chunks(path, inputs, columns, width, view)
    return _parquet_chunks(path, inputs, columns, width, view)


# --- CSV --------------------------------------------------------------------------------------------------------------


class _Lines(dict[bytes, int]):
    """The codes of lines that are rows of their own; -1, which is not kept, for any other."""

    def __init__(self, table: CsvTable, pairs: _Pairs) -> None:
        super().__init__()
        self._table, self.pairs = table, pairs

    def __missing__(self, line: bytes) -> int:
        try:
            cells = self._table.cells_of(line)
            row = -1 if cells is None else self.pairs.row(None, cells)
        except (FormatError, csv.Error, UnicodeDecodeError):
            return -1
        if row >= 0:
            self[line] = row
        return row


def _csv_chunks(
    path: Path, inputs: Sequence[Item], columns: tuple[str, str], width: int, view: View | None
) -> Iterator[Chunk | BitChunk]:
    with closing(CsvTable(path, columns)) as table:
        codes_of = _Lines(table, _Pairs(path, columns, inputs, view))
        bit_lines = BitLines(table.cells_of, codes_of.pairs.number, width)
        while True:
            bit_rows = bit_lines.read(table.block()) if width else None
            if bit_rows is not None:
                table.skip_block(len(bit_rows[0]))
                yield BitChunk(*bit_rows)
                continue
            lines = table.ahead()
            if not lines:
                return
            if len(codes_of) > _REMEMBERED:
                codes_of = _Lines(table, _Pairs(path, columns, inputs, view))
            codes = np.fromiter(map(codes_of.__getitem__, lines), np.int64, len(lines))
            done = 0
            while done < len(codes):
                rest = codes[done:]
                stops = rest < 0
                whole = int(stops.argmax()) if stops.any() else len(rest)
                if whole:
                    table.skip(whole)
                    yield Chunk(codes_of.pairs.pairs, rest[:whole])
                    done += whole
                    continue
                before = table.number
                record = table.record()
                if record is None:
                    return
                yield Chunk(codes_of.pairs.pairs, np.array([codes_of.pairs.row(*record)]))
                done += table.number - before


# --- Parquet ----------------------------------------------------------------------------------------------------------


def _parquet_chunks(
    path: Path, inputs: Sequence[Item], columns: tuple[str, str], width: int, view: View | None
) -> Iterator[Chunk | BitChunk]:
    for number, batch in parquet_batches(path, columns):
        pairs = _Pairs(path, columns, inputs, view)
        with arrow_errors(path, number):
            ours, items = _different(batch.column(columns[0]))
            bits = bits_of_column(batch.column(columns[1]), width) if width else None
        numbers = None if bits is None else _numbers(pairs, items)
        if bits is not None and numbers is not None:
            yield BitChunk(numbers[ours], bits)
            continue
        with arrow_errors(path, number):
            theirs, reports = _different(batch.column(columns[1]))
        both, codes = np.unique(ours * len(reports) + theirs, return_inverse=True)
        rows = np.empty(len(both), np.int64)
        wrong = len(codes)
        for i, (x, y) in enumerate(divmod(int(pair), len(reports)) for pair in both):
            try:
                rows[i] = pairs.row(None, (items[x], reports[y]))
            except FormatError:
                rows[i] = 0
                wrong = min(wrong, int((codes == i).argmax()))
        if wrong:
            yield Chunk(pairs.pairs, rows[codes[:wrong]])
        if wrong < len(codes):
            x, y = divmod(int(both[codes[wrong]]), len(reports))
            pairs.row(Place("row", number + wrong + 1), (items[x], reports[y]))


def _numbers(pairs: _Pairs, items: Sequence[object]) -> Codes | None:
    """Return which inputs these are, if all of them are some."""
    try:
        return np.array([pairs.number(item) for item in items], np.int64)
    except FormatError:
        return None


def _different(column: Any) -> tuple[Codes, list[Any]]:
    """Return which of some values stands in every row of a pyarrow array, and these values as Python has them."""
    import pyarrow

    try:
        encoded = column.dictionary_encode()
    except pyarrow.ArrowNotImplementedError:  # lists and the like
        values = column.to_pylist()
        texts: dict[str, int] = {}
        places = [texts.setdefault(repr(value), len(texts)) for value in values]
        first = {code: value for value, code in zip(reversed(values), reversed(places), strict=True)}
        return np.array(places, np.int64), [first[code] for code in range(len(texts))]
    indices = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    used, codes = np.unique(indices, return_inverse=True)
    values = encoded.dictionary.to_pylist()
    return codes.astype(np.int64), [None if i < 0 else values[i] for i in used.tolist()]
