"""Text of hostile origin made harmless: what audits show of witnesses comes from the audited code."""

import re

from flint import fmpq

from dp_checks.runtime.escapes import printable

_RATIONAL = r"-?[0-9]+(?:/[1-9][0-9]*)?"
_FIGURE = re.compile(rf"{_RATIONAL}|\[{_RATIONAL}, {_RATIONAL}\]")

LONG = 40
"""Characters of a fraction that nobody reads."""
_LIVE = (("](", "] ("), ("://", ": //"), ("www.", "www ."))
"""What viewers of SARIF and Markdown know links by, and what is shown instead."""


def exact(figure: str) -> fmpq:
    """Return an exact rational, or the middle of an enclosure "[a, b]". Raises `ValueError` for others."""
    if not _FIGURE.fullmatch(figure):
        raise ValueError(f"{figure!r} is neither a rational number nor an enclosure")
    ends = [fmpq(*map(int, end.split("/"))) for end in figure.strip("[]").split(", ")]
    return sum(ends, fmpq(0)) / len(ends)


def number(figure: str) -> float:
    """Return the double next to `exact`. Raises `ValueError` as that does."""
    value = exact(figure)
    return int(value.p) / int(value.q)


def readable(value: str) -> str:
    """Return an exact fraction with its decimals, which are all that is shown of a long one; of an enclosure the
    decimals of its middle. Other text as it is."""
    if not _FIGURE.fullmatch(value) or not set(value) & {"/", "["}:
        return value
    if len(value) > LONG and value[0] != "[":
        return f"{number(value):.6g}"
    return f"{value} = {number(value):.6g}" if value[0] != "[" else f"{number(value):.12g}"


def unlinked(text: str) -> str:
    """Return printable text, with spaces where a viewer would otherwise make a link of it: "[text](target)",
    addresses."""
    text = printable(text)
    for live, inert in _LIVE:
        text = text.replace(live, inert)
    return text


def shortened(text: str, most: int = 300) -> str:
    """Return printable text of at most so many characters, with their number where some are left out."""
    text = printable(text)
    return text if len(text) <= most else f"{text[:most]}... ({len(text)} characters)"
