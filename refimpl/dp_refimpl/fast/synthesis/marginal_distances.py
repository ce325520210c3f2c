"""How far two tables are apart: the average total variation distance of all marginals of some attributes (AVD)."""

from itertools import combinations, islice
from math import comb

import numpy as np
from flint import fmpq

from dp_refimpl.fast.array_coins import Indices
from dp_refimpl.fast.synthesis.record_arrays import ArrayTable
from dp_refimpl.fast.synthesis.subset_counts import SubsetCounts
from dp_refimpl.requirements import require_integer
from dp_refimpl.synthesis.information import require_records
from dp_spec.vocabulary.exceptions import DomainError

_BLOCK = 1 << 16


def average_variation_distance(table: ArrayTable, other: ArrayTable, way: int) -> fmpq:
    """The mean over all `way`-way marginals of half the L1 distance of their frequencies (source 003, (13)), exactly.

    Raises `DomainError` for tables of different domains or without records, and unless 1 <= way <= d.
    """
    d, scale = len(table.sizes), 2 * require_records(table.n) * require_records(other.n)
    if other.sizes != table.sizes:
        raise DomainError("other", other.sizes, f"a table of the sizes {table.sizes}")
    require_integer("way", way, 1, d)
    return fmpq(_binary(table, other, way) if table.is_binary else _any(table, other, way), scale * comb(d, way))


def _binary(table: ArrayTable, other: ArrayTable, way: int) -> int:
    """The sum of the L1 distances times both numbers of records."""
    counts, others = SubsetCounts(table, way), SubsetCounts(other, way)
    listed, total = combinations(range(len(table.sizes)), way), 0
    while block := list(islice(listed, _BLOCK)):
        sets: Indices = np.array(block, np.int64)
        total += _distance(counts.joints(sets), others.joints(sets), table.n, other.n)
    return total


def _any(table: ArrayTable, other: ArrayTable, way: int) -> int:
    chosen = combinations(range(len(table.sizes)), way)
    return sum(_distance(table.joint(a)[None], other.joint(a)[None], table.n, other.n) for a in chosen)


def _distance(counts: Indices, others: Indices, n: int, other_n: int) -> int:
    """Each marginal's distance is below 2^63, of at most 2^31 records."""
    distances = np.abs(counts * other_n - others * n).reshape(len(counts), -1).sum(axis=1)
    return sum(distances.tolist())
