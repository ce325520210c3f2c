"""Frequency oracles for items and sets of items."""
