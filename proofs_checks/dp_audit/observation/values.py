"""Outputs of mechanisms in canonical form, and as JSON.

Canonical values are hashable: None, booleans, integers, text, `fmpq`, bytes, tuples, frozensets. As JSON, lists are
tuples, `{"fraction": "1/3"}` is a rational number that is no integer, `{"set": [...]}` a set, `{"bytes": "00ff"}`
bytes; any other object with one key is kept as a pair (key, value).
"""

import json
import re
from collections.abc import Hashable
from typing import Any

from flint import fmpq, fmpz

from dp_spec.vocabulary.exceptions import FormatError

_RATIONAL = re.compile(r"-?[0-9]+(?:/[1-9][0-9]*)?")


def rational(text: object) -> fmpq:
    """Return the rational number of a text as `"-3/7"`. Raises `ValueError` for anything else."""
    if not isinstance(text, str) or not _RATIONAL.fullmatch(text):
        raise ValueError(f"{text!r} is not a rational number")
    top, _, bottom = text.partition("/")
    return fmpq(fmpz(top), fmpz(bottom or "1"))  # not int(): it stops at 4300 digits


def freeze(value: Any) -> Hashable:
    """Return the canonical value of a JSON value. Raises `FormatError` for a number with a fraction (a float) or an
    object with more than one key: what they stand for is not exact."""
    if isinstance(value, list):
        return tuple(freeze(part) for part in value)
    if isinstance(value, float):
        written = f"write {int(value)}" if value.is_integer() else 'write {"fraction": "1/2"}'
        raise FormatError("value", value, f"no floating-point number: {written}")
    if not isinstance(value, dict):
        return value  # type: ignore[no-any-return]
    if len(value) != 1:
        raise FormatError("value", value, "an object with one key: fraction, set, bytes or a tag")
    ((kind, content),) = value.items()
    if kind == "fraction":
        return rational(content)
    if kind == "set":
        return frozenset(freeze(part) for part in content)
    if kind == "bytes":
        return bytes.fromhex(content)
    return (kind, freeze(content))


def thaw(value: Hashable) -> Any:
    """Return the JSON value of a canonical value: sets are sorted by their JSON text, so that equal values are equal
    text."""
    if isinstance(value, tuple):
        return [thaw(part) for part in value]
    if isinstance(value, frozenset):
        return {"set": sorted((thaw(part) for part in value), key=text)}
    if isinstance(value, fmpq):
        return int(value.p) if value.q == 1 else {"fraction": f"{value.p}/{value.q}"}
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    return value


def text(value: Any) -> str:
    """Return JSON text in one form only: sorted keys, no spaces."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def form(output: Hashable) -> str:
    """Return of what kinds of values an output is made, as `[integer]` for a list of bits, `{integer}` for a set."""
    if isinstance(output, tuple | frozenset):
        parts = ", ".join(dict.fromkeys(map(form, output)))
        return f"[{parts}]" if isinstance(output, tuple) else f"{{{parts}}}"
    kinds = {int: "integer", bool: "integer", fmpq: "fraction", str: "text"}
    return kinds.get(type(output), type(output).__name__)


def show(output: Hashable) -> str:
    """Return an output (or an input) for people, as Python writes it where it is made of integers; text without its
    quotes, unless it begins or ends with what cannot be seen."""
    if isinstance(output, tuple):
        return "(" + ", ".join(map(show, output)) + ("," if len(output) == 1 else "") + ")"
    if isinstance(output, frozenset):
        return "{" + ", ".join(sorted(map(show, output))) + "}" if output else "set()"
    return repr(output) if isinstance(output, str) and output != output.strip() else str(output)
