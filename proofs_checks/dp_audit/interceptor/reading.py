"""Outputs as canonical JSON, and what they were before: types, dtypes, order."""

from __future__ import annotations

import itertools
import json
import math
from fractions import Fraction
from typing import Any, List, Set, Tuple

import numpy as np

from .coins import Source
from .entropy import LazyBytes
from .integers import LazyInteger
from .lazy import LazyUniform
from .refusals import UnreadableOutput

Key = Tuple[str, str]
"""An output: its canonical JSON text, and its raw description (types, dtypes, iteration order)."""


class _Reader:
    """Canonical JSON value and raw description of an output.

    With `opaque` what has no canonical form is described by its type and its attributes or fields; else it is refused.
    """

    def __init__(self, source: Source, limit: int, opaque: bool) -> None:
        self._source, self._left = source, limit
        self._opaque = opaque
        self._open: Set[int] = set()

    def read(self, value: Any) -> Tuple[Any, str]:
        """(canonical, raw): equal numbers have equal canonical forms whatever their type; raw keeps type and order."""
        self._left -= 1
        if self._left < 0:
            raise UnreadableOutput("an output with too many parts")
        if type(value) in (LazyInteger, LazyBytes):
            value = value.resolve()
        name = type(value).__name__ if type(value).__module__ != "numpy" else "numpy." + type(value).__name__
        if isinstance(value, LazyUniform):
            window = self._source.coins.limits.window
            if window is None:
                return self._source.refuse("a uniform draw is part of the output"), name
            return value.rounded_within(*window), "numpy.float64" if value.numpy else "float"
        if value is None or isinstance(value, (bool, np.bool_)):
            return (None if value is None else bool(value)), name
        if isinstance(value, (int, np.integer)):
            if int(value).bit_length() > 4096:
                raise UnreadableOutput("an integer of more than 4096 bits")
            return int(value), name
        if isinstance(value, (float, np.floating)):
            return _number(float(value)), name + (" -0" if value == 0 and math.copysign(1, float(value)) < 0 else "")
        if isinstance(value, (str, bytes, bytearray)):
            self._left -= len(value)
            if self._left < 0:
                raise UnreadableOutput(f"a {name} of length {len(value)}")
            return (str(value) if isinstance(value, str) else {"bytes": bytes(value).hex()}), name
        if isinstance(value, np.ndarray):
            if value.size > self._left:
                raise UnreadableOutput(f"an array of {value.size} numbers")
            if value.dtype != object:
                numbers, _ = self.read(value.tolist())
                kind = "numpy.ndarray" if type(value) is np.ndarray else name
                negative = (value == 0) & np.signbit(value) if value.dtype.kind == "f" else np.zeros(1, bool)
                where = np.flatnonzero(negative).tolist()
                return numbers, f"{kind} {value.dtype.str} {value.shape}" + (f" -0 at {where}" if where else "")
            canonical, raw = self.read(value.tolist())
            return canonical, f"numpy.ndarray object {value.shape} of {raw}"
        if isinstance(value, (list, tuple)):
            parts = [self.read(part) for part in value]
            return [c for c, _ in parts], name + "[" + _runs([r for _, r in parts]) + "]"
        if isinstance(value, (set, frozenset)):
            parts = [self.read(part) for part in value]
            canonical = sorted((c for c, _ in parts), key=canonical_text)
            return {"set": canonical}, f"{name} in order [{', '.join(canonical_text(c) + ': ' + r for c, r in parts)}]"
        if isinstance(value, dict):
            pairs = [(self.read(k), self.read(v)) for k, v in value.items()]
            canonical = sorted(([k[0], v[0]] for k, v in pairs), key=canonical_text)
            order = ", ".join(f"{canonical_text(k[0])} ({k[1]}): {v[1]}" for k, v in pairs)
            return {"dict": canonical}, f"{name} in order [{order}]"
        if not self._opaque:
            raise UnreadableOutput("no canonical form for an output of type " + name)
        if id(value) in self._open:  # it holds itself
            return {"object": []}, name
        self._open.add(id(value))
        held = [(str(k), self.read(v)) for k, v in _attributes(value)]
        self._open.discard(id(value))
        return {"object": [[k, c] for k, (c, _) in held]}, f"{name}({', '.join(f'{k}: {r}' for k, (_, r) in held)})"


def _attributes(value: Any) -> List[Tuple[str, Any]]:
    """What an object holds by names: of a record of numpy its fields; of classes and functions nothing."""
    if isinstance(value, np.void):
        return [(name, value[name]) for name in value.dtype.names or ()]
    if isinstance(value, type) or callable(value):
        return []
    slots = [getattr(cls, "__slots__", ()) for cls in type(value).__mro__]
    names = [name for some in slots for name in ((some,) if isinstance(some, str) else some)]
    names = [name for name in names if name not in ("__dict__", "__weakref__") and hasattr(value, name)]
    held = getattr(value, "__dict__", {})
    return [*((name, getattr(value, name)) for name in names), *(held.items() if type(held) is dict else ())]


def _number(value: float) -> Any:
    if not math.isfinite(value):
        return {"float": repr(value)}
    exact = Fraction(value)
    return exact.numerator if exact.denominator == 1 else {"fraction": str(exact)}


def _runs(names: List[str]) -> str:
    groups = [(name, len(list(group))) for name, group in itertools.groupby(names)]
    return ", ".join(f"{name}*{count}" if count > 1 else name for name, count in groups)


def described(source: Source, value: Any, limit: int, opaque: bool = False) -> Key:
    """Canonical text and raw description; `opaque`: also of what has no canonical form, by what it holds."""
    if type(value) is int and -(1 << 62) < value < 1 << 62:  # the most frequent output, of large laws
        return str(value), "int"
    try:
        canonical, raw = _Reader(source, limit, opaque).read(value)
        return canonical_text(canonical), raw
    except RecursionError:
        raise UnreadableOutput("an output that is nested too deeply") from None


def canonical_text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))
