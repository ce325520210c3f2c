"""Checkers by kind of statement: each proposes evidence, the kernel decides whether it is any."""

from dp_checks.check.decision import decide

__all__ = ["decide"]
