"""`make torture N=1000000 SEED=1`: runs are killed and starved, journals damaged, readers fed with garbage."""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from functools import partial

from dp_checks.runtime.parallel import Workers, spread
from torture.disturbances import DISTURBANCES, one_trial
from torture.findings import Finding, Tried
from torture.fuzz import Key
from torture.fuzz_jobs import fuzz_jobs, shown

CAMPAIGNS = (*DISTURBANCES, "fuzz")
PART = 50_000
"""Inputs that are one task."""


def campaign(name: str, options: argparse.Namespace, tried: Tried) -> Iterator[Finding]:
    """The findings of a campaign, as they are made."""
    if name != "fuzz":
        indexes = range(options.runs) if options.index is None else range(options.index, options.index + 1)
        # here one after the other: they wait for what they start, with clocks
        for trial in spread(partial(one_trial, name, options.seed), indexes, Workers(scheduler=options.scheduler)):
            tried.update(trial.tried)
            yield from trial.findings
    elif options.index is not None:
        yield from shown(options.seed, options.index)
    else:
        yield from _fuzzed(options, tried)


def _fuzzed(options: argparse.Namespace, tried: Tried) -> Iterator[Finding]:
    keys: set[Key] = set()
    start = time.monotonic()
    parts = [range(first, min(first + PART, options.inputs)) for first in range(0, options.inputs, PART)]
    by = Workers(options.jobs, options.scheduler)
    for part in spread(partial(fuzz_jobs, options.seed), parts, by):
        tried.update(part.tried)
        yield from (finding for key, finding in part.found.items() if key not in keys)
        keys |= part.found.keys()
    print(f"{options.inputs / (time.monotonic() - start):.0f} inputs per second, by {by}")


def main() -> int:
    parser = argparse.ArgumentParser(prog="torture", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--inputs", type=int, default=100_000, help="of the readers")
    parser.add_argument("--runs", type=int, default=10, help="trials of each of the other campaigns")
    parser.add_argument("--jobs", type=int, default=2, help="processes that fuzz")
    parser.add_argument("--scheduler", help="address of a Dask scheduler whose workers can import this, as host:8786")
    parser.add_argument("--only", choices=CAMPAIGNS, action="append", help="one campaign (repeatable; default: all)")
    parser.add_argument("--index", type=int, help="only the trial or input with this number")
    options = parser.parse_args()
    findings = 0
    for name in options.only or CAMPAIGNS:
        tried: Tried = Counter()
        start = time.monotonic()
        count = 0
        for finding in campaign(name, options, tried):
            count += 1
            print(finding.printed(), flush=True)
        for what, times in sorted(tried.items()):
            print(f"{name:10}{times:>9} {what}")
        print(f"{name}: tried {tried.total()}, {count} findings, {time.monotonic() - start:.0f} s\n", flush=True)
        findings += count
    print(f"{findings} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
