"""Certified privacy amplification by shuffling: how private shuffled reports are, from both sides."""
