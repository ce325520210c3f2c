"""Other times: every clock that Python code reads, moved."""

from __future__ import annotations

import contextlib
import datetime
import sys
import time
from typing import Any, Dict, Iterator, Tuple


@contextlib.contextmanager
def moved_clocks(offset: float) -> Iterator[None]:
    """Set all clocks that Python code reads `offset` seconds ahead."""
    table: Dict[int, Tuple[Any, Any]] = {}
    for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time"):
        for full, one in ((name, offset), (name + "_ns", int(offset * 10**9))):
            real = getattr(time, full, None)
            if real is not None:
                table[id(real)] = real, lambda real=real, one=one: real() + one
    for name in ("gmtime", "localtime", "ctime"):
        real = getattr(time, name)
        table[id(real)] = real, lambda at=None, real=real, now=time.time: real(now() + offset if at is None else at)

    class Date(datetime.datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return super().now(tz) + datetime.timedelta(seconds=offset)

        @classmethod
        def today(cls) -> Any:
            return cls.now()

        @classmethod
        def utcnow(cls) -> Any:
            return cls.now(datetime.timezone.utc).replace(tzinfo=None)

    table[id(datetime.datetime)] = datetime.datetime, Date
    undo = []
    for module in list(sys.modules.values()):
        names = getattr(module, "__dict__", None)
        if not isinstance(names, dict) or names is globals():
            continue
        for name, value in list(names.items()):
            real, moved = table.get(id(value), (None, None))
            if moved is not None and real is value:
                names[name] = moved
                undo.append((names, name, value))
    try:
        yield
    finally:
        for names, name, value in undo:
            names[name] = value
