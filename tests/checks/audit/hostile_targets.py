"""Targets that misbehave, as an adapter file: loaded by the child process, standard library and numpy only."""

import os
import random
import sys
import time
import uuid
from typing import Any

import numpy as np

SYSTEM = random.SystemRandom()


class Quiet:
    """A report of one fair bit; the server counts. Subclasses misbehave."""

    def __init__(self, d: int = 2, epsilon: float = 1.0) -> None:
        pass

    def client(self) -> Any:
        return None

    def privatise(self, client: Any, item: Any) -> Any:
        return random.randint(0, 1)

    def server(self) -> Any:
        return []

    def aggregate(self, server: Any, report: Any) -> None:
        server.append(report)

    def estimate(self, server: Any) -> list[float]:
        return [len(server), sum(server)]


class Raises(Quiet):
    def privatise(self, client: Any, item: Any) -> Any:
        if item == 1 and random.random() < 0.25:
            raise KeyError("lost")
        return 0


class RaisesInInit(Quiet):
    def __init__(self, d: int = 2, epsilon: float = 1.0) -> None:
        raise RuntimeError("no licence")


class Exits(Quiet):
    def privatise(self, client: Any, item: Any) -> Any:
        sys.exit(3)


class Dies(Quiet):
    def privatise(self, client: Any, item: Any) -> Any:
        if item == 1:
            os._exit(7)
        return 0


class Hangs(Quiet):
    def privatise(self, client: Any, item: Any) -> Any:
        while item == 1:
            time.sleep(0.01)
        return 0


class Prints(Quiet):
    def privatise(self, client: Any, item: Any) -> Any:
        print("the item is", item)
        return 0


class PrintsBelowPython(Quiet):
    def privatise(self, client: Any, item: Any) -> Any:
        os.write(1, b'{"part": "done", "models": {}}\n')
        return 0


class FloodsStdout(Quiet):
    def privatise(self, client: Any, item: Any) -> Any:
        while True:
            print("x" * 1_000_000)


class FloodsStderr(Quiet):
    def privatise(self, client: Any, item: Any) -> Any:
        while True:
            sys.stderr.write("x" * 1_000_000)


class Mutates(Quiet):
    def privatise(self, client: Any, item: Any) -> Any:
        item[0] += 1
        return 0


class MutatesReports(Quiet):
    def privatise(self, client: Any, item: Any) -> Any:
        return [random.randint(0, 1)]

    def estimate(self, server: Any) -> list[float]:
        total = sum(report.pop() if report else 0 for report in server)
        return [total, total]


class Entropy(Quiet):
    def privatise(self, client: Any, item: Any) -> Any:
        return os.urandom(1)[0] % 2


class SystemEntropy(Quiet):
    def privatise(self, client: Any, item: Any) -> Any:
        return SYSTEM.randint(0, 1)


class Uuid(Quiet):
    def privatise(self, client: Any, item: Any) -> Any:
        return uuid.uuid4().int % 2


class TimeSeeded(Quiet):
    def privatise(self, client: Any, item: Any) -> Any:
        return random.Random(time.time()).randint(0, 1)


class ReadsClock(Quiet):
    def privatise(self, client: Any, item: Any) -> Any:
        return int(time.time() > 0)


class Counter(Quiet):
    calls = 0

    def privatise(self, client: Any, item: Any) -> Any:
        Counter.calls += 1
        return Counter.calls % 2


class RandomServer(Quiet):
    def estimate(self, server: Any) -> list[float]:
        return [random.randint(0, 1), 0.0]


class NotANumber(Quiet):
    def estimate(self, server: Any) -> list[float]:
        return [float("nan"), 0.0]


class HugeOutput(Quiet):
    def privatise(self, client: Any, item: Any) -> Any:
        return list(range(10**6))


class HugeMemory(Quiet):
    def privatise(self, client: Any, item: Any) -> Any:
        return np.ones(10**12)


class ManyPaths(Quiet):
    def privatise(self, client: Any, item: Any) -> Any:
        return [random.randint(0, 1) for _ in range(60)]


class OddOutput(Quiet):
    def privatise(self, client: Any, item: Any) -> Any:
        return object()
