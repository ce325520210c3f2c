"""Exact audits: of Python code, whose randomness is enumerated, and of tables."""
