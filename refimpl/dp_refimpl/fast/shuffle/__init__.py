"""Shuffled messages on arrays."""
