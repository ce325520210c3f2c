"""The same with a mistake that is easily made: the lie may be the truth."""

import math
import random


def randomize(fruit: int, d: int, epsilon: float) -> int:
    """Tells the truth too often: a lie is drawn from all fruit."""
    if isinstance(fruit, bool) or fruit not in range(d):
        raise ValueError(f"unknown fruit {fruit!r}")
    if random.random() < math.exp(epsilon) / (math.exp(epsilon) + d - 1):
        return fruit
    return random.randrange(d)
