"""Text of others on one line of ours: it steers no terminal, begins no line, and no runner of a CI obeys it."""

import re

_OBEYED = re.compile(r"(?<!\S):(?=:)|#(?=#\w*\[)")
"""The first character of what runners of CI take for a command: `::name` at the beginning of a line, which may be that
of any word, and `##[name]` anywhere."""


def printable(text: str) -> str:
    """The text in one line, with escapes for all that is not printable (line ends, controls of terminals and of the
    direction of writing, halves of characters) and for the first character of what a runner would obey."""
    line = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
    return _OBEYED.sub(lambda match: f"\\x{ord(match.group()):02x}", line)


def json_unobeyed(document: str) -> str:
    """An equal JSON document without what a runner would obey; its texts are escaped by JSON otherwise."""
    return document.replace("##", "#\\u0023")
