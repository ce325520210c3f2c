"""One call of a reader within bounds: what is not allowed is a fault, a hang too."""

import signal
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import NamedTuple

from torture.findings import shortened
from torture.reader import Reader

SECONDS = 3.0
"""Of processor time for one input, so that a busy machine makes no findings."""


class Hang(BaseException):
    """The time is over; no reader catches this."""


class Fault(NamedTuple):
    """What came out of a reader: the kind of error and the place it comes from (which make a fault), and its text."""

    reader: str
    kind: str
    place: str
    text: str

    @property
    def key(self) -> tuple[str, str, str]:
        return self[:3]


def _over(number: int, frame: FrameType | None) -> None:
    raise Hang


@contextmanager
def alarmed() -> Iterator[None]:
    """Within it, `timed` raises `Hang`. In the main thread only."""
    before = signal.signal(signal.SIGPROF, _over)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def fault(reader: Reader, data: bytes, seconds: float = SECONDS) -> Fault | None:
    """Call the reader, within `alarmed`; None if it accepts the input or refuses it as it documents."""
    try:
        signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            reader.read(data)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    except reader.allowed:
        return None
    except KeyboardInterrupt:
        raise
    except Hang as error:
        return Fault(reader.name, "hang", _place(error), f"more than {seconds:g} s of processor time")
    except BaseException as error:
        return Fault(reader.name, type(error).__name__, _place(error), shortened(str(error)))
    return None


def _place(error: BaseException) -> str:
    """The last place in the project's own packages, and in this campaign's where there is none."""
    frames = [(Path(frame.filename), frame.name) for frame in traceback.extract_tb(error.__traceback__)]
    ours = [(path, name) for path, name in frames if any(part.startswith("dp_") for part in path.parts)]
    path, name = (ours or frames)[-1]
    return f"{'/'.join(path.parts[-3:])}:{name}"
