"""Correct targets of which laws are known in part only, or that take their parameters in other ways."""

import functools
import math
import random
from collections.abc import Callable
from typing import Any


def fixed_with_a_loop(item: int) -> int:
    """GRR on 4 items with epsilon = ln(3), whatever the caller's budget is."""
    if random.getrandbits(1):
        return item
    while (lie := random.getrandbits(2)) == 3:
        pass
    return (item + 1 + lie) % 4


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


def any_parameters(item: int, **parameters: Any) -> int:
    e, d = math.exp(parameters["epsilon"]), parameters["d"]
    return item if random.random() < e / (e + d - 1) else (item + random.randrange(1, d)) % d


def with_fixed(function: Callable[..., int]) -> Callable[[int], int]:
    @functools.wraps(function)
    def wrapper(item: int) -> int:
        return function(item, d=4, epsilon=1.0)

    return wrapper


@with_fixed
def decorated(item: int, d: int, epsilon: float) -> int:
    return any_parameters(item, d=d, epsilon=epsilon)


def of_integers(item: int, lower: int, upper: int) -> Any:
    """Folds back what is outside, as two-sided geometric noise with epsilon = ln(2) does; types tell if a bound is no
    integer."""
    noise = random.choice((-1, 1)) * next(k for k in range(10**6) if random.random() < 0.5)
    noisy = item + noise
    while not lower <= noisy <= upper:
        noisy = 2 * lower - noisy if noisy < lower else 2 * upper - noisy
    return noisy
