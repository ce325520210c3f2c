"""Runs that are killed, interrupted, out of disk space, or whose journal is damaged: what is disturbed ends in one line
and leaves no process, and the same command ends as if it never was."""

import atexit
import shutil
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple

from torture.findings import Finding, Tried
from torture.processes import Ended, Job, full
from torture.workshop import CERTIFY, REPRODUCE, Case, Workshop, files, one_line, orphans

SLOW = Path(__file__).with_name("slow.py")
GRR = ("--oracle", "GRR", "--param", "d=3", "--param", "epsilon=1")
AUDITS = (
    Case(("audit", "python", f"{SLOW}:slow", *GRR)),
    Case(("audit", "process", *GRR, "--", sys.executable, str(SLOW))),
)
FULL = Path("/dev/full")
LATEST, LONGEST = 6.0, 15.0
"""Seconds of the latest signal, and those after it in which a command has to end."""


class Disturbed(NamedTuple):
    """What was done, how the runs ended, the exit codes that are right (none are asked for where there are none), and
    what the next run says of it."""

    done: str
    ended: tuple[Ended, ...] = ()
    codes: tuple[int, ...] = ()
    told: str = ""


class Disturbance(NamedTuple):
    """The commands, and what is done to one that writes into a folder."""

    cases: Sequence[Case]
    disturb: Callable[[Random, Case, Path, Workshop], Disturbed]


def killed(rng: Random, case: Case, out: Path, workshop: Workshop) -> Disturbed:
    """One to four times, started again at once: the command alone, or all of its group."""
    jobs, history = [], []
    for _ in range(rng.randint(1, 4)):
        job, after = Job(case.arguments(out)), rng.uniform(0.1, 0.9 * workshop.whole(case).seconds)
        jobs.append(job)
        if job.wait(after):
            break
        job.send(signal.SIGKILL, rng.random() < 0.3)
        history.append(f"{after:.2f} s ({sum(map(len, journal_lines(out)))} bytes journaled)")
    return Disturbed(f"SIGKILL after {', '.join(history) or '(ended before)'}", tuple([job.ended() for job in jobs]))


def journal_lines(out: Path) -> list[bytes]:
    journal = out / "journal.jsonl"
    return journal.read_bytes().splitlines() if journal.exists() else []


@cache
def interrupted(case: Case, workshop: Workshop) -> Path:
    """The folder of a run that was killed with some lines in its journal."""
    while True:
        out = workshop.fresh()
        job = Job(case.arguments(out))
        while not job.wait(0.002) and len(journal_lines(out)) < (3 if case.words[0] == "certify" else 30):
            pass
        job.send(signal.SIGKILL)
        job.ended()
        if journal_lines(out):  # otherwise it ended before
            return out


def damaged(data: bytes, rng: Random) -> tuple[str, bytes]:
    """What was done, and the journal after it."""
    lines = data.splitlines(keepends=True)
    i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
    start, size = rng.randrange(len(data)), rng.choice((1, 1, 2, 20, 200))
    flipped = bytearray(data)
    for bit in [rng.randrange(8 * len(data)) for _ in range(rng.choice((1, 1, 3, 30)))]:
        flipped[bit // 8] ^= 1 << bit % 8
    exchanged = [lines[{i: j, j: i}.get(k, k)] for k in range(len(lines))]
    ways = {
        "bits flipped": bytes(flipped),
        f"{size} bytes deleted at {start}": data[:start] + data[start + size :],
        f"{size} bytes inserted at {start}": data[:start] + rng.randbytes(size) + data[start:],
        f"line {i} doubled at {j}": b"".join([*lines[:j], lines[i], *lines[j:]]),
        f"cut off after {start} bytes": data[:start],
        f"lines {i} and {j} exchanged": b"".join(exchanged),
    }
    return rng.choice([*ways.items()])


def with_damaged_journal(rng: Random, case: Case, out: Path, workshop: Workshop) -> Disturbed:
    """A line that was not in the journal as it is now has to be told."""
    shutil.copytree(interrupted(case, workshop), out, dirs_exist_ok=True)
    journal = out / "journal.jsonl"
    before = journal.read_bytes()
    how, after = damaged(before, rng)
    journal.write_bytes(after)
    strange = {line for line in after.split(b"\n") if line.strip()} - set(before.split(b"\n"))
    return Disturbed(f"{how} in a journal of {len(before.splitlines())} lines", told="damaged" if strange else "")


def without_space(rng: Random, case: Case, out: Path, workshop: Workshop) -> Disturbed:
    """A largest size of files (as a quota has it), or one output on a full device."""
    whole = workshop.whole(case).files
    way = rng.choice(("size", "size", "document", "output") if FULL.exists() else ("size",))
    if way == "size":
        largest = rng.choice((0, 1, rng.randrange(max(map(len, whole.values())))))
        ended = Job(case.arguments(out), fsize=largest).ended()
        return Disturbed(f"files of at most {largest} bytes", (ended,), (0, 2))
    if way == "output":
        with full() as device:
            ended = Job(case.arguments(out), output=device).ended()
        return Disturbed("standard output on a full device", (ended,), (2,))
    link = out / rng.choice(sorted(whole))
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(FULL)
    ended = Job(case.arguments(out)).ended()
    if link.is_symlink():
        link.unlink()
    return Disturbed(f"{link.name} on a full device", (ended,), (0, 2))  # what is written to may be replaced


def signaled(rng: Random, case: Case, out: Path, workshop: Workshop) -> Disturbed:
    """Ctrl-C, a request to end, the end of a terminal: to the command alone or, as a terminal does it, to its group."""
    number, to_all = rng.choice((signal.SIGINT, signal.SIGTERM, signal.SIGHUP)), rng.random() < 0.5
    after = rng.uniform(0.05, LATEST) if rng.random() < 0.7 else rng.uniform(0.05, 1.0)
    job = Job(case.arguments(out))
    job.wait(after)
    job.send(number, to_all)
    if not job.wait(LONGEST):
        job.send(signal.SIGKILL)
    ended = job.ended()
    silent = not ended.complaints and ended.code in (128 + signal.SIGTERM, 128 + signal.SIGHUP)
    over = silent and case.writes and files(out) == workshop.whole(case).files
    # where the interpreter itself is still starting, or already ending, none of our code has a chance
    foreign = "Traceback" in ended.errors and "dp_" not in ended.errors
    early = foreign or (silent and (after < workshop.starting or over))
    done = f"{number.name} to {'its group' if to_all else 'it alone'} after {after:.2f} s"
    return Disturbed(done, (ended,), () if early else (129, 130, 143, 0, 1, 3))


DISTURBANCES: Mapping[str, Disturbance] = {
    "kills": Disturbance((*CERTIFY, *CERTIFY, *REPRODUCE), killed),
    "flips": Disturbance((*CERTIFY, *CERTIFY, REPRODUCE[0]), with_damaged_journal),
    "full-disk": Disturbance((*CERTIFY, *CERTIFY, *REPRODUCE), without_space),
    "signals": Disturbance((*CERTIFY, *REPRODUCE, *AUDITS), signaled),
}


def trial(name: str, rng: Random, tried: Tried, workshop: Workshop, cases: Sequence[Case] = ()) -> Iterator[Finding]:
    """One run that is disturbed, and the same command again."""
    disturbance = DISTURBANCES[name]
    case, out = rng.choice(cases or disturbance.cases), workshop.fresh()
    disturbed = disturbance.disturb(rng, case, out, workshop)
    done = f"{case}: {disturbed.done}"
    tried[str(case)] += 1
    for ended in disturbed.ended:
        yield from orphans(ended, done)
        if disturbed.codes:
            yield from one_line(ended, done, disturbed.codes)
    if not case.writes:
        return
    again, done = Job(case.arguments(out)).ended(), f"{done}; started again"
    yield from orphans(again, done)
    yield from workshop.compared(case, out, again, done)
    if again.code == 0 and disturbed.told not in again.output + again.errors:
        yield Finding(done, f"the output says {disturbed.told!r}", "it does not")


class Done(NamedTuple):
    """What one trial found, and what it tried."""

    findings: list[Finding]
    tried: Tried


@cache
def _workshop() -> Workshop:
    """One in a process, for the undisturbed runs."""
    folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
    atexit.register(folder.cleanup)
    return Workshop(Path(folder.name))


def one_trial(name: str, seed: int, index: int) -> Done:
    """The trial with this number of a campaign of processes."""
    tried: Tried = Counter()
    again = f"python -m torture --only {name} --seed {seed} --index {index} (times are those of this machine)"
    findings = trial(name, Random(f"{seed}/{name}/{index}"), tried, _workshop())
    return Done([finding._replace(repeat=again) for finding in findings], tried)
