"""`dp-refimpl certify` of all rows on the theorems of source 002, as a command: on two processes, and once more.

Every round begins anew (`--fresh`), one process and two in turn; what was decided is then taken from the journal.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.table import line

THEOREMS = "002.thm*"
ROUNDS = 2
TWO = line("certify, theorems of source 002, on two processes", "on one process")
"""Statements share what a process has computed for another one: they are not a campaign of equal tasks."""
AGAIN = line("certify, theorems of source 002, once more", "the first time, on one process", required=5)


def certify(out: Path, *options: str) -> float:
    """Seconds of the command."""
    command = [sys.executable, "-m", "dp_command", "certify", THEOREMS, "--out", str(out), *options]
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, env=variables)
    return time.perf_counter() - start


def test_certify(tmp_path: Path) -> None:
    rounds = [(certify(tmp_path, "--fresh"), certify(tmp_path, "--fresh", "--jobs", "2")) for _ in range(ROUNDS)]
    one, two = (min(seconds) for seconds in zip(*rounds, strict=True))
    TWO.record(two, one)
    AGAIN.record(min(certify(tmp_path) for _ in range(ROUNDS)), one)
