"""Streams of random numbers: each belongs to a seed and to what it is used for, whoever uses it and when."""

from hashlib import sha256

import numpy as np

from dp_refimpl.fast.array_counts import Draws


def generator(*words: int) -> np.random.Generator:
    """PCG64, seeded with exactly these numbers >= 0."""
    return np.random.Generator(np.random.PCG64(list(words)))


def draws(*words: int) -> Draws:
    """The counts that belong to some numbers >= 0."""
    return Draws(generator(*words))


def number_of(key: str) -> int:
    """A key as a number: the first 16 bytes of its SHA-256."""
    return int.from_bytes(sha256(key.encode()).digest()[:16], "big")
