"""Values as Python expressions, to be shown to somebody who runs them."""

from __future__ import annotations

from typing import Any

import numpy as np

BRACKETS = {"list": "[]", "tuple": "()", "set": "{}", "frozenset": ("frozenset({", "})")}
LITERALS = (bool, int, str, bytes, type(None))


def expression(value: Any) -> str:
    """Return an expression of an equal value of the same type; "" where there is none. Arrays and scalars are
    `numpy`'s."""
    kind = type(value)
    if kind in LITERALS:
        return repr(value)
    if kind is float:
        return repr(value) if abs(value) < float("inf") else "float(%r)" % str(value)
    if kind in (list, tuple, set, frozenset):
        parts = [expression(part) for part in value]
        inside = ", ".join(parts) + ("," if kind is tuple and len(parts) == 1 else "")
        opened, closed = BRACKETS[kind.__name__]
        if not parts and kind in (set, frozenset):
            return kind.__name__ + "()"
        return opened + inside + closed if all(parts) else ""
    if kind is dict:
        pairs = [(expression(key), expression(part)) for key, part in value.items()]
        return "{" + ", ".join(": ".join(pair) for pair in pairs) + "}" if all(map(all, pairs)) else ""
    if kind is np.ndarray and value.dtype.kind in "biufU":
        return "numpy.array(%s, dtype=%r)" % (expression(value.tolist()), value.dtype.str)
    if isinstance(value, np.generic) and value.dtype.kind in "biuf":
        return "numpy.%s(%s)" % (kind.__name__, expression(value.item()))
    return ""
