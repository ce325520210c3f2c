"""The one function that long work is spread with: over processes of this machine, or over a Dask cluster."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import click

from dp_checks.runtime.processes import guarded, workers
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.integers import require_integer

T = TypeVar("T")
R = TypeVar("R")
C = TypeVar("C", bound=Callable[..., Any])


@dataclass(frozen=True)
class Workers:
    """Who does the work: this process (jobs = 1), so many processes of this machine, or the workers of a Dask cluster.

    `scheduler` is the address of an existing scheduler, as "host:8786"; `jobs` does not count then. Raises
    `DomainError` for jobs < 1 and an empty address.
    """

    jobs: int = 1
    scheduler: str | None = None

    def __post_init__(self) -> None:
        require_integer("jobs", self.jobs, 1)
        if self.scheduler is not None and not self.scheduler.strip():
            raise DomainError("scheduler", self.scheduler, "the address of a Dask scheduler, as host:8786")

    def __str__(self) -> str:
        if self.scheduler is not None:
            return f"workers of {self.scheduler}"
        return "1 process" if self.jobs == 1 else f"{self.jobs} processes"


HERE = Workers()


def spread(function: Callable[[T], R], tasks: Sequence[T], by: Workers = HERE) -> Iterator[R]:
    """function(task) of every task, in the order in which they are finished (in this process: in theirs).

    The function and the tasks are pickled. Raises `WorkerLostError` when a process was killed or the scheduler ended
    (a worker of a cluster that was killed is not missed: another one repeats its task), `ClusterError` when the
    cluster cannot be used, and what the function raises.
    """
    if by.scheduler is not None:
        from dp_checks.runtime.cluster import on_cluster  # an optional dependency

        return on_cluster(function, tasks, by.scheduler)
    if by.jobs == 1 or len(tasks) < 2:
        return map(function, tasks)
    return _on_processes(function, tasks, by.jobs)


def _on_processes(function: Callable[[T], R], tasks: Sequence[T], jobs: int) -> Iterator[R]:
    import joblib  # only where there are workers, as it takes long, and warns where there can be none

    options: dict[str, Any] = {"return_as": "generator_unordered", "batch_size": 1, "pre_dispatch": 2 * jobs}
    with workers(), guarded() as ending:
        yield from joblib.Parallel(n_jobs=jobs, **options, **ending)(joblib.delayed(function)(t) for t in tasks)


def spreading(command: C) -> C:
    """The options `--jobs` and `--scheduler` of a command: its arguments `jobs` and `scheduler`."""
    scheduler = click.option(
        "--scheduler", metavar="ADDRESS", help="Use the Dask cluster of this scheduler, as host:8786 (extra: dask)."
    )
    jobs = click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Processes.")
    return jobs(scheduler(command))
