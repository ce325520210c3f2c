"""Signals at random times: Ctrl-C, a request to end, the end of a terminal. One line, its exit code, nothing left."""

import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

from torture.findings import Finding, Tried
from torture.processes import Job
from torture.workshop import CERTIFY, REPRODUCE, Case, Workshop, files, one_line, orphans

SLOW = Path(__file__).with_name("slow.py")
GRR = ("--oracle", "GRR", "--param", "d=3", "--param", "epsilon=1")
AUDITS = (("audit", "python", f"{SLOW}:slow", *GRR), ("audit", "process", *GRR, "--", sys.executable, str(SLOW)))
CASES: tuple[Case | tuple[str, ...], ...] = (*CERTIFY, *REPRODUCE, *AUDITS)
SECONDS = 6.0
"""The latest signal."""
LONGEST = 15.0
"""Seconds after a signal in which a command has to end."""


def signals(
    rng: Random, tried: Tried, workshop: Workshop, cases: tuple[Case | tuple[str, ...], ...] = CASES
) -> Iterator[Finding]:
    """One command and one signal, to it alone or, as a terminal does it, to all of its group."""
    case = rng.choice(cases)
    out = workshop.fresh()
    arguments = case.arguments(out) if isinstance(case, Case) else list(case)
    number, to_all = rng.choice((signal.SIGINT, signal.SIGTERM, signal.SIGHUP)), rng.random() < 0.5
    after = rng.uniform(0.05, SECONDS) if rng.random() < 0.7 else rng.uniform(0.05, 1.0)
    name = str(case) if isinstance(case, Case) else " ".join(arguments[:2])
    done = f"{name}: {number.name} to {'its group' if to_all else 'it alone'} after {after:.2f} s"
    job = Job(arguments)
    finished = job.wait(after)
    job.send(number, to_all)
    tried[f"{name}: {number.name}{' after its end' if finished else ''}"] += 1
    if not job.wait(LONGEST):
        job.send(signal.SIGKILL)
        yield Finding(done, f"an end within {LONGEST:g} s", "none")
    ended = job.ended()
    yield from orphans(ended, done)
    silent = not ended.complaints and ended.code in (128 + signal.SIGTERM, 128 + signal.SIGHUP)
    over = silent and isinstance(case, Case) and files(out) == workshop.whole(case).files
    if (silent and (after < workshop.starting or over)) or ("Traceback" in ended.errors and "dp_" not in ended.errors):
        return  # the interpreter itself was still starting, or already ending: none of our code had a chance
    yield from one_line(ended, done, (129, 130, 143, 0, 1, 3))
