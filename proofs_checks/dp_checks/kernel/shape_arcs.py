"""Shapes of statements and evidence about laws on arcs (Wheel, suWheel)."""

from dp_checks.kernel.fields import Check

STATEMENTS: dict[str, dict[str, Check]] = {}
OPTIONAL: dict[str, frozenset[str]] = {}
EVIDENCE: dict[tuple[str, str], tuple[set[str], ...]] = {}
