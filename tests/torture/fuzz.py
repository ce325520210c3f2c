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
from torture.mutations import changed, parsed, places, written
from torture.reader import Reader
from torture.value_readers import value_readers

SMALLER = 300
"""Tries to make an input smaller."""


class Found(NamedTuple):
    """A fault, the number of the first input that has it, and the smallest input found that does."""

    fault: Fault
    number: int
    smallest: bytes


def readers(folder: Path) -> tuple[Reader, ...]:
    """All readers; those of files use the folder."""
    return (*file_readers(folder), *value_readers())


def drawn(known: Sequence[Reader], seed: int, index: int) -> tuple[Reader, bytes]:
    """The reader and the input with this number."""
    rng = Random(f"{seed}/fuzz/{index}")
    (reader,) = rng.choices(known, cum_weights=[*accumulate(reader.share for reader in known)])
    return reader, changed(rng.choice(reader.seeds), reader.seeds, rng)


def fuzz(
    known: Sequence[Reader],
    seed: int,
    indexes: Iterable[int],
    tried: Tried,
    again: Counter[tuple[str, str, str]],
    watch: Callable[[int], None] = lambda index: None,
    seconds: float = SECONDS,
) -> Iterator[Found]:
    """Every fault once, with a small input that shows it; `again` counts how often each came.

    `watch` is told the number of every input before it is tried.
    """
    with alarmed():
        for index in indexes:
            watch(index)
            reader, data = drawn(known, seed, index)
            tried[reader.name] += 1
            found = fault(reader, data, seconds)
            if found is None:
                continue
            again[found.key] += 1
            if again[found.key] == 1:
                yield Found(found, index, smallest(reader, data, found, seconds))


def smallest(reader: Reader, data: bytes, found: Fault, seconds: float) -> bytes:
    """The input with parts left out, as long as it has the same fault: halves first, then smaller parts."""
    left = 5 if found.kind == "hang" else SMALLER

    def same(smaller: bytes) -> bool:
        nonlocal left
        left -= 1
        shown = fault(reader, smaller, seconds) if left >= 0 else None
        return shown is not None and shown.key == found.key

    for make in (_without_nodes, _without_parts):
        going = True
        while going and left > 0:
            going = False
            for smaller in make(data):
                if len(smaller) < len(data) and same(smaller):
                    data, going = smaller, True
                    break
                if left <= 0:
                    break
    return data


def _without_parts(data: bytes) -> Iterator[bytes]:
    size = len(data) // 2
    while size:
        for start in range(0, len(data), size):
            yield data[:start] + data[start + size :]
        size //= 2


def _without_nodes(data: bytes) -> Iterator[bytes]:
    """The document without each of its nodes, from the top down."""
    number = 0
    while (tree := parsed(data)) is not None:
        root = [tree]
        found = [(holder, key) for holder, key in places(root) if holder is not root]
        if number >= len(found):
            return
        holder, key = found[number]
        del holder[key]
        text = written(root[0])
        if text is not None:
            yield text
        number += 1
