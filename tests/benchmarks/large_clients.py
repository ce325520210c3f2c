"""Clients in the styles that people write, as functions of an adapter file, for domains of any size."""

import math
import random

import numpy as np


def keep(d: int, epsilon: float) -> float:
    """The probability of the truth."""
    return math.exp(epsilon) / (math.exp(epsilon) + d - 1)


def randrange(item: int, d: int, epsilon: float) -> int:
    """GRR: a lie by its number."""
    if random.random() < keep(d, epsilon):
        return item
    lie = random.randrange(d - 1)
    return lie + (lie >= item)


def choice(item: int, d: int, epsilon: float) -> int:
    """GRR: a lie from a list of the other items."""
    if random.random() < keep(d, epsilon):
        return item
    return random.choice([x for x in range(d) if x != item])


def rejection(item: int, d: int, epsilon: float) -> int:
    """GRR: a lie is drawn until it is one."""
    if random.random() < keep(d, epsilon):
        return item
    while True:
        lie = random.randrange(d)
        if lie != item:
            return lie


def weights(item: int, d: int, epsilon: float) -> int:
    """GRR: numpy's choice with the probabilities of all items."""
    p = np.full(d, (1 - keep(d, epsilon)) / (d - 1))
    p[item] = keep(d, epsilon)
    return int(np.random.default_rng().choice(d, p=p))


def bits(item: int, d: int, epsilon: float) -> list[int]:
    """OUE, bit by bit."""
    q = 1 / (math.exp(epsilon) + 1)
    return [int(random.random() < (0.5 if x == item else q)) for x in range(d)]
