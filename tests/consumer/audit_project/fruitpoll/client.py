"""Randomized response on d kinds of fruit (GRR), as its authors mean it."""

import math
import random
from collections.abc import Sequence


def randomize(fruit: int, d: int, epsilon: float) -> int:
    """The report of somebody whose favorite is `fruit`, one of 0 .. d-1."""
    if isinstance(fruit, bool) or fruit not in range(d):
        raise ValueError(f"unknown fruit {fruit!r}")
    if random.random() < math.exp(epsilon) / (math.exp(epsilon) + d - 1):
        return fruit
    other = random.randrange(d - 1)
    return other + (other >= fruit)


def estimate(reports: Sequence[int], d: int = 4, epsilon: float = 1.0) -> list[float]:
    """Unbiased estimates of the shares of all kinds."""
    p = math.exp(epsilon) / (math.exp(epsilon) + d - 1)
    q = 1 / (math.exp(epsilon) + d - 1)
    return [(list(reports).count(fruit) / len(reports) - q) / (p - q) for fruit in range(d)]
