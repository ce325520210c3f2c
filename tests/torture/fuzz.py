"""Fuzzing: changed valid inputs to every reader, in this process; `fuzz_jobs` runs it in processes that may die."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import NamedTuple

from torture.file_readers import file_readers
from torture.findings import Tried
from torture.guard import SECONDS, Fault, alarmed, fault
from torture.mutations import changed
from torture.reader import Reader
from torture.value_readers import value_readers


class Found(NamedTuple):
    """A fault, and the first input that has it, with its number."""

    fault: Fault
    number: int
    data: bytes


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
    again: Counter[tuple[str, str, str]],
    watch: Callable[[int], None] = lambda index: None,
    seconds: float = SECONDS,
) -> Iterator[Found]:
    """Every fault once, with the first input that shows it; `again` counts how often each came.

    `watch` is told the number of every input before it is tried.
    """
    with alarmed():
        for index in indexes:
            watch(index)
            reader, data = drawn(every, seed, index)
            tried[reader.name] += 1
            error = fault(reader, data, seconds)
            if error is None:
                continue
            again[error.key] += 1
            if again[error.key] == 1:
                yield Found(error, index, data)
