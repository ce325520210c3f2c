"""Reports as arrays: checks at the boundary, and exact sums of columns of bits, packed or not."""

from collections.abc import Iterator

import numpy as np

from dp_refimpl.fast.array_coins import Bits, Indices
from dp_spec.vocabulary.exceptions import DomainError

BATCH = 255
"""So many bits of a column are added as bytes, which cannot overflow."""


def require_bit_rows(name: str, bits: Bits, width: int, packed: bool = False) -> None:
    """Raise `DomainError` unless this is a matrix of bits, uint8 or bool, `width` in a row, with at least one row.

    `packed`: rows of ceil(width / 8) bytes as `numpy.packbits` makes them, the spare bits of the last one zero.
    """
    columns, kinds = (-(-width // 8), ("uint8",)) if packed else (width, ("uint8", "bool"))
    if not isinstance(bits, np.ndarray) or bits.dtype.name not in kinds or bits.ndim != 2:
        raise DomainError(name, bits, f"a matrix of {' or '.join(kinds)}")
    if bits.shape[1] != columns:
        raise DomainError(name, bits.shape, f"rows of {columns} {'bytes' if packed else 'bits'}")
    if not len(bits):
        raise DomainError(name, bits.shape, "at least one report")
    if packed and width % 8 and (bits[:, -1] & (0xFF >> width % 8)).any():
        raise DomainError(name, "a spare bit that is 1", f"zeros after the {width} bits of a row")
    if not packed and bits.dtype.name == "uint8" and int(bits.max()) > 1:
        raise DomainError(name, int(bits.max()), "bits 0 and 1")


def require_vector(name: str, numbers: Indices, length: int, below: int) -> Indices:
    """The numbers as int64. Raises `DomainError` unless they are `length` integers in 0..below - 1, one at least."""
    if not isinstance(numbers, np.ndarray) or not np.issubdtype(numbers.dtype, np.integer) or numbers.ndim != 1:
        raise DomainError(name, numbers, "a vector of integers")
    if not len(numbers) or len(numbers) != length:
        raise DomainError(name, len(numbers), f"{length} numbers, one for each report, and at least one")
    if int(numbers.min()) < 0 or int(numbers.max()) >= below:
        raise DomainError(name, (int(numbers.min()), int(numbers.max())), f"integers in 0..{below - 1}")
    return numbers.astype(np.int64)


def require_signs(name: str, signs: Indices, length: int) -> Indices:
    """The signs as int64. Raises `DomainError` unless they are `length` integers 1 and -1, one at least."""
    if not isinstance(signs, np.ndarray) or not np.issubdtype(signs.dtype, np.signedinteger) or signs.ndim != 1:
        raise DomainError(name, signs, "a vector of signed integers")
    if not len(signs) or len(signs) != length:
        raise DomainError(name, len(signs), f"{length} signs, one for each report, and at least one")
    if not ((signs == 1) | (signs == -1)).all():
        raise DomainError(name, (int(signs.min()), int(signs.max())), "signs 1 and -1")
    return signs.astype(np.int64)


def column_sums(bits: Bits, width: int, rows: Indices | None = None, packed: bool = False) -> Indices:
    """How many ones each of the `width` columns has, in all rows or in those at the given positions."""
    sums = np.zeros(width, np.int64)
    for part in _batches(len(bits) if rows is None else len(rows)):
        batch = bits[part if rows is None else rows[part]]
        if packed:
            batch = np.unpackbits(batch, axis=1, count=width)
        sums += np.add.reduce(batch, axis=0, dtype=np.uint8)
    return sums


def _batches(rows: int) -> Iterator[slice]:
    return (slice(start, start + BATCH) for start in range(0, rows, BATCH))
