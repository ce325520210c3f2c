"""Tables of records as arrays: one row for each record, one column for each attribute, values 0..size-1."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dp_refimpl.fast.array_coins import Indices
from dp_refimpl.synthesis.tables import CountTable, require_attributes, require_sizes
from dp_spec.vocabulary.exceptions import DomainError

Floats = NDArray[np.float64]

MOST_CELLS = 2**31
"""Values of a table, and cells of a joint table, at most: 2 GB in bytes."""


@dataclass(frozen=True, eq=False)
class ArrayTable:
    """Records as an (n, d) array of integers, and the d numbers of values of the attributes.

    The array is copied into the smallest unsigned type, column by column. Raises `DomainError` for sizes below 1, for
    anything but an (n, d) array of integers, for values outside 0..size-1 and for more than 2^31 values.
    """

    sizes: tuple[int, ...]
    records: NDArray[np.integer[Any]]

    def __post_init__(self) -> None:
        sizes = require_sizes(self.sizes)
        _require_shape(self.records, len(sizes))
        for a, size in enumerate(sizes):
            column = self.records[:, a]
            if column.size and not (int(column.min()) >= 0 and int(column.max()) < size):
                raise DomainError("records", column, f"values of attribute {a} in 0..{size - 1}")
        copy = np.array(self.records, value_type(sizes), order="F")
        copy.flags.writeable = False
        object.__setattr__(self, "records", copy)

    @classmethod
    def of_counts(cls, table: CountTable) -> "ArrayTable":
        """The records of a count table, in lexicographic order."""
        rows = np.array(table.records, np.int64).reshape(table.n, len(table.sizes))
        return cls(table.sizes, rows.astype(value_type(table.sizes)))

    @property
    def counts(self) -> CountTable:
        """The multiset of the records."""
        return CountTable.of_records(self.sizes, self.records.tolist())

    @property
    def n(self) -> int:
        """The number of records."""
        return len(self.records)

    @property
    def is_binary(self) -> bool:
        """Whether all attributes have two values."""
        return all(size == 2 for size in self.sizes)

    def marginal(self, attributes: Sequence[int]) -> "ArrayTable":
        """The same records restricted to some attributes, in the order in which these are given.

        Raises `DomainError` unless they are different attributes of the table.
        """
        chosen = require_attributes(self.sizes, attributes)
        return ArrayTable(tuple(self.sizes[a] for a in chosen), self.records[:, list(chosen)])

    def joint(self, attributes: Sequence[int]) -> Indices:
        """How often every combination of values of some attributes occurs: an array with an axis for each of them.

        Raises `DomainError` as `marginal`, and for more than 2^31 combinations.
        """
        chosen = require_attributes(self.sizes, attributes)
        sizes = tuple(self.sizes[a] for a in chosen)
        if prod(sizes) > MOST_CELLS:
            raise DomainError("attributes", attributes, f"attributes with at most {MOST_CELLS} combinations of values")
        places = combination_indices(self.records, chosen, sizes)
        return np.bincount(places, minlength=prod(sizes)).reshape(sizes).astype(np.int64, copy=False)


def combination_indices(records: NDArray[Any], attributes: Sequence[int], sizes: Sequence[int]) -> Indices:
    """The place of every record's values of some attributes among all combinations, in lexicographic order."""
    places = np.zeros(len(records), np.int64)
    for a, size in zip(attributes, sizes, strict=True):
        places *= size
        places += records[:, a]
    return places


def value_type(sizes: Sequence[int]) -> "np.dtype[np.unsignedinteger[Any]]":
    """The smallest unsigned integers that hold all values."""
    return np.dtype(np.min_scalar_type(max(sizes, default=1) - 1))


def require_values(name: str, rows: int, attributes: int) -> None:
    """Raise `DomainError` for a table of more than 2^31 values."""
    if rows * attributes > MOST_CELLS:
        raise DomainError(name, rows, f"at most {MOST_CELLS // attributes} rows of {attributes} attributes")


def require_table(table: object) -> "ArrayTable":
    """The table. Raises `DomainError` for anything else: a bare array does not say its domain."""
    if not isinstance(table, ArrayTable):
        raise DomainError("table", table, "an ArrayTable: records, and the numbers of values of their attributes")
    return table


def _require_shape(records: object, attributes: int) -> None:
    if not isinstance(records, np.ndarray) or records.ndim != 2 or records.dtype.kind not in "iu":
        value = records.dtype if isinstance(records, np.ndarray) and records.ndim == 2 else records
        raise DomainError("records", value, "an (n, d) array of integers")
    if np.ma.is_masked(records):
        raise DomainError("records", records, "an array without missing values")
    if records.shape[1] != attributes:
        raise DomainError("records", records.shape, f"rows of {attributes} values")
    require_values("records", *records.shape)
