"""Randomizers at hand, for audits in this process and in a child: correct ones, and one fault each."""

import math
import random
from collections.abc import Sequence
from typing import Any

import numpy as np

HISTORY: list[int] = []


def grr(item: int, d: int, epsilon: float) -> int:
    if not 0 <= item < d:
        raise ValueError("unknown item")
    if random.random() < math.exp(epsilon) / (math.exp(epsilon) + d - 1):
        return int(item)
    lie = random.randrange(d - 1)
    return lie + (lie >= item)


def estimate(reports: Sequence[int], d: int = 3, epsilon: float = 1.0) -> list[float]:
    p, q = (w / (math.exp(epsilon) + d - 1) for w in (math.exp(epsilon), 1.0))
    return [(list(reports).count(x) / len(reports) - q) / (p - q) for x in range(d)]


def biased(reports: Sequence[int]) -> list[float]:
    return [max(0.0, share) for share in estimate(reports)]


def too_little_noise(item: int, d: int, epsilon: float) -> int:
    return grr(item, d, 1.01 * epsilon)


def too_much_noise(item: int, d: int, epsilon: float) -> int:
    return grr(item, d, 0.9 * epsilon)


def remembers(item: int, d: int, epsilon: float) -> int:
    HISTORY.append(item)
    return grr(HISTORY[0], d, epsilon)


def shows_itself(item: int, d: int, epsilon: float) -> Any:
    report = grr(item, d, epsilon)
    return np.int64(report) if report == item else report


def seeded(item: int, d: int, epsilon: float) -> int:
    return int(np.random.default_rng(1).integers(d))


def prints(item: int, d: int, epsilon: float) -> int:
    print("item", item)
    return grr(item, d, epsilon)


def hostile(item: int, d: int, epsilon: float) -> str:
    return f"\x1b[31m<script>$x$</script>\u202e{grr(item, d, epsilon)}\ud800"


def hangs(item: int, d: int, epsilon: float) -> int:
    while item:
        pass
    return grr(item, d, epsilon)


class Hashing:
    """Local hashing with a hash function that a large draw selects."""

    def __init__(self, d: int, g: int, epsilon: float) -> None:
        self.d, self.g, self.epsilon = d, g, epsilon

    @staticmethod
    def cell(seed: int, item: int, g: int) -> int:
        return (seed * (item + 1) + (seed >> 3) * item) % g

    def client(self) -> None:
        """No state."""

    def privatize(self, client: None, item: int) -> tuple[int, int]:
        if not 0 <= item < self.d:
            raise ValueError("unknown item")
        seed = random.randrange(1 << 40)
        return seed, grr(self.cell(seed, item, self.g), self.g, self.epsilon)

    def canonical(self, report: tuple[int, int]) -> int:
        return report[1]

    def facts(self, conditioned: Sequence[int]) -> dict[str, list[int]]:
        return {"hash": [self.cell(conditioned[0], x, self.g) for x in range(self.d)]}


def fake_zeros(record: Any, epsilon: float) -> list[list[int]]:
    """RS+FD with SUE: one of two attributes, chosen uniformly, with more than its budget, the other one of zeros."""
    keep = math.sqrt(2 * (math.exp(epsilon) - 1) + 1)
    attribute = random.randrange(2)
    bits = [[int(place == attribute and value == own) for value in range(2)] for place, own in enumerate(record)]
    return [[bit if random.random() < keep / (keep + 1) else 1 - bit for bit in part] for part in bits]


def raises_on_the_last_item(item: int, d: int, epsilon: float) -> int:
    return grr(range(d - 1)[item], d, epsilon)


class Arrays:
    """GRR as one-hot arrays, with a server that needs arrays, and estimates that are too large."""

    def __init__(self, d: int, epsilon: float) -> None:
        self.d, self.epsilon = d, epsilon

    def client(self) -> None:
        return None

    def privatize(self, client: None, item: int) -> Any:
        return np.eye(self.d, dtype=int)[grr(item, self.d, self.epsilon)]

    def canonical(self, report: Any) -> int:
        return int(np.argmax(report))

    def server(self) -> list[Any]:
        return []

    def aggregate(self, server: list[Any], report: Any) -> None:
        server.append(report.astype(float))

    def estimate(self, server: list[Any]) -> list[float]:
        return [1.01 * share for share in estimate([int(report.argmax()) for report in server], self.d, self.epsilon)]
