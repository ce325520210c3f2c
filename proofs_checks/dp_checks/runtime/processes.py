"""Worker processes: they end with their parent, run nothing of the current folder, and the loss of one is one error
that says what is kept."""

import os
import signal
import site
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

PERIOD = 0.25
"""Seconds between two looks at the parent."""
SAFE_PATH = {"PYTHONSAFEPATH": "1", "PYTHONNOUSERSITE": "1"}
"""Variables with which an interpreter imports nothing from the current folder, nor from that of the user: a worker is
told by its parent what else it may import from."""
TIDY = "ignore:resource_tracker:UserWarning"
"""The filter of warnings with which a resource tracker tidies up after a process that was ended, and says nothing."""


class WorkerLostError(Exception):
    """A worker process ended before its task: it was killed, or the memory did not suffice."""


class UnfinishedError(Exception):
    """A run ended before it was finished, through no fault of its input; the message says what is kept."""


@contextmanager
def guarded() -> Iterator[dict[str, Any]]:
    """Options of `joblib.Parallel` with which the workers end within a second after this process, however it ends.

    Except on Windows, where a process does not learn that its parent has ended. Helpers of the library (its resource
    trackers) end with the last worker. All of them are started, in this context, with `SAFE_PATH` and `TIDY`.
    """
    before = {name: os.environ.get(name) for name in (*SAFE_PATH, "PYTHONWARNINGS")}
    # where we are installed for the user alone, workers need that folder to start
    ours = site.ENABLE_USER_SITE and __file__.startswith(site.getuserbase())
    os.environ.update({name: value for name, value in SAFE_PATH.items() if not (ours and name == "PYTHONNOUSERSITE")})
    os.environ["PYTHONWARNINGS"] = ",".join(filter(None, (before["PYTHONWARNINGS"], TIDY)))  # the last one decides
    try:
        yield {"initializer": begin, "initargs": (os.getpid(), before)}
    finally:
        _restore(before)


def _restore(variables: Mapping[str, str | None]) -> None:
    """Set variables as they were."""
    for name, value in variables.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


def begin(parent: int, variables: Mapping[str, str | None]) -> None:
    """Called in a worker: what it starts has the variables that its parent had, and it ends with that."""
    _restore(variables)
    end_with(parent)


def end_with(parent: int) -> None:
    """Called in a worker: end when the parent has, and leave to it what a terminal sends to all: Ctrl-C, its end."""
    for name in ("SIGINT", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
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
    except KeyboardInterrupt as request:  # which says how, if it is a signal that the boundary has heard
        raise UnfinishedError(f"{str(request) or 'interrupted'}; {kept}") from None
    except WorkerLostError as error:
        raise UnfinishedError(f"{error}; {kept}") from error
