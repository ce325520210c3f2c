"""Statements about errors of mechanisms: totals, comparisons, orders, costs."""

from collections.abc import Callable
from typing import Any

CHECKS: dict[str, Callable[[Any, str, Any], None]] = {}
