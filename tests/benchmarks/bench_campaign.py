"""A campaign of tasks that share nothing, the attack on the kernel: two processes for one, two workers of a local Dask
cluster for one. Who works is started before the clock is."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from distributed import LocalCluster

from attack.campaign import campaign
from benchmarks.table import line
from dp_checks.runtime.parallel import Workers

ATTEMPTS = 2000
PROCESSES = line("attack on the kernel, two processes", "one process", required=1.7)
WORKERS = line("attack on the kernel, a Dask cluster of two workers", "of one worker", required=1.7)


def seconds(by: Workers, attempts: int = ATTEMPTS) -> float:
    """Of the campaign, without changes of certificates."""
    start = time.perf_counter()
    report = campaign(attempts, 1, Path("/nowhere"), by)
    assert report.number("tried") >= attempts
    assert not report.false
    return time.perf_counter() - start


@contextmanager
def cluster(workers: int) -> Iterator[Workers]:
    """A local cluster that has imported what it needs."""
    with LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=":0") as running:
        by = Workers(scheduler=running.scheduler_address)
        seconds(by, 500)
        yield by


def test_processes() -> None:
    for jobs in (1, 2):
        seconds(Workers(jobs), 500)
    one, two = (seconds(Workers(jobs)) for jobs in (1, 2))
    PROCESSES.record(two, one)


@pytest.mark.filterwarnings("ignore")
def test_workers() -> None:
    with cluster(1) as by:
        one = seconds(by)
    with cluster(2) as by:
        two = seconds(by)
    WORKERS.record(two, one)
