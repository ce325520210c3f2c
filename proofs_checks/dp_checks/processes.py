"""Worker processes: they end with their parent, and the loss of one is one error that says what is kept."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

PERIOD = 0.25
"""Seconds between two looks at the parent."""


class WorkerLostError(Exception):
    """A worker process ended before its task: it was killed, or the memory did not suffice."""


class UnfinishedError(Exception):
    """A run ended before it was finished, through no fault of its input; the message says what is kept."""


def guarded() -> dict[str, Any]:
    """Options of `joblib.Parallel` with which the workers end within a second after this process, however it ends.

    Except on Windows, where a process does not learn that its parent has ended. Helpers of the library (its resource
    trackers) end with the last worker.
    """
    return {"initializer": end_with, "initargs": (os.getpid(),)}


def end_with(parent: int) -> None:
    """Called in a worker: end when the parent has, and leave Ctrl-C, which a terminal sends to all, to the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # A thread, not PR_SET_PDEATHSIG: that would also fire when the thread ends from which the worker was started.
    threading.Thread(target=_watch, args=(parent,), daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(PERIOD)
    os._exit(1)


@contextmanager
def workers() -> Iterator[None]:
    """Around the use of workers. Raises `WorkerLostError`."""
    from concurrent.futures.process import BrokenProcessPool  # only where there are workers, as it takes long

    try:
        yield
    except BrokenProcessPool as error:
        raise WorkerLostError("a worker process was killed, or ran out of memory") from error


@contextmanager
def resumable(kept: str) -> Iterator[None]:
    """Around a run that can go on later. Raises `UnfinishedError` for an interruption and for the loss of a worker."""
    try:
        yield
    except KeyboardInterrupt:
        raise UnfinishedError(f"interrupted; {kept}") from None
    except WorkerLostError as error:
        raise UnfinishedError(f"{error}; {kept}") from error
