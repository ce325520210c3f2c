"""An audit of code at hand in a child that can be killed: a copy of this process, made by `fork`."""

import os
import pickle
import signal
import sys
import threading
import warnings
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Any, TypeVar

T = TypeVar("T")
POSSIBLE = hasattr(os, "fork") and sys.platform != "darwin"  # there the system's own libraries do not survive a fork


class Ended(Exception):
    """The child was killed, or ended without an answer; the message says which."""


def apart(work: Callable[[], T], timeout: float) -> T:
    """What `work` returns or raises, from a child process that is killed after `timeout` seconds.

    Raises `Ended`, if it gave no answer. Where a process cannot be copied, the work is done in this one, unbounded.
    """
    if not POSSIBLE:
        return work()
    theirs_out, theirs_in = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # threads of others: the child does not wait for them
        child = os.fork()
    if not child:
        _answer(work, theirs_out, theirs_in)
    os.close(theirs_in)
    timer = threading.Timer(timeout, _kill, (child,))
    timer.start()
    began = monotonic()
    try:
        with os.fdopen(theirs_out, "rb") as pipe:
            data = pipe.read()
    finally:
        timer.cancel()
        _kill(child)
        _, status = os.waitpid(child, 0)
    if not data:
        late = monotonic() - began >= timeout
        raise Ended(f"killed after {timeout:g} s" if late else f"ended without an answer, status {status}")
    returned, raised = pickle.loads(data)  # our own child wrote it
    if raised is not None:
        kind, arguments, content = raised  # made without its own __init__, which may want other arguments
        error = kind.__new__(kind)
        error.args, error.__dict__ = arguments, content
        raise error
    return returned  # type: ignore[no-any-return]


def _answer(work: Callable[[], Any], unused: int, pipe: int) -> None:
    """The child: work, answer, and nothing else that this process would do when it ends."""
    with suppress(BaseException):
        os.close(unused)
        os.setpgid(0, 0)
        answer: tuple[Any, Any] = None, None
        try:
            answer = work(), None
        except Exception as error:
            answer = None, (type(error), error.args, vars(error))
        with os.fdopen(pipe, "wb") as out:
            out.write(pickle.dumps(answer))
    os._exit(0)


def _kill(child: int) -> None:
    """End the child and what it started."""
    for end in (os.killpg, os.kill):
        with suppress(ProcessLookupError, PermissionError):
            end(child, signal.SIGKILL)
