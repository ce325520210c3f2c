"""Attributes as binary ones, and back (source 003, Section 3.1 and [13]): codes of public domains, whatever the data.

A number is cut into bins of the same width over its public range; v values are coded by ceil(log2 v) bits, the highest
first. A pattern of bits may be the code of no value: a row with one is drawn again.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from flint import fmpq

from dp_refimpl.coins import Coins
from dp_refimpl.requirements import require_integer
from dp_refimpl.synthesis.tables import Record, require_record, require_sizes
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.scalar import at_most


def equal_width_bin(value: fmpq, low: fmpq, high: fmpq, bins: int = 16) -> int:
    """The bin 0..bins-1 of a number in the range low..high; the upper end of a bin belongs to the next one.

    The range is that of the domain: the least and the largest value of the data would have to be paid for. Raises
    `DomainError` for a number outside, unless low < high, and unless bins >= 1 is an integer.
    """
    for name, number in (("value", value), ("low", low), ("high", high)):
        if not isinstance(number, fmpq):
            raise DomainError(name, number, "a rational number (fmpq)")
    require_integer("bins", bins, 1)
    if at_most(high, low):
        raise DomainError("high", high, f"a number above {low}")
    if not (at_most(low, value) and at_most(value, high)):
        raise DomainError("value", value, f"a number in {low}..{high}")
    return min(int(((value - low) * bins / (high - low)).floor()), bins - 1)


@dataclass(frozen=True)
class BinaryCode:
    """The code of records with `sizes` values of the attributes.

    Raises `DomainError` for sizes that are none, and for an attribute of one value, which no bit can code.
    """

    sizes: tuple[int, ...]

    def __post_init__(self) -> None:
        if 1 in require_sizes(self.sizes):
            raise DomainError("sizes", self.sizes, "integers >= 2")

    @cached_property
    def bits(self) -> tuple[int, ...]:
        """How many bits every attribute has."""
        return tuple((size - 1).bit_length() for size in self.sizes)

    @cached_property
    def places(self) -> tuple[tuple[int, ...], ...]:
        """Which bits every attribute has, by index."""
        starts = pairwise([sum(self.bits[:a]) for a in range(len(self.bits) + 1)])
        return tuple(tuple(range(start, stop)) for start, stop in starts)

    def encoded(self, record: Sequence[int]) -> Record:
        """The bits of a record. Raises `DomainError` for one outside the domain."""
        values = zip(require_record(self.sizes, record), self.bits, strict=True)
        return tuple(value >> shift & 1 for value, count in values for shift in reversed(range(count)))

    def decoded(self, bits: Sequence[int]) -> Record | None:
        """The record of a pattern of bits; None where one is the code of no value. Raises `DomainError` for others."""
        pattern = require_record((2,) * sum(self.bits), bits)
        record = tuple(sum(pattern[place] << i for i, place in enumerate(places[::-1])) for places in self.places)
        return record if all(value < size for value, size in zip(record, self.sizes, strict=True)) else None

    def draw(self, pattern: Callable[[Coins], Sequence[int]], coins: Coins) -> Record:
        """A record of patterns that are drawn until one is a code: the law of a pattern, given that it is one.

        It does not end if none has positive probability, nor on enumerating coins if another one has.
        """
        while (record := self.decoded(pattern(coins))) is None:
            pass
        return record
