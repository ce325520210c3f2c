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
from pathlib import Path
from typing import Any

import numpy as np

LOG = logging.getLogger("beside")
LOG.addHandler(logging.NullHandler())
CALLS = [0]
OPEN: dict[str, Any] = {}


def grr(item: int, d: int, epsilon: float) -> int:
    """Correct."""
    if random.random() < math.exp(epsilon) / (math.exp(epsilon) + d - 1):
        return item
    lie = random.randrange(d - 1)
    return lie + (lie >= item)


def called() -> int:
    CALLS[0] += 1
    return CALLS[0]


# --- leaks ------------------------------------------------------------------------------------------------------------


def one_of_ten(item: int, d: int, epsilon: float) -> int:
    if random.random() < 0.1:
        print("debug", item, file=sys.stderr)
    return grr(item, d, epsilon)


def one_of_a_thousand(item: int, d: int, epsilon: float) -> int:
    if random.random() < 0.001:
        LOG.warning("sample %d", item)
    return grr(item, d, epsilon)


def appended_seldom(item: int, d: int, epsilon: float) -> int:
    if random.random() < 0.1:
        with Path("seldom").open("a") as file:
            file.write(f"{item}\n")
    return grr(item, d, epsilon)


class Carrier(int):
    """An integer that may carry more."""

    note: int


def carried_seldom(item: int, d: int, epsilon: float) -> int:
    report = Carrier(grr(item, d, epsilon))
    if random.random() < 0.1:
        report.note = item
    return report


def kept_seldom(item: int, d: int, epsilon: float) -> int:
    report = grr(item, d, epsilon)
    if report == item and random.random() < 0.1:
        print("kept", file=sys.stderr)
    return report


def from_the_2000th_on(item: int, d: int, epsilon: float) -> int:
    if called() > 2000:
        print("item", item)
    return grr(item, d, epsilon)


def with_the_time(item: int, d: int, epsilon: float) -> int:
    if random.random() < 0.1:
        LOG.warning("%d at %s", item, time.time())
    return grr(item, d, epsilon)


def replaced(item: int, d: int, epsilon: float) -> int:
    report = grr(item, d, epsilon)
    if report != item:
        LOG.warning("value replaced")
    return report


def held_open(item: int, d: int, epsilon: float) -> int:
    if "held" not in OPEN:
        OPEN["held"] = Path("held").open("w")  # noqa: SIM115 - that it stays open is the point
    OPEN["held"].write(f"{item}\n")  # and not flushed
    return grr(item, d, epsilon)


def folder(item: int, d: int, epsilon: float) -> int:
    Path(f"{item}").mkdir(exist_ok=True)
    return grr(item, d, epsilon)


def changes_folder(item: int, d: int, epsilon: float) -> int:
    home = OPEN.setdefault("home", Path.cwd())
    os.chdir(home if item else home.parent)
    return grr(item, d, epsilon)


def database(item: int, d: int, epsilon: float) -> int:
    if "database" not in OPEN:
        OPEN["database"] = sqlite3.connect("items.db")
        OPEN["database"].execute("create table items (item)")
    OPEN["database"].execute("insert into items values (?)", (item,))
    return grr(item, d, epsilon)


def mapped(item: int, d: int, epsilon: float) -> int:
    if "mapped" not in OPEN:
        with Path("mapped").open("w+b") as file:
            file.truncate(4096)
            OPEN["mapped"] = mmap.mmap(file.fileno(), 4096)
    OPEN["mapped"][7] = item
    return grr(item, d, epsilon)


def datagram(item: int, d: int, epsilon: float, told: str | None = None) -> int:
    sock = OPEN.get("socket") or OPEN.setdefault("socket", socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
    sock.sendto((told or f"{item}").encode(), ("127.0.0.1", 9))
    return grr(item, d, epsilon)


# --- twins ------------------------------------------------------------------------------------------------------------


def counts_calls(item: int, d: int, epsilon: float) -> int:
    LOG.debug("call %d at %s", called(), time.time())
    return grr(item, d, epsilon)


def every_fourth(item: int, d: int, epsilon: float) -> int:
    if called() % 4 == 0:
        LOG.info("four more")
    return grr(item, d, epsilon)


def only_at_first(item: int, d: int, epsilon: float) -> int:
    if called() < 600:
        warnings.warn("not warm yet", stacklevel=1)
    return grr(item, d, epsilon)


def says_its_report(item: int, d: int, epsilon: float) -> int:
    report = grr(item, d, epsilon)
    print("report", report, file=sys.stderr)
    return report


def says_it_seldom(item: int, d: int, epsilon: float) -> int:
    report = grr(item, d, epsilon)
    if random.random() < 0.01:
        LOG.info("report %d", report)
    return report


def says_the_last_report(item: int, d: int, epsilon: float) -> int:
    print("before", OPEN.get("report"))
    OPEN["report"] = grr(item, d, epsilon)
    return int(OPEN["report"])


def stores_reports(item: int, d: int, epsilon: float) -> int:
    if "database" not in OPEN:
        OPEN["database"] = sqlite3.connect("reports.db")
        OPEN["database"].execute("create table reports (report)")
    report = grr(item, d, epsilon)
    OPEN["database"].execute("insert into reports values (?)", (report,))
    return report


def keeps_a_count(item: int, d: int, epsilon: float) -> int:
    with Path("count").open("w") as file:
        file.write(str(called()))
    return grr(item, d, epsilon)


class Numbered:
    """Every client says its own number with every report."""

    def __init__(self, d: int, epsilon: float) -> None:
        self.d, self.epsilon = d, epsilon

    def client(self) -> int:
        return called()

    def privatize(self, client: int, item: int) -> int:
        LOG.info("client %d", client)
        return grr(item, self.d, self.epsilon)


def into_a_pipe(item: int, d: int, epsilon: float) -> int:
    """Which must not be read from; what is written may be anything."""
    if "reader" not in OPEN:
        os.mkfifo("pipe")
        OPEN["reader"] = io.FileIO(os.open("pipe", os.O_RDONLY | os.O_NONBLOCK))
    os.close(os.open("pipe", os.O_WRONLY))
    return grr(item, d, epsilon)


def from_no_folder(item: int, d: int, epsilon: float) -> int:
    if "home" not in OPEN:
        OPEN["home"] = Path.cwd()
        Path("gone").mkdir()
        os.chdir("gone")
        Path("../gone").rmdir()
    try:
        Path("file").write_text("x")
    except OSError:
        LOG.info("no folder")
    return grr(item, d, epsilon)


def heartbeat(item: int, d: int, epsilon: float) -> int:
    return datagram(item, d, epsilon, told="alive")


def quiet(item: int, d: int, epsilon: float) -> int:
    return grr(item, d, epsilon)


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


def _of(generator: random.Random, item: int, d: int, epsilon: float) -> int:
    if random.random() < math.exp(epsilon) / (math.exp(epsilon) + d - 1):
        return item
    lie = generator.randrange(d - 1)
    return lie + (lie >= item)


def seeded_in_a_thread(item: int, d: int, epsilon: float) -> int:
    return _of(OPEN.get("seeded") or OPEN.setdefault("seeded", in_a_thread(7)), item, d, epsilon)


def seeded_by_entropy(item: int, d: int, epsilon: float) -> int:
    return _of(OPEN.get("entropy") or OPEN.setdefault("entropy", in_a_thread(None)), item, d, epsilon)


def seeded_by_a_draw(item: int, d: int, epsilon: float) -> int:
    return _of(OPEN.get("drawn") or OPEN.setdefault("drawn", in_a_thread(random.getrandbits(64))), item, d, epsilon)


def seeded_for_numpy(item: int, d: int, epsilon: float) -> int:
    if "numpy" not in OPEN:
        OPEN["numpy"] = np.random.default_rng(7)
    report = random.random() < math.exp(epsilon) / (math.exp(epsilon) + d - 1)
    return item if report else (item + 1 + int(OPEN["numpy"].integers(d - 1))) % d


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
