"""Outputs as canonical JSON, and what they were before: types, dtypes, order."""

from __future__ import annotations

import itertools
import json
import math
from fractions import Fraction
from typing import Any, List, Tuple

import numpy as np

from .coins import Source
from .entropy import LazyBytes
from .integers import LazyInteger
from .lazy import LazyUniform
from .refusals import UnreadableOutput

Key = Tuple[str, str]
"""An output: its canonical JSON text, and its raw description (types, dtypes, iteration order)."""


class _Reader:
    """Canonical JSON value and raw description of an output."""

    def __init__(self, source: Source, limit: int) -> None:
        self._source, self._left = source, limit

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
            return value.rounded_within(*window), "float"
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
        raise UnreadableOutput("no canonical form for an output of type " + name)


def _number(value: float) -> Any:
    if not math.isfinite(value):
        return {"float": repr(value)}
    exact = Fraction(value)
    return exact.numerator if exact.denominator == 1 else {"fraction": str(exact)}


def _runs(names: List[str]) -> str:
    groups = [(name, len(list(group))) for name, group in itertools.groupby(names)]
    return ", ".join(f"{name}*{count}" if count > 1 else name for name, count in groups)


def described(source: Source, value: Any, limit: int) -> Key:
    if type(value) is int and -(1 << 62) < value < 1 << 62:  # the most frequent output, of large laws
        return str(value), "int"
    try:
        canonical, raw = _Reader(source, limit).read(value)
        return canonical_text(canonical), raw
    except RecursionError:
        raise UnreadableOutput("an output that is nested too deeply") from None


def canonical_text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))
