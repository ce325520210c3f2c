"""Tables on paper: JSON and CSV (exact, read back without loss), numpy arrays (rounded), mpmath numbers (any digits).

JSON carries exact rationals, rational functions and balls (read back with the same midpoint and a radius that is equal
or one unit of its 30th bit larger); CSV exact rationals only. Inputs and outputs may be None, integers, strings, and
tuples, frozensets and reports of these. Malformed text raises `FormatError`.
"""

import csv
import io
import json
import re
from collections.abc import Callable, Hashable
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
from flint import arb, fmpq, fmpz
from mpmath.libmp import from_rational
from numpy.typing import NDArray

from dp_spec.vocabulary.exceptions import DomainError, FormatError
from dp_spec.vocabulary.integers import require_integer
from dp_spec.vocabulary.items import Report
from dp_spec.vocabulary.ratfunc import RationalFunction, RationalFunctionField
from dp_spec.vocabulary.scalar import S
from dp_spec.vocabulary.table import Channel, Table, X, Y

FORMAT = "dp-refimpl table 1"
_FAR: int = 2**60
_HEADER = ["input", "output", "probability"]
_RATIONAL = re.compile(r"(-?(?:0|[1-9][0-9]*))(?:/([1-9][0-9]*))?", re.ASCII)


def to_numpy(table: Table[X, Y, S]) -> NDArray[np.float64]:
    """The entries as float64, rows = table.inputs, columns = table.outputs. Lossy: rounded (of a ball: its midpoint).

    Raises `DomainError` for entries without a numerical value (rational functions).
    """
    outputs = table.outputs
    return np.array([[_float(row.get(y, 0)) for y in outputs] for row in table.rows.values()], np.float64)


def to_mpmath(table: Table[X, Y, S], digits: int) -> dict[X, dict[Y, Any]]:
    """The entries as mpmath numbers of `digits` significant digits, correctly rounded (of a ball: its midpoint).

    Raises `DomainError` for digits < 1, rational functions, and balls that do not determine so many digits.
    """
    require_integer("digits", digits, 1)
    context = mpmath.MPContext()
    context.dps = digits
    return {x: {y: _high_precision(p, context) for y, p in row.items()} for x, row in table.rows.items()}


def to_json(table: Table[X, Y, S]) -> str:
    """The table as JSON text; `from_json` inverts it. Raises `DomainError` for labels or numbers it cannot carry."""
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
    """The table or channel of `to_json`. Raises `FormatError`, and `NotStochasticError` for a channel that is none."""
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
    table = Table(rows)
    if list(table.outputs) != outputs:
        raise FormatError(
            "outputs", _short(document["outputs"]), "the outputs that have entries, in order of appearance"
        )
    return Channel(rows) if document["kind"] == "channel" else table


def to_csv(table: Table[X, Y, S]) -> str:
    """Lines input,output,probability: labels as JSON, probabilities as a/b; an input without entries has two blanks.

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


def _float(number: Any) -> float:
    if isinstance(number, arb):
        return float(number.mid())
    exact = _rational(number)
    return float(Fraction(int(exact.p), int(exact.q)))


def _high_precision(number: Any, context: Any) -> Any:
    if isinstance(number, arb):
        bits: int = context.prec
        if not number.is_finite() or number.rel_accuracy_bits() < bits:
            raise DomainError("digits", context.dps, f"as many digits as the ball {number} determines")
        mantissa, exponent = number.mid().man_exp()
        return context.ldexp(int(mantissa), int(exponent))
    exact = _rational(number)
    return context.make_mpf(from_rational(int(exact.p), int(exact.q), context.prec, "n"))


def _rational(number: Any) -> fmpq:
    if isinstance(number, bool) or not isinstance(number, int | fmpz | fmpq):
        raise DomainError("number", number, "an exact rational number")
    return fmpq(number)


def _write_rational(number: Any) -> str:
    return str(_rational(number))


def _read_rational(written: Any) -> fmpq:
    match = _RATIONAL.fullmatch(written) if isinstance(written, str) else None
    number = fmpq(fmpz(match[1]), fmpz(match[2] or "1")) if match else None
    if number is None or str(number) != written:
        raise FormatError("number", _short(written), "a fraction in lowest terms, 'a' or 'a/b'")
    return number


def _read_integer(written: Any) -> fmpz:
    number = _read_rational(written)
    if number.q != 1:
        raise FormatError("number", written, "an integer")
    return number.p


def _write_ball(number: Any) -> list[Any]:
    ball = number if isinstance(number, arb) else arb(_rational(number))
    if not ball.is_finite():
        raise DomainError("number", ball, "a finite ball")
    return [[str(mantissa), int(exponent)] for mantissa, exponent in (ball.mid().man_exp(), ball.rad().man_exp())]


def _read_ball(written: Any) -> arb:
    parts: list[Any] = written if isinstance(written, list) and len(written) == 2 else [None]
    if not all(isinstance(part, list) and len(part) == 2 and type(part[1]) is int for part in parts):
        raise FormatError("number", _short(written), "a ball [[mantissa, exponent], [mantissa, exponent]]")
    (mid, exponent), (rad, other) = parts
    radius = _read_integer(rad)
    farthest: int = max(abs(exponent), abs(other))
    if not 0 <= radius < 2**30 or farthest > _FAR:
        raise FormatError("number", _short(written), f"a radius of 30 bits and exponents up to {_FAR}")
    return arb((_read_integer(mid), exponent), (radius, other))  # flint may enlarge the radius in its 30th bit


def _write_function(number: Any, field: RationalFunctionField) -> list[Any]:
    function = field.lift(number)
    polynomials = (function.numerator, function.denominator)
    return [[[str(c), *(int(e) for e in exponents)] for exponents, c in p.to_dict().items()] for p in polynomials]


def _read_function(written: Any, field: RationalFunctionField) -> RationalFunction:
    if not isinstance(written, list) or len(written) != 2 or not all(isinstance(p, list) for p in written):
        raise FormatError("number", _short(written), "[terms of the numerator, terms of the denominator]")
    numerator, denominator = (_read_polynomial(p, field) for p in written)
    function = numerator / denominator if denominator != 0 else None
    if function is None or _write_function(function, field) != written:
        raise FormatError("number", _short(written), "a reduced fraction of polynomials")
    return function


def _read_polynomial(written: list[Any], field: RationalFunctionField) -> RationalFunction:
    total = field.lift(0)
    for term in written:
        if not isinstance(term, list) or len(term) != 1 + len(field.bounds):
            raise FormatError("number", _short(term), f"[coefficient, {len(field.bounds)} exponent(s)]")
        if any(type(exponent) is not int or not 0 <= exponent < 2**31 for exponent in term[1:]):
            raise FormatError("number", _short(term), "exponents in 0 .. 2^31 - 1")
        monomial = field.lift(_read_integer(term[0]))
        for name, exponent in zip(field.bounds, term[1:], strict=True):
            monomial = monomial * field.variable(name) ** exponent
        total = total + monomial
    return total


def _writer(entries: list[Any]) -> tuple[Any, Callable[[Any], Any]]:
    functions = [p for p in entries if isinstance(p, RationalFunction)]
    if functions:
        field = functions[0].field
        return field.bounds, lambda p: _write_function(p, field)
    return ("balls", _write_ball) if any(isinstance(p, arb) for p in entries) else ("rationals", _write_rational)


def _reader(field: Any) -> Callable[[Any], Any]:
    if field == "rationals":
        return _read_rational
    if field == "balls":
        return _read_ball
    if not isinstance(field, dict) or not field or any(type(bound) is not int for bound in field.values()):
        raise FormatError("field", _short(field), "'rationals', 'balls' or variables with their lower bounds")
    try:
        functions = RationalFunctionField(field)
    except ValueError as error:
        raise FormatError("field", _short(field), f"names of variables ({error})") from None
    return lambda written: _read_function(written, functions)


def _label(label: Any) -> Any:
    """A label as JSON: itself if None, an integer or a string, otherwise an object that names its kind."""
    if label is None or type(label) in (int, str):
        return label
    if type(label) is tuple:
        return {"tuple": [_label(part) for part in label]}
    if type(label) is frozenset:
        return {"set": sorted((_label(part) for part in label), key=_dumps)}
    if type(label) is Report:
        return {"report": [_label(label.protected), _label(label.invertible)]}
    raise DomainError("label", label, "None, an integer, a string, a Report, or a tuple or frozenset of these")


def _from_label(written: Any) -> Hashable:
    if written is None or type(written) in (int, str):
        label: Hashable = written
        return label
    if isinstance(written, dict) and len(written) == 1:
        kind, parts = next(iter(written.items()))
        if isinstance(parts, list):
            read = [_from_label(part) for part in parts]
            if kind == "tuple":
                return tuple(read)
            if kind == "set" and sorted(parts, key=_dumps) == parts and len(set(read)) == len(read):
                return frozenset(read)
            if kind == "report" and len(read) == 2 and isinstance(read[1], frozenset):
                return Report(read[0], read[1])
    raise FormatError("label", _short(written), "null, an integer, a string, or one of {tuple, set, report: [...]}")


def _labels(name: str, written: Any) -> list[Hashable]:
    labels = [_from_label(label) for label in written] if isinstance(written, list) else None
    if labels is None or len(set(labels)) != len(labels):
        raise FormatError(name, _short(written), "a list of different labels")
    return labels


def _dumps(written: Any) -> str:
    return json.dumps(written, ensure_ascii=False, separators=(",", ":"))


def _compact(label: Any) -> str:
    return _dumps(_label(label))


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    mapping = dict(pairs)
    if len(mapping) != len(pairs):
        raise FormatError("json", _short([key for key, _ in pairs]), "an object without repeated keys")
    return mapping


def _no_constant(name: str) -> Any:
    raise FormatError("json", name, "finite numbers")


def _short(value: object) -> str:
    """The beginning of a value, for a message."""
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
