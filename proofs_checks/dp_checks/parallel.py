"""The one function that long work is spread with."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from dp_checks.processes import guarded, workers
from dp_spec.vocabulary.exceptions import DomainError

T = TypeVar("T")
R = TypeVar("R")


def spread(function: Callable[[T], R], tasks: Sequence[T], jobs: int = 1) -> Iterator[R]:
    """function(task) of every task, in the order in which they are finished; with one job in this process, in theirs.

    Raises `DomainError` for jobs < 1, `WorkerLostError` when a process was killed, and what the function raises.
    """
    if isinstance(jobs, bool) or not isinstance(jobs, int) or jobs < 1:
        raise DomainError("jobs", jobs, "an integer >= 1")
    if jobs == 1 or len(tasks) < 2:
        return map(function, tasks)
    return _spread(function, tasks, jobs)


def _spread(function: Callable[[T], R], tasks: Sequence[T], jobs: int) -> Iterator[R]:
    import joblib  # only where there are workers, as it takes long, and warns where there can be none

    options: dict[str, Any] = {"return_as": "generator_unordered", "batch_size": 1, "pre_dispatch": 2 * jobs}
    with workers():
        yield from joblib.Parallel(n_jobs=jobs, **options, **guarded())(joblib.delayed(function)(t) for t in tasks)
