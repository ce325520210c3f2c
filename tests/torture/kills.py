"""Kills: a run is killed at random times and started again until it ends; its files are those of an undisturbed one."""

import signal
from collections.abc import Iterator
from random import Random

from torture.findings import Finding, Tried
from torture.processes import Job
from torture.workshop import CERTIFY, REPRODUCE, Case, Workshop, orphans

CASES = (*CERTIFY, *CERTIFY, *REPRODUCE)
MOST = 4


def kills(rng: Random, tried: Tried, workshop: Workshop, cases: tuple[Case, ...] = CASES) -> Iterator[Finding]:
    """One run, killed once to four times: the command alone, or all of its group at once."""
    case = rng.choice(cases)
    out, seconds = workshop.fresh(), workshop.whole(case).seconds
    history: list[str] = []
    running: list[tuple[Job, str]] = []
    for _ in range(rng.randint(1, MOST)):
        job, after, to_all = Job(case.arguments(out)), rng.uniform(0.1, 0.9 * seconds), rng.random() < 0.3
        if job.wait(after):
            job.ended(0)
            break
        journal = out / "journal.jsonl"
        history.append(f"{after:.2f} s ({journal.stat().st_size if journal.exists() else 0} bytes journaled)")
        job.send(signal.SIGKILL, to_all)
        tried[f"{case.words[0]} {case.words[-1]} killed"] += 1
        running.append((job, f"{case}: SIGKILL after {history[-1]}"))
    tried[f"{case.words[0]} {case.words[-1]} ended after kills"] += 1
    ended = Job(case.arguments(out)).ended()  # at once: other processes of a killed run may still be there
    for killed, what in running:
        yield from orphans(killed.ended(), what)
    done = f"{case}: SIGKILL after {', '.join(history) or '(ended before)'}; started again"
    yield from orphans(ended, done)
    yield from workshop.compared(case, out, ended, done)
