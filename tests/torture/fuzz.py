"""Fuzzing: changed valid inputs to every reader, in this process; `fuzz_jobs` runs it in processes that may die.

One call of a reader is within bounds: what is not allowed is a fault, a hang too.
"""

import signal
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate
from pathlib import Path
from random import Random
from types import FrameType
from typing import NamedTuple

from torture.file_readers import file_readers
from torture.findings import Tried, shortened
from torture.mutations import changed
from torture.reader import Reader
from torture.value_readers import value_readers

SECONDS = 3.0
"""Of processor time for one input, so that a busy machine makes no findings."""
Key = tuple[str, str, str]
"""A reader, a kind of fault, and its place."""


class Hang(BaseException):
    """The time is over; no reader catches this."""


class Fault(NamedTuple):
    """What came out of a reader: the kind of error and the place it comes from (which make a fault), and its text."""

    reader: str
    kind: str
    place: str
    text: str

    @property
    def key(self) -> Key:
        return self[:3]


class Found(NamedTuple):
    """A fault, and the first input that has it, with its number."""

    fault: Fault
    number: int
    data: bytes


def _over(number: int, frame: FrameType | None) -> None:
    raise Hang


@contextmanager
def alarmed() -> Iterator[None]:
    """Within it, a timer raises `Hang`. In the main thread only."""
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


def readers(folder: Path) -> tuple[Reader, ...]:
    """All readers; those of files use the folder."""
    return (*file_readers(folder), *value_readers())


def drawn(every: Sequence[Reader], seed: int, index: int) -> tuple[Reader, bytes]:
    """The reader and the input with this number."""
    rng = Random(f"{seed}/fuzz/{index}")
    (reader,) = rng.choices(every, cum_weights=[*accumulate(reader.share for reader in every)])
    return reader, changed(rng.choice(reader.seeds), reader.seeds, rng)


def fuzz(
    every: Sequence[Reader],
    seed: int,
    indexes: Iterable[int],
    tried: Tried,
    watch: Callable[[int], None] = lambda index: None,
    seconds: float = SECONDS,
) -> Iterator[Found]:
    """Every fault once, with the first input that shows it; `watch` is told the number of every input before."""
    again: Counter[Key] = Counter()
    with alarmed():
        for index in indexes:
            watch(index)
            reader, data = drawn(every, seed, index)
            tried[reader.name] += 1
            if (error := fault(reader, data, seconds)) is not None:
                again[error.key] += 1
                if again[error.key] == 1:
                    yield Found(error, index, data)
