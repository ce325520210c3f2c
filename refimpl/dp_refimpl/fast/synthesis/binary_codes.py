"""Attributes as binary ones for whole tables: `synthesis.binary_codes` on arrays."""

import numpy as np

from dp_refimpl.fast.synthesis.record_arrays import ArrayTable, combination_indices
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


def _require_sizes(table: ArrayTable, sizes: tuple[int, ...]) -> None:
    if table.sizes != sizes:
        raise DomainError("table", table.sizes, f"a table of the sizes {sizes}")
