"""The sensitivity of mutual information by types of moves (source 003, (8)): the counts that a replaced record touches.

If a record moves from the values (x, y) to (x', y'), then e^(n I) is multiplied by quotients of increments
B_k = k^k / (k-1)^(k-1): of the two cells, and inversely of the rows x and x' if they differ, and of the columns y and
y' if they differ. So these counts, the type of the move, say all; there are fewer types than tables.
"""

from collections.abc import Iterator
from functools import reduce
from operator import mul

from flint import fmpq, fmpz

from dp_refimpl.synthesis.information import Information, require_records
from dp_refimpl.synthesis.tables import require_sizes
from dp_spec.vocabulary.scalar import at_most

Counts = tuple[int, int]
"""The count that a record leaves, >= 1, and the one that it comes to, before it moves."""


def information_change(sizes: tuple[int, int], n: int) -> Information:
    """The largest change of I(X; Y) when one of n records is replaced, for attributes with so many values.

    Raises as `information_factors`.
    """
    changes = (1 / factor if at_most(factor, 1) else factor for factor in information_factors(sizes, n))
    return Information(reduce(lambda a, b: b if at_most(a, b) else a, changes, fmpq(1)), n)


def information_factors(sizes: tuple[int, int], n: int) -> frozenset[fmpq]:
    """All numbers by which e^(n I(X; Y)) is multiplied when one of n records is replaced by another one.

    Raises `DomainError` unless n >= 1, and for sizes below 1.
    """
    rows, columns = require_sizes(sizes)
    increments = [fmpq(1), *(fmpq(fmpz(k) ** k, fmpz(k - 1) ** (k - 1)) for k in range(1, require_records(n) + 1))]
    moved = {(k, m): increments[k] / increments[m + 1] for k in range(1, n + 1) for m in range(n - k + 1)}
    types = {*_along(rows, columns, n), *_along(columns, rows, n), *_across(rows, columns, n)}
    return frozenset(reduce(mul, (moved[margin] for margin in margins), 1 / moved[cells]) for cells, margins in types)


def _margins(values: int, n: int) -> Iterator[Counts]:
    """The counts of two of so many values of n records: all records, if there are only two."""
    for k in range(1, n + 1 if values > 1 else 1):
        yield from ((k, m) for m in (range(n - k + 1) if values > 2 else [n - k]))


def _along(rows: int, columns: int, n: int) -> Iterator[tuple[Counts, tuple[Counts, ...]]]:
    """Moves within a row: the cells and the columns; what the columns have beside these cells is in other rows."""
    for s, t in _margins(columns, n):
        for u in range(1, s + 1) if rows > 1 else [s]:
            yield from (((u, v), ((s, t),)) for v in (range(t + 1) if rows > 1 else [t]))


def _across(rows: int, columns: int, n: int) -> Iterator[tuple[Counts, tuple[Counts, ...]]]:
    """Moves to another row and column: the cells (u, v), the rows (r, q), and the columns (s, t).

    There is such a table exactly if what the row r has beside u fits into the columns other than s, which have t - v
    and n - s - t beside v, and likewise for the row q: the columns' rest always fits (Hall's condition).
    """
    for r, q in _margins(rows, n):
        for s, t in _margins(columns, n):
            rest = n - s - t
            for u in range(1, min(r, s) + 1):
                for v in range(min(q, t) + 1):
                    if r - u <= t - v + rest and q - v <= s - u + rest:
                        yield (u, v), ((r, q), (s, t))
