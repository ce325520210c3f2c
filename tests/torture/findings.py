"""What campaigns report: findings, and how much was tried."""

from collections import Counter
from typing import NamedTuple

Tried = Counter[str]
"""How often each sort of attempt was made."""


class Finding(NamedTuple):
    """What was done, what was expected of it, what happened instead, and the command that does it again."""

    done: str
    expected: str
    happened: str
    repeat: str = ""

    def printed(self) -> str:
        """A few lines for people."""
        return f"FOUND {self.done}\n  expected: {self.expected}\n  happened: {self.happened}\n  repeat:   {self.repeat}"


def shortened(text: str, most: int = 400) -> str:
    """A text in one line, cut off in the middle where it is long."""
    line = text.encode("unicode_escape").decode("ascii") if not text.isprintable() else text
    return line if len(line) <= most else f"{line[: most // 2]} ... {line[-most // 4 :]} ({len(line)} characters)"
