"""Attributes of a table with public domains, the binary attributes that code them, and back (source 003, L127).

Numbers are cut into 16 intervals of the same width over a public range; an attribute of v values is coded by
ceil(log2 v) binary attributes, the highest bit first. A pattern of bits may be the code of no value.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dp_refimpl.fast.array_coins import Bits, Indices
from dp_spec.vocabulary.exceptions import DomainError

INTERVALS = 16


@dataclass(frozen=True)
class Category:
    """An attribute with these values. Raises `DomainError` unless there are two or more, each once."""

    name: str
    values: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(set(self.values)) != len(self.values) or len(self.values) < 2:
            raise DomainError("values", self.values, "two or more values, each once")

    @property
    def size(self) -> int:
        """The number of values."""
        return len(self.values)

    def code(self, text: str) -> int:
        """The place of a value. Raises `DomainError` for an unknown one."""
        if text not in self.values:
            raise DomainError(self.name, text, f"one of {', '.join(self.values)}")
        return self.values.index(text)


@dataclass(frozen=True)
class Number:
    """An integer from `low` to `high`, in 16 intervals. Raises `DomainError` for fewer than 16 integers."""

    name: str
    low: int
    high: int

    def __post_init__(self) -> None:
        if self.high - self.low + 1 < INTERVALS:
            raise DomainError("high", self.high, f"an integer >= {self.low + INTERVALS - 1}")

    @property
    def size(self) -> int:
        """The number of intervals."""
        return INTERVALS

    def code(self, text: str) -> int:
        """The interval of an integer. Raises `DomainError` for other texts and outside the range."""
        try:
            number = int(text)
        except ValueError:
            raise DomainError(self.name, text, f"an integer from {self.low} to {self.high}") from None
        if not self.low <= number <= self.high:
            raise DomainError(self.name, number, f"an integer from {self.low} to {self.high}")
        return (number - self.low) * INTERVALS // (self.high - self.low + 1)


Attribute = Category | Number


def bit_counts(sizes: Sequence[int]) -> tuple[int, ...]:
    """ceil(log2 v) for every number of values v. Raises `DomainError` for a number below 2."""
    for size in sizes:
        if size < 2:
            raise DomainError("sizes", size, "an integer >= 2: one value needs no bit")
    return tuple((size - 1).bit_length() for size in sizes)


def bit_places(sizes: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """The binary attributes of every attribute, by index."""
    counts = bit_counts(sizes)
    starts = [sum(counts[:i]) for i in range(len(counts))]
    return tuple(tuple(range(start, start + count)) for start, count in zip(starts, counts, strict=True))


def bits_of(codes: Indices, sizes: Sequence[int]) -> Bits:
    """The binary attributes of records: shape (n, attributes) to (n, bits)."""
    columns = [
        codes[:, a] >> shift & 1 for a, count in enumerate(bit_counts(sizes)) for shift in reversed(range(count))
    ]
    return np.stack(columns, axis=1).astype(np.uint8)


def codes_of(bits: Bits, sizes: Sequence[int]) -> NDArray[np.uint32]:
    """The codes that the bits of records make: shape (n, bits) to (n, attributes). Some may be no value's."""
    wide = bits.astype(np.uint32)
    columns = [sum(wide[:, place] << shift for shift, place in enumerate(reversed(p))) for p in bit_places(sizes)]
    return np.stack(columns, axis=1)
