"""Attributes with public domains, and the arrays of bits that code them: `synthesis.binary_codes` for whole tables."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from dp_refimpl.fast.array_coins import Bits, Indices
from dp_refimpl.synthesis.binary_codes import BinaryCode, equal_width_bin
from dp_spec.vocabulary.exceptions import DomainError

BINS = 16


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
    """An integer from `low` to `high`, in 16 bins of equal width. Raises `DomainError` for fewer than 16 integers."""

    name: str
    low: int
    high: int

    def __post_init__(self) -> None:
        if self.high - self.low + 1 < BINS:
            raise DomainError("high", self.high, f"an integer >= {self.low + BINS - 1}")

    @property
    def size(self) -> int:
        """The number of bins."""
        return BINS

    def code(self, text: str) -> int:
        """The bin of an integer. Raises `DomainError` for other texts and outside the range."""
        try:
            number = int(text)
        except ValueError:
            raise DomainError(self.name, text, f"an integer from {self.low} to {self.high}") from None
        if not self.low <= number <= self.high:
            raise DomainError(self.name, number, f"an integer from {self.low} to {self.high}")
        return equal_width_bin(fmpq(number), fmpq(self.low), fmpq(self.high), BINS)


Attribute = Category | Number


def bit_places(sizes: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """The binary attributes of every attribute, by index."""
    counts = BinaryCode(tuple(sizes)).bits
    starts = [sum(counts[:i]) for i in range(len(counts))]
    return tuple(tuple(range(start, start + count)) for start, count in zip(starts, counts, strict=True))


def bits_of(codes: Indices, sizes: Sequence[int]) -> Bits:
    """The binary attributes of records: shape (n, attributes) to (n, bits)."""
    counts = enumerate(BinaryCode(tuple(sizes)).bits)
    columns = [codes[:, a] >> shift & 1 for a, count in counts for shift in reversed(range(count))]
    return np.stack(columns, axis=1).astype(np.uint8)


def codes_of(bits: Bits, sizes: Sequence[int]) -> NDArray[np.uint32]:
    """The codes that the bits of records make: shape (n, bits) to (n, attributes). Some may be no value's."""
    wide = bits.astype(np.uint32)
    columns = [sum(wide[:, place] << shift for shift, place in enumerate(reversed(p))) for p in bit_places(sizes)]
    return np.stack(columns, axis=1)
