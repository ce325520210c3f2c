"""All ranges at once, as arrays."""

import numpy as np

from dp_refimpl.fast.array_coins import Indices
from dp_refimpl.requirements import require_integer


def range_ends(size: int) -> tuple[Indices, Indices]:
    """(first, last) of all N (N + 1) / 2 ranges, by first and then by last."""
    first, last = np.triu_indices(require_integer("size", size, 1))
    return first.astype(np.int64) + 1, last.astype(np.int64) + 1
