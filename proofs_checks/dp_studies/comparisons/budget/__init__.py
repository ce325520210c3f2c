"""Mechanisms at equal certified privacy: the smallest constant of each, and its error at the budget that reaches it."""
