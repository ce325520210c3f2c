"""What audits read from others, strictly: JSON text, exact numbers, reports in canonical form."""

import json
import math
import re
from collections.abc import Hashable
from typing import Any

from flint import fmpq, fmpz

from dp_audit.observation.values import freeze, text, thaw
from dp_spec.vocabulary.exceptions import FormatError

SHOWN = 200
_NUMBER = re.compile(r"([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]{1,4}))?", re.ASCII)
_RATIO = re.compile(r"([+-]?[0-9]+)/([0-9]+)", re.ASCII)
_DIGITS = 4000


def read_json(name: str, written: str) -> Any:
    """Return a JSON value. Raises `FormatError` for no JSON text, repeated keys, NaN, infinities, numbers that
    overflow."""
    try:
        return json.loads(written, object_pairs_hook=_unique, parse_constant=_finite, parse_float=_finite)
    except FormatError as error:
        raise FormatError(name, error.value, error.allowed) from None
    except (ValueError, RecursionError) as error:
        raise FormatError(name, shorten(written), f"JSON text ({error})") from None


def is_json(written: str) -> bool:
    """Return whether a text is meant as JSON: it is one value of it, with NaN and infinities, as far as syntax goes."""
    try:
        json.loads(written)
    except (ValueError, RecursionError):
        return False
    return True


def number(name: str, value: object) -> fmpq:
    """Return an exact number: a JSON number (a double stands for its exact binary value), or text as "1/3", "-0.25",
    "1e-3".

    Raises `FormatError` for anything else, NaN and infinities included.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return fmpq(value)
    if isinstance(value, float) and math.isfinite(value):
        return fmpq(*value.as_integer_ratio())
    rational = _from_text(value.strip()) if isinstance(value, str) and len(value) <= _DIGITS else None
    if rational is None:
        raise FormatError(name, shorten(value), 'a finite number, or text as "1/3" or "0.25"')
    return rational


def _from_text(written: str) -> fmpq | None:
    ratio = _RATIO.fullmatch(written)
    if ratio is not None:
        bottom = fmpz(ratio[2])
        return fmpq(fmpz(ratio[1].lstrip("+")), bottom) if bottom != 0 else None
    decimal = _NUMBER.fullmatch(written)
    if decimal is None or not (decimal[2] or decimal[3]):
        return None
    digits, places = decimal[2] + (decimal[3] or ""), len(decimal[3] or "")
    size = fmpq(fmpz(digits)) * fmpq(10) ** (int(decimal[4] or 0) - places)
    return -size if decimal[1] == "-" else size


def canonical(name: str, value: object, decimals: bool = False) -> Hashable:
    """Return a report (or an input) from its JSON value, which must be written in the one canonical way.

    Two ways to write one report could tell more than the report: sets are sorted by the JSON text of their members and
    name none twice, fractions are reduced and no integers, and there are no booleans (Python's True is 1). `decimals`:
    but a number with a fraction, as a noisy one is, is the double that it stands for, exactly. Raises `FormatError`,
    which says how to write it.
    """
    if type(value) is int:
        return value
    if type(value) is list and set(map(type, value)) <= {int}:
        return tuple(value)
    try:
        if decimals:
            value = _without_floats(value)
        frozen = freeze(value)
        written, expected = text(value), text(thaw(frozen))
        boolean = _has_boolean(frozen)
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
        allowed = error.allowed if isinstance(error, FormatError) else f"a canonical report ({shorten(str(error))})"
        raise FormatError(name, shorten(value), allowed) from None
    if boolean:
        raise FormatError(name, shorten(value), "a report without true and false: write 1 and 0")
    if written != expected:
        raise FormatError(name, shorten(value), f"the canonical form {shorten(expected)}")
    return frozen


def _without_floats(value: object) -> object:
    if isinstance(value, list):
        return [_without_floats(part) for part in value]
    return thaw(fmpq(*value.as_integer_ratio())) if isinstance(value, float) else value


def _has_boolean(value: Hashable) -> bool:
    if isinstance(value, tuple | frozenset):
        return any(_has_boolean(part) for part in value)
    return isinstance(value, bool)


def shorten(value: object) -> str:
    """Return what was read, cut off where it is long."""
    try:
        written = value if isinstance(value, str) else repr(value)
    except RecursionError:
        written = "a deeply nested value"
    return written if len(written) <= SHOWN else f"{written[:SHOWN]}..."


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise FormatError("json", shorten([key for key, _ in pairs]), "an object without repeated keys")
    return members


def _finite(written: str) -> float:
    double = float(written)
    if not math.isfinite(double):
        raise FormatError("json", shorten(written), "finite numbers")
    return double
