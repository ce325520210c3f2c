"""What is left beside reports, one by one: which item, which report, which text."""

from __future__ import annotations

import re
from typing import Any, Dict, List, Optional

from .side_effects import Beside, attributes

MOST = 10_000
"""Reports with something beside them that are told."""
LETTERS = 1 << 21
"""Of different texts; what is different beyond is told by its first word only."""

_ADDRESS = re.compile(r"\b0x[0-9a-f]{8,}\b")
"""Where an object is in memory, which follows from all that was done before."""


class Watch:
    """Counts the reports that something is left beside, and keeps the texts of those whose item was random."""

    def __init__(self, beside: Beside) -> None:
        self._beside = beside
        self.left = 0
        self._looked = self._letters = 0
        self._seen: Dict[str, int] = {}
        self._items: List[int] = []
        self._codes: List[int] = []
        self._texts: List[int] = []

    def begin(self) -> None:
        """Begin anew, before reports that are looked at."""
        self._beside.begin()

    def forget(self) -> None:
        """Look at nothing that was left so far."""
        self._beside.take()

    def glance(self, own: Optional[Any]) -> str:
        """Return what was left beside a report."""
        text = _ADDRESS.sub("0x", "\n".join(filter(None, (self._beside.take(), attributes(own)))))
        self._looked += 1
        self.left += bool(text)
        return text

    def look(self, own: Optional[Any], which: int, code: int) -> str:
        """Return the same, where the item was drawn at random; it is kept."""
        text = self.glance(own)
        if text and not self.full:
            if text not in self._seen:
                self._letters += len(text)
                text = text if self._letters < LETTERS else text.partition(" ")[0]
            self._items.append(which)
            self._codes.append(code)
            self._texts.append(self._seen.setdefault(text, len(self._seen)))
        return text

    def expected(self, count: int) -> float:
        """Return how many of so many further reports would have something left beside them, at the rate so far."""
        return self.left * count / max(1, self._looked)

    @property
    def full(self) -> bool:
        """Whether no more are kept."""
        return len(self._items) >= MOST

    def told(self) -> Dict[str, Any]:
        """Return all of it, for JSON: items, reports and texts (as indices) in their order."""
        kept = {"items": self._items, "beside": self._codes, "which": self._texts, "texts": list(self._seen)}
        return {**kept, "looked": self._looked, "left": self.left}
