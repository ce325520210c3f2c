"""Fuzzing in processes of their own: a reader may run out of memory there, or take the interpreter down with it."""

import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from torture.findings import Finding, Tried, shortened
from torture.fuzz import Fault, Found, Key, drawn, fuzz, readers

BYTES = 4 << 30
"""Of memory for a process."""
STUCK = 60
"""Seconds without a next input after which a process ends (by SIGALRM)."""


class Fuzzed(NamedTuple):
    """The faults by kind, each once; how much was tried."""

    found: dict[Key, Finding]
    tried: Tried


def fuzz_jobs(seed: int, inputs: range) -> Fuzzed:
    """Try the inputs with these numbers in a process; where that dies, in another one after the deadly input."""
    result = Fuzzed({}, Counter())
    path = os.pathsep.join(entry for entry in sys.path if entry)
    with tempfile.TemporaryDirectory() as folder:
        progress = Path(folder, "progress")
        while inputs:
            progress.write_text(str(inputs.start))
            numbers = [str(number) for number in (seed, inputs.start, inputs.stop)]
            command = [sys.executable, "-m", "torture.fuzz_jobs", *numbers, str(progress)]
            done = subprocess.run(command, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": path}, check=False)
            for line in map(json.loads, done.stdout.split(b"\n")[:-1]):
                result.tried.update(line.get("tried", {}))
                if "fault" in line:
                    failure = Found(Fault(*line["fault"]), line["index"], bytes.fromhex(line["data"]))
                    result.found.setdefault(failure.fault.key, finding(failure, seed))
            if not done.returncode:
                break
            last, how = int(progress.read_text()), f"ends with {done.returncode}"
            result.tried["(by processes that died)"] += last - inputs.start + 1
            death = Finding(f"fuzz: input {last}", "an answer", f"the whole process {how}", _again(seed, last))
            result.found["", how, str(last)] = death
            inputs = range(last + 1, inputs.stop)
    return result


def finding(failure: Found, seed: int) -> Finding:
    """A fault of a reader as a finding."""
    text = shortened(failure.data.decode("utf-8", "backslashreplace"))
    return Finding(
        f"fuzz {failure.fault.reader}: {len(failure.data)} bytes: {text}",
        "it is accepted, or refused with the error that is documented",
        f"{failure.fault.kind} in {failure.fault.place}: {failure.fault.text}",
        _again(seed, failure.number),
    )


def _again(seed: int, index: int) -> str:
    return f"python -m torture --only fuzz --seed {seed} --index {index}"


def shown(seed: int, index: int) -> Iterator[Finding]:
    """One input alone, in this process."""
    with tempfile.TemporaryDirectory() as folder:
        every = readers(Path(folder))
        reader, data = drawn(every, seed, index)
        print(f"{reader.name}: {data!r}")
        for failure in fuzz(every, seed, [index], Counter()):
            yield finding(failure, seed)


def main(seed: int, inputs: range, progress: str) -> None:
    """The worker: faults as JSON lines when they are found, counts when all inputs are tried."""
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    tried: Tried = Counter()
    memory = "/dev/shm" if Path("/dev/shm").is_dir() else None
    with tempfile.TemporaryDirectory(dir=memory) as folder, Path(progress).open("w") as file:

        def watch(index: int) -> None:
            """Note the input that is tried, or was last; the process ends where it does not even notice an alarm."""
            file.seek(0)
            file.write(str(index))
            file.flush()
            signal.alarm(STUCK)

        for failure in fuzz(readers(Path(folder)), seed, inputs, tried, watch):
            line = {"fault": failure.fault, "index": failure.number, "data": failure.data.hex()}
            print(json.dumps(line), flush=True)
    print(json.dumps({"tried": tried}), flush=True)


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        main(int(sys.argv[1]), range(int(sys.argv[2]), int(sys.argv[3])), sys.argv[4])
