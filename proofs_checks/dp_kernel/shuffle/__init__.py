"""Shuffled reports: hockey-stick divergences as sums of binomial terms."""
