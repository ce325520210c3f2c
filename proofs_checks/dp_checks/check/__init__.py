"""Checkers by kind of statement: each proposes evidence, the kernel decides whether it is any."""

from dp_checks.check.decide import decide

__all__ = ["decide"]
