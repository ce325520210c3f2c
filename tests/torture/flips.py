"""Damaged journals: an interrupted run's journal is changed; the same command goes on, says so, and ends as if never
interrupted."""

import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from random import Random

from torture.findings import Finding, Tried
from torture.processes import Job
from torture.workshop import CERTIFY, REPRODUCE, Case, Workshop, orphans

CASES = (*CERTIFY, *CERTIFY, REPRODUCE[0])
_INTERRUPTED: dict[tuple[Path, Case], Path] = {}


def interrupted(case: Case, workshop: Workshop) -> Path:
    """The folder of a run that was killed with some lines in its journal; made once."""
    key = (workshop.folder, case)
    if key not in _INTERRUPTED:
        least = 3 if case.words[0] == "certify" else 30
        while True:
            out = workshop.fresh()
            job = Job(case.arguments(out))
            while not job.wait(0.002) and len(_lines(out)) < least:
                pass
            job.send(signal.SIGKILL)
            job.ended()
            if _lines(out):  # otherwise it ended before
                break
        _INTERRUPTED[key] = out
    return _INTERRUPTED[key]


def _lines(out: Path) -> list[bytes]:
    journal = out / "journal.jsonl"
    return journal.read_bytes().splitlines() if journal.exists() else []


def damaged(data: bytes, rng: Random) -> tuple[str, bytes]:
    """What was done, and the journal after it."""
    lines = data.splitlines(keepends=True)
    i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
    start = rng.randrange(len(data))
    size = rng.choice((1, 1, 2, 20, 200))
    match rng.randrange(8):
        case 0 | 1 | 2:
            flipped = bytearray(data)
            places = [rng.randrange(8 * len(data)) for _ in range(rng.choice((1, 1, 3, 30)))]
            for bit in places:
                flipped[bit // 8] ^= 1 << bit % 8
            return f"bits {places[:5]} flipped", bytes(flipped)
        case 3:
            return f"{size} bytes deleted at {start}", data[:start] + data[start + size :]
        case 4:
            return f"{size} bytes inserted at {start}", data[:start] + rng.randbytes(size) + data[start:]
        case 5:
            return f"line {i} doubled at {j}", b"".join([*lines[:j], lines[i], *lines[j:]])
        case 6:
            return f"cut off after {start} bytes", data[:start]
        case _:
            lines[i], lines[j] = lines[j], lines[i]
            return f"lines {i} and {j} exchanged", b"".join(lines)


def flips(rng: Random, tried: Tried, workshop: Workshop, cases: tuple[Case, ...] = CASES) -> Iterator[Finding]:
    """One damaged journal. A line that was not in it as it is now has to be told."""
    case = rng.choice(cases)
    out = workshop.fresh()
    shutil.copytree(interrupted(case, workshop), out, dirs_exist_ok=True)
    journal = out / "journal.jsonl"
    before = journal.read_bytes()
    how, after = damaged(before, rng)
    journal.write_bytes(after)
    tried[f"{case.words[0]} {case.words[-1]}"] += 1
    ended = Job(case.arguments(out)).ended()
    done = f"{case}: {how} in a journal of {len(before.splitlines())} lines; started again"
    yield from orphans(ended, done)
    yield from workshop.compared(case, out, ended, done)
    strange = {line for line in after.split(b"\n") if line.strip()} - set(before.split(b"\n"))
    if strange and ended.code == 0 and "damaged" not in ended.output + ended.errors:
        yield Finding(done, "the output says that damaged lines were ignored", "it does not")
