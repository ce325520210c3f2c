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
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from torture.findings import Finding, Tried, shortened
from torture.fuzz import Found, drawn, fuzz, readers
from torture.guard import SECONDS, Fault

BYTES = 4 << 30
"""Of memory for a process."""
STUCK = 60.0
"""Seconds without a next input after which a process is killed: what does not even notice an alarm."""
Key = tuple[str, str, str]
"""A reader, a kind of fault, and its place."""


class Worker:
    """A process that tries the inputs with these numbers."""

    def __init__(self, folder: Path, seed: int, inputs: range) -> None:
        self.seed, self.inputs = seed, inputs
        self._output, self._progress = folder / f"{inputs.start}.jsonl", folder / f"{inputs.start}.progress"
        self._progress.write_bytes(struct.pack("q", inputs.start))
        numbers = [str(number) for number in (seed, inputs.start, inputs.stop)]
        path = os.pathsep.join(entry for entry in sys.path if entry)
        command = [sys.executable, "-m", "torture.fuzz_jobs", *numbers, str(self._progress)]
        with self._output.open("wb") as output:
            self.process = subprocess.Popen(command, stdout=output, env={**os.environ, "PYTHONPATH": path})

    @property
    def index(self) -> int:
        """The input that is tried, or was last."""
        found: int = struct.unpack("q", self._progress.read_bytes())[0]
        return found

    def ended(self) -> str:
        """Wait; how it ended where that is no good end."""
        last, since = self.index, time.monotonic()
        try:
            while (code := self.process.poll()) is None:
                time.sleep(0.1)
                if self.index != last:
                    last, since = self.index, time.monotonic()
                elif time.monotonic() - since > STUCK:
                    return "does not notice an alarm"
            return f"ends with {code}" if code else ""
        finally:
            self.process.kill()
            self.process.wait()

    def lines(self) -> list[Any]:
        """What it has printed, whole lines only."""
        with self._output.open("rb") as output:
            return [json.loads(line) for line in output if line.endswith(b"\n")]


class Fuzzed(NamedTuple):
    """The faults by kind, each once; how much was tried; how often each fault came."""

    found: dict[Key, Finding]
    tried: Tried
    again: Counter[Key]


def fuzz_jobs(seed: int, inputs: range) -> Fuzzed:
    """Try the inputs with these numbers in a process; where that dies, in another one after the deadly input."""
    result = Fuzzed({}, Counter(), Counter())
    with tempfile.TemporaryDirectory() as folder:
        while inputs:
            worker = Worker(Path(folder), seed, inputs)
            how = worker.ended()
            for line in worker.lines():
                if "tried" in line:
                    result.tried.update(line["tried"])
                    result.again.update({_key(key): times for key, times in line["again"]})
                else:
                    shown = Found(Fault(*line["fault"]), line["index"], bytes.fromhex(line["smallest"]))
                    result.found.setdefault(_key(line["fault"]), finding(shown, seed))
            if not how:
                break
            last = worker.index
            result.tried["(by processes that died)"] += last - inputs.start + 1
            result.found["", how, str(last)] = _death(worker, how)
            inputs = range(last + 1, inputs.stop)
    return result


def _key(fault: Sequence[str]) -> Key:
    reader, kind, place = fault[:3]
    return reader, kind, place


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
    for name in ("seed", "first", "stop"):
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

        inputs = range(given.first, given.stop)
        for found in fuzz(readers(Path(folder)), given.seed, inputs, tried, again, watch, SECONDS):
            line = {"fault": found.fault, "index": found.number, "smallest": found.smallest.hex()}
            print(json.dumps(line), flush=True)
    print(json.dumps({"tried": tried, "again": [*again.items()]}), flush=True)


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        main()
