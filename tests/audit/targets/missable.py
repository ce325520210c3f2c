"""Faults that are easily missed, one each, and correct code: state, many reports, leaks, notice, updates.

Most are made of one correct program and of what is wrong in it: `beside`, `truthful`, `spending` and `faulty`.
"""

import hashlib
import logging
import math
import os
import random
import secrets
import struct
import sys
import threading
import time
import types
import warnings
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

LOG = logging.getLogger("clients")
LOG.addHandler(logging.NullHandler())
CALLS = [0]
TIMES: deque[float] = deque(maxlen=10)
Client = Callable[[Any, int, float], Any]


def called() -> int:
    """The number of this call."""
    CALLS[0] += 1
    return CALLS[0]


def keep(d: int, epsilon: float) -> float:
    return math.exp(epsilon) / (math.exp(epsilon) + d - 1)


def another(item: Any, d: int) -> Any:
    """Any item but this one."""
    lie = random.randrange(d - 1)
    return lie + 1 if lie >= item else lie


def grr(item: Any, d: int, epsilon: float) -> Any:
    """Correct, without a look at what the item is."""
    return item if random.random() < keep(d, epsilon) else another(item, d)


class GRR:
    """Correct, client and server. The others are this with one fault."""

    def __init__(self, d: int, epsilon: float) -> None:
        self.d, self.epsilon = d, epsilon

    def client(self) -> dict[str, Any]:
        return {"reports": 0}

    def privatize(self, client: dict[str, Any], item: int) -> Any:
        client["reports"] += 1
        return self.report(client, item)

    def report(self, client: dict[str, Any], item: int) -> Any:
        return grr(item, self.d, self.epsilon)

    def server(self) -> Any:
        return []

    def aggregate(self, server: Any, report: int) -> None:
        server.append(report)

    def counts(self, server: Any) -> tuple[Sequence[float], int]:
        return [server.count(x) for x in range(self.d)], len(server)

    def estimate(self, server: Any) -> list[float]:
        counts, n = self.counts(server)
        p = self.kept()
        q = (1 - p) / (self.d - 1)
        return [float((count / n - q) / (p - q)) for count in counts]

    def kept(self) -> float:
        """The probability that the server reckons with."""
        return keep(self.d, self.epsilon)


def faulty(base: type[GRR] = GRR, **members: Any) -> Any:
    """The class with some members replaced."""
    return type("Faulty", (base,), members)


def beside(leave: Callable[[Any], object]) -> Client:
    """Correct, but leaves something before it reports."""

    def client(item: Any, d: int, epsilon: float) -> Any:
        leave(item)
        return grr(item, d, epsilon)

    return client


def truthful(when: Callable[[], bool], change: Callable[[Any], Any] = lambda item: item) -> Client:
    """Tells the item itself when this holds."""

    def client(item: Any, d: int, epsilon: float) -> Any:
        return change(item) if when() else grr(item, d, epsilon)

    return client


def spending(times: Callable[[Any, int], float]) -> Client:
    """Has so many times its budget for an item of so many."""

    def client(item: Any, d: int, epsilon: float) -> Any:
        return grr(item, d, epsilon * times(item, d))

    return client


# --- state ------------------------------------------------------------------------------------------------------------


def at_reports(which: Callable[[int], bool]) -> Any:
    """Tells the item itself at these reports of a client."""

    def report(self: GRR, client: dict[str, Any], item: int) -> Any:
        return item if which(client["reports"]) else grr(item, self.d, self.epsilon)

    return faulty(report=report)


def growing(times: Callable[[int], float]) -> Any:
    """Has so many times its budget at a report of a client."""

    def report(self: GRR, client: dict[str, Any], item: int) -> Any:
        return grr(item, self.d, self.epsilon * times(client["reports"]))

    return faulty(report=report)


Third, Tenth, Thousandth = (at_reports(number.__eq__) for number in (3, 10, 1000))
EveryTenth = at_reports(lambda number: number % 10 == 0)
AfterHundred = growing(lambda number: 1 if number <= 100 else 3)
Drifts = growing(lambda number: 1 + max(0, number - 2) / 100)


class RepeatsTheThird(GRR):
    def report(self, client: dict[str, Any], item: int) -> Any:
        if client["reports"] > 3:
            return client["third"]
        client["third"] = grr(item, self.d, self.epsilon)
        return client["third"]


class ReturnsToTheFirstItem(GRR):
    def report(self, client: dict[str, Any], item: int) -> Any:
        first = client.setdefault("first", item)
        return grr(first if client["reports"] > 5 else item, self.d, self.epsilon)


class RemembersFromTheThird(GRR):
    def report(self, client: dict[str, Any], item: int) -> Any:
        if client["reports"] <= 2:
            return grr(item, self.d, self.epsilon)
        return client.setdefault(str(item), grr(item, self.d, self.epsilon))


class RaisesAtTheHundredth(GRR):
    def report(self, client: dict[str, Any], item: int) -> Any:
        if client["reports"] == 100:
            raise IndexError("no noise left")
        return grr(item, self.d, self.epsilon)


class PoolOfNoise(GRR):
    """Sixteen coins are drawn in advance and used again and again."""

    def report(self, client: dict[str, Any], item: int) -> Any:
        pool = client.setdefault("pool", [])
        if len(pool) < 16:
            pool.append((random.random() < keep(self.d, self.epsilon), random.randrange(self.d - 1)))
        truth, lie = pool[(client["reports"] - 1) % 16]
        return item if truth else lie + (lie >= item)


class Entropy:
    """Bytes of the operating system, fetched in blocks; each block is handed out `times` times."""

    def __init__(self, times: int) -> None:
        self.times, self.left, self.block, self.place = times, 0, b"", 0

    def take(self, count: int) -> int:
        if self.place + count > len(self.block):
            if not self.left:
                self.block, self.left = os.urandom(4093), self.times
            self.place, self.left = 0, self.left - 1
        taken = self.block[self.place : self.place + count]
        self.place += count
        return int.from_bytes(taken, "big")


def from_blocks(times: int) -> Client:
    """All coins are of blocks that are handed out so many times."""
    blocks = Entropy(times)

    def client(item: int, d: int, epsilon: float) -> Any:
        if blocks.take(7) < keep(d, epsilon) * 2**56:
            return item
        lie = blocks.take(7) % (d - 1)
        return lie + (lie >= item)

    return client


blocks_once = from_blocks(1)
"""Correct."""
blocks_twice = from_blocks(2)
"""After some 400 calls, as many as they happen to be, comes the randomness of the first ones."""
every_thousandth_call = truthful(lambda: called() % 1000 == 0)
every_hundredth_call = truthful(lambda: called() % 100 == 0)
every_seventh_call = truthful(lambda: called() % 7 == 0)
every_fiftieth_call_is_zero = truthful(lambda: called() % 50 == 0, lambda item: 0)
after_many_calls = spending(lambda item, d: 1 if called() < 2000 else 2)


def own_generator(item: int, d: int, epsilon: float) -> Any:
    """A generator of its own with a fixed seed: every process gives the same reports."""
    u = int.from_bytes(hashlib.sha256(b"seed %d" % called()).digest()[:7], "big") / 2**56
    if u < keep(d, epsilon):
        return item
    lie = min(int((u - keep(d, epsilon)) / (1 - keep(d, epsilon)) * (d - 1)), d - 2)
    return lie + (lie >= item)


def of_the_item(item: int, d: int, epsilon: float) -> Any:
    """Noise that is a function of the item and a fixed salt."""
    return grr(item, d, epsilon) if CALLS[0] else int(hashlib.md5(b"salt %d" % item).hexdigest(), 16) % d


class SeedOfTheClient(GRR):
    """One draw for all reports of a client, from the fourth on."""

    def report(self, client: dict[str, Any], item: int) -> Any:
        if client["reports"] < 4:
            return grr(item, self.d, self.epsilon)
        coins = client.setdefault("coins", (random.random(), random.randrange(self.d - 1)))
        return item if coins[0] < keep(self.d, self.epsilon) else coins[1] + (coins[1] >= item)


# --- many reports -----------------------------------------------------------------------------------------------------


class Counted(GRR):
    """Counts in an array: correct with 64 bits."""

    kind: Any = np.int64

    def server(self) -> Any:
        return [np.zeros(self.d, self.kind), 0]

    def aggregate(self, server: Any, report: int) -> None:
        with np.errstate(over="ignore"):
            server[0][report] += self.kind(1)
        server[1] += 1

    def counts(self, server: Any) -> tuple[Sequence[float], int]:
        return [float(count) for count in server[0]], server[1]


def recounted(change: Callable[[Sequence[float], int], tuple[Sequence[float], int]]) -> Any:
    """The server makes something else of its counts and their sum."""
    return faulty(counts=lambda self, server: change(*GRR.counts(self, server)))


def finished(most: int, change: Callable[[float], float]) -> Any:
    """The server changes its estimates of more reports than these."""

    def estimate(self: GRR, server: Any) -> list[float]:
        estimates = GRR.estimate(self, server)
        return estimates if len(server) <= most else [change(x) for x in estimates]

    return faulty(estimate=estimate)


Int8, UInt8, Int16 = (faulty(Counted, kind=kind) for kind in (np.int8, np.uint8, np.int16))
UInt16, Float16 = (faulty(Counted, kind=kind) for kind in (np.uint16, np.float16))
OneLess = recounted(lambda counts, n: (counts, n - 1 if n > 10 else n))
LastReports = faulty(server=lambda self: deque(maxlen=256))
FirstReports = faulty(aggregate=lambda self, server, report: len(server) < 128 and server.append(report))
NumberOfUsers = recounted(lambda counts, n: (counts, max(1, n % 65536)))
"""The number of users has 16 bits."""
ClippedCounts = recounted(lambda counts, n: ([min(count, 65504) for count in counts], n))
"""A count has the largest number of float16 as its largest: 65505 is off by 1.5e-5 of it."""
SingleForMany = finished(65504, lambda x: float(np.float32(x)))
"""Where float16 would overflow, the estimates have the precision of float32."""
LosesOne = faulty(counts=lambda self, server: GRR.counts(self, server if len(server) <= 65504 else server[:-1]))
"""Where float16 would overflow, the last report is lost: 1.4e-5 of them."""
ClippedForMany = finished(99, lambda x: min(1.0, max(0.0, x)))
RoundedForMany = finished(199, lambda x: round(x, 4))


class RaisesForMany(GRR):
    def estimate(self, server: Any) -> list[float]:
        if len(server) > 255:
            raise OverflowError("too many reports")
        return super().estimate(server)


# --- inputs -----------------------------------------------------------------------------------------------------------


def numpy_unperturbed(item: Any, d: int, epsilon: float) -> Any:
    return int(item) if isinstance(item, np.integer) else grr(item, d, epsilon)


def numpy_less_noise(item: Any, d: int, epsilon: float) -> Any:
    return grr(int(item), d, 3 * epsilon if not isinstance(item, int) else epsilon)


# --- beside the report ------------------------------------------------------------------------------------------------


below_python = beside(lambda item: os.write(2, b"item %d\n" % item))
warned = beside(lambda item: warnings.warn(f"item {item} is perturbed", stacklevel=1))
in_the_environment = beside(lambda item: os.environ.update(LAST_ITEM=str(item)))
numpy_warns = beside(lambda item: np.float64(1) / np.float64(item))
"""A RuntimeWarning for item 0."""


def warned_for_one(item: int, d: int, epsilon: float) -> Any:
    if item == d - 1:
        warnings.warn("last item", stacklevel=1)
    return grr(item, d, epsilon)


# --- notice -----------------------------------------------------------------------------------------------------------

sees_lazy_draws = truthful(lambda: type(random.random()) is float)
sees_the_profile = truthful(lambda: sys.getprofile() is None)
sees_replaced_functions = truthful(lambda: isinstance(random.random, types.BuiltinMethodType))
sees_numpy = spending(lambda item, d: 2 if type(np.random.random()) is float else 1)
sees_modules = truthful(lambda: "dp_child.interceptor" not in sys.modules)
sees_its_name = truthful(lambda: __name__ != "audited_adapter")
sees_variables = truthful(lambda: os.environ.get("PYTHONHASHSEED") != "0")

# --- clocks -----------------------------------------------------------------------------------------------------------

at_night = truthful(lambda: time.gmtime(time.time()).tm_hour in (1, 2, 3, 4))
more_at_night = spending(lambda item, d: 1.5 if time.localtime().tm_hour < 6 else 1)
"""Half of its budget more for six hours a day."""
later = truthful(lambda: time.time() > 1_900_000_000)


class Expires(GRR):
    """A client that was made an hour ago reports the item."""

    def client(self) -> dict[str, Any]:
        return {"since": time.monotonic()}

    def report(self, client: dict[str, Any], item: int) -> Any:
        return item if time.monotonic() - client["since"] > 3600 else super().report(client, item)


# --- parameters -------------------------------------------------------------------------------------------------------


class Derived(GRR):
    """Keeps the probability that was computed when it was made, which its clients use."""

    def __init__(self, d: int, epsilon: float) -> None:
        super().__init__(d, epsilon)
        self.p = keep(d, epsilon)

    def report(self, client: dict[str, Any], item: int) -> Any:
        return item if random.random() < self.p else another(item, self.d)


class Stale(Derived):
    """The probability is not computed again when the budget changes."""

    def set_epsilon(self, epsilon: float) -> None:
        self.epsilon = epsilon


class StaleServer(Derived):
    """The same in the server."""

    report = GRR.report

    def update_params(self, epsilon: float | None = None, d: int | None = None) -> None:
        self.epsilon = epsilon or self.epsilon
        self.d = d or self.d

    def kept(self) -> float:
        return self.p


class StaleProperty(Derived):
    @property
    def epsilon(self) -> float:
        return self._epsilon

    @epsilon.setter
    def epsilon(self, epsilon: float) -> None:
        self._epsilon = epsilon


class StaleKeywords(StaleServer):
    """The same, by a method that takes any name."""

    def set_params(self, **options: Any) -> None:
        for name, value in options.items():
            setattr(self, name, value)

    update_params = None  # type: ignore[assignment]


class StaleClient(GRR):
    """The client has the budget, and an update that forgets what was derived from it."""

    def client(self) -> Any:
        return _Holder(self.d, self.epsilon)

    def privatize(self, client: Any, item: int) -> Any:
        return client.report(item)


class _Holder:
    def __init__(self, d: int, epsilon: float) -> None:
        self.d, self.p = d, keep(d, epsilon)

    def update_epsilon(self, epsilon: float) -> None:
        self.epsilon = epsilon

    def report(self, item: int) -> Any:
        return item if random.random() < self.p else another(item, self.d)


class DefaultsDisagree(GRR):
    """Right if both sides are told the budget."""

    def privatize(self, client: Any, item: int, epsilon: float = 1.0) -> Any:
        return grr(item, self.d, epsilon)

    def estimate(self, server: Any, epsilon: float = 2.0) -> list[float]:
        return super().estimate(server)


class RefusesValidSizes(GRR):
    def __init__(self, d: int, epsilon: float) -> None:
        if d > 3:
            raise ZeroDivisionError("division by zero")
        super().__init__(d, epsilon)


# --- others -----------------------------------------------------------------------------------------------------------


def raises_rarely(item: int, d: int, epsilon: float) -> Any:
    if random.random() < 0.0001:
        raise RuntimeError("unlucky")
    return grr(item, d, epsilon)


def raises_for_one(item: int, d: int, epsilon: float) -> Any:
    return [grr(item, d, epsilon)][item // (d - 1)]


class RaisesTheSecondTime(GRR):
    def report(self, client: dict[str, Any], item: int) -> Any:
        if client["reports"] > 1:
            raise RuntimeError("used up")
        return grr(item, self.d, self.epsilon)


a_little_less_noise = spending(lambda item, d: 1 + 1e-7)
last_item_lies_less = spending(lambda item, d: 1.2 if item == d - 1 else 1)


def wrong_beyond(item: int, d: int, epsilon: float) -> int:
    """Half of the budget is enough for everybody, beyond 8."""
    return int(grr(item, d, epsilon if epsilon <= 8 else 8 + (epsilon - 8) / 2))


# --- correct ----------------------------------------------------------------------------------------------------------


def strict(item: int, d: int, epsilon: float) -> Any:
    if type(item) is not int or not 0 <= item < d:
        raise ValueError("unknown item")
    return grr(item, d, epsilon)


logs_calls = beside(lambda item: LOG.debug("call %d", called()))
deprecated = beside(lambda item: warnings.warn("use Client", DeprecationWarning, stacklevel=1))


def logs_reports(item: int, d: int, epsilon: float) -> Any:
    report = grr(item, d, epsilon)
    LOG.info("report %s", report)
    return report


def timed(item: int, d: int, epsilon: float) -> Any:
    start = time.perf_counter()
    report = grr(item, d, epsilon)
    TIMES.append(time.perf_counter() - start)
    return report


class Updated(Derived):
    def update_params(self, epsilon: float | None = None, d: int | None = None) -> None:
        self.epsilon = self.epsilon if epsilon is None else epsilon
        self.d = self.d if d is None else d
        self.p = keep(self.d, self.epsilon)


class UpdatedByKeywords(Updated):
    def set_params(self, **options: Any) -> None:
        self.update_params(**options)

    def configure(self, **options: Any) -> None:
        """Takes what it knows, which is none of the parameters."""
        self.verbose = options.get("verbose", False)


def of_own_budget(item: int, d: int) -> int:
    """Correct for a budget of 1, which is its own."""
    return int(grr(item, d, 1.0))


# --- entropy that is reduced ------------------------------------------------------------------------------------------


def deciding(is_true: Callable[[float], bool]) -> Client:
    """Tells the item itself where bytes of the system say so, which are handed its probability."""

    def client(item: int, d: int, epsilon: float) -> int:
        return item if is_true(keep(d, epsilon)) else int(another(item, d))

    return client


biased_coin = deciding(lambda p: int.from_bytes(os.urandom(4), "big") % 10**7 < p * 10**7)
"""2^32 is no multiple of 10^7: the coin is biased by up to 0.23 %."""
biased_share = deciding(lambda p: int.from_bytes(secrets.token_bytes(4), "little") % 10**7 / 10**7 < p)
biased_unpacked = deciding(lambda p: struct.unpack("<I", os.urandom(4))[0] % 10**7 < p * 10**7)
"""The same with other libraries."""
wide_coin = deciding(lambda p: int.from_bytes(os.urandom(16), "big") % 2**60 < p * 2**60)
"""Correct: of 16 bytes the remainder is as good as uniform."""
entropy = deciding(lambda p: int.from_bytes(os.urandom(8), "big") / 2**64 < p)
"""Correct: 8 bytes as a share of all."""


# --- servers that count in batches and threads ------------------------------------------------------------------------


class CountsTheBatchAgain(GRR):
    """A batch that is counted when estimates are asked for is counted with the next one, too."""

    def server(self) -> Any:
        return {"counts": [0] * self.d, "batch": []}

    def aggregate(self, server: Any, report: int) -> None:
        server["batch"].append(report)

    def counts(self, server: Any) -> tuple[list[int], int]:
        for report in server["batch"]:
            server["counts"][report] += 1
        return server["counts"], sum(server["counts"])


class CountsInThreads(GRR):
    """Correct: a server that counts in two threads, which no enumeration starts."""

    lost = 0

    def counts(self, server: Any) -> tuple[list[int], int]:
        parts: list[list[int]] = [[], []]

        def work(part: int) -> None:
            parts[part] = [server[part + self.lost :: 2].count(x) for x in range(self.d)]

        threads = [threading.Thread(target=work, args=(part,)) for part in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return [a + b for a, b in zip(*parts, strict=True)], len(server)


LosesOneInThreads = faulty(CountsInThreads, lost=1)
