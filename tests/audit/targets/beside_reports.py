"""What is left beside reports: leaks, one each, and twins that leave as much and tell no more than the report."""

import io
import logging
import math
import mmap
import os
import random
import socket
import sqlite3
import sys
import threading
import time
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

LOG = logging.getLogger("beside")
LOG.addHandler(logging.NullHandler())
CALLS = [0]
OPEN: dict[str, Any] = {}
Client = Callable[[int, int, float], int]


def another(item: int, d: int, source: Any = random) -> int:
    """Any item but this one."""
    lie = int(source.randrange(d - 1))
    return lie + (lie >= item)


def grr(item: int, d: int, epsilon: float) -> int:
    """Correct."""
    return item if random.random() < math.exp(epsilon) / (math.exp(epsilon) + d - 1) else another(item, d)


def called() -> int:
    CALLS[0] += 1
    return CALLS[0]


def beside(leave: Callable[[int], object], when: Callable[[], bool] = lambda: True) -> Client:
    """Correct, but leaves something of the item at some calls."""

    def client(item: int, d: int, epsilon: float) -> int:
        if when():
            leave(item)
        return grr(item, d, epsilon)

    return client


def after(leave: Callable[[int], object], when: Callable[[int, int], bool] = lambda item, report: True) -> Client:
    """Correct, but leaves something of its report, by item and report."""

    def client(item: int, d: int, epsilon: float) -> int:
        report = grr(item, d, epsilon)
        if when(item, report):
            leave(report)
        return report

    return client


def one_of(number: int) -> bool:
    return random.random() < 1 / number


def opened(name: str, make: Callable[[], Any]) -> Any:
    """What stays open from the first call on."""
    if name not in OPEN:
        OPEN[name] = make()
    return OPEN[name]


def table(name: str) -> sqlite3.Connection:
    """A database with a table of this name."""
    database = sqlite3.connect(f"{name}.db")
    database.execute(f"create table {name} (value)")
    return database


# --- leaks ------------------------------------------------------------------------------------------------------------


def append(item: int) -> None:
    with Path("seldom").open("a") as file:
        file.write(f"{item}\n")


def change_folder(item: int) -> None:
    home = opened("home", Path.cwd)
    os.chdir(home if item else home.parent)


def store(name: str, value: int) -> None:
    opened(name, lambda: table(name)).execute(f"insert into {name} values (?)", (value,))


def map_item(item: int) -> None:
    if "mapped" not in OPEN:
        with Path("mapped").open("w+b") as file:
            file.truncate(4096)
            OPEN["mapped"] = mmap.mmap(file.fileno(), 4096)
    OPEN["mapped"][7] = item


def send(text: str) -> None:
    sender = opened("socket", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
    sender.sendto(text.encode(), ("127.0.0.1", 9))


class Carrier(int):
    """An integer that may carry more."""

    note: int


def carried_seldom(item: int, d: int, epsilon: float) -> int:
    report = Carrier(grr(item, d, epsilon))
    if random.random() < 0.1:
        report.note = item
    return report


one_of_ten = beside(lambda item: print("debug", item, file=sys.stderr), lambda: one_of(10))
one_of_a_thousand = beside(lambda item: LOG.warning("sample %d", item), lambda: one_of(1000))
appended_seldom = beside(append, lambda: one_of(10))
kept_seldom = after(lambda y: print("kept", file=sys.stderr), lambda item, y: y == item and one_of(10))
from_the_2000th_on = beside(lambda item: print("item", item), lambda: called() > 2000)
with_the_time = beside(lambda item: LOG.warning("%d at %s", item, time.time()), lambda: one_of(10))
replaced = after(lambda y: LOG.warning("value replaced"), lambda item, y: y != item)
held_open = beside(lambda item: opened("held", partial(Path("held").open, "w")).write(f"{item}\n"))
"""And not flushed."""
folder = beside(lambda item: Path(f"{item}").mkdir(exist_ok=True))
changes_folder = beside(change_folder)
database = beside(lambda item: store("items", item))
mapped = beside(map_item)
datagram = beside(lambda item: send(f"{item}"))


# --- twins ------------------------------------------------------------------------------------------------------------


def says_the_last_report(item: int, d: int, epsilon: float) -> int:
    print("before", OPEN.get("report"))
    OPEN["report"] = grr(item, d, epsilon)
    return int(OPEN["report"])


class Numbered:
    """Every client says its own number with every report."""

    def __init__(self, d: int, epsilon: float) -> None:
        self.d, self.epsilon = d, epsilon

    def client(self) -> int:
        return called()

    def privatize(self, client: int, item: int) -> int:
        LOG.info("client %d", client)
        return grr(item, self.d, self.epsilon)


def keep_count(item: int) -> None:
    with Path("count").open("w") as file:
        file.write(str(called()))


def open_pipe(item: int) -> None:
    if "reader" not in OPEN:
        os.mkfifo("pipe")
        OPEN["reader"] = io.FileIO(os.open("pipe", os.O_RDONLY | os.O_NONBLOCK))
    os.close(os.open("pipe", os.O_WRONLY))


def lose_folder(item: int) -> None:
    if "home" not in OPEN:
        OPEN["home"] = Path.cwd()
        Path("gone").mkdir()
        os.chdir("gone")
        Path("../gone").rmdir()
    try:
        Path("file").write_text("x")
    except OSError:
        LOG.info("no folder")


counts_calls = beside(lambda item: LOG.debug("call %d at %s", called(), time.time()))
every_fourth = beside(lambda item: LOG.info("four more"), lambda: called() % 4 == 0)
only_at_first = beside(lambda item: warnings.warn("not warm yet", stacklevel=1), lambda: called() < 600)
says_its_report = after(lambda y: print("report", y, file=sys.stderr))
says_it_seldom = after(lambda y: LOG.info("report %d", y), lambda item, y: one_of(100))
stores_reports = after(lambda y: store("reports", y))
keeps_a_count = beside(keep_count)
into_a_pipe = beside(open_pipe)
"""Which must not be read from; what is written may be anything."""
from_no_folder = beside(lose_folder)
heartbeat = beside(lambda item: send("alive"))
quiet = grr


def noisy(row: int, values: list[int], epsilon: float) -> float:
    """Says its report, which tells more than the nearest integer."""
    report = values[row] + random.expovariate(epsilon) - random.expovariate(epsilon)
    LOG.info("%.1f", report)
    return report


def noisy_and_says_the_value(row: int, values: list[int], epsilon: float) -> float:
    LOG.info("%d", values[row])
    return values[row] + random.expovariate(epsilon) - random.expovariate(epsilon)


# --- generators with a constant seed, in another thread ---------------------------------------------------------------


def in_a_thread(seed: int | None) -> random.Random:
    made: list[random.Random] = []
    thread = threading.Thread(target=lambda: made.append(random.Random(seed)))
    thread.start()
    thread.join()
    return made[0]


def lying(make: Callable[[], random.Random]) -> Client:
    """Its lies are of a generator that is made once."""
    made: list[random.Random] = []

    def client(item: int, d: int, epsilon: float) -> int:
        made.extend([] if made else [make()])
        truth = random.random() < math.exp(epsilon) / (math.exp(epsilon) + d - 1)
        return item if truth else another(item, d, made[0])

    return client


seeded_in_a_thread = lying(lambda: in_a_thread(7))
seeded_by_entropy = lying(lambda: in_a_thread(None))
seeded_by_a_draw = lying(lambda: in_a_thread(random.getrandbits(64)))


def seeded_for_numpy(item: int, d: int, epsilon: float) -> int:
    generator = opened("numpy", lambda: np.random.default_rng(7))
    truth = random.random() < math.exp(epsilon) / (math.exp(epsilon) + d - 1)
    return item if truth else (item + 1 + int(generator.integers(d - 1))) % d


HASHED = random.Random(0)


def hashes_with_a_generator(item: int, d: int, epsilon: float) -> int:
    """One of three public functions, which a generator serves to compute: what it is for is not said."""
    HASHED.seed(f"{called() % 3}-{item}")
    OPEN["hash"] = HASHED.randrange(5)
    return grr(item, d, epsilon)


def _run(scale: float) -> int:
    n = 0
    while random.random() < math.exp(-1 / scale):
        n += 1
    return n


def logs_the_noise(item: int, scale: float) -> int:
    """Who sees the report and its noise sees the value."""
    noise = _run(scale) - _run(scale)
    LOG.warning("noise %d", noise)
    return item + noise


def logs_the_noisy_value(item: int, scale: float) -> int:
    """The report itself, also where an audit sees no more of it than that it is outside of its window."""
    report = item + _run(scale) - _run(scale)
    LOG.warning("released %d", report)
    return report
