"""Statements about laws on subsets (PrivSet)."""

from collections.abc import Callable
from typing import Any

CHECKS: dict[str, Callable[[Any, str, Any], None]] = {}
