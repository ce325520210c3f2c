"""Frequency oracles on one item per user, at equal epsilon."""
