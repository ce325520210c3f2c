"""Faults that are easily missed, one each, and correct code: state, many reports, leaks, notice, updates."""

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
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

LOG = logging.getLogger("clients")
LOG.addHandler(logging.NullHandler())
CALLS = [0]
TIMES: deque[float] = deque(maxlen=10)


def keep(d: int, epsilon: float) -> float:
    return math.exp(epsilon) / (math.exp(epsilon) + d - 1)


def grr(item: Any, d: int, epsilon: float) -> Any:
    """Correct, without a look at what the item is."""
    if random.random() < keep(d, epsilon):
        return item
    lie = random.randrange(d - 1)
    return lie + 1 if lie >= item else lie


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
        p = keep(self.d, self.epsilon)
        q = (1 - p) / (self.d - 1)
        return [float((count / n - q) / (p - q)) for count in counts]


# --- state ------------------------------------------------------------------------------------------------------------


class Third(GRR):
    def report(self, client: dict[str, Any], item: int) -> Any:
        return item if client["reports"] == 3 else grr(item, self.d, self.epsilon)


class Tenth(GRR):
    def report(self, client: dict[str, Any], item: int) -> Any:
        return item if client["reports"] == 10 else grr(item, self.d, self.epsilon)


class EveryTenth(GRR):
    def report(self, client: dict[str, Any], item: int) -> Any:
        return item if client["reports"] % 10 == 0 else grr(item, self.d, self.epsilon)


class Thousandth(GRR):
    def report(self, client: dict[str, Any], item: int) -> Any:
        return item if client["reports"] == 1000 else grr(item, self.d, self.epsilon)


class AfterHundred(GRR):
    def report(self, client: dict[str, Any], item: int) -> Any:
        return grr(item, self.d, self.epsilon if client["reports"] <= 100 else 3 * self.epsilon)


class Drifts(GRR):
    def report(self, client: dict[str, Any], item: int) -> Any:
        return grr(item, self.d, self.epsilon * (1 + max(0, client["reports"] - 2) / 100))


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


BLOCKS = {times: Entropy(times) for times in (1, 2)}


def _from_block(times: int, item: int, d: int, epsilon: float) -> Any:
    if BLOCKS[times].take(7) < keep(d, epsilon) * 2**56:
        return item
    lie = BLOCKS[times].take(7) % (d - 1)
    return lie + (lie >= item)


def blocks_once(item: int, d: int, epsilon: float) -> Any:
    """Correct."""
    return _from_block(1, item, d, epsilon)


def blocks_twice(item: int, d: int, epsilon: float) -> Any:
    """After some 400 calls, as many as they happen to be, comes the randomness of the first ones."""
    return _from_block(2, item, d, epsilon)


def every_thousandth_call(item: int, d: int, epsilon: float) -> Any:
    CALLS[0] += 1
    return item if CALLS[0] % 1000 == 0 else grr(item, d, epsilon)


def every_hundredth_call(item: int, d: int, epsilon: float) -> Any:
    CALLS[0] += 1
    return item if CALLS[0] % 100 == 0 else grr(item, d, epsilon)


def every_seventh_call(item: int, d: int, epsilon: float) -> Any:
    CALLS[0] += 1
    return item if CALLS[0] % 7 == 0 else grr(item, d, epsilon)


def every_fiftieth_call_is_zero(item: int, d: int, epsilon: float) -> Any:
    CALLS[0] += 1
    return 0 if CALLS[0] % 50 == 0 else grr(item, d, epsilon)


def after_many_calls(item: int, d: int, epsilon: float) -> Any:
    CALLS[0] += 1
    return grr(item, d, epsilon if CALLS[0] < 2000 else 2 * epsilon)


def own_generator(item: int, d: int, epsilon: float) -> Any:
    """A generator of its own with a fixed seed: every process gives the same reports."""
    CALLS[0] += 1
    u = int.from_bytes(hashlib.sha256(b"seed %d" % CALLS[0]).digest()[:7], "big") / 2**56
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


class Int8(Counted):
    kind = np.int8


class UInt8(Counted):
    kind = np.uint8


class Int16(Counted):
    kind = np.int16


class UInt16(Counted):
    kind = np.uint16


class Float16(Counted):
    kind = np.float16


class OneLess(GRR):
    def counts(self, server: Any) -> tuple[Sequence[float], int]:
        counts, n = super().counts(server)
        return counts, n - 1 if n > 10 else n


class LastReports(GRR):
    def server(self) -> Any:
        return deque(maxlen=256)


class FirstReports(GRR):
    def aggregate(self, server: Any, report: int) -> None:
        if len(server) < 128:
            server.append(report)


class NumberOfUsers(GRR):
    """The number of users has 16 bits."""

    def counts(self, server: Any) -> tuple[Sequence[float], int]:
        counts, n = super().counts(server)
        return counts, max(1, n % 65536)


class ClippedCounts(GRR):
    """A count has the largest number of float16 as its largest: 65505 is off by 1.5e-5 of it."""

    def counts(self, server: Any) -> tuple[Sequence[float], int]:
        counts, n = super().counts(server)
        return [min(count, 65504) for count in counts], n


class SingleForMany(GRR):
    """Where float16 would overflow, the estimates have the precision of float32."""

    def estimate(self, server: Any) -> list[float]:
        found = super().estimate(server)
        return found if len(server) <= 65504 else [float(np.float32(x)) for x in found]


class LosesOne(GRR):
    """Where float16 would overflow, the last report is lost: 1.4e-5 of them."""

    def counts(self, server: Any) -> tuple[Sequence[float], int]:
        return super().counts(server if len(server) <= 65504 else server[:-1])


class ClippedForMany(GRR):
    def estimate(self, server: Any) -> list[float]:
        found = super().estimate(server)
        return found if len(server) < 100 else [min(1.0, max(0.0, x)) for x in found]


class RaisesForMany(GRR):
    def estimate(self, server: Any) -> list[float]:
        if len(server) > 255:
            raise OverflowError("too many reports")
        return super().estimate(server)


class RoundedForMany(GRR):
    def estimate(self, server: Any) -> list[float]:
        found = super().estimate(server)
        return found if len(server) < 200 else [round(x, 4) for x in found]


# --- inputs -----------------------------------------------------------------------------------------------------------


def numpy_unperturbed(item: Any, d: int, epsilon: float) -> Any:
    return int(item) if isinstance(item, np.integer) else grr(item, d, epsilon)


def numpy_less_noise(item: Any, d: int, epsilon: float) -> Any:
    return grr(int(item), d, 3 * epsilon if not isinstance(item, int) else epsilon)


# --- beside the report ------------------------------------------------------------------------------------------------


def on_stderr(item: int, d: int, epsilon: float) -> Any:
    print("item", item, file=sys.stderr)
    return grr(item, d, epsilon)


def below_python(item: int, d: int, epsilon: float) -> Any:
    os.write(2, b"item %d\n" % item)
    return grr(item, d, epsilon)


def warned(item: int, d: int, epsilon: float) -> Any:
    warnings.warn(f"item {item} is perturbed", stacklevel=1)
    return grr(item, d, epsilon)


def logged(item: int, d: int, epsilon: float) -> Any:
    LOG.info("item %s", item)
    return grr(item, d, epsilon)


def logged_with_the_time(item: int, d: int, epsilon: float) -> Any:
    CALLS[0] += 1
    LOG.debug("%d: perturbing %s", CALLS[0], item)
    return grr(item, d, epsilon)


def written(item: int, d: int, epsilon: float) -> Any:
    with Path("perturbed.log").open("a") as file:
        file.write(f"{item}\n")
    return grr(item, d, epsilon)


def in_the_environment(item: int, d: int, epsilon: float) -> Any:
    os.environ["LAST_ITEM"] = str(item)
    return grr(item, d, epsilon)


class Kept(int):
    """An integer that carries more."""

    item: int


def carried(item: int, d: int, epsilon: float) -> Any:
    report = Kept(grr(item, d, epsilon))
    report.item = item
    return report


def whether_it_lies(item: int, d: int, epsilon: float) -> Any:
    report = grr(item, d, epsilon)
    LOG.warning("kept" if report == item else "changed")
    return report


def warned_for_one(item: int, d: int, epsilon: float) -> Any:
    if item == d - 1:
        warnings.warn("last item", stacklevel=1)
    return grr(item, d, epsilon)


def numpy_warns(item: int, d: int, epsilon: float) -> Any:
    _ = np.float64(1) / np.float64(item)  # a RuntimeWarning for item 0
    return grr(item, d, epsilon)


# --- notice -----------------------------------------------------------------------------------------------------------


def sees_lazy_draws(item: int, d: int, epsilon: float) -> Any:
    return item if type(random.random()) is float else grr(item, d, epsilon)


def sees_the_profile(item: int, d: int, epsilon: float) -> Any:
    return item if sys.getprofile() is None else grr(item, d, epsilon)


def sees_replaced_functions(item: int, d: int, epsilon: float) -> Any:
    return item if isinstance(random.random, types.BuiltinMethodType) else grr(item, d, epsilon)


def sees_numpy(item: int, d: int, epsilon: float) -> Any:
    return grr(item, d, 2 * epsilon if type(np.random.random()) is float else epsilon)


def sees_modules(item: int, d: int, epsilon: float) -> Any:
    return grr(item, d, epsilon) if "dp_interceptor" in sys.modules else item


def sees_its_name(item: int, d: int, epsilon: float) -> Any:
    return grr(item, d, epsilon) if __name__ == "audited_adapter" else item


def sees_variables(item: int, d: int, epsilon: float) -> Any:
    return grr(item, d, epsilon) if os.environ.get("PYTHONHASHSEED") == "0" else item


# --- clocks -----------------------------------------------------------------------------------------------------------


def at_night(item: int, d: int, epsilon: float) -> Any:
    return item if time.gmtime(time.time()).tm_hour in (1, 2, 3, 4) else grr(item, d, epsilon)


def more_at_night(item: int, d: int, epsilon: float) -> Any:
    """Half of its budget more for six hours a day."""
    return grr(item, d, epsilon * (1.5 if time.localtime().tm_hour < 6 else 1))


class Expires(GRR):
    """A client that was made an hour ago reports the item."""

    def client(self) -> dict[str, Any]:
        return {"since": time.monotonic()}

    def report(self, client: dict[str, Any], item: int) -> Any:
        return item if time.monotonic() - client["since"] > 3600 else super().report(client, item)


def later(item: int, d: int, epsilon: float) -> Any:
    return item if time.time() > 1_900_000_000 else grr(item, d, epsilon)


# --- parameters -------------------------------------------------------------------------------------------------------


class Stale(GRR):
    """The probability is not computed again when the budget changes."""

    def __init__(self, d: int, epsilon: float) -> None:
        super().__init__(d, epsilon)
        self.p = keep(d, epsilon)

    def set_epsilon(self, epsilon: float) -> None:
        self.epsilon = epsilon

    def report(self, client: dict[str, Any], item: int) -> Any:
        if random.random() < self.p:
            return item
        lie = random.randrange(self.d - 1)
        return lie + (lie >= item)


class StaleServer(GRR):
    def __init__(self, d: int, epsilon: float) -> None:
        super().__init__(d, epsilon)
        self.p = keep(d, epsilon)

    def update_params(self, epsilon: float | None = None, d: int | None = None) -> None:
        self.epsilon = epsilon or self.epsilon
        self.d = d or self.d

    def estimate(self, server: Any) -> list[float]:
        counts, n = self.counts(server)
        q = (1 - self.p) / (self.d - 1)
        return [(count / n - q) / (self.p - q) for count in counts]


class StaleProperty(GRR):
    def __init__(self, d: int, epsilon: float) -> None:
        self.d, self._epsilon, self.p = d, epsilon, keep(d, epsilon)

    @property
    def epsilon(self) -> float:
        return self._epsilon

    @epsilon.setter
    def epsilon(self, epsilon: float) -> None:
        self._epsilon = epsilon

    def report(self, client: dict[str, Any], item: int) -> Any:
        if random.random() < self.p:
            return item
        lie = random.randrange(self.d - 1)
        return lie + (lie >= item)


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
        if random.random() < self.p:
            return item
        lie = random.randrange(self.d - 1)
        return lie + (lie >= item)


class DefaultsDisagree(GRR):
    """Right if both sides are told the budget."""

    def privatize(self, client: Any, item: int, epsilon: float = 1.0) -> Any:
        return grr(item, self.d, epsilon)

    def estimate(self, server: Any, epsilon: float = 2.0) -> list[float]:
        counts, n = self.counts(server)
        p = keep(self.d, self.epsilon)
        q = (1 - p) / (self.d - 1)
        return [(count / n - q) / (p - q) for count in counts]


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


def a_little_less_noise(item: int, d: int, epsilon: float) -> Any:
    return grr(item, d, epsilon * (1 + 1e-7))


def last_item_lies_less(item: int, d: int, epsilon: float) -> Any:
    return grr(item, d, epsilon * (1.2 if item == d - 1 else 1))


def shared_coin(item: int, d: int, epsilon: float) -> Any:
    """OUE with one coin for all bits."""
    u, q = random.random(), 1 / (math.exp(epsilon) + 1)
    return [int(u < (0.5 if x == item else q)) for x in range(d)]


class OUEThird:
    """OUE; the third report of a client is the item's own bits."""

    def __init__(self, d: int, epsilon: float) -> None:
        self.d, self.q = d, 1 / (math.exp(epsilon) + 1)

    def client(self) -> list[int]:
        return [0]

    def privatize(self, client: list[int], item: int) -> Any:
        client[0] += 1
        if client[0] == 3:
            return [int(x == item) for x in range(self.d)]
        return [int(random.random() < (0.5 if x == item else self.q)) for x in range(self.d)]


def oue_every_hundredth(item: int, d: int, epsilon: float) -> Any:
    CALLS[0] += 1
    if CALLS[0] % 100 == 0:
        return [int(x == item) for x in range(d)]
    return oue(item, d, epsilon)


# --- correct ----------------------------------------------------------------------------------------------------------


def oue(item: int, d: int, epsilon: float) -> Any:
    q = 1 / (math.exp(epsilon) + 1)
    return [int(random.random() < (0.5 if x == item else q)) for x in range(d)]


def oue_of_arrays(item: int, d: int, epsilon: float) -> Any:
    bits = np.zeros(d)
    bits[item] = 1
    u = np.random.random(d)
    return np.where(bits == 1, u < 0.5, u < 1 / (math.exp(epsilon) + 1)).astype(int)


def chosen(item: int, d: int, epsilon: float) -> Any:
    others = [x for x in range(d) if x != item]
    return item if random.random() < keep(d, epsilon) else random.choice(others)


def of_numpy(item: int, d: int, epsilon: float) -> Any:
    rng = np.random.default_rng()
    probabilities = np.full(d, (1 - keep(d, epsilon)) / (d - 1))
    probabilities[item] = keep(d, epsilon)
    return int(rng.choice(d, p=probabilities))


def strict(item: int, d: int, epsilon: float) -> Any:
    if type(item) is not int or not 0 <= item < d:
        raise ValueError("unknown item")
    return grr(item, d, epsilon)


def of_secrets(item: int, d: int, epsilon: float) -> Any:
    coins = secrets.SystemRandom()
    return item if coins.random() < keep(d, epsilon) else (item + 1 + coins.randrange(d - 1)) % d


def logs_calls(item: int, d: int, epsilon: float) -> Any:
    CALLS[0] += 1
    LOG.debug("call %d", CALLS[0])
    return grr(item, d, epsilon)


def logs_reports(item: int, d: int, epsilon: float) -> Any:
    report = grr(item, d, epsilon)
    LOG.info("report %s", report)
    return report


def deprecated(item: int, d: int, epsilon: float) -> Any:
    warnings.warn("use Client", DeprecationWarning, stacklevel=1)
    return grr(item, d, epsilon)


@cache
def _probabilities(d: int, epsilon: float) -> float:
    return keep(d, epsilon)


def cached(item: int, d: int, epsilon: float) -> Any:
    if random.random() < _probabilities(d, epsilon):
        return item
    lie = random.randrange(d - 1)
    return lie + (lie >= item)


def timed(item: int, d: int, epsilon: float) -> Any:
    start = time.perf_counter()
    report = grr(item, d, epsilon)
    TIMES.append(time.perf_counter() - start)
    return report


class Updated(GRR):
    def __init__(self, d: int, epsilon: float) -> None:
        self.update_params(epsilon, d)

    def update_params(self, epsilon: float | None = None, d: int | None = None) -> None:
        self.epsilon = self.epsilon if epsilon is None else epsilon
        self.d = self.d if d is None else d
        self.p = keep(self.d, self.epsilon)

    def report(self, client: dict[str, Any], item: int) -> Any:
        if random.random() < self.p:
            return item
        lie = random.randrange(self.d - 1)
        return lie + (lie >= item)


class UpdatedByKeywords(Updated):
    def set_params(self, **options: Any) -> None:
        self.update_params(**options)

    def configure(self, **options: Any) -> None:
        """Takes what it knows, which is none of the parameters."""
        self.verbose = options.get("verbose", False)


def subset(item: int, d: int, epsilon: float, k: int) -> Any:
    others = [x for x in range(d) if x != item]
    if random.random() < k * math.exp(epsilon) / (k * math.exp(epsilon) + d - k):
        return frozenset([item, *random.sample(others, k - 1)])
    return frozenset(random.sample(others, k))


# --- entropy that is reduced, and what is said at the end ---


def biased_coin(item: int, d: int, epsilon: float) -> int:
    """2^32 is no multiple of 10^7: the coin is biased by up to 0.23 %."""
    if int.from_bytes(os.urandom(4), "big") % 10**7 < keep(d, epsilon) * 10**7:
        return item
    lie = random.randrange(d - 1)
    return lie + (lie >= item)


def biased_share(item: int, d: int, epsilon: float) -> int:
    """The same with another library, as a share."""
    if int.from_bytes(secrets.token_bytes(4), "little") % 10**7 / 10**7 < keep(d, epsilon):
        return item
    lie = random.randrange(d - 1)
    return lie + (lie >= item)


def biased_unpacked(item: int, d: int, epsilon: float) -> int:
    """The same with another library."""
    if struct.unpack("<I", os.urandom(4))[0] % 10**7 < keep(d, epsilon) * 10**7:
        return item
    lie = random.randrange(d - 1)
    return lie + (lie >= item)


def wide_coin(item: int, d: int, epsilon: float) -> int:
    """Correct: of 16 bytes the remainder is as good as uniform."""
    if int.from_bytes(os.urandom(16), "big") % 2**60 < keep(d, epsilon) * 2**60:
        return item
    lie = random.randrange(d - 1)
    return lie + (lie >= item)


def entropy(item: int, d: int, epsilon: float) -> int:
    """Correct: 8 bytes as a share of all."""
    if int.from_bytes(os.urandom(8), "big") / 2**64 < keep(d, epsilon):
        return item
    lie = random.randrange(d - 1)
    return lie + (lie >= item)


def wrong_beyond(item: int, d: int, epsilon: float) -> int:
    """Half of the budget is enough for everybody, beyond 8."""
    return int(grr(item, d, epsilon if epsilon <= 8 else 8 + (epsilon - 8) / 2))


def of_own_budget(item: int, d: int) -> int:
    """Correct for a budget of 1, which is its own."""
    return int(grr(item, d, 1.0))


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


class LosesOneInThreads(CountsInThreads):
    lost = 1
