"""Local hashing as a file with a hash function, `--hash cell`: correct, and with faults."""

import hashlib
import math
import random
from typing import Any


def cell(seed: int, item: int, g: int) -> int:
    return int.from_bytes(hashlib.sha256(f"{seed}:{item}".encode()).digest()[:8], "big") % g


def reported(seed: int, item: int, g: int, epsilon: float) -> tuple[int, int]:
    own, e = cell(seed, item, g), math.exp(epsilon)
    lie = random.randrange(g - 1)
    return seed, own if random.random() < e / (e + g - 1) else lie + (lie >= own)


def constant(item: int, g: int, epsilon: float) -> tuple[int, int]:
    """One seed for all."""
    return reported(42, item, g, epsilon)


def other_seed(item: int, g: int, epsilon: float) -> tuple[int, int]:
    """The seed that is reported is not the one of the cell."""
    seed, y = reported(random.getrandbits(32), item, g, epsilon)
    return seed + 1, y


def place_of_seed(item: int, g: int, epsilon: float) -> tuple[int, int]:
    """Correct: the place of the seed in a public list is reported."""
    place = random.randrange(500)
    return place, reported(place**2, item, g, epsilon)[1]


def item_in_seed(item: int, g: int, epsilon: float) -> tuple[int, int]:
    return reported(4 * random.getrandbits(30) + item, item, g, epsilon)


class OLH:
    """Correct, with 64 bits."""

    def __init__(self, d: int, g: int, epsilon: float) -> None:
        self.d, self.g, self.epsilon = d, g, epsilon

    def client(self) -> None:
        return None

    def privatize(self, client: None, item: int) -> tuple[int, int]:
        return reported(random.getrandbits(64), item, self.g, self.epsilon)

    def server(self) -> list[Any]:
        return []

    def aggregate(self, server: list[Any], report: tuple[int, int]) -> None:
        server.append(report)

    def estimate(self, server: list[Any]) -> list[float]:
        e = math.exp(self.epsilon)
        shares = [sum(cell(s, x, self.g) == y for s, y in server) / len(server) for x in range(self.d)]
        return [(share - 1 / self.g) / (e / (e + self.g - 1) - 1 / self.g) for share in shares]


class FirstSeed(OLH):
    """The first user's hash function for all."""

    def estimate(self, server: list[Any]) -> list[float]:
        return super().estimate([(server[0][0], y) for _, y in server])


class Signed(OLH):
    """Seeds have a sign in the server."""

    def aggregate(self, server: list[Any], report: tuple[int, int]) -> None:
        server.append(((report[0] + 2**63) % 2**64 - 2**63, report[1]))


class OfItems:
    """Correct, in other words."""

    def __init__(self, d: int, g: int, epsilon: float) -> None:
        self._protocol = OLH(d, g, epsilon)

    def privatize(self, item: int) -> tuple[int, int]:
        return self._protocol.privatize(None, item)

    def estimate(self, reports: list[Any]) -> list[float]:
        return self._protocol.estimate(reports)


class BiasedOfItems(OfItems):
    def estimate(self, reports: list[Any]) -> list[float]:
        return [share / 2 for share in super().estimate(reports)]
