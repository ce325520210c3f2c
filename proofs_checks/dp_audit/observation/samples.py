"""Reports as samplers and files give them, and what gives them."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol

import numpy as np
from flint import fmpq

from dp_audit.observation.findings import Finding
from dp_spec.vocabulary.items import Item

Bytes = np.ndarray[tuple[int, ...], np.dtype[np.uint8]]


Indices = np.ndarray[tuple[int, ...], np.dtype[np.int64]]


Reports = Mapping[Hashable, int] | Sequence[Hashable]
"""How often each canonical output came, or (then independence is tested, too) all outputs in their order."""


class SamplerError(Exception):
    """The target cannot go on: what it did, and the reports that it still gave for this request."""

    def __init__(self, finding: Finding, partial: Reports | None = None) -> None:
        super().__init__(finding.message)
        self.finding = finding
        self.partial = partial


class Sampler(Protocol):
    """Something that can be asked for reports."""

    def sample(self, item: Item, count: int, /) -> Reports:
        """Return `count` fresh reports on an item, in canonical form. Raises `SamplerError` with the finding if it
        fails."""


Codes = np.ndarray[tuple[int], np.dtype[np.int64]]


Pair = tuple[Item, Hashable]


@dataclass(frozen=True)
class Chunk:
    """Successive rows: their codes, and the (input, report) pair of every code."""

    pairs: Sequence[Pair]
    codes: Codes

    def __len__(self) -> int:
        return len(self.codes)

    def part(self, begin: int, end: int) -> "Chunk":
        """Return some of the rows."""
        return Chunk(self.pairs, self.codes[begin:end])


@dataclass(frozen=True)
class BitChunk:
    """Successive rows whose reports are lists of bits: the numbers of their inputs, and a row of bytes for each bit."""

    inputs: Indices
    bits: Bytes

    def __len__(self) -> int:
        return len(self.inputs)

    def part(self, begin: int, end: int) -> "BitChunk":
        """Return some of the rows."""
        return BitChunk(self.inputs[begin:end], self.bits[:, begin:end])


class Target(Sampler, Protocol):
    """A target in a process of its own; leaving the context ends it. `failure`: after which it answers no more."""

    failure: Finding | None

    def estimate(self, reports: Sequence[Hashable], /) -> tuple[fmpq, ...]:
        """Return its estimates of a list of reports. Raises `SamplerError`."""

    def __enter__(self) -> "Target": ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None: ...
