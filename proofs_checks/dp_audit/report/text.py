"""Text of hostile origin made harmless: what audits show of witnesses comes from the audited code."""

import re

from dp_checks.runtime.escapes import printable

_RATIONAL = r"-?[0-9]+(?:/[1-9][0-9]*)?"
_FIGURE = re.compile(rf"{_RATIONAL}|\[{_RATIONAL}, {_RATIONAL}\]")

LONG = 40
"""Characters of a fraction that nobody reads."""
_LIVE = (("](", "] ("), ("://", ": //"), ("www.", "www ."))
"""What viewers of SARIF and Markdown know links by, and what is shown instead."""


def number(figure: str) -> float:
    """Return the double of an exact rational, or of the middle of an enclosure "[a, b]". Raises `ValueError` for
    others."""
    if not _FIGURE.fullmatch(figure):
        raise ValueError(f"{figure!r} is neither a rational number nor an enclosure")
    ends = [_quotient(end) for end in figure.strip("[]").split(", ")]
    return sum(ends) / len(ends)


def told_apart(first: float, second: float, digits: int = 6) -> tuple[str, str]:
    """Return two numbers with at least so many digits, and as many as tell them apart if any do."""
    pairs = ((f"{first:.{n}g}", f"{second:.{n}g}") for n in range(digits, 18))
    return next((pair for pair in pairs if pair[0] != pair[1]), (str(first), str(second)))


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


def _quotient(text: str) -> float:
    top, _, bottom = text.partition("/")
    return int(top) / int(bottom or 1)
