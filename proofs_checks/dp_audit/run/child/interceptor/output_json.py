"""Outputs as canonical JSON, and what they were before, where they may hold undetermined draws."""

from __future__ import annotations

from typing import Any, Optional, Tuple

from ..representation import Reader, canonical_text, told
from .coins import Source
from .entropy import LazyBytes
from .lazy_float import LazySingle, LazyUniform
from .lazy_integer import LazyInteger

__all__ = ["Key", "canonical_text", "described"]
Key = Tuple[str, str]
"""An output: its canonical JSON text, and its raw description (types, dtypes, iteration order)."""


class _Reader(Reader):
    """As of numbers; draws are determined first, or rounded."""

    def __init__(self, source: Source, limit: int, opaque: bool) -> None:
        super().__init__(limit, opaque)
        self._source = source

    def settled(self, value: Any) -> Tuple[Any, Optional[Tuple[Any, str]]]:
        """Return a draw's value; that of a real number to the nearest integer. A nonce beside what is canonical stays
        open."""
        if type(value) in (LazyInteger, LazyBytes):
            nonce = self._opaque and value.spent()
            return (value, (None, "undetermined nonce")) if nonce else (value.resolve(), None)
        if type(value) not in (LazyUniform, LazySingle):
            return value, None
        window, name = self._source.coins.limits.window, "numpy.float64" if value.numpy else "float"
        name = "numpy.float32" if type(value) is LazySingle else name
        if self.hidden:
            return value, (None, "undetermined " + name)
        if window is None:
            return value, (self._source.refuse("a uniform draw is part of the output"), name)
        return value, (value.rounded_within(*window), name)


def described(source: Source, value: Any, limit: int, opaque: bool = False) -> Key:
    """Return canonical text and raw description; `opaque`: also of what has no canonical form, by what it holds."""
    if type(value) is int and -(1 << 62) < value < 1 << 62:  # the most frequent output, of large laws
        return str(value), "int"
    return told(_Reader(source, limit, opaque), value)
