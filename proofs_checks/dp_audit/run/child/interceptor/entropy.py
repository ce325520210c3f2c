"""Uniform bytes that are undetermined until an integer is made of them, and then as far as that is."""

from __future__ import annotations

import functools
import struct
from typing import Any, Callable, Iterator, Optional

from .coins import Coins, Source
from .intervals import LazyDraw
from .lazy_integer import LazyInteger, lazy_integer

_ORDERS = {"<": "little", ">": "big", "!": "big"}


class LazyBytes(LazyDraw):
    """`size` uniform bytes: those of an undetermined integer, in the order in which it is asked for first."""

    __slots__ = ("_integer", "_order", "_size")

    def __init__(self, integer: LazyInteger, size: int, order: Optional[str] = None) -> None:
        self._integer, self._size, self._order = integer, size, order

    @property  # type: ignore[misc]
    def __class__(self) -> Any:  # what `isinstance` asks for
        return bytes

    def number(self, order: Any = "big", signed: Any = False) -> Any:
        """Return what `int.from_bytes` makes of them."""
        if signed or order not in ("big", "little") or self._order not in (None, order):
            return int.from_bytes(self.resolve(), order, signed=signed)
        self._order = order
        return self._integer

    def spent(self) -> bool:
        """Return whether the integer that is drawn is `spent`."""
        return self._integer.spent()

    def resolve(self) -> bytes:
        """Return the bytes."""
        self._order = self._order or "big"
        return int(self._integer.resolve()).to_bytes(self._size, self._order)  # type: ignore[arg-type]

    def __bytes__(self) -> bytes:
        return self.resolve()

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, place: Any) -> Any:
        return self._integer if self._size == 1 and place in (0, -1) else self.resolve()[place]

    def __iter__(self) -> Iterator[int]:
        return iter(self.resolve())

    def __eq__(self, other: Any) -> bool:
        return bool(self.resolve() == other)

    def __hash__(self) -> int:
        return hash(self.resolve())

    def __add__(self, other: Any) -> Any:
        return self.resolve() + other

    def __radd__(self, other: Any) -> Any:
        return other + self.resolve()

    def __repr__(self) -> str:
        return repr(self.resolve())

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.resolve(), name)


def lazy_bytes(source: Source, coins: Coins, size: int, order: Optional[str] = None) -> Any:
    """Return uniform bytes, unless they are conditioned on: then those of the given number, by default the highest
    first."""
    drawn = lazy_integer(source, coins, 1 << 8 * size)
    if type(drawn) is LazyInteger:
        return LazyBytes(drawn, size, order)
    return drawn.to_bytes(size, order or "big")


def unpacking(unpack: Callable[..., Any]) -> Callable[..., Any]:
    """Return `struct.unpack`, of undetermined bytes that are one unsigned integer, too."""

    @functools.wraps(unpack)
    def apply(form: Any, data: Any) -> Any:
        if type(data) is not LazyBytes:
            return unpack(form, data)
        text = form if isinstance(form, str) else ""
        order = _ORDERS.get(text[:1], "little" if struct.pack("=H", 1)[0] else "big")
        if text[-1:] in tuple("BHILQ") and text[:-1] in ("", *"<>!=@") and struct.calcsize(text) == len(data):
            return (data.number(order),)
        return unpack(form, data.resolve())

    return apply
