"""What is spread over workers in tests; they import it."""

import os
import signal
import time
from pathlib import Path


def square(number: int) -> int:
    return number * number


def place(number: int) -> int:
    """The process that does it."""
    time.sleep(0.05)
    return os.getpid()


def span(number: int) -> tuple[float, float]:
    """From when to when."""
    begin = time.monotonic()
    time.sleep(0.05)
    return begin, time.monotonic()


def kill_once(task: tuple[int, Path]) -> int:
    """The fourth task ends the process that first runs it."""
    number, trace = task
    if number == 3 and not trace.exists():
        trace.touch()
        kill(number)
    return number


def kill(number: int) -> int:
    """Ends the process that runs it."""
    os.kill(os.getpid(), signal.SIGKILL)
    return number


def fail(number: int) -> int:
    raise KeyError(number)
