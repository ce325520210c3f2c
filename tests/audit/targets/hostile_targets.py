"""Targets that misbehave, as an adapter file: loaded by the child process, standard library and numpy only."""

import concurrent.futures
import os
import random
import sys
import threading
import time
import uuid
from collections.abc import Callable
from typing import Any

import numpy as np

POOL = concurrent.futures.ThreadPoolExecutor(1)
POOL.submit(int).result()
KEPT = [random.random, np.random.rand]


class Quiet:
    """A report of one fair bit; the server counts. Subclasses misbehave."""

    def __init__(self, d: int = 2, epsilon: float = 1.0) -> None:
        pass

    def client(self) -> Any:
        return None

    def privatize(self, client: Any, item: Any) -> Any:
        return random.randint(0, 1)

    def server(self) -> Any:
        return []

    def aggregate(self, server: Any, report: Any) -> None:
        server.append(report)

    def estimate(self, server: Any) -> list[float]:
        return [len(server), sum(server)]


def quiet(report: Callable[[Any], Any], **members: Any) -> Any:
    """One that makes its reports so of the item, and has other members."""
    return type("Misbehaving", (Quiet,), {"privatize": lambda self, client, item: report(item), **members})


def in_server(estimate: Callable[[Any], list[float]]) -> Any:
    """One that estimates so."""
    return type("Misbehaving", (Quiet,), {"estimate": lambda self, server: estimate(server)})


# --- clients ----------------------------------------------------------------------------------------------------------


class Raises(Quiet):
    def privatize(self, client: Any, item: Any) -> Any:
        if item == 1 and random.random() < 0.25:
            raise KeyError("lost")
        return 0


class Hangs(Quiet):
    def privatize(self, client: Any, item: Any) -> Any:
        while item == 1:
            time.sleep(0.01)
        return 0


class Prints(Quiet):
    def privatize(self, client: Any, item: Any) -> Any:
        print("the item is", item)
        return 0


class Mutates(Quiet):
    def privatize(self, client: Any, item: Any) -> Any:
        item[0] += 1
        return 0


class Hashes(Quiet):
    """A hash function by its seed, drawn when the protocol is made and again for every report."""

    reproduce = "from hostile_targets import Hashes\nHashes().privatize(None, {input})"
    reproduce_estimate = ("server = []",)

    def __init__(self, d: int = 2, epsilon: float = 1.0) -> None:
        self.salt = random.getrandbits(64)
        self.table = np.random.RandomState(3).randint(0, 9, size=2)

    def privatize(self, client: Any, item: Any) -> Any:
        seed = random.randint(0, sys.maxsize)
        return (item * seed + random.randint(0, 1)) % 2, seed

    def canonical(self, report: Any) -> Any:
        return report[0]

    def facts(self, conditioned: Any) -> Any:
        return {"salt": self.salt, "hash": [x * conditioned[0] % 2 for x in range(2)], "ratio": 0.5}

    def estimate(self, server: Any) -> list[float]:
        return [len(server), sum(cell for cell, _ in server)]


class Restores(Quiet):
    """Puts the originals back, which it kept where they are not found."""

    def privatize(self, client: Any, item: Any) -> Any:
        vars(random)["random"], vars(np.random)["rand"] = KEPT
        return int(random.random() < 0.5)


def coin(item: Any, epsilon: float) -> Any:
    return [item, type(item).__name__, random.random() < epsilon / 4]


def forever(work: Callable[[], object]) -> None:
    while True:
        work()


Dies = quiet(lambda item: os._exit(7) if item == 1 else 0)
PrintsBelowPython = quiet(lambda item: 0 * os.write(1, b'{"part": "done", "models": {}}\n'))
FloodsStdout = quiet(lambda item: forever(lambda: print("x" * 1_000_000)))
FloodsStderr = quiet(lambda item: forever(lambda: sys.stderr.write("x" * 1_000_000)))
Uuid = quiet(lambda item: uuid.uuid4().int % 2)
TimeSeeded = quiet(lambda item: random.Random(time.time()).randint(0, 1))
Canonical = quiet(lambda item: [random.randint(0, 1), item], canonical=lambda self, report: {"set": report[0]})
"""The canonical form loses the item; the report has it."""
ThreadsAtImport = quiet(lambda item: POOL.submit(random.randint, 0, 1).result())
"""A pool whose thread runs already."""
ReadsClock = quiet(lambda item: int(time.time() > 0))
HugeOutput = quiet(lambda item: list(range(10**6)))
HugeMemory = quiet(lambda item: np.ones(10**12))
ManyPaths = quiet(lambda item: [random.randint(0, 1) for _ in range(60)])


# --- what happens when they are made ----------------------------------------------------------------------------------


class RaisesInInit(Quiet):
    def __init__(self, d: int = 2, epsilon: float = 1.0) -> None:
        raise RuntimeError("no licence")


class SeedsWhenMade(Quiet):
    def __init__(self, d: int = 2, epsilon: float = 1.0) -> None:
        self.table = random.Random(7).sample(range(4), 2)


class DrawsWhenMade(Quiet):
    def __init__(self, d: int = 2, epsilon: float = 1.0) -> None:
        self.bit = random.randint(0, 1)

    def privatize(self, client: Any, item: Any) -> Any:
        return (random.randint(0, 1) + self.bit) % 2


class LeavesThread(Quiet):
    """Started when made: a thread that never ends."""

    def __init__(self, d: int = 2, epsilon: float = 1.0) -> None:
        threading.Thread(target=time.sleep, args=(1000,)).start()


# --- servers ----------------------------------------------------------------------------------------------------------


class MutatesReports(Quiet):
    def privatize(self, client: Any, item: Any) -> Any:
        return [random.randint(0, 1)]

    def estimate(self, server: Any) -> list[float]:
        total = sum(report.pop() if report else 0 for report in server)
        return [total, total]


RandomServer = in_server(lambda server: [random.randint(0, 1), 0.0])
NotANumber = in_server(lambda server: [float("nan"), 0.0])
