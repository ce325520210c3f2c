"""Fuzzing in processes of their own: a reader may run out of memory there, or take the interpreter down with it."""

import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from torture.findings import Finding, Tried, shortened
from torture.fuzz import Found, drawn, fuzz, readers
from torture.guard import SECONDS, Fault

BYTES = 4 << 30
"""Of memory for a process."""
STUCK = 60
"""Seconds without a next input after which a process ends (by SIGALRM)."""
Key = tuple[str, str, str]
"""A reader, a kind of fault, and its place."""


class Fuzzed(NamedTuple):
    """The faults by kind, each once; how much was tried; how often each fault came."""

    found: dict[Key, Finding]
    tried: Tried
    again: Counter[Key]


def fuzz_jobs(seed: int, inputs: range) -> Fuzzed:
    """Try the inputs with these numbers in a process; where that dies, in another one after the deadly input."""
    result = Fuzzed({}, Counter(), Counter())
    path = os.pathsep.join(entry for entry in sys.path if entry)
    with tempfile.TemporaryDirectory() as folder:
        progress = Path(folder, "progress")
        while inputs:
            progress.write_text(str(inputs.start))
            numbers = [str(number) for number in (seed, inputs.start, inputs.stop)]
            command = [sys.executable, "-m", "torture.fuzz_jobs", *numbers, str(progress)]
            done = subprocess.run(command, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": path}, check=False)
            for line in map(json.loads, done.stdout.split(b"\n")[:-1]):
                if "tried" in line:
                    result.tried.update(line["tried"])
                    result.again.update({_key(key): times for key, times in line["again"]})
                else:
                    failure = Found(Fault(*line["fault"]), line["index"], bytes.fromhex(line["data"]))
                    result.found.setdefault(_key(line["fault"]), finding(failure, seed))
            if not done.returncode:
                break
            last, how = int(progress.read_text()), f"ends with {done.returncode}"
            result.tried["(by processes that died)"] += last - inputs.start + 1
            result.found["", how, str(last)] = _death(seed, last, how)
            inputs = range(last + 1, inputs.stop)
    return result


def _key(fault: Sequence[str]) -> Key:
    reader, kind, place = fault[:3]
    return reader, kind, place


def finding(failure: Found, seed: int) -> Finding:
    """A fault of a reader as a finding."""
    text = shortened(failure.data.decode("utf-8", "backslashreplace"))
    return Finding(
        f"fuzz {failure.fault.reader}: {len(failure.data)} bytes: {text}",
        "it is accepted, or refused with the error that is documented",
        f"{failure.fault.kind} in {failure.fault.place}: {failure.fault.text}",
        f"python -m torture --only fuzz --seed {seed} --index {failure.number}",
    )


def _death(seed: int, index: int, how: str) -> Finding:
    again = f"python -m torture --only fuzz --seed {seed} --index {index}"
    return Finding(f"fuzz: input {index}", "an answer", f"the whole process {how}", again)


def shown(seed: int, index: int) -> Iterator[Finding]:
    """One input alone, in this process."""
    with tempfile.TemporaryDirectory() as folder:
        every = readers(Path(folder))
        reader, data = drawn(every, seed, index)
        print(f"{reader.name}: {data!r}")
        for failure in fuzz(every, seed, [index], Counter(), Counter()):
            yield finding(failure, seed)


def main() -> None:
    """The worker: faults as JSON lines when they are found, counts when all inputs are tried."""
    parser = argparse.ArgumentParser(prog="torture.fuzz_jobs")
    for name in ("seed", "first", "stop"):
        parser.add_argument(name, type=int)
    parser.add_argument("progress", type=Path)
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    tried: Tried = Counter()
    again: Counter[tuple[str, str, str]] = Counter()
    with (
        tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder,
        options.progress.open("w") as file,
    ):

        def watch(index: int) -> None:
            """Note the input that is tried, or was last; the process ends where it does not even notice an alarm."""
            file.seek(0)
            file.write(str(index))
            file.flush()
            signal.alarm(STUCK)

        inputs = range(options.first, options.stop)
        for failure in fuzz(readers(Path(folder)), options.seed, inputs, tried, again, watch, SECONDS):
            line = {"fault": failure.fault, "index": failure.number, "data": failure.data.hex()}
            print(json.dumps(line), flush=True)
    print(json.dumps({"tried": tried, "again": [*again.items()]}), flush=True)


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        main()
