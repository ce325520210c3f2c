"""`make torture N=1000000 SEED=1`: runs are killed and starved, journals damaged, readers fed with garbage."""

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random

from torture.findings import Finding, Tried
from torture.flips import flips
from torture.full_disk import full_disk
from torture.fuzz_jobs import fuzz_jobs, shown
from torture.kills import kills
from torture.signals import signals
from torture.workshop import Workshop

Trial = Callable[[Random, Tried, Workshop], Iterator[Finding]]
TRIALS: Mapping[str, Trial] = {"kills": kills, "flips": flips, "full-disk": full_disk, "signals": signals}
"""Campaigns of processes: each call is one trial. After every one, nothing may be left of what it started."""
CAMPAIGNS = (*TRIALS, "fuzz")


def trials(name: str, seed: int, indexes: range, tried: Tried, workshop: Workshop) -> Iterator[Finding]:
    """The trials with these numbers of a campaign of processes."""
    for index in indexes:
        for found in TRIALS[name](Random(f"{seed}/{name}/{index}"), tried, workshop):
            again = f"python -m torture --only {name} --seed {seed} --index {index}"
            yield found._replace(repeat=f"{again} (times are those of this machine)")


def campaign(name: str, given: argparse.Namespace, tried: Tried, folder: Path) -> Iterator[Finding]:
    """The findings of a campaign, as they are made."""
    if name != "fuzz":
        indexes = range(given.runs) if given.index is None else range(given.index, given.index + 1)
        yield from trials(name, given.seed, indexes, tried, Workshop(folder))
    elif given.index is not None:
        yield from shown(given.seed, given.index)
    else:
        again: Counter[tuple[str, ...]] = Counter()
        start = time.monotonic()
        yield from fuzz_jobs(given.seed, given.inputs, given.jobs, tried, again)
        print(f"{given.inputs / (time.monotonic() - start):.0f} inputs per second on {given.jobs} processes")
        for (reader, kind, place), times in again.most_common():
            print(f"{times:8} times: {reader}: {kind} in {place}")


def main() -> int:
    parser = argparse.ArgumentParser(prog="torture", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--inputs", type=int, default=100_000, help="of the readers")
    parser.add_argument("--runs", type=int, default=10, help="trials of each of the other campaigns")
    parser.add_argument("--jobs", type=int, default=2, help="processes that fuzz")
    parser.add_argument("--only", choices=CAMPAIGNS, action="append", help="one campaign (repeatable; default: all)")
    parser.add_argument("--index", type=int, help="only the trial or input with this number")
    given = parser.parse_args()
    findings = 0
    for name in given.only or CAMPAIGNS:
        tried: Tried = Counter()
        start = time.monotonic()
        found = 0
        with tempfile.TemporaryDirectory() as folder:
            for finding in campaign(name, given, tried, Path(folder)):
                found += 1
                print(finding.printed(), flush=True)
        for what, times in sorted(tried.items()):
            print(f"{name:10}{times:>9} {what}")
        print(f"{name}: tried {tried.total()}, {found} findings, {time.monotonic() - start:.0f} s\n", flush=True)
        findings += found
    print(f"{findings} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
