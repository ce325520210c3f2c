"""Exact, runnable mechanisms: the papers' own randomised programs against a source of randomness given as an argument."""
