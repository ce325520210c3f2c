"""Targets that know their items by other names, and local hashing with a hash function of its own, as a file."""

import math
import random
import zlib
from typing import Any

COLORS = ("red", "green", "blue")


def keep(d: int, epsilon: float) -> float:
    return math.exp(epsilon) / (math.exp(epsilon) + d - 1)


def color(item: str, epsilon: float) -> str:
    if item not in COLORS:
        raise KeyError(item)
    return item if random.random() < keep(3, epsilon) else random.choice([c for c in COLORS if c != item])


def wrong_color(item: str, epsilon: float) -> str:
    return color(item, 1.5 * epsilon)


class Colors:
    """Estimates are told by name, in another order."""

    def __init__(self, d: int, epsilon: float) -> None:
        self.epsilon = epsilon

    def client(self) -> None:
        """No state."""

    def privatize(self, client: None, item: str) -> str:
        return color(item, self.epsilon)

    def server(self) -> list[str]:
        return []

    def aggregate(self, server: list[str], report: str) -> None:
        server.append(report)

    def estimate(self, server: list[str]) -> dict[str, float]:
        p = keep(3, self.epsilon)
        q = (1 - p) / 2
        return {c: (server.count(c) / len(server) - q) / (p - q) for c in reversed(COLORS)}


def from_one(item: int, d: int, epsilon: float) -> int:
    return item if random.random() < keep(d, epsilon) else random.choice([x for x in range(1, d + 1) if x != item])


def cell_of(value: Any, seed: int, g: int) -> int:
    return zlib.crc32(f"{seed}:{value}".encode()) % g


def hashing(item: int, g: int, epsilon: float) -> tuple[int, int]:
    seed = random.getrandbits(32)
    cell = cell_of(item, seed, g)
    if random.random() < keep(g, epsilon):
        return seed, cell
    lie = random.randrange(g - 1)
    return seed, lie + (lie >= cell)


def hashing_too_well(item: int, g: int, epsilon: float) -> tuple[int, int]:
    return hashing(item, g, 2 * epsilon)
