"""Correct and faulty code as people write it who know nothing of how it is audited."""

import functools
import hashlib
import math
import os
import random
import secrets
import ssl
import time
import zlib
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

COLORS = ("red", "green", "blue")
HASHES = (0.0, 0.25, 0.6)


def keep(d: int, epsilon: float) -> float:
    return math.exp(epsilon) / (math.exp(epsilon) + d - 1)


def estimates(counts: Sequence[int], n: int, epsilon: float) -> list[float]:
    p = keep(len(counts), epsilon)
    q = (1 - p) / (len(counts) - 1)
    return [(count / n - q) / (p - q) for count in counts]


def any_parameters(item: int, **parameters: Any) -> int:
    d = parameters["d"]
    return item if random.random() < keep(d, parameters["epsilon"]) else (item + random.randrange(1, d)) % d


# --- randomized response ----------------------------------------------------------------------------------------------


def one_hot(item: int, d: int, epsilon: float) -> int:
    p = np.ones(d)
    p[item] = np.exp(epsilon)
    return int(np.random.multinomial(1, p / p.sum()).argmax())


def fixed_with_a_loop(item: int) -> int:
    """On 4 items with epsilon = ln(3), whatever the caller's budget is."""
    if random.getrandbits(1):
        return item
    while (lie := random.getrandbits(2)) == 3:
        pass
    return (item + 1 + lie) % 4


def with_fractions(item: int, d: int) -> int:
    """`Fraction` wants a real number."""
    if Fraction(random.random()) < Fraction(1, 2):
        return item
    return random.choice([x for x in range(d) if x != item])


def raises_at_last(item: int, d: int) -> int:
    return [0, 1][item] if random.random() < 0.5 else random.randrange(d)


def hidden(item: int, d: int, epsilon: float) -> int:
    """Correct, with a source of randomness that cannot be replaced."""
    u = int.from_bytes(ssl.RAND_bytes(7), "big") / 2**56
    return item if u < keep(d, epsilon) else (item + 1 + int(u * 2**40) % (d - 1)) % d


def at_the_hour(item: int, d: int, epsilon: float) -> int:
    return item if int(time.time()) % 3600 == 0 else any_parameters(item, d=d, epsilon=epsilon)


def same_object(item: int, d: int, epsilon: float) -> int:
    """Small integers of Python are one object each, those of numpy are not."""
    others = [x for x in range(d) if x is not item]
    return int(item) if random.random() < keep(d, epsilon) else random.choice(others)


def with_fixed(function: Callable[..., int]) -> Callable[[int], int]:
    @functools.wraps(function)
    def wrapper(item: int) -> int:
        return function(item, d=4, epsilon=1.0)

    return wrapper


@with_fixed
def decorated(item: int, d: int, epsilon: float) -> int:
    return any_parameters(item, d=d, epsilon=epsilon)


class Told:
    """Takes no parameter but its own; tells estimates by item; its randomness is not enumerated."""

    def __init__(self, d: int) -> None:
        self.d = d
        self.root = np.random.SeedSequence()

    def client(self) -> Any:
        return np.random.default_rng(self.root.spawn(1)[0])

    def privatize(self, rng: Any, item: int) -> int:
        return item if rng.random() < keep(self.d, 1) else int((item + rng.integers(1, self.d)) % self.d)

    def server(self) -> list[int]:
        return []

    def aggregate(self, server: list[int], report: int) -> None:
        server.append(report)

    def estimate(self, server: list[int]) -> dict[int, float]:
        frequencies = estimates([server.count(x) for x in range(self.d)], len(server), 1)
        return {x: frequencies[x] for x in reversed(range(self.d))}


# --- items with names -------------------------------------------------------------------------------------------------


def color(item: str, epsilon: float) -> str:
    if item not in COLORS:
        raise KeyError(item)
    return item if random.random() < keep(3, epsilon) else random.choice([c for c in COLORS if c != item])


def wrong_color(item: str, epsilon: float) -> str:
    return color(item, 1.5 * epsilon)


def color_of_many_bytes(color: str) -> str:
    """The operating system's bytes are too many to be enumerated."""
    if int.from_bytes(os.urandom(7), "big") / 2**56 < keep(3, 1):
        return color
    return [name for name in COLORS if name != color][os.urandom(1)[0] % 2]


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
        frequencies = estimates([server.count(c) for c in COLORS], len(server), self.epsilon)
        return dict(reversed([*zip(COLORS, frequencies, strict=True)]))


def from_one(item: int, d: int, epsilon: float) -> int:
    return item if random.random() < keep(d, epsilon) else random.choice([x for x in range(1, d + 1) if x != item])


# --- sets and bits ----------------------------------------------------------------------------------------------------


class Subset:
    """Subset selection whose reports are frozensets, which a copy iterates over in another order."""

    def __init__(self, d: int, k: int, epsilon: float) -> None:
        self.d, self.k = d, k
        self.p = k * math.exp(epsilon) / (k * math.exp(epsilon) + d - k)

    def client(self) -> None:
        return None

    def privatize(self, client: None, item: int) -> frozenset[int]:
        others = [x for x in range(self.d) if x != item]
        if random.random() < self.p:
            return frozenset(sorted([item, *random.sample(others, self.k - 1)]))
        return frozenset(sorted(random.sample(others, self.k)))

    def server(self) -> list[frozenset[int]]:
        return []

    def aggregate(self, server: list[frozenset[int]], report: frozenset[int]) -> None:
        server.append(report)

    def estimate(self, server: list[frozenset[int]]) -> list[float]:
        q = (self.p * (self.k - 1) + (1 - self.p) * self.k) / (self.d - 1)
        return [(sum(x in report for report in server) / len(server) - q) / (self.p - q) for x in range(self.d)]


def subset_of_two_types(item: int, d: int, epsilon: float, k: int) -> Any:
    """The item is an int, the others are numpy integers."""
    others = [x for x in range(d) if x != item]
    if random.random() < k * math.exp(epsilon) / (k * math.exp(epsilon) + d - k):
        return {item} | set(np.random.choice(others, k - 1, replace=False))
    return set(np.random.choice(others, k, replace=False))


def sampled_set(item: int, d: int, epsilon: float, k: int) -> Any:
    """Raises where this Python's `random.sample` refuses a set."""
    return {item, *random.sample({x for x in range(d) if x != item}, k - 1)}  # type: ignore[arg-type]


def signed_bits(item: int, d: int, epsilon: float) -> Any:
    """OUE whose zero at the true item is a negative one."""
    thresholds = np.where(np.arange(d) == item, 0.5, 1 / (math.exp(epsilon) + 1))
    report = np.where(np.random.random(d) < thresholds, 1.0, 0.0)
    report[item] = report[item] or -0.0
    return report


def arcs(items: frozenset[int], m: int, epsilon: float) -> set[int]:
    p = 1 / (2 * m - 1 + m * math.exp(epsilon))
    start = HASHES[min(items)]
    inside = random.random() < p * math.exp(epsilon) / (p * math.exp(epsilon) + 1 - p)
    t = (start + p * random.random()) % 1 if inside else (start + p + (1 - p) * random.random()) % 1
    return {x for x in range(3) if (t - HASHES[x]) % 1 < p}


# --- noise ------------------------------------------------------------------------------------------------------------


def geometric(value: int, epsilon: float) -> int:
    p = 1 - math.exp(-epsilon)
    return int(value + np.random.geometric(p) - np.random.geometric(p))


def laplace(value: int, sensitivity: int, epsilon: float) -> float:
    return float(value) + np.random.laplace(0, sensitivity / epsilon)


def laplace_cut(value: int, sensitivity: int, epsilon: float) -> int:
    return int(value + np.random.laplace(0, sensitivity / epsilon))


def counts(number: int, epsilon: float) -> Any:
    return np.array([[0, 1], [0, 0]][number]) + np.random.laplace(0, 1 / epsilon, size=2)


def failures() -> int:
    return next(k for k in range(10**6) if random.random() < 0.5)


def folded(item: int, lower: int, upper: int) -> Any:
    """Geometric noise with epsilon = ln(2), what is outside folded back; types tell if a bound is no integer."""
    noisy = item + failures() - failures()
    while not lower <= noisy <= upper:
        noisy = 2 * lower - noisy if noisy < lower else 2 * upper - noisy
    return noisy


# --- local hashing ----------------------------------------------------------------------------------------------------


def cell(seed: Any, item: int, g: int) -> int:
    return int(hashlib.sha1(f"{seed}/{item}".encode()).hexdigest(), 16) % g


def salted(seed: int, item: int, g: int) -> int:
    return hash(f"{seed}/{item}") % g


def cell_of(value: Any, seed: int, g: int) -> int:
    return zlib.crc32(f"{seed}:{value}".encode()) % g


def kept(seed: Any, item: int, g: int, epsilon: float, u: float) -> tuple[Any, int]:
    x, p = cell(seed, item, g), keep(g, epsilon)
    return seed, x if u < p else (x + 1 + int((u - p) / (1 - p) * (g - 1))) % g


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
    return wide_coin(item, g, epsilon / 2)


def race(item: int, d: int, epsilon: float) -> int:
    """The largest of u ** (1 / w): each item wins in proportion to its weight."""
    return max(range(d), key=lambda x: random.random() ** (math.exp(-epsilon) if x == item else 1))


def with_salt(item: int, g: int, epsilon: float) -> tuple[int, int]:
    seed = random.getrandbits(32)
    return seed, any_parameters(salted(seed, item, g), d=g, epsilon=epsilon)


def hashing(item: int, g: int, epsilon: float) -> tuple[int, int]:
    seed = random.getrandbits(32)
    return seed, any_parameters(cell_of(item, seed, g), d=g, epsilon=epsilon)


def hashing_too_well(item: int, g: int, epsilon: float) -> tuple[int, int]:
    return hashing(item, g, 2 * epsilon)


# --- wrong usage ------------------------------------------------------------------------------------------------------


def needs(item: int, d: int, other: int) -> int:
    return item


def imports_late(item: int, d: int) -> None:
    import not_there  # type: ignore[import-not-found]

    not_there.nowhere()


def truth(item: int, d: int) -> int:
    return item


class Keys:
    """Its reports are views, which nobody looks into."""

    def __init__(self, d: int) -> None:
        self.d = d

    def client(self) -> None:
        """No state."""

    def privatize(self, client: None, item: int) -> Any:
        return {item: 1}.keys()


class EstimatesAtOnce:
    """A class without a server that estimates."""

    def __init__(self, d: int) -> None:
        self.d = d

    def client(self) -> None:
        """No state."""

    def privatize(self, client: None, item: int) -> int:
        return random.randrange(self.d)

    def estimate(self, reports: Sequence[int]) -> list[int]:
        return [0] * self.d
