"""Printed tables of probabilities in files, CSV and JSON: what somebody states, as it stands."""

from collections import Counter
from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import Any, Literal

from flint import fmpq

from dp_audit.observation.exact_json import canonical, number, read_json, shorten
from dp_audit.observation.printed_table import Entry, PrintedTable
from dp_audit.run.report_files import cell, csv_rows
from dp_spec.vocabulary.exceptions import DomainError, FormatError
from dp_spec.vocabulary.export import FORMAT, from_json
from dp_spec.vocabulary.items import Item, Report

Format = Literal["csv", "json"]


COLUMNS = ("input", "output", "probability")


MAX_BYTES = 64 << 20


_ROW = '{"input": ..., "law": [[output, probability], ...]}'


def read_table(path: Path | str, form: Format | None = None) -> PrintedTable:
    """Return the entries of a CSV or JSON file. Raises `FormatError` that names file, line and column; `OSError`."""
    path = Path(path)
    suffixes: dict[str, Format] = {".csv": "csv", ".json": "json"}
    form = form or suffixes.get(path.suffix.lower())
    if form not in ("csv", "json"):
        raise DomainError("form", form or path.name, "csv or json, or a file *.csv, *.json")
    if path.stat().st_size > MAX_BYTES:
        raise FormatError(str(path), f"{path.stat().st_size} bytes", f"at most {MAX_BYTES}")
    table = _from_csv(path) if form == "csv" else _from_json(path)
    if not table.inputs:
        raise FormatError(str(path), "no rows", "at least one input")
    return table


def _from_csv(path: Path) -> PrintedTable:
    """Return the entries of lines input,output,probability; an input without entries has two blanks."""
    inputs: dict[Item, None] = {}
    entries = []
    for place, (x, y, p) in csv_rows(path, COLUMNS):
        column = "input"
        try:
            item = cell(x)
            inputs[item] = None
            if y or p:
                column = "output"
                output = cell(y)
                column = "probability"
                entries.append(Entry(item, output, number(column, p)))
        except FormatError as error:
            raise FormatError(f"{path}, {place}, column {column}", error.value, error.allowed) from None
    return PrintedTable(tuple(inputs), tuple(entries))


def _from_json(path: Path) -> PrintedTable:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(str(path), f"byte {error.start}", f"UTF-8 text ({error.reason})") from None
    document = read_json(str(path), text)
    if isinstance(document, dict) and document.get("format") == FORMAT:
        return _exported(path, text)
    if not isinstance(document, dict) or set(document) != {"rows"} or not isinstance(document["rows"], list):
        raise FormatError(str(path), shorten(document), f'{{"rows": [{_ROW}, ...]}}')
    inputs: list[Item] = []
    entries = []
    for i, row in enumerate(document["rows"]):
        where = f"{path}, rows[{i}]"
        if not isinstance(row, dict) or set(row) != {"input", "law"} or not isinstance(row["law"], list):
            raise FormatError(where, shorten(row), _ROW)
        item = canonical(f"{where}.input", row["input"])
        inputs.append(item)
        for j, pair in enumerate(row["law"]):
            if not isinstance(pair, list) or len(pair) != 2:
                raise FormatError(f"{where}.law[{j}]", shorten(pair), "[output, probability]")
            output = canonical(f"{where}.law[{j}][0]", pair[0])
            entries.append(Entry(item, output, number(f"{where}.law[{j}][1]", pair[1])))
    times = Counter(inputs)
    return PrintedTable(tuple(times), tuple(entries), tuple(x for x, n in times.items() if n > 1))


def _exported(path: Path, text: str) -> PrintedTable:
    """Return the entries of a table of exact rationals that `dp_spec.vocabulary.export` wrote; reports with invertible
    data become pairs."""
    rows: Mapping[Item, Mapping[Hashable, Any]] = from_json(text).rows
    entries = [
        Entry(x, (y.protected, y.invertible) if isinstance(y, Report) else y, p)
        for x, row in rows.items()
        for y, p in row.items()
    ]
    for entry in entries:
        if not isinstance(entry.probability, fmpq):
            raise FormatError(str(path), shorten(str(entry.probability)), "exact rationals")
    return PrintedTable(tuple(rows), tuple(entries))
