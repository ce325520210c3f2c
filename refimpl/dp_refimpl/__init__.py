"""Exact, runnable mechanisms: the papers' own randomised programs, run on a source of randomness given to them."""
