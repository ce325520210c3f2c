"""Adapters for the stand-alone server, as a file of the user's own: standard library and numpy only."""

import os
import random
from fractions import Fraction
from typing import Any

import numpy as np

RANDOM = random.SystemRandom()


def flip(item: int, keep: float = 0.75) -> Any:
    """Binary randomized response, as a plain function."""
    assert "NUMBA_DISABLE_JIT" not in os.environ  # as for its users
    if item not in (0, 1):
        raise ValueError(f"{item} is no bit")
    return item if RANDOM.random() < keep else 1 - item


class Chatty:
    """Binary randomized response whose reports are sets, with a server; it prints."""

    def __init__(self, keep: float) -> None:
        print("loading")
        self.keep = keep

    def client(self) -> list[int]:
        return []

    def privatize(self, client: list[int], item: Any) -> Any:
        assert client == []  # every report has a client of its own
        client.append(item)
        print("drawing")
        return {np.int64(flip(item, self.keep)), 7}

    def canonical(self, report: Any) -> Any:
        return min(report)

    def server(self) -> list[int]:
        return []

    def aggregate(self, server: list[int], report: set[int]) -> None:
        server.append(min(report))

    def estimate(self, server: list[int]) -> Any:
        ones = np.mean(server)
        return np.array([1 - ones - 0.25, ones - 0.25]) / 0.5


class Forms(Chatty):
    """Reports of all types that have a canonical form; the item says which."""

    def privatize(self, client: Any, item: Any) -> Any:
        return {
            "numpy": np.array([[1, 2], [3, 4]], dtype=np.uint8),
            "bool": (True, np.bool_(False), None, "x"),
            "float": [0.5, np.float32(2.0)],
            "set": {10, 9},
            "bytes": b"\x00\xff",
            "object": object(),
            "nan": float("nan"),
        }[item]

    def canonical(self, report: Any) -> Any:
        return report

    def aggregate(self, server: Any, report: Any) -> None:
        server.append(report)

    def estimate(self, server: Any) -> Any:
        first = server[0]
        if isinstance(first, set):
            return [Fraction(1, 3), np.int8(4), np.float64(0.5), 2]
        return [float("nan")] if isinstance(first, bytes) else ["no number"]


class Dies(Chatty):
    """As compiled code does."""

    def privatize(self, client: Any, item: Any) -> Any:
        os._exit(9)
