"""Targets that misbehave, as an adapter file: loaded by the child process, standard library and numpy only."""

import concurrent.futures
import ctypes
import importlib
import os
import random
import secrets
import subprocess
import sys
import threading
import time
import uuid
from typing import Any

import numpy as np

SYSTEM = random.SystemRandom()
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


class Raises(Quiet):
    def privatize(self, client: Any, item: Any) -> Any:
        if item == 1 and random.random() < 0.25:
            raise KeyError("lost")
        return 0


class RaisesInInit(Quiet):
    def __init__(self, d: int = 2, epsilon: float = 1.0) -> None:
        raise RuntimeError("no licence")


class Exits(Quiet):
    def privatize(self, client: Any, item: Any) -> Any:
        sys.exit(3)


class Dies(Quiet):
    def privatize(self, client: Any, item: Any) -> Any:
        if item == 1:
            os._exit(7)
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


class PrintsBelowPython(Quiet):
    def privatize(self, client: Any, item: Any) -> Any:
        os.write(1, b'{"part": "done", "models": {}}\n')
        return 0


class FloodsStdout(Quiet):
    def privatize(self, client: Any, item: Any) -> Any:
        while True:
            print("x" * 1_000_000)


class FloodsStderr(Quiet):
    def privatize(self, client: Any, item: Any) -> Any:
        while True:
            sys.stderr.write("x" * 1_000_000)


class Mutates(Quiet):
    def privatize(self, client: Any, item: Any) -> Any:
        item[0] += 1
        return 0


class MutatesReports(Quiet):
    def privatize(self, client: Any, item: Any) -> Any:
        return [random.randint(0, 1)]

    def estimate(self, server: Any) -> list[float]:
        total = sum(report.pop() if report else 0 for report in server)
        return [total, total]


class Entropy(Quiet):
    """The operating system's bits, in all ways that are modeled."""

    def privatize(self, client: Any, item: Any) -> Any:
        return (os.urandom(1)[0] + SYSTEM.randint(0, 1) + secrets.randbits(1)) % 2


class Uuid(Quiet):
    def privatize(self, client: Any, item: Any) -> Any:
        return uuid.uuid4().int % 2


class TimeSeeded(Quiet):
    def privatize(self, client: Any, item: Any) -> Any:
        return random.Random(time.time()).randint(0, 1)


class SeedsItself(Quiet):
    def privatize(self, client: Any, item: Any) -> Any:
        np.random.seed(7)
        return int(np.random.randint(2))


class SeedsWhenMade(Quiet):
    def __init__(self, d: int = 2, epsilon: float = 1.0) -> None:
        self.table = random.Random(7).sample(range(4), 2)


class DrawsWhenMade(Quiet):
    def __init__(self, d: int = 2, epsilon: float = 1.0) -> None:
        self.bit = random.randint(0, 1)

    def privatize(self, client: Any, item: Any) -> Any:
        return (random.randint(0, 1) + self.bit) % 2


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


class Canonical(Quiet):
    """The canonical form loses the item; the report has it."""

    def privatize(self, client: Any, item: Any) -> Any:
        return [random.randint(0, 1), item]

    def canonical(self, report: Any) -> Any:
        return {"set": report[0]}


def coin(item: Any, epsilon: float) -> Any:
    return [item, type(item).__name__, random.random() < epsilon / 4]


class Threads(Quiet):
    def privatize(self, client: Any, item: Any) -> Any:
        found: list[int] = []
        thread = threading.Thread(target=lambda: found.append(random.randint(0, 1)))
        thread.start()
        thread.join()
        return found[0]


class ThreadsAtImport(Quiet):
    """A pool whose thread runs already."""

    def privatize(self, client: Any, item: Any) -> Any:
        return POOL.submit(random.randint, 0, 1).result()


class Forks(Quiet):
    def privatize(self, client: Any, item: Any) -> Any:
        if os.fork() == 0:
            time.sleep(1000)
        return 0


class Spawns(Quiet):
    def privatize(self, client: Any, item: Any) -> Any:
        return int(subprocess.check_output(["od", "-An", "-N1", "/dev/urandom"]).split()[0]) % 2


class Patches(Quiet):
    def privatize(self, client: Any, item: Any) -> Any:
        setattr(random, "random", lambda: 0.1)  # noqa: B010 - a module of the standard library
        return int(random.random() < 0.5)


class Restores(Quiet):
    """Puts the originals back, which it kept where they are not found."""

    def privatize(self, client: Any, item: Any) -> Any:
        vars(random)["random"], vars(np.random)["rand"] = KEPT
        return int(random.random() < 0.5)


class ImportsAfresh(Quiet):
    def privatize(self, client: Any, item: Any) -> Any:
        sys.modules.pop("random")
        return importlib.import_module("random").randint(0, 1)


class ReadsDevice(Quiet):
    def privatize(self, client: Any, item: Any) -> Any:
        with open("/dev/urandom", "rb") as device:  # noqa: PTH123
            return device.read(1)[0] % 2


class CallsC(Quiet):
    def privatize(self, client: Any, item: Any) -> Any:
        return ctypes.CDLL(None).rand() % 2


class Recurses(Quiet):
    def privatize(self, client: Any, item: Any) -> Any:
        return self.privatize(client, item)


class Nested(Quiet):
    def privatize(self, client: Any, item: Any) -> Any:
        output: list[Any] = []
        output.append(output)
        return output


class LeavesThread(Quiet):
    """Started when made: a thread that never ends."""

    def __init__(self, d: int = 2, epsilon: float = 1.0) -> None:
        threading.Thread(target=time.sleep, args=(1000,)).start()


class EndlessDraws(Quiet):
    def privatize(self, client: Any, item: Any) -> Any:
        while random.random() <= 0.5:
            pass
        return 0


class ReadsClock(Quiet):
    def privatize(self, client: Any, item: Any) -> Any:
        return int(time.time() > 0)


class Counter(Quiet):
    calls = 0

    def privatize(self, client: Any, item: Any) -> Any:
        Counter.calls += 1
        return Counter.calls % 2


class RandomServer(Quiet):
    def estimate(self, server: Any) -> list[float]:
        return [random.randint(0, 1), 0.0]


class NotANumber(Quiet):
    def estimate(self, server: Any) -> list[float]:
        return [float("nan"), 0.0]


class HugeOutput(Quiet):
    def privatize(self, client: Any, item: Any) -> Any:
        return list(range(10**6))


class HugeMemory(Quiet):
    def privatize(self, client: Any, item: Any) -> Any:
        return np.ones(10**12)


class ManyPaths(Quiet):
    def privatize(self, client: Any, item: Any) -> Any:
        return [random.randint(0, 1) for _ in range(60)]


class OddOutput(Quiet):
    def privatize(self, client: Any, item: Any) -> Any:
        return object()
