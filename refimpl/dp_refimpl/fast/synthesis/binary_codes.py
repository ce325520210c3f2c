"""Attributes as binary ones, and back, for whole tables: `synthesis.binary_codes` on arrays."""

from collections.abc import Callable

import numpy as np

from dp_refimpl.fast.synthesis.record_arrays import ArrayTable, combination_indices, value_type
from dp_refimpl.requirements import require_integer
from dp_refimpl.synthesis.binary_codes import BinaryCode
from dp_spec.vocabulary.exceptions import DomainError


class ArrayBinaryCode(BinaryCode):
    """`BinaryCode` that codes tables of arrays as well."""

    @property
    def binary(self) -> tuple[int, ...]:
        """The sizes of a table of bits."""
        return (2,) * sum(self.bits)

    def encoded_array(self, table: ArrayTable) -> ArrayTable:
        """The table of the bits of all records, in their order. Raises `DomainError` for one of another domain."""
        _require_sizes(table, self.sizes)
        bits = np.zeros((table.n, len(self.binary)), np.uint8, order="F")
        for column, places in zip(table.records.T, self.places, strict=True):
            for shift, place in enumerate(reversed(places)):
                bits[:, place] = column >> shift & 1
        return ArrayTable(self.binary, bits)

    def patterns(self, bits: ArrayTable) -> ArrayTable:
        """The numbers that the bits of each attribute write, some of which may be no value's.

        Raises `DomainError` for a table that is not of so many bits.
        """
        _require_sizes(bits, self.binary)
        numbers = np.zeros((bits.n, len(self.sizes)), np.int64, order="F")
        for a, places in enumerate(self.places):
            numbers[:, a] = combination_indices(bits.records, places, (2,) * len(places))
        return ArrayTable(tuple(2**count for count in self.bits), numbers)

    def decoded_array(self, bits: ArrayTable) -> ArrayTable:
        """The records that rows of bits code, in their order, without those that code none. Raises as `patterns`."""
        numbers = self.patterns(bits).records
        return ArrayTable(self.sizes, numbers[(numbers < np.array(self.sizes)).all(axis=1)])

    def draw_array(self, rows_of_bits: Callable[[int], ArrayTable], rows: int) -> ArrayTable:
        """So many records of rows of bits that are drawn, as many as are missing, until all are codes.

        Of independent rows these are the records that `draw` makes of them one after the other. It does not end if none
        is a code with positive probability. Raises `DomainError` unless rows >= 0 is an integer, and as `patterns`.
        """
        missing = require_integer("rows", rows, 0)
        parts = [np.zeros((0, len(self.sizes)), value_type(self.sizes))]
        while missing > 0:
            parts.append(self.decoded_array(rows_of_bits(missing)).records)
            missing -= len(parts[-1])
        return ArrayTable(self.sizes, np.concatenate(parts))


def _require_sizes(table: ArrayTable, sizes: tuple[int, ...]) -> None:
    if table.sizes != sizes:
        raise DomainError("table", table.sizes, f"a table of the sizes {sizes}")
