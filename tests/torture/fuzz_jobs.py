"""Fuzzing in processes of their own: a reader may run out of memory there, or take the interpreter down with it."""

import argparse
import json
import mmap
import os
import resource
import struct
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from torture.findings import Finding, Tried, shortened
from torture.fuzz import Found, drawn, fuzz, readers
from torture.guard import SECONDS, Fault

BYTES = 4 << 30
"""Of memory for a process."""
STUCK = 60.0
"""Seconds without a next input after which a process is killed: what does not even notice an alarm."""


class Worker:
    """A process that tries every step-th input from a first one."""

    def __init__(self, folder: Path, seed: int, first: int, stop: int, step: int) -> None:
        self.seed, self.first, self.stop, self.step = seed, first, stop, step
        self._output, self._progress = folder / f"{first}.jsonl", folder / f"{first}.progress"
        self._progress.write_bytes(struct.pack("q", first))
        numbers = [str(number) for number in (seed, first, stop, step)]
        path = os.pathsep.join(entry for entry in sys.path if entry)
        command = [sys.executable, "-m", "torture.fuzz_jobs", *numbers, str(self._progress)]
        with self._output.open("wb") as output:
            self.process = subprocess.Popen(command, stdout=output, env={**os.environ, "PYTHONPATH": path})
        self._last, self._since, self._read = first, time.monotonic(), 0

    @property
    def index(self) -> int:
        """The input that is tried, or was last."""
        found: int = struct.unpack("q", self._progress.read_bytes())[0]
        return found

    def stuck(self) -> bool:
        """Whether the same input has been tried for too long."""
        if self.index != self._last:
            self._last, self._since = self.index, time.monotonic()
        return time.monotonic() - self._since > STUCK

    def lines(self) -> list[Any]:
        """What it has printed since this was asked for last, whole lines only."""
        with self._output.open("rb") as output:
            output.seek(self._read)
            found = [line for line in output.readlines() if line.endswith(b"\n")]
        self._read += sum(map(len, found))
        return [json.loads(line) for line in found]


def fuzz_jobs(seed: int, number: int, jobs: int, tried: Tried, again: Counter[tuple[str, ...]]) -> Iterator[Finding]:
    """So many inputs on so many processes; each fault once, and how often it came in `again`."""
    seen: set[tuple[str, ...]] = set()
    with tempfile.TemporaryDirectory() as folder:
        working = [Worker(Path(folder), seed, first, number, jobs) for first in range(jobs)]
        try:
            while working:
                time.sleep(0.2)
                for worker in [*working]:
                    stuck = worker.stuck()
                    ended = stuck or worker.process.poll() is not None
                    for line in worker.lines():
                        if "tried" in line:
                            tried.update(line["tried"])
                            again.update({tuple(key): times for key, times in line["again"]})
                        elif (key := tuple(line["fault"][:3])) not in seen:
                            seen.add(key)
                            smallest = bytes.fromhex(line["smallest"])
                            yield finding(Found(Fault(*line["fault"]), line["index"], smallest), seed)
                    if not ended:
                        continue
                    working.remove(worker)
                    worker.process.kill()
                    if code := worker.process.wait():
                        tried["(by processes that died)"] += (worker.index - worker.first) // jobs + 1
                        yield _death(worker, "does not notice an alarm" if stuck else f"ends with {code}")
                        if worker.index + jobs < number:
                            working.append(Worker(Path(folder), seed, worker.index + jobs, number, jobs))
        finally:
            for worker in working:
                worker.process.kill()
                worker.process.wait()


def finding(found: Found, seed: int) -> Finding:
    """A fault of a reader as a finding."""
    shown = shortened(found.smallest.decode("utf-8", "backslashreplace"))
    return Finding(
        f"fuzz {found.fault.reader}: {len(found.smallest)} bytes: {shown}",
        "it is accepted, or refused with the error that is documented",
        f"{found.fault.kind} in {found.fault.place}: {found.fault.text}",
        f"python -m torture --only fuzz --seed {seed} --index {found.number}",
    )


def _death(worker: Worker, how: str) -> Finding:
    again = f"python -m torture --only fuzz --seed {worker.seed} --index {worker.index}"
    return Finding(f"fuzz: input {worker.index}", "an answer", f"the whole process {how}", again)


def shown(seed: int, index: int) -> Iterator[Finding]:
    """One input alone, in this process."""
    with tempfile.TemporaryDirectory() as folder:
        known = readers(Path(folder))
        reader, data = drawn(known, seed, index)
        print(f"{reader.name}: {data!r}")
        for found in fuzz(known, seed, [index], Counter(), Counter()):
            yield finding(found, seed)


def main() -> None:
    """The worker: faults as JSON lines when they are found, counts when all inputs are tried."""
    parser = argparse.ArgumentParser(prog="torture.fuzz_jobs")
    for name in ("seed", "first", "stop", "step"):
        parser.add_argument(name, type=int)
    parser.add_argument("progress", type=Path)
    given = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    tried: Tried = Counter()
    again: Counter[tuple[str, str, str]] = Counter()
    with (
        tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder,
        given.progress.open("r+b") as file,
        mmap.mmap(file.fileno(), 8) as place,
    ):

        def watch(index: int) -> None:
            struct.pack_into("q", place, 0, index)

        inputs = range(given.first, given.stop, given.step)
        for found in fuzz(readers(Path(folder)), given.seed, inputs, tried, again, watch, SECONDS):
            line = {"fault": found.fault, "index": found.number, "smallest": found.smallest.hex()}
            print(json.dumps(line), flush=True)
    print(json.dumps({"tried": tried, "again": [*again.items()]}), flush=True)


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        main()
