"""Work on a Dask cluster: by workers that run the same code, one task at a time in a process.

Dask itself, not joblib's use of it, which waits forever for a task that ended its workers or cannot be imported there.
"""

import logging
import pickle
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from dp_checks.runtime.processes import WorkerLostError
from dp_checks.runtime.sources import everything
from dp_spec.vocabulary.exceptions import RefusedError

T = TypeVar("T")
R = TypeVar("R")
PATIENCE = 10.0
"""Seconds to wait for a scheduler, and for its first worker."""
_ALONE = threading.Lock()
"""A worker with several threads runs one task at a time: the precision of numbers is one for a whole process."""


class ClusterError(RefusedError):
    """The cluster cannot be reached, has no workers, or its workers run other code."""


def run(code: str, function: Callable[[T], R], task: T) -> R:
    """function(task), on a worker, if that runs the code with this hash: a verdict belongs to code."""
    if everything() != code:
        raise ClusterError("a worker of the cluster has another version of dp-refimpl, Python, or a library of numbers")
    with _ALONE:
        return function(task)


class Call:
    """What runs where it is unpickled, and only there imports what it needs.

    So an import that fails is an error of the task. Dask unpickles functions elsewhere, and would never answer.
    """

    def __init__(self, function: Callable[[Any], Any], task: Any) -> None:
        self._arguments = (everything(), function, task)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return run, self._arguments


def on_cluster(function: Callable[[T], R], tasks: Sequence[T], address: str) -> Iterator[R]:
    """As `runtime.parallel.spread`. Raises `ClusterError`, `WorkerLostError`, and what the function raises."""
    try:
        import distributed
        from distributed.client import FutureCancelledError
    except ImportError:
        raise ClusterError("--scheduler needs Dask: pip install 'dp-refimpl[dask]'") from None

    with _silent(), _client(address) as client:
        calls = [pickle.dumps(Call(function, task)) for task in tasks]
        futures = client.map(pickle.loads, calls, pure=False)
        try:
            for future in distributed.as_completed(futures, loop=client.loop):
                yield future.result()
        except FutureCancelledError:
            raise WorkerLostError(f"the scheduler {address} is gone") from None
        except distributed.KilledWorker as error:
            raise WorkerLostError(f"{address}: a task ended several workers, or they ran out of memory") from error
        except ImportError as error:
            raise ClusterError(f"a worker of {address} cannot import what it is to run: {error}") from None


@contextmanager
def _client(address: str) -> Iterator[Any]:
    """A connection to a scheduler that has a worker."""
    from distributed import Client

    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ClusterError(f"no scheduler answers at {address}") from error
    with client:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise ClusterError(f"the scheduler {address} has no workers") from None
        yield client


@contextmanager
def _silent() -> Iterator[None]:
    """Without logs, of which Dask writes many: what is to be said is said here, in one line."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before)
