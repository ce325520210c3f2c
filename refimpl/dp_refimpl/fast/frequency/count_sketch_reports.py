"""The private count-mean sketch with arrays: reports of many clients, chunk by chunk, and the server's exact sums.

A sign u is the bit (u + 1) / 2. The server adds integers only; estimates are made of them once, in the exact field.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dp_refimpl.fast.array_coins import ArrayCoins, Bits, Indices
from dp_refimpl.fast.frequency.item_arrays import chunks, item_rows
from dp_refimpl.fast.frequency.label_arrays import cell_sums, label_table
from dp_refimpl.fast.frequency.rappor import unary_bits
from dp_refimpl.fast.frequency.report_arrays import BATCH, column_sums, require_bit_rows, require_vector
from dp_refimpl.frequency.count_sketch import ClientCMS, server_constant
from dp_refimpl.requirements import require_integer
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.scalar import S

CHUNK = 65536
"""Reports of so many users are made at once."""
FEW = 16
"""Chunks with fewer reports to a row are added report by report."""


@dataclass(frozen=True, eq=False)
class SketchReports:
    """Reports of n users: m bits in a row, shape (n, m) (1 for the sign 1, 0 for -1), and the rows in 0..k-1.

    `packed`: eight bits a byte as `numpy.packbits` makes them, shape (n, ceil(m / 8)), spare bits zero.
    """

    bits: Bits
    rows: Indices
    packed: bool = False


@dataclass(frozen=True, eq=False)
class SketchTotals:
    """What the server keeps: the sums of the signs in the k x m cells, and how many reports each row has.

    Raises `DomainError` for other shapes or types, and for sums that no signs have: beyond their number, or of another
    parity.
    """

    signs: Indices
    users: Indices

    def __post_init__(self) -> None:
        signs, users = self.signs, self.users
        for name, array, dimensions in (("signs", signs, 2), ("users", users, 1)):
            if not isinstance(array, np.ndarray) or not np.issubdtype(array.dtype, np.signedinteger):
                raise DomainError(name, array, "an array of signed integers")
            if array.ndim != dimensions or not array.size:
                raise DomainError(name, array.shape, f"an array of {dimensions} dimension(s) that is not empty")
        if len(signs) != len(users):
            raise DomainError("users", users.shape, f"{len(signs)} numbers, one for each row")
        largest: Indices = signs.max(axis=1)
        least: Indices = signs.min(axis=1)
        beyond = (users < 0) | (largest > users) | (least < -users)
        if beyond.any() or ((signs ^ users[:, None]) & 1).any():
            raise DomainError("signs", "sums that do not add up", "sums of as many signs 1 and -1 as the row has users")

    @property
    def n(self) -> int:
        """The number of reports."""
        return int(self.users.sum())

    def __add__(self, other: "SketchTotals") -> "SketchTotals":
        """The totals of both servers' reports. Raises `DomainError` for sketches of another size."""
        if self.signs.shape != other.signs.shape:
            raise DomainError("signs", other.signs.shape, f"a sketch of {self.signs.shape} cells")
        return SketchTotals(self.signs + other.signs, self.users + other.users)


def sample_client_cms(
    mechanism: ClientCMS[S], items: Indices, coins: ArrayCoins, size: int = CHUNK, packed: bool = False
) -> Iterator[SketchReports]:
    """Reports of n users from their items, shape (n,), at most `size` at once: n m bits need not be in memory.

    Raises `DomainError` for bad positions or `size`.
    """
    held = item_rows(items, mechanism)
    require_integer("size", size, 1)
    table = label_table(mechanism.functions, mechanism.domain.items)

    def reports(part: slice) -> SketchReports:
        rows = coins.below(mechanism.k, part.stop - part.start)
        own = table[rows, held[part]].astype(np.int64)[:, None]
        bits = unary_bits(own, mechanism.m, 1 - mechanism.flip, mechanism.flip, coins)
        return SketchReports(np.packbits(bits, axis=1) if packed else bits, rows, packed)

    return map(reports, chunks(len(held), size))


def cms_totals(reports: Iterable[SketchReports], k: int, m: int) -> SketchTotals:
    """The server's sums from chunks of reports, of any sizes; beside a chunk it needs the k m cells.

    Raises `DomainError` unless k and m are integers >= 1, for reports of another sketch (rows beyond k, other than m
    bits), for what are no bits, and without any report.
    """
    require_integer("k", k, 1)
    require_integer("m", m, 1)
    ones, users = np.zeros((k, m), np.int64), np.zeros(k, np.int64)
    for chunk in reports:
        if not isinstance(chunk, SketchReports) or not isinstance(chunk.packed, bool):
            raise DomainError("reports", chunk, "chunks of SketchReports")
        require_bit_rows("bits", chunk.bits, m, chunk.packed)
        rows = require_vector("rows", chunk.rows, len(chunk.bits), k)
        counts = np.bincount(rows, minlength=k)
        users += counts
        if len(rows) < FEW * np.count_nonzero(counts):
            _add_each(chunk, rows, ones)
        else:
            _add_by_row(chunk, rows, counts, ones)
    if not users.any():
        raise DomainError("reports", 0, "at least one report")
    ones *= 2
    ones -= users[:, None]
    return SketchTotals(ones, users)


def _add_each(chunk: SketchReports, rows: Indices, ones: Indices) -> None:
    """Add the bits of every report to its row."""
    for part in chunks(len(rows), BATCH):
        bits = np.unpackbits(chunk.bits[part], axis=1, count=ones.shape[1]) if chunk.packed else chunk.bits[part]
        for row, report in zip(rows[part].tolist(), bits, strict=True):
            ones[row] += report


def _add_by_row(chunk: SketchReports, rows: Indices, counts: Indices, ones: Indices) -> None:
    """Add the sums of the reports of every row; `counts` is how many it has."""
    order, ends = np.argsort(rows, kind="stable"), np.cumsum(counts)
    for row in np.flatnonzero(counts):
        own = order[ends[row] - counts[row] : ends[row]]
        ones[row] += column_sums(chunk.bits, ones.shape[1], own, chunk.packed)


def estimate_cms(mechanism: ClientCMS[S], totals: SketchTotals) -> dict[Item, S]:
    """Estimated frequency of every item, f'(d) / n, from the server's sums: `server_cms` and `aggregate` on arrays.

    With C the sum of the signs in an item's k cells f'(d) is (m (c_eps C + n) / 2 - n) / (m - 1). Raises
    `DomainError` for a sketch of another size, without reports, for one column, and at epsilon = 0.
    """
    k, m, n = mechanism.k, mechanism.m, totals.n
    c = server_constant(mechanism.budget.exp(Fraction(1, 2)))
    if m == 1:
        raise DomainError("m", m, "m >= 2: for one column m / (m - 1) is not defined")
    if totals.signs.shape != (k, m):
        raise DomainError("signs", totals.signs.shape, f"{k} rows of {m} sums")
    if not n:
        raise DomainError("users", n, "at least one report")
    items = mechanism.domain.items
    sums = cell_sums(totals.signs, mechanism.functions, items)
    return {x: (m * (c * int(total) + n) / 2 - n) / ((m - 1) * n) for x, total in zip(items, sums, strict=True)}
