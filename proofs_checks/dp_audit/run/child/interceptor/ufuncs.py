"""What numpy's functions are for a lazy number: operators of Python, monotone functions, roundings."""

from __future__ import annotations

import operator
from typing import Any, Dict

import numpy as np

ROUNDINGS = ("floor", "ceil", "rint", "trunc")
MONOTONE = ("log", "log1p", "log2", "log10", "exp", "expm1", "sqrt")
UFUNCS: Dict[str, Any] = {
    "less": operator.lt,
    "less_equal": operator.le,
    "greater": operator.gt,
    "greater_equal": operator.ge,
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": operator.truediv,
    "true_divide": operator.truediv,
    "power": operator.pow,
    "remainder": operator.mod,
    "negative": operator.neg,
    "absolute": abs,
    "equal": operator.eq,
    "not_equal": operator.ne,
    "sign": lambda x: np.float64(-1 if x < 0 else 1 if x > 0 else 0),
}
REFLECTED = {
    "less": "__gt__",
    "less_equal": "__ge__",
    "greater": "__lt__",
    "greater_equal": "__le__",
    "equal": "__eq__",
    "not_equal": "__ne__",
    "add": "__radd__",
    "subtract": "__rsub__",
    "multiply": "__rmul__",
    "divide": "__rtruediv__",
    "true_divide": "__rtruediv__",
    "power": "__rpow__",
    "remainder": "__rmod__",
}
