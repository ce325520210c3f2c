"""Shapes of statements and evidence about errors of mechanisms: totals, comparisons, orders, costs."""

from dp_checks.kernel.fields import Check

STATEMENTS: dict[str, dict[str, Check]] = {}
OPTIONAL: dict[str, frozenset[str]] = {}
EVIDENCE: dict[tuple[str, str], tuple[set[str], ...]] = {}
