"""Clients whose reports, conditions or containers are not what an audit takes them for at first sight."""

import math
import random
import types
from typing import Any

from audit.targets.drawn_hashes import Hashing

MASK = 2**64 - 1


class Mixed(Hashing):
    """Correct: a hash function without a generator of its own."""

    def cell(self, seed: Any, item: int) -> int:
        mixed = ((seed + 0x9E3779B97F4A7C15 * (item + 1)) & MASK) * 0xBF58476D1CE4E5B9 & MASK
        return int((mixed ^ (mixed >> 31)) % self.g)


class OfTheItemToo(Mixed):
    """Correct: the seed is mixed with the item, so that given one draw each item shows another seed."""

    def seed(self, item: int) -> Any:
        return random.getrandbits(64) ^ item


class Odd(Mixed):
    """Correct: even seeds are drawn again."""

    def seed(self, item: int) -> Any:
        while (seed := random.getrandbits(64)) % 2 == 0:
            pass
        return seed


class Slope(Hashing):
    """Correct: ((a x + b) mod P) mod g, a from 1 on."""

    prime = 2**31 - 1

    def seed(self, item: int) -> Any:
        return random.randrange(1, self.prime), random.randrange(self.prime)

    def cell(self, seed: Any, item: int) -> int:
        return int((seed[0] * item + seed[1]) % self.prime % self.g)

    def conditions(self, report: Any) -> list[int]:
        return list(report[0])

    def facts(self, conditioned: list[int]) -> dict[str, Any]:
        return {"hash": [self.cell((conditioned[0], conditioned[1]), item) for item in range(self.d)]}


class SmallSlope(Slope):
    """Correct: draws with so few outcomes that they are not conditioned on."""

    prime = 101


def subset(item: int, d: int, epsilon: float, k: int) -> list[int]:
    """Subset selection; a sorted list."""
    others = [x for x in range(d) if x != item]
    weight = k * math.exp(epsilon)
    if random.random() < weight / (weight + d - k):
        return sorted([item, *random.sample(others, k - 1)])
    return sorted(random.sample(others, k))


def item_first(item: int, d: int, epsilon: float, k: int) -> list[int]:
    """The same, where the item is first if it is a member."""
    return sorted(subset(item, d, epsilon, k), key=lambda member: (member != item, member))


def nothing(item: int, d: int, epsilon: float, k: int) -> frozenset[int]:
    """A set as those of the mechanism, but always the empty one."""
    return frozenset()


class Subset:
    """A subset in some container; the canonical form is the set."""

    chosen = staticmethod(subset)

    def __init__(self, d: int, epsilon: float, k: int) -> None:
        self.parameters = d, epsilon, k

    def client(self) -> None: ...

    def privatize(self, client: None, item: int) -> Any:
        return self.shown(self.chosen(item, *self.parameters))

    def shown(self, members: list[int]) -> Any:
        return dict.fromkeys(members).keys()

    def canonical(self, report: Any) -> Any:
        return set(report)


class KeysInOrder(Subset):
    chosen = staticmethod(item_first)


class Proxies(Subset):
    def shown(self, members: list[int]) -> Any:
        return types.MappingProxyType(dict.fromkeys(members))


class ProxiesInOrder(Proxies):
    chosen = staticmethod(item_first)


def proxy(item: int, d: int, epsilon: float, k: int) -> Any:
    """Without a canonical form."""
    return types.MappingProxyType(dict.fromkeys(subset(item, d, epsilon, k)))


def boxed(item: int, d: int, epsilon: float, k: int) -> Any:
    """Without a canonical form, too: an attribute is the report."""
    return types.SimpleNamespace(members=subset(item, d, epsilon, k))


def text(item: int, d: int, epsilon: float) -> str:
    """Randomized response; a digit."""
    kept = random.random() < math.exp(epsilon) / (math.exp(epsilon) + d - 1)
    return str(item if kept else random.choice([x for x in range(d) if x != item]))


class Alone:
    """Randomized response; client and server are one object."""

    def __init__(self, d: int, epsilon: float) -> None:
        self.d = d
        self.p = math.exp(epsilon) / (math.exp(epsilon) + d - 1)
        self.q = (1 - self.p) / (d - 1)

    def privatize(self, item: int) -> int:
        lie = random.randrange(self.d - 1)
        return item if random.random() < self.p else lie + (lie >= item)

    def estimate(self, reports: list[int]) -> list[float]:
        return [(reports.count(x) / len(reports) - self.q) / (self.p - self.q) for x in range(self.d)]

    def variance(self, n: int) -> float:
        return self.q * (1 - self.q) / (n * (self.p - self.q) ** 2)


class Steps:
    """The same in other words."""

    def __init__(self, d: int, epsilon: float) -> None:
        self.own = Alone(d, epsilon)

    def encode(self, item: int) -> int:
        return item

    def perturb(self, value: int) -> int:
        return self.own.privatize(value)

    def aggregate(self, reports: list[int]) -> list[float]:
        return self.own.estimate(reports)

    def variance(self) -> float:
        return self.own.variance(1)


class Doubled(Steps):
    """States twice the variance."""

    def variance(self) -> float:
        return 2 * super().variance()


class AsProperty(Steps):
    """States the variance as a property; half of it."""

    @property
    def variance(self) -> float:  # type: ignore[override]
        return self.own.variance(2)


class OfAFrequency(Alone):
    """States the variance of an item that this part of the users holds."""

    def variance(self, n: int, f: float = 0.0) -> float:
        return super().variance(n) + f * (1 - self.p - self.q) / (n * (self.p - self.q))


class OfOneUser(Alone):
    """States the variance of one user, whatever their number is."""

    def variance(self, n: int) -> float:
        return super().variance(1)


class OfReports(Alone):
    """States a variance of reports."""

    def variance(self, reports: list[int]) -> float:  # type: ignore[override]
        return super().variance(len(reports))


class Aggregated(Alone):
    """Estimates lists of reports by the method that takes one."""

    def aggregate(self, reports: list[int]) -> list[float]:
        return super().estimate(reports)

    def estimate(self) -> list[float]:  # type: ignore[override]
        return [0.0] * self.d


class OfCounts(Alone):
    """Its estimates are of something else than a list of reports."""

    def estimate(self, counts: list[int], n: int, scale: float) -> list[float]:  # type: ignore[override]
        return [scale * count / n for count in counts]


class Anything(Alone):
    """The same; the call says so."""

    def estimate(self, *arguments: Any) -> list[float]:
        return OfCounts.estimate(self, *arguments)  # type: ignore[arg-type]


class Salted(Alone):
    """Its reports are of more than an item."""

    def privatize(self, item: int, salt: int) -> int:  # type: ignore[override]
        return super().privatize(item ^ salt)


class ServerWithoutAggregate(Alone):
    def client(self) -> None: ...

    def privatize(self, client: None, item: int) -> int:  # type: ignore[override]
        return super().privatize(item)

    def server(self) -> list[int]:
        return []
