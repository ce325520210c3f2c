"""Local hashing with a server, and hash functions that are drawn in other ways: correct, and with faults."""

import hashlib
import random
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from audit.targets.drawn_hashes import Hashing


def digest(seed: Any, item: int, g: int) -> int:
    return int.from_bytes(hashlib.sha256(f"{seed}:{item}".encode()).digest()[:8], "big") % g


class Served(Hashing):
    """Correct. `bits`: of the seed."""

    bits = 32

    def seed(self, item: int) -> Any:
        return random.getrandbits(self.bits)

    def cell(self, seed: Any, item: int) -> int:
        return digest(seed, int(item), self.g)

    def server(self) -> list[Any]:
        return []

    def aggregate(self, server: list[Any], report: tuple[Any, int]) -> None:
        server.append(report)

    def estimate(self, server: list[Any]) -> list[float]:
        return self.scaled(self.supports(server), len(server))

    def supports(self, reports: list[Any]) -> list[int]:
        return [sum(self.cell(seed, x) == y for seed, y in reports) for x in range(self.d)]

    def scaled(self, counts: Any, n: int) -> list[float]:
        return [(c / n - 1 / self.g) / (self.keep - 1 / self.g) for c in counts]


def changed(base: type[Served] = Served, **members: Any) -> Any:
    """The class with some members replaced."""
    return type("Changed", (base,), members)


# --- servers ----------------------------------------------------------------------------------------------------------


Wide = changed(bits=64)
"""Correct, with 64 bits."""
Bytes = changed(seed=lambda self, item: random.randbytes(8))
"""Correct; the seed is eight bytes."""


class Numpy(Served):
    """Correct; seeds are numpy's integers, and estimates one array."""

    def seed(self, item: int) -> Any:
        return np.random.randint(0, 2**32, dtype=np.uint32)

    def estimate(self, server: list[Any]) -> Any:
        return np.array(super().estimate(server))


class Remembers(Served):
    """Correct; cells are kept by seed and item."""

    @lru_cache(maxsize=1 << 16)  # noqa: B019
    def cell(self, seed: Any, item: int) -> int:
        return super().cell(seed, item)


class Counting(Served):
    """Correct; counts and not reports are kept."""

    kind = np.int64

    def server(self) -> list[Any]:
        return [np.zeros(self.d, dtype=self.kind), 0]

    def aggregate(self, server: list[Any], report: tuple[Any, int]) -> None:
        server[1] += 1
        for x in range(self.d):
            server[0][x] += self.cell(report[0], x) == report[1]

    def estimate(self, server: list[Any]) -> list[float]:
        return self.scaled(map(int, server[0]), server[1])


class Normalizes(Served):
    """Correct as an oracle that clips estimates at 0 and normalizes them."""

    def estimate(self, server: list[Any]) -> list[float]:
        clipped = [max(0.0, estimate) for estimate in super().estimate(server)]
        return [estimate / sum(clipped) for estimate in clipped] if any(clipped) else clipped


Counts = changed(scaled=lambda self, counts, n: [n * each for each in Served.scaled(self, counts, n)])
"""Correct as a server that tells counts."""
SmallCounts = changed(Counting, kind=np.uint8)
"""Counts have 8 bits."""
FirstSeed = changed(supports=lambda self, reports: Served.supports(self, [(reports[0][0], y) for _, y in reports]))
"""The first user's hash function for all."""


class CachedByItem(Served):
    """The server keeps cells by item, whatever the seed is."""

    def __init__(self, d: int, g: int, epsilon: float) -> None:
        super().__init__(d, g, epsilon)
        self.kept: dict[int, int] = {}

    def supports(self, reports: list[Any]) -> list[int]:
        return [sum(self.kept.setdefault(x, self.cell(s, x)) == y for s, y in reports) for x in range(self.d)]


def keeping(seed: Callable[[int], int], base: type[Served] = Served) -> Any:
    """The server keeps something else of a seed."""
    return changed(base, aggregate=lambda self, server, report: server.append((seed(report[0]), report[1])))


ShortSeeds = keeping(lambda seed: seed % 2**16)
"""16 bits."""
SignedSeeds = keeping(lambda seed: seed if seed < 2**31 else seed - 2**32)
"""32 bits with a sign."""
SignedWideSeeds = keeping(lambda seed: seed if seed < 2**63 else seed - 2**64, Wide)
"""64 bits with a sign."""
EverySecond = changed(estimate=lambda self, server: Served.estimate(self, server[::2] if len(server) > 2 else server))
"""Every second report is dropped: no bias, another variance."""


class RefusesMany(Served):
    """Raises for more than 250 seeds."""

    def estimate(self, server: list[Any]) -> list[float]:
        if len({seed for seed, _ in server}) > 250:
            raise IndexError("too many seeds")
        return super().estimate(server)


# --- hash functions ---------------------------------------------------------------------------------------------------


class Affine(Served):
    """Correct: ((a x + b) mod P) mod g, a uniform pair; seeds that are pairs."""

    prime = 101

    def seed(self, item: int) -> tuple[int, int]:
        return random.randrange(self.prime), random.randrange(self.prime)

    def cell(self, seed: tuple[int, int], item: int) -> int:
        a, b = seed
        return (a * int(item) + b) % self.prime % self.g

    def conditions(self, report: tuple[Any, int]) -> list[Any]:
        return list(report[0])

    def facts(self, conditioned: list[Any]) -> dict[str, Any]:
        return {"hash": [self.cell((conditioned[0], conditioned[1]), item) for item in range(self.d)]}


def first_byte(seed: Any, item: int) -> int:
    return hashlib.md5(f"{seed}:{item}".encode()).digest()[0]


DRAWN = random.SystemRandom().getrandbits(32)
SmallAffine = changed(Affine, prime=5)
"""Correct: a prime field that is little larger than g."""
Exact = changed(Affine, prime=3)
"""Correct: nine functions into the field of three elements, in which pairs are exactly independent."""
Slope = changed(Affine, seed=lambda self, item: (random.randrange(1, self.prime), random.randrange(self.prime)))
"""Correct: the multiplier is not 0."""
FourBits = changed(cell=lambda self, seed, item: first_byte(seed, item) % 16 % self.g)
"""Correct: four bits are reduced, which is not uniform; at g = 12 it is 9/8 of 1/g."""
Constant = changed(seed=lambda self, item: 42)
"""One seed."""
OfTheProcess = changed(seed=lambda self, item: DRAWN)
"""One seed, drawn when the file is imported."""
LowBits = changed(cell=lambda self, seed, item: Served.cell(self, seed % 16, item))
"""Four bits of the seed are used: sixteen functions in all, in which some items collide too often."""
Linear = changed(cell=lambda self, seed, item: int((seed + int(item)) % self.g))
"""Items that are g apart always collide, others never do."""
Neighbors = changed(cell=lambda self, seed, item: Served.cell(self, seed, int(item) // 2))
"""Two items are one to the hash function."""


class OfTheProtocol(Served):
    """One seed, drawn when the protocol is made."""

    def __init__(self, d: int, g: int, epsilon: float) -> None:
        super().__init__(d, g, epsilon)
        self.drawn = random.getrandbits(32)

    def seed(self, item: int) -> int:
        return self.drawn


class IgnoresTheSeed(Served):
    """The first cell of an item is kept for all seeds."""

    def __init__(self, d: int, g: int, epsilon: float) -> None:
        super().__init__(d, g, epsilon)
        self.kept: dict[int, int] = {}

    def cell(self, seed: Any, item: int) -> int:
        return self.kept.setdefault(int(item), super().cell(seed, item))
