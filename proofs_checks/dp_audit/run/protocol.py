"""The JSON-lines protocol of audited processes: one request and one answer per line (docs/guide/audit-protocol.md)."""

import json
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flint import fmpq

from dp_audit.observation.exact_json import canonical, number, read_json, shorten
from dp_audit.observation.values import thaw
from dp_spec.vocabulary.exceptions import FormatError
from dp_spec.vocabulary.items import Item

SCHEMA = Path(__file__).with_name("protocol.schema.json")
"""JSON schema of requests (`#/$defs/request`) and answers (`#/$defs/answer`)."""


@dataclass(frozen=True)
class Refused:
    """The child's answer that it does not do this."""

    message: str


@dataclass(frozen=True)
class Counts:
    """How often each report came."""

    counts: tuple[tuple[Hashable, int], ...]


Reports = tuple[Hashable, ...]
Estimates = tuple[fmpq, ...]


def sample_request(request: int, item: Item, count: int) -> bytes:
    """Return a request for reports on an item."""
    return _line({"id": request, "op": "sample", "input": thaw(item), "count": count})


def estimate_request(request: int, reports: Sequence[Hashable]) -> bytes:
    """Return a request for the server's estimates given these reports."""
    return _line({"id": request, "op": "estimate", "reports": [thaw(report) for report in reports]})


def _line(content: dict[str, Any]) -> bytes:
    return json.dumps(content, separators=(",", ":")).encode("ascii") + b"\n"


def read_samples(line: bytes, request: int, count: int, decimals: bool = False) -> Reports | Counts | Refused:
    """Return the answer to a request for `count` reports. Raises `FormatError` for anything the protocol does not
    allow.

    `decimals`: reports may be numbers with a fraction.
    """
    answer = _answer(line, request, ("counts", "reports"))
    if isinstance(answer, Refused):
        return answer
    if "reports" in answer:
        reports = _canonical_all(answer["reports"], decimals)
        reported = len(reports)
    else:
        pairs = answer["counts"]
        if not isinstance(pairs, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
            raise FormatError("counts", shorten(pairs), "a list of pairs [report, count]")
        reports, times = _canonical_all([pair[0] for pair in pairs], decimals), [pair[1] for pair in pairs]
        if any(type(k) is not int or k < 0 for k in times):
            raise FormatError("counts", shorten(times), "integers >= 0")
        if len(set(reports)) < len(reports):
            raise FormatError("counts", shorten(pairs), "every report once")
        reported = sum(times)
    if reported != count:
        raise FormatError("answer", f"{reported} reports", f"exactly {count}")
    return reports if "reports" in answer else Counts(tuple(zip(reports, times, strict=True)))


def read_estimates(line: bytes, request: int) -> Estimates | Refused:
    """Return the answer to a request for estimates. Raises `FormatError` for anything the protocol does not allow."""
    answer = _answer(line, request, ("estimates",))
    if isinstance(answer, Refused):
        return answer
    numbers = answer["estimates"]
    if not isinstance(numbers, list):
        raise FormatError("estimates", shorten(numbers), "a list of numbers")
    return tuple(number("estimates", value) for value in numbers)


def is_answer(line: bytes) -> bool:
    """Return whether a line is meant as an answer, however wrong: if not, it is something else that was printed."""
    return line.lstrip().startswith(b"{")


def _answer(line: bytes, request: int, kinds: tuple[str, ...]) -> Any:
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FormatError("answer", shorten(repr(line[:200])), f"UTF-8 text ({error.reason})") from None
    answer = read_json("answer", text)
    allowed = " or ".join(f"{{id, {kind}}}" for kind in (*kinds, "error"))
    if not isinstance(answer, dict) or not any(set(answer) == {"id", kind} for kind in (*kinds, "error")):
        raise FormatError("answer", shorten(text), f"an object {allowed}")
    if type(answer["id"]) is not int or answer["id"] != request:
        raise FormatError("id", shorten(answer["id"]), f"the id of the request, {request}")
    if "error" not in answer:
        return answer
    if not isinstance(answer["error"], str):
        raise FormatError("error", shorten(answer["error"]), "a text")
    return Refused(shorten(answer["error"]))


def _canonical_all(values: object, decimals: bool) -> tuple[Hashable, ...]:
    if not isinstance(values, list):
        raise FormatError("reports", shorten(values), "a list of reports")
    forms: dict[str, Hashable] = {}
    return tuple(value if type(value) is int else _canonical(value, forms, decimals) for value in values)


def _canonical(value: object, forms: dict[str, Hashable], decimals: bool) -> Hashable:
    """Return the canonical form of a text, computed once: most reports of a batch repeat, and equal text is equal
    value."""
    try:
        key = json.dumps(value)
    except RecursionError:
        raise FormatError("report", "...", "a report that is nested less deeply") from None
    if key not in forms:
        forms[key] = canonical("report", value, decimals)
    return forms[key]
