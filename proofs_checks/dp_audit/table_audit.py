"""Audit of a printed table: probabilities as somebody states them, compared with the oracle's as they stand."""

from collections import Counter
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from flint import fmpq

from dp_audit.exact_numbers import Deviation, absolute, figure, judge, largest
from dp_audit.judge.law import Laws, law_row, privacy_rows
from dp_audit.judge.law_text import shown_laws
from dp_audit.observation.exact_json import canonical, number, read_json, shorten
from dp_audit.observation.values import show
from dp_audit.oracles.base import Oracle, exact_sum
from dp_audit.oracles.reference import reference, require_few
from dp_audit.outcome import TOLERANCE, Audit, Row, Verdict
from dp_audit.run.report_files import cell, csv_rows
from dp_spec.vocabulary.exceptions import DomainError, FormatError
from dp_spec.vocabulary.export import FORMAT, from_json
from dp_spec.vocabulary.items import Item, Report
from dp_spec.vocabulary.scalar import Ordering, compare

Format = Literal["csv", "json"]
COLUMNS = ("input", "output", "probability")
MAX_BYTES = 64 << 20
_ROW = '{"input": ..., "law": [[output, probability], ...]}'


@dataclass(frozen=True)
class Entry:
    """One printed probability."""

    input: Item
    output: Hashable
    probability: fmpq


@dataclass(frozen=True)
class PrintedTable:
    """All entries in their order, also those that stand twice; the inputs that have a row, or (`repeated`) several."""

    inputs: tuple[Item, ...]
    entries: tuple[Entry, ...]
    repeated: tuple[Item, ...] = ()

    @property
    def laws(self) -> dict[Item, dict[Hashable, fmpq]]:
        """The entries by input and output; of those that stand twice the last one."""
        laws: dict[Item, dict[Hashable, fmpq]] = {x: {} for x in self.inputs}
        for entry in self.entries:
            laws[entry.input][entry.output] = entry.probability
        return laws


def audit_table(
    path: Path | str,
    oracle: Oracle | str,
    parameters: Mapping[str, object] | None = None,
    *,
    tolerance: fmpq = TOLERANCE,
    form: Format | None = None,
) -> Audit:
    """Compare a printed table with an oracle, or one by name.

    `tolerance` is how far a printed probability may be from the exact one (half a unit of the last printed digit, where
    it is rounded): deviations within it are `rounding`. `form` is the format (None: as the suffix says). Nothing is
    normalized. Raises `FormatError` for what cannot be read, `DomainError` for a tolerance outside [0, 1), `OSError`
    for a file that cannot be opened.
    """
    if not isinstance(tolerance, fmpq) or not 0 <= tolerance < 1:
        raise DomainError("tolerance", tolerance, "a rational number (fmpq) in [0, 1)")
    known = reference(oracle, parameters)
    require_few(known.oracle.inputs)
    table = read_table(path, form)
    return Audit(
        target=str(path),
        mechanism=known.name,
        oracle=known.name,
        certified=known.certified,
        parameters=known.parameters,
        method="table",
        rows=tuple(table_rows(table, known.oracle, tolerance)),
        tolerance=str(tolerance),
        laws=shown_laws(table.laws, known.oracle),
        location=str(path),
    )


# --- reading ----------------------------------------------------------------------------------------------------------


def read_table(path: Path | str, form: Format | None = None) -> PrintedTable:
    """The entries of a CSV or JSON file. Raises `FormatError` that names file, line and column; `OSError`."""
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
    """Lines input,output,probability; an input without entries has two blanks."""
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
    """A table of exact rationals that `dp_spec.vocabulary.export` wrote; reports with invertible data become pairs."""
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


# --- rows -------------------------------------------------------------------------------------------------------------


def table_rows(table: PrintedTable, oracle: Oracle, tolerance: fmpq) -> list[Row]:
    """The rows `domain`, `entries`, `normalization`, `law`, `privacy`, `tightness`."""
    laws = table.laws
    rows = [_domain_row(table, oracle), _entries_row(table, oracle)]
    if table.repeated or len(table.entries) > sum(map(len, laws.values())):
        return [*rows, Row("law", Verdict.UNDECIDED, "rows or entries that stand twice do not state a law")]
    inside = {x: laws[x] for x in oracle.inputs if x in laws}
    if not inside:
        return rows
    rows.append(_normalization_row(laws, tolerance))
    rows.append(law_row("law", inside, oracle, tolerance))
    if any(compare(entry.probability, 0) is Ordering.LESS for entry in table.entries):
        return [*rows, Row("privacy", Verdict.UNDECIDED, "negative entries are no probabilities")]
    if not any(p for law in inside.values() for p in law.values()):
        return [*rows, Row("privacy", Verdict.UNDECIDED, "no entry is positive")]
    return [*rows, *privacy_rows(inside, oracle, tolerance=tolerance, entries=tolerance)]


def _domain_row(table: PrintedTable, oracle: Oracle) -> Row:
    laws = table.laws
    if table.repeated:
        x = table.repeated[0]
        return Row("domain", Verdict.FAULT, f"input {show(x)} has several rows", {}, {"input": show(x)})
    missing = [x for x in oracle.inputs if x not in laws]
    unknown = [x for x in laws if x not in oracle.inputs]
    if missing:
        detail = f"{len(missing)} inputs without a row, {show(missing[0])} for one"
        return Row("domain", Verdict.FAULT, detail, {}, {"input": show(missing[0])})
    if unknown:
        detail = f"{len(unknown)} inputs outside the domain, {show(unknown[0])} for one, are not looked at"
        return Row("domain", Verdict.WARNING, detail, {}, {"input": show(unknown[0])})
    return Row("domain", Verdict.CONFORMS, f"a row for each of the {len(laws)} inputs")


def _entries_row(table: PrintedTable, oracle: Oracle) -> Row:
    """Whether every entry is a probability of an output of the mechanism, and stands once."""
    seen: dict[tuple[Item, Hashable], fmpq] = {}
    problems: list[tuple[str, Entry]] = []
    for entry in table.entries:
        key = entry.input, entry.output
        p = entry.probability
        if key in seen:
            problems.append((f"stands twice, once as {seen[key]}", entry))
        seen[key] = p
        if compare(p, 0) is Ordering.LESS:
            problems.append(("is negative", entry))
        elif compare(p, 1) is Ordering.GREATER:
            problems.append(("is more than 1", entry))
        elif compare(p, 0) is not Ordering.EQUAL and not oracle.possible(entry.output):
            problems.append(("belongs to no output of the mechanism", entry))
    if not problems:
        return Row("entries", Verdict.CONFORMS, f"{len(seen)} probabilities of outputs of the mechanism")
    what, entry = problems[0]
    witness = {"input": show(entry.input), "output": show(entry.output), "target": str(entry.probability)}
    detail = f"{len(problems)} wrong: the entry of {witness['output']} on input {witness['input']} {what}"
    return Row("entries", Verdict.FAULT, detail, {"wrong entries": str(len(problems))}, witness)


def _normalization_row(laws: Laws, tolerance: fmpq) -> Row:
    """Whether the rows sum to 1, up to the rounding of their entries."""

    sums = {x: exact_sum(law.values()) for x, law in laws.items()}

    def deviations() -> Deviation:
        return largest(
            [
                Deviation(absolute(sums[x] - 1) / max(1, len(law)), {"input": show(x), "sum": figure(sums[x])})
                for x, law in laws.items()
            ]
        )

    worst, verdict = judge(deviations, lambda deviation: deviation.size, tolerance)
    if verdict is Verdict.CONFORMS:
        return Row("normalization", verdict, "every row sums to 1")
    detail = f"the row of input {worst.witness['input']} sums to {worst.witness['sum']}"
    return Row("normalization", verdict, detail, {"largest deviation per entry": figure(worst.size)}, worst.witness)
