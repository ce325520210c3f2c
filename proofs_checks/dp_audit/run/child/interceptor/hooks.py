"""What the interpreter reports about itself: clocks, processes, devices and C functions that a target reaches."""

from __future__ import annotations

import _thread
import datetime
import logging
import os
import re
import sys
import time
from typing import Any, Callable, Iterable, List, Tuple

from ..refusals import UnmodeledRandomness
from .coins import EXECUTING, Coins, Source

_CLOCKS = [
    getattr(time, name)
    for name in (
        *("time", "time_ns", "perf_counter", "perf_counter_ns", "monotonic", "monotonic_ns"),
        *("process_time", "process_time_ns", "thread_time", "thread_time_ns"),
        *("localtime", "gmtime", "ctime", "asctime", "strftime", "clock_gettime", "clock_gettime_ns"),
    )
    if hasattr(time, name)
]
_PROCESSES = [
    getattr(module, name)
    for module, name in (
        *((os, name) for name in ("urandom", "getrandom", "fork", "forkpty")),
        *((_thread, name) for name in ("start_new_thread", "start_joinable_thread", "start_new")),
    )
    if hasattr(module, name)
]
_DRAWS, _DATES = ("random", "getrandbits"), ("now", "today", "utcnow")
_NAMES = frozenset([*_DRAWS, *_DATES, *(function.__name__ for function in (*_CLOCKS, *_PROCESSES))])


def watching(coins: Coins, source: Source) -> Callable[[Any, str, Any], None]:
    """Return a profile function that sees calls of C functions: entropy, real generators, clocks reached by other
    names."""

    def profile(frame: Any, event: str, function: Any) -> None:
        # Most calls end here; C functions keep their names whatever they are called by.
        if event != "c_call" or function.__name__ not in _NAMES or EXECUTING:
            return
        owner, name = getattr(function, "__self__", None), function.__name__
        if name in _DRAWS and any(c.__module__ == "_random" for c in type(owner).__mro__):
            if not any(owner is generator for generator in coins.own):
                unknown = UnmodeledRandomness("a random.Random that was not replaced draws " + name)
                coins.refuse(source.seed_of(owner) or unknown)
        elif any(function is one for one in _PROCESSES):
            coins.refuse(UnmodeledRandomness(f"call of {function.__module__}.{name}"))
        elif any(function is one for one in _CLOCKS) or (
            isinstance(owner, type) and issubclass(owner, datetime.date) and name in _DATES
        ):
            coins.clock_reads += not _stamps(frame)

    return profile


_RECORD, _MADE = logging.LogRecord.__init__.__code__, logging.Logger.makeRecord.__code__
_SHOWN = logging.Formatter.formatTime.__code__


def _stamps(frame: Any) -> bool:
    """Return whether a clock is read for itself by `logging` (a logger's records have the time, and formatters write
    it), or by an event loop of `asyncio`, which looks for timers that are due: who sets one reads the clock, too."""
    before = frame.f_back
    if frame.f_code is _SHOWN or before is None:
        return frame.f_code is _SHOWN
    loop = getattr(sys.modules.get("asyncio.base_events"), "BaseEventLoop", None)
    turn = [getattr(getattr(loop, name, None), "__code__", None) for name in ("time", "_run_once")]
    return [frame.f_code, before.f_code] in (turn, [_RECORD, _MADE])


DRAWING: List[Coins] = []
"""The coins of the current run."""
_HOOKED: List[bool] = []
_DEVICES = ("/dev/random", "/dev/urandom", "/dev/hwrng")
_FOREIGN = re.compile("(?<!ope)rand|entropy", re.IGNORECASE)
"""Names of C functions that return random numbers (operands do not)."""
_EVENTS = (
    *("os.fork", "os.forkpty", "os.posix_spawn", "os.system", "os.exec", "os.spawn", "subprocess.Popen"),
    *("_thread.start_new_thread", "_thread.start_joinable_thread", "socket.connect"),
)
_WATCHED = frozenset([*_EVENTS, "open", "ctypes.dlsym"])


def install_hook() -> None:
    """Watch what the interpreter reports about itself, in every thread: an audit hook stays for good, so only once."""

    def hook(event: str, arguments: Tuple[Any, ...]) -> None:
        if event not in _WATCHED or not DRAWING or EXECUTING:
            return
        if (
            event in _EVENTS
            or (event == "open" and arguments[0] in _DEVICES)
            or (event == "ctypes.dlsym" and _FOREIGN.search(str(arguments[1])))
        ):
            DRAWING[-1].refuse(UnmodeledRandomness(f"the target does {event} {arguments!r}"[:200]))

    if not _HOOKED:
        _HOOKED.append(True)
        sys.addaudithook(hook)


def c_functions() -> Tuple[Any, ...]:
    """Return the type of C functions that are called through ctypes, where that is imported."""
    pointer = getattr(sys.modules.get("ctypes"), "_CFuncPtr", None)
    return () if pointer is None else (pointer,)


def refuse_c_functions(objects: Iterable[Any]) -> None:
    """Refuse a target that has a C function: its call through ctypes cannot be seen."""
    kinds = c_functions()
    for held in objects:
        if isinstance(held, kinds) and _FOREIGN.search(str(getattr(held, "__name__", ""))):
            raise UnmodeledRandomness(f"the target has the C function {held.__name__}")
