"""The private count-mean sketch at real sizes (source 004): how many signs in the cells of every word are +1.

f'(d) = m/(m-1) (c_eps (F_d - n/2) + n/2 - n/m), where F_d counts the reports whose sign in the column of d is +1. Of
the m signs of a report nothing else matters, so that no report is drawn: a record is thrown into one of k rows, and a
cell of a row of n_j records, of which a hold words of its column, has Binomial(a, p) + Binomial(n_j - a, 1 - p) signs
+1, p = s / (s + 1), independently of the other cells. Words that share a cell share its number: the law of all F_d
together is that of the program (the tests compare it with the enumerated program at small sizes).

Several data sets and budgets are sampled at once, with the same functions, rows and words of the generator. For each
of them the law is the same as if it were alone; they depend on each other.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dp_refimpl.fast.array_coins import Indices
from dp_refimpl.fast.joint_binomials import BinomialCoins, BinomialTables, Counts
from dp_refimpl.frequency.count_sketch import flip_probability
from dp_refimpl.requirements import require_integer
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.scalar import S

_BLOCK = 1 << 20
"""Labels, or cells, that are handled at once."""

Labels = Callable[[int, int], Indices]
"""The columns of all words in the rows start..stop - 1, shape (stop - start, words); asked for in order."""


class Signs:
    """The signs of reports at some budgets: tables of how many are +1 in a record's own column, and in another.

    Raises `DomainError` for no budgets, and as `Budget.exp`.
    """

    def __init__(self, budgets: Sequence[Budget[Any]], short: int = 16) -> None:
        flips = [flip_probability(budget) for budget in budgets]
        self.own: BinomialTables = BinomialTables([1 - flip for flip in flips], short)
        self.other: BinomialTables = BinomialTables(flips, short)


def sample_ones(
    data: Sequence[Indices], k: int, m: int, signs: Signs, labels: Labels, coins: BinomialCoins
) -> NDArray[np.int64]:
    """F_d for every data set, budget and word: shape (data sets, budgets, words).

    A data set says how many records every word has, shape (words,); all have the same number of words and of records.
    Raises `DomainError` otherwise, for numbers that are not integers >= 0, and for k or m below 1.
    """
    n, words = _require_data(data)
    for name, number in (("k", k), ("m", m)):
        require_integer(name, number, 1)
    rows = coins.below(k, n)
    # the records in the order of their rows; which of them hold which word is independent of the rows
    order = np.argsort(rows.astype(np.min_scalar_type(k - 1)), kind="stable")
    held = [np.repeat(np.arange(words), counts)[order] for counts in data]
    sizes = np.bincount(rows, minlength=k)
    ends = np.concatenate([[0], np.cumsum(sizes)])
    ones = np.zeros((len(data), words, len(signs.other.chances)), np.int64)
    step = max(1, _BLOCK // max(m, words))
    for start in range(0, k, step):
        stop = min(k, start + step)
        columns = labels(start, stop)
        if columns.shape != (stop - start, words):
            raise DomainError("labels", columns.shape, f"labels of {words} words in {stop - start} rows")
        records, size = slice(ends[start], ends[stop]), sizes[start:stop]
        others = coins.binomials(signs.other, size, m)
        for total, of_records in zip(ones, held, strict=True):
            cells = _with_own(others, size, columns, of_records[records], signs, coins)
            _gather(cells, columns, int(size.max()), total)
    return ones.transpose(0, 2, 1)


def estimates(ones: Indices, n: int, m: int, constant: S) -> list[S]:
    """f'(d) from F_d, n the number of records and `constant` the server's c_eps. Raises `DomainError` for m < 2."""
    require_integer("m", m, 2)
    return [(m * (constant * (2 * int(f) - n) + n) - 2 * n) / (2 * (m - 1)) for f in ones]


def random_labels(words: int, m: int, coins: BinomialCoins) -> Labels:
    """The labels of random functions: all independent and uniform on 0..m - 1, drawn as they are asked for."""

    def draw(start: int, stop: int) -> Indices:
        shape = (stop - start, words)
        if 2**coins.short_word % m:
            return coins.below(m, shape)
        drawn = coins.words((stop - start) * words, coins.short_word) % np.uint16(m)
        return drawn.astype(np.int64).reshape(shape)

    return draw


def _with_own(
    others: Counts, size: Indices, columns: Indices, held: Indices, signs: Signs, coins: BinomialCoins
) -> Counts:
    """The cells of some rows, shape (rows, m, budgets): those that records hold are drawn again, by their law."""
    m = others.shape[1]
    row = np.repeat(np.arange(len(size)), size)
    cell, own = np.unique(row * m + columns[row, held], return_counts=True)
    cells = others.copy()
    drawn = coins.binomials(signs.own, own) + coins.binomials(signs.other, size[cell // m] - own)
    cells.reshape(-1, others.shape[2])[cell] = drawn[:, 0]
    return cells


def _gather(cells: Counts, columns: Indices, most: int, total: NDArray[np.int64]) -> None:
    """Add to the total of every word, shape (words, budgets), what is in its cell of each row: at most so many."""
    flush = np.iinfo(cells.dtype).max // max(1, most)
    sums = np.zeros(total.shape, cells.dtype)
    for number, (row, column) in enumerate(zip(cells, columns, strict=True), start=1):
        sums += row.take(column, axis=0)
        if number % flush == 0:
            total += sums
            sums[:] = 0
    total += sums


def _require_data(data: Sequence[Indices]) -> tuple[int, int]:
    """The numbers of records and of words."""
    shapes = set()
    for counts in data:
        if not isinstance(counts, np.ndarray) or counts.ndim != 1 or not np.issubdtype(counts.dtype, np.integer):
            raise DomainError("data", counts, "an integer array of 1 dimension")
        if not counts.size or int(counts.min()) < 0 or not int(counts.sum()):
            raise DomainError("data", counts, "numbers of records >= 0, not all of them 0")
        shapes.add((int(counts.sum()), counts.size))
    if len(shapes) != 1:
        raise DomainError("data", sorted(shapes), "data sets of the same numbers of records and words")
    return shapes.pop()
