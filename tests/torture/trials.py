"""Campaigns of processes: each call is one trial. After every one, nothing may be left of what it started."""

import atexit
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple

from torture.findings import Finding, Tried
from torture.flips import flips
from torture.full_disk import full_disk
from torture.kills import kills
from torture.signals import signals
from torture.workshop import Workshop

Trial = Callable[[Random, Tried, Workshop], Iterator[Finding]]
TRIALS: Mapping[str, Trial] = {"kills": kills, "flips": flips, "full-disk": full_disk, "signals": signals}


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
    findings = TRIALS[name](Random(f"{seed}/{name}/{index}"), tried, _workshop())
    return Done([finding._replace(repeat=again) for finding in findings], tried)
