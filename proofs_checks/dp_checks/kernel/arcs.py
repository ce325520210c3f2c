"""Statements about laws on arcs (Wheel, suWheel)."""

from collections.abc import Callable
from typing import Any

CHECKS: dict[str, Callable[[Any, str, Any], None]] = {}
