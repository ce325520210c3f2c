"""Shuffled reports: hockey-stick divergences."""
