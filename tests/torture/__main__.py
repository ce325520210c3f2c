"""`make torture N=1000000 SEED=1`: runs are killed and starved, journals damaged, readers fed with garbage."""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from functools import partial

from dp_checks.runtime.parallel import Workers, spread
from torture.findings import Finding, Tried
from torture.fuzz_jobs import Key, fuzz_jobs, shown
from torture.trials import TRIALS, one_trial

CAMPAIGNS = (*TRIALS, "fuzz")
PART = 50_000
"""Inputs that are one task."""


def campaign(name: str, given: argparse.Namespace, tried: Tried) -> Iterator[Finding]:
    """The findings of a campaign, as they are made."""
    if name != "fuzz":
        indexes = range(given.runs) if given.index is None else range(given.index, given.index + 1)
        # here one after the other: they wait for what they start, with clocks
        for trial in spread(partial(one_trial, name, given.seed), indexes, Workers(scheduler=given.scheduler)):
            tried.update(trial.tried)
            yield from trial.findings
    elif given.index is not None:
        yield from shown(given.seed, given.index)
    else:
        yield from _fuzzed(given, tried)


def _fuzzed(given: argparse.Namespace, tried: Tried) -> Iterator[Finding]:
    again: Counter[Key] = Counter()
    seen: set[Key] = set()
    start = time.monotonic()
    parts = [range(first, min(first + PART, given.inputs)) for first in range(0, given.inputs, PART)]
    by = Workers(given.jobs, given.scheduler)
    for part in spread(partial(fuzz_jobs, given.seed), parts, by):
        tried.update(part.tried)
        again.update(part.again)
        yield from (finding for key, finding in part.found.items() if key not in seen)
        seen |= part.found.keys()
    print(f"{given.inputs / (time.monotonic() - start):.0f} inputs per second, by {by}")
    for (reader, kind, place), times in again.most_common():
        print(f"{times:8} times: {reader}: {kind} in {place}")


def main() -> int:
    parser = argparse.ArgumentParser(prog="torture", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--inputs", type=int, default=100_000, help="of the readers")
    parser.add_argument("--runs", type=int, default=10, help="trials of each of the other campaigns")
    parser.add_argument("--jobs", type=int, default=2, help="processes that fuzz")
    parser.add_argument("--scheduler", help="address of a Dask scheduler whose workers can import this, as host:8786")
    parser.add_argument("--only", choices=CAMPAIGNS, action="append", help="one campaign (repeatable; default: all)")
    parser.add_argument("--index", type=int, help="only the trial or input with this number")
    given = parser.parse_args()
    findings = 0
    for name in given.only or CAMPAIGNS:
        tried: Tried = Counter()
        start = time.monotonic()
        found = 0
        for finding in campaign(name, given, tried):
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
