"""Clients with planted faults, as an adapter file: GRR whose p is off by a factor, OUE whose q is."""

import math
import random


class GRR:
    """Generalized randomized response as it is usually written."""

    def __init__(self, d: int, epsilon: float, factor: float) -> None:
        self._d = d
        self._p = math.exp(epsilon) / (math.exp(epsilon) + d - 1) * factor

    def client(self) -> None:
        """No state."""

    def privatize(self, client: None, item: int) -> int:
        """The true item with probability p, else another one."""
        if random.random() < self._p:
            return int(item)
        other = random.randrange(self._d - 1)
        return other + (other >= item)


class OUE:
    """Optimized unary encoding."""

    def __init__(self, d: int, epsilon: float, factor: float) -> None:
        self._d = d
        self._q = factor / (math.exp(epsilon) + 1)

    def client(self) -> None:
        """No state."""

    def privatize(self, client: None, item: int) -> list[int]:
        """d bits."""
        return [int(random.random() < (0.5 if x == item else self._q)) for x in range(self._d)]
