"""What audits found, as text of Markdown pages."""

from collections.abc import Mapping
from typing import Any

from dp_checks.runtime.escapes import printable

LONGEST = 60
"""Long exact fractions are in the JSON files; pages show their beginning."""


def escape(text: str) -> str:
    """Return text in which nothing is Markdown."""
    text = printable(" ".join(text.split()))
    for character in "\\*_<>$`[]":  # `table` escapes the vertical bar
        text = text.replace(character, {"<": "&lt;", ">": "&gt;"}.get(character, f"\\{character}"))
    return text


def cut(value: str) -> str:
    """Return a value on a page, at most `LONGEST` characters."""
    value = value.replace("|", "/").replace("`", "'")
    return value if len(value) <= LONGEST else value[: LONGEST - 3] + "..."


def parameters(audit: Mapping[str, Any]) -> str:
    """Return the parameters of an audit in one line."""
    return ", ".join(f"{escape(name)} = {escape(cut(value))}" for name, value in audit["parameters"].items())


def figure(text: str | None) -> str:
    """Return a figure to five digits, both ends where they differ; a dash for none."""
    if text is None or text == "infinite":
        return "–" if text is None else "∞"
    if not text.strip("[]"):
        return "–"
    ends = [_decimal(end) for end in text.strip("[]").split(", ")]
    return ends[0] if len(set(ends)) == 1 else " to ".join(ends)


def privacy(audit: Mapping[str, Any], name: str) -> str:
    """Return a figure of the row about privacy."""
    return figure(next((row["figures"].get(name) for row in audit["rows"] if row["check"] == "privacy"), None))


def _decimal(text: str) -> str:
    top, _, bottom = text.partition("/")
    return f"{int(top) / int(bottom or 1):.5g}" if top.lstrip("-").isdigit() else text
