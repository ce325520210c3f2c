"""A file that says goodbye when its process exits, whatever it was asked for; two that say more then, and correct code.

A file of its own: where something is written at exit, an audit looks at some hundred processes that exit.
"""

import atexit
import math
import os
import random
import sys

ASKED: list[int] = []


def keep(d: int, epsilon: float) -> float:
    return math.exp(epsilon) / (math.exp(epsilon) + d - 1)


def grr(item: int, d: int, epsilon: float) -> int:
    """Correct."""
    if random.random() < keep(d, epsilon):
        return item
    lie = random.randrange(d - 1)
    return lie + 1 if lie >= item else lie


class GRR:
    """Correct, client and server."""

    def __init__(self, d: int, epsilon: float) -> None:
        self.d, self.epsilon = d, epsilon

    def client(self) -> None:
        """It keeps nothing."""

    def privatize(self, client: None, item: int) -> int:
        return grr(item, self.d, self.epsilon)

    def server(self) -> list[int]:
        return []

    def aggregate(self, server: list[int], report: int) -> None:
        server.append(report)

    def estimate(self, server: list[int]) -> list[float]:
        p = keep(self.d, self.epsilon)
        q = (1 - p) / (self.d - 1)
        return [(server.count(x) / len(server) - q) / (p - q) for x in range(self.d)]


@atexit.register
def say_goodbye() -> None:
    """What is said of nobody is no leak."""
    if ASKED:
        print("asked for", sorted(set(ASKED)))
    print("goodbye", file=sys.stderr)


def says_at_exit(item: int, d: int, epsilon: float) -> int:
    ASKED.append(item)
    return grr(item, d, epsilon)


class SaysAtExit(GRR):
    """On the file itself, and registered by the first report."""

    def privatize(self, client: None, item: int) -> int:
        text = f"last {item}\n".encode()
        atexit.register(lambda: os.write(2, text))
        return super().privatize(client, item)
