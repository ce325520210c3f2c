"""Optimized unary encoding with faults that are easily missed. A file of its own, as each is audited alone."""

import math
import random

CALLS = [0]


def own_bits(item: int, d: int) -> list[int]:
    return [int(x == item) for x in range(d)]


def oue(item: int, d: int, epsilon: float) -> list[int]:
    """Correct."""
    q = 1 / (math.exp(epsilon) + 1)
    return [int(random.random() < (0.5 if x == item else q)) for x in range(d)]


def shared_coin(item: int, d: int, epsilon: float) -> list[int]:
    """One coin for all bits."""
    u, q = random.random(), 1 / (math.exp(epsilon) + 1)
    return [int(u < (0.5 if x == item else q)) for x in range(d)]


class OUEThird:
    """The third report of a client is the item's own bits."""

    def __init__(self, d: int, epsilon: float) -> None:
        self.d, self.epsilon = d, epsilon

    def client(self) -> list[int]:
        return [0]

    def privatize(self, client: list[int], item: int) -> list[int]:
        client[0] += 1
        return own_bits(item, self.d) if client[0] == 3 else oue(item, self.d, self.epsilon)


def oue_every_hundredth(item: int, d: int, epsilon: float) -> list[int]:
    CALLS[0] += 1
    return own_bits(item, d) if CALLS[0] % 100 == 0 else oue(item, d, epsilon)
