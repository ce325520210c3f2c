"""Tables on paper: JSON and CSV (exact, read back without loss), numpy arrays (rounded), mpmath numbers (any digits).

JSON carries exact rationals, rational functions and balls; CSV exact rationals only. Inputs and outputs may be None, integers,
strings, items' tuples and sets, reports and nestings of these. Malformed text raises `FormatError`.
"""

import csv
import io
import json
import re
from collections.abc import Callable, Hashable, Mapping
from typing import Any, cast

import mpmath
import numpy as np
from flint import arb, fmpq, fmpz
from numpy.typing import NDArray

from dp_spec.vocabulary.errors import DomainError, FormatError
from dp_spec.vocabulary.items import Report
from dp_spec.vocabulary.ratfunc import RationalFunction, RationalFunctionField
from dp_spec.vocabulary.scalar import S
from dp_spec.vocabulary.table import Channel, Table, X, Y

FORMAT = "dp-refimpl table 1"
_HEADER = ["input", "output", "probability"]
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_RATIONAL = re.compile(r"(-?(?:0|[1-9][0-9]*))(?:/([1-9][0-9]*))?")


def to_numpy(table: Table[X, Y, S]) -> NDArray[np.float64]:
    """The entries as float64, rows = table.inputs, columns = table.outputs. Lossy: entries are rounded (balls: midpoints).

    Raises `DomainError` for entries without a numerical value (rational functions).
    """
    view = to_mpmath(table, 40)
    return np.array([[float(view[x].get(y, 0)) for y in table.outputs] for x in table.inputs], np.float64)


def to_mpmath(table: Table[X, Y, S], digits: int) -> dict[X, dict[Y, Any]]:
    """The entries as mpmath numbers of `digits` significant decimal digits, correctly rounded to that precision.

    Raises `DomainError` for digits < 1, rational functions, and balls that do not determine so many digits.
    """
    if isinstance(digits, bool) or not isinstance(digits, int) or digits < 1:
        raise DomainError("digits", digits, "an integer >= 1")
    context = mpmath.MPContext()
    context.dps = digits
    return {x: {y: _high_precision(p, context) for y, p in row.items()} for x, row in table.rows.items()}


def to_json(table: Table[X, Y, S]) -> str:
    """The table as JSON text; `from_json` is its inverse. Raises `DomainError` for labels or numbers it cannot carry."""
    outputs = {y: j for j, y in enumerate(table.outputs)}
    entries: list[Any] = [p for row in table.rows.values() for p in row.values()]
    field, write = _writer(entries)
    document = {
        "format": FORMAT,
        "kind": "channel" if isinstance(table, Channel) else "table",
        "field": field,
        "inputs": [_label(x) for x in table.inputs],
        "outputs": [_label(y) for y in outputs],
        "rows": [[[outputs[y], write(p)] for y, p in row.items()] for row in table.rows.values()],
    }
    return json.dumps(document, ensure_ascii=False)


def from_json(text: str) -> Table[Hashable, Hashable, Any]:
    """The table (or channel) of `to_json`. Raises `FormatError`, and `NotStochasticError` for a channel that is none."""
    try:
        document = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except FormatError:
        raise
    except (ValueError, TypeError, RecursionError) as error:
        raise FormatError("json", _short(text), f"JSON text ({error})") from None
    keys = {"format", "kind", "field", "inputs", "outputs", "rows"}
    if not isinstance(document, dict) or set(document) != keys or document["format"] != FORMAT:
        raise FormatError("json", _short(text), f"an object of the format {FORMAT!r} with the keys {sorted(keys)}")
    if document["kind"] not in ("table", "channel"):
        raise FormatError("kind", document["kind"], "'table' or 'channel'")
    read = _reader(document["field"])
    inputs, outputs = _labels("inputs", document["inputs"]), _labels("outputs", document["outputs"])
    listed = document["rows"]
    if not isinstance(listed, list) or len(listed) != len(inputs):
        raise FormatError("rows", _short(listed), f"{len(inputs)} rows, one for each input")
    rows: dict[Hashable, dict[Hashable, Any]] = {}
    for x, entries in zip(inputs, listed, strict=True):
        row = rows[x] = {}
        for entry in entries if isinstance(entries, list) else [entries]:
            if not isinstance(entry, list) or len(entry) != 2 or type(entry[0]) is not int or entry[0] < 0:
                raise FormatError("rows", _short(entry), "entries [index of the output, number]")
            if entry[0] >= len(outputs) or outputs[entry[0]] in row:
                raise FormatError("rows", _short(entry), f"different outputs 0..{len(outputs) - 1}")
            row[outputs[entry[0]]] = read(entry[1])
    if not rows:
        raise FormatError("inputs", document["inputs"], "at least one input")
    return Channel(rows) if document["kind"] == "channel" else Table(rows)


def to_csv(table: Table[X, Y, S]) -> str:
    """Lines input,output,probability: labels as JSON text, probabilities as a/b; an input without entries has two blanks.

    Raises `DomainError` for entries that are not exact rationals.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_HEADER)
    for x, row in table.rows.items():
        label = _compact(x)
        for y, p in row.items():
            writer.writerow([label, _compact(y), _write_rational(p)])
        if not row:
            writer.writerow([label, "", ""])
    return text.getvalue()


def from_csv(text: str) -> Table[Hashable, Hashable, fmpq]:
    """The table of `to_csv` (`Channel(table.rows)` if it is to be one). Raises `FormatError` for anything else."""
    try:
        lines = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except (csv.Error, TypeError) as error:
        raise FormatError("csv", _short(text), f"CSV text ({error})") from None
    if not lines or lines[0] != _HEADER:
        raise FormatError("csv", _short(lines[:1]), f"a first line {','.join(_HEADER)}")
    rows: dict[Hashable, dict[Hashable, fmpq]] = {}
    for line in lines[1:]:
        if len(line) != 3:
            raise FormatError("csv", _short(line), "three cells in every line")
        x = _from_compact(line[0])
        known = x in rows
        row = rows.setdefault(x, {})
        if line[1:] == ["", ""] and not known:
            continue
        y = _from_compact(line[1])
        if y in row or (known and not row):
            raise FormatError("csv", _short(line), "each pair of input and output once")
        row[y] = _read_rational(line[2])
    if not rows:
        raise FormatError("csv", _short(text), "at least one input")
    return Table(rows)


def _high_precision(number: Any, context: Any) -> Any:
    if isinstance(number, arb):
        # One unit of the last of `digits` decimal digits, with room for the rounding to it.
        if not number.is_finite() or number.rel_accuracy_bits() < context.prec:
            raise DomainError("digits", context.dps, f"as many digits as the ball {number} determines")
        mantissa, exponent = number.mid().man_exp()
        return context.ldexp(context.mpf(int(mantissa)), int(exponent))
    exact = _rational(number)
    return context.mpf(int(exact.p)) / int(exact.q) if exact.q != 1 else context.mpf(int(exact.p))


def _rational(number: Any) -> fmpq:
    if isinstance(number, bool) or not isinstance(number, int | fmpz | fmpq):
        raise DomainError("number", number, "an exact rational number")
    return fmpq(number)


def _write_rational(number: Any) -> str:
    return str(_rational(number))


def _read_rational(written: Any) -> fmpq:
    found = _RATIONAL.fullmatch(written) if isinstance(written, str) else None
    if not found:
        raise FormatError("number", _short(written), "a fraction in lowest terms: 'a' or 'a/b'")
    number = fmpq(fmpz(found[1]), fmpz(found[2] or "1"))
    if str(number) != written:
        raise FormatError("number", _short(written), f"a fraction in lowest terms: {_short(str(number))}")
    return number


def _write_function(number: Any, field: RationalFunctionField) -> Any:
    function = field.lift(number)
    return [[[str(c), *monomial] for monomial, c in p.to_dict().items()] for p in (function.numerator, function.denominator)]
