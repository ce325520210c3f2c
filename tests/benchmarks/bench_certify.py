"""`dp-refimpl certify` of all rows on the theorems of source 002, as a command: on two processes, and once more.

Every round begins anew (`--fresh`), one process and two in turn; what was decided is then taken from the journal.
Source 003 once, beside limits of time, and the kernel alone on its certificates, in two processes: the time, and the
largest memory of a process.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.table import line

THEOREMS = "002.thm*"
ROUNDS = 2
TWO = line("certify, theorems of source 002, on two processes", "on one process")
"""Statements share what a process has computed for another one: they are not a campaign of equal tasks."""
AGAIN = line("certify, theorems of source 002, once more", "the first time, on one process", required=5)
TABLES, CHECKED = "certify, source 003, on two processes", "the kernel on certificates of source 003, in two processes"
WHOLE = line(TABLES, "three minutes", "times as long", required=1)
KERNEL = line(CHECKED, "thirty seconds", "times as long", required=1)
MEMORY = line(f"{CHECKED}: memory", "512 MB", "times as much", required=1)
VARIABLES = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


def certify(out: Path, *options: str, claims: str = THEOREMS) -> float:
    """Seconds of the command."""
    command = [sys.executable, "-m", "dp_command", "certify", claims, "--out", str(out), *options]
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, env=VARIABLES)
    return time.perf_counter() - start


SHARE = 20
"""Certificates of one process."""
WAITING = """
import json, os, sys
from concurrent.futures import ThreadPoolExecutor
from subprocess import DEVNULL, Popen
def ended(files):
    return os.wait4(Popen([sys.executable, "-S", "-m", "dp_kernel", *files], stdout=DEVNULL).pid, 0)
with ThreadPoolExecutor(2) as pool:
    ended = list(pool.map(ended, json.load(sys.stdin)))
print(json.dumps([max(usage.ru_maxrss for _, _, usage in ended), [status for _, status, _ in ended]]))
os._exit(0)
"""
"""Starts the kernel on lists of files, two at a time. A process of its own: what a process had before it started the
kernel counts as the kernel's memory."""


def recheck(certificates: Sequence[Path]) -> tuple[float, int]:
    """Seconds of two processes at a time, with a share of the certificates each as in `make recheck`, and the largest
    memory of one, in bytes.
    """
    paths = [str(path) for path in certificates]
    shares = json.dumps([paths[i : i + SHARE] for i in range(0, len(paths), SHARE)])
    start = time.perf_counter()
    command = [sys.executable, "-S", "-c", WAITING]
    done = subprocess.run(command, input=shares, check=True, capture_output=True, text=True, env=VARIABLES)
    seconds = time.perf_counter() - start
    kilobytes, statuses = json.loads(done.stdout)
    assert set(statuses) == {0}
    return seconds, kilobytes * 1024


def test_certify(tmp_path: Path) -> None:
    rounds = [(certify(tmp_path, "--fresh"), certify(tmp_path, "--fresh", "--jobs", "2")) for _ in range(ROUNDS)]
    one, two = (min(seconds) for seconds in zip(*rounds, strict=True))
    TWO.record(two, one)
    AGAIN.record(min(certify(tmp_path) for _ in range(ROUNDS)), one)


def test_synthetic_tables(tmp_path: Path) -> None:
    WHOLE.record(certify(tmp_path, "--fresh", "--jobs", "2", claims="003.*"), 180)
    seconds, memory = recheck(sorted((tmp_path / "certificates").glob("*.json")))
    KERNEL.record(seconds, 30)
    MEMORY.record(memory, 512 * 10**6)
