"""Correct and faulty code as people write it who know nothing of how it is audited."""

import hashlib
import math
import os
import random
import secrets
import time
from fractions import Fraction
from typing import Any

import numpy as np

NAMES = ("red", "green", "blue")
HASHES = (0.0, 0.25, 0.6)


def geometric(value: int, epsilon: float) -> int:
    p = 1 - math.exp(-epsilon)
    return int(value + np.random.geometric(p) - np.random.geometric(p))


def laplace(value: int, sensitivity: int, epsilon: float) -> float:
    return float(value) + np.random.laplace(0, sensitivity / epsilon)


def laplace_cut(value: int, sensitivity: int, epsilon: float) -> int:
    return int(value + np.random.laplace(0, sensitivity / epsilon))


def counts(number: int, epsilon: float) -> Any:
    return np.array([[0, 1], [0, 0]][number]) + np.random.laplace(0, 1 / epsilon, size=2)


def named(color: str) -> str:
    """The operating system's bytes are too many to be enumerated."""
    if int.from_bytes(os.urandom(7), "big") / 2**56 < math.e / (math.e + 2):
        return color
    others = [name for name in NAMES if name != color]
    return others[os.urandom(1)[0] % 2]


def with_fractions(item: int, d: int) -> int:
    """`Fraction` wants a real number."""
    if Fraction(random.random()) < Fraction(1, 2):
        return item
    return random.choice([x for x in range(d) if x != item])


def raises_at_last(item: int, d: int) -> int:
    return [0, 1][item] if random.random() < 0.5 else random.randrange(d)


def one_hot(item: int, d: int, epsilon: float) -> int:
    p = np.ones(d)
    p[item] = np.exp(epsilon)
    return int(np.random.multinomial(1, p / p.sum()).argmax())


def arcs(items: frozenset[int], m: int, epsilon: float) -> set[int]:
    p = 1 / (2 * m - 1 + m * math.exp(epsilon))
    start = HASHES[min(items)]
    inside = random.random() < p * math.exp(epsilon) / (p * math.exp(epsilon) + 1 - p)
    t = (start + p * random.random()) % 1 if inside else (start + p + (1 - p) * random.random()) % 1
    return {x for x in range(3) if (t - HASHES[x]) % 1 < p}


class Told:
    """Takes no parameter but its own; tells estimates by item; its randomness is not enumerated."""

    def __init__(self, d: int) -> None:
        self.d = d
        self.root = np.random.SeedSequence()

    def client(self) -> Any:
        return np.random.default_rng(self.root.spawn(1)[0])

    def privatize(self, rng: Any, item: int) -> int:
        return item if rng.random() < math.e / (math.e + self.d - 1) else int((item + rng.integers(1, self.d)) % self.d)

    def server(self) -> list[int]:
        return []

    def aggregate(self, server: list[int], report: int) -> None:
        server.append(report)

    def estimate(self, server: list[int]) -> dict[int, float]:
        p = math.e / (math.e + self.d - 1)
        q = (1 - p) / (self.d - 1)
        return {x: (server.count(x) / len(server) - q) / (p - q) for x in reversed(range(self.d))}


def cell(seed: Any, item: int, g: int) -> int:
    return int(hashlib.sha1(f"{seed}/{item}".encode()).hexdigest(), 16) % g


def kept(seed: Any, item: int, g: int, epsilon: float, u: float) -> tuple[Any, int]:
    chance = math.exp(epsilon) / (math.exp(epsilon) + g - 1)
    x = cell(seed, item, g)
    return seed, x if u < chance else (x + 1 + int((u - chance) / (1 - chance) * (g - 1))) % g


def hex_seed(item: int, g: int, epsilon: float) -> tuple[Any, int]:
    return kept(secrets.token_hex(8), item, g, epsilon, random.random())


def bytes_seed(item: int, g: int, epsilon: float) -> tuple[Any, int]:
    return kept(os.urandom(8), item, g, epsilon, random.random())


def small_seed(item: int, g: int, epsilon: float) -> tuple[Any, int]:
    return kept(random.randint(0, 9999), item, g, epsilon, random.random())


def wide_coin(item: int, g: int, epsilon: float) -> tuple[Any, int]:
    u = secrets.randbits(53) / (1 << 53)
    return kept(secrets.randbits(64), item, g, epsilon, u)


def wrong_coin(item: int, g: int, epsilon: float) -> tuple[Any, int]:
    u = secrets.randbits(53) / (1 << 53)
    return kept(secrets.randbits(64), item, g, epsilon / 2, u)


def salted(seed: int, item: int, g: int) -> int:
    return hash(f"{seed}/{item}") % g


def with_salt(item: int, g: int, epsilon: float) -> tuple[int, int]:
    seed = random.getrandbits(32)
    x = salted(seed, item, g)
    keep = random.random() < math.exp(epsilon) / (math.exp(epsilon) + g - 1)
    return seed, x if keep else (x + random.randrange(1, g)) % g


def at_the_hour(item: int, d: int, epsilon: float) -> int:
    if int(time.time()) % 3600 == 0:
        return item
    return truthful_or_not(item, d, epsilon)


def truthful_or_not(item: int, d: int, epsilon: float) -> int:
    p = math.exp(epsilon) / (math.exp(epsilon) + d - 1)
    return item if random.random() < p else random.choice([x for x in range(d) if x != item])


def same_object(item: int, d: int, epsilon: float) -> int:
    """Small integers of Python are one object each, those of numpy are not."""
    p = math.exp(epsilon) / (math.exp(epsilon) + d - 1)
    return int(item) if random.random() < p else random.choice([x for x in range(d) if x is not item])
