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


def choices(item: int, d: int, epsilon: float) -> int:
    """GRR: Python's choices with the weights of all items."""
    p = keep(d, epsilon)
    return random.choices(range(d), [p if x == item else (1 - p) / (d - 1) for x in range(d)])[0]


def indexed(item: int, d: int, epsilon: float) -> int:
    """GRR: a lie by its place in a list of the other items."""
    if random.random() < keep(d, epsilon):
        return item
    others = [x for x in range(d) if x != item]
    return others[random.randrange(len(others))]


def scaled(item: int, d: int, epsilon: float) -> int:
    """GRR: a lie by a multiple of a uniform draw."""
    if random.random() < keep(d, epsilon):
        return item
    lie = int(random.random() * (d - 1))
    return lie + (lie >= item)


def deleted(item: int, d: int, epsilon: float) -> int:
    """GRR: numpy's choice of an array without the item."""
    rng = np.random.default_rng()
    if rng.random() < keep(d, epsilon):
        return item
    return int(rng.choice(np.delete(np.arange(d), item)))


def searched(item: int, d: int, epsilon: float) -> int:
    """GRR: one uniform draw against the cumulative sums."""
    u, total = random.random(), 0.0
    for x in range(d):
        total += keep(d, epsilon) if x == item else (1 - keep(d, epsilon)) / (d - 1)
        if u < total:
            return x
    return d - 1


def arrays(item: int, d: int, epsilon: float) -> list[int]:
    """OUE, all bits at once."""
    p = np.full(d, 1 / (math.exp(epsilon) + 1))
    p[item] = 0.5
    report: list[int] = (np.random.default_rng().random(d) < p).astype(int).tolist()
    return report


def bits(item: int, d: int, epsilon: float) -> list[int]:
    """OUE, bit by bit."""
    q = 1 / (math.exp(epsilon) + 1)
    return [int(random.random() < (0.5 if x == item else q)) for x in range(d)]
