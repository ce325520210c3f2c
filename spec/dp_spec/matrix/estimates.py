"""Estimates of ranges from the noisy answers of trees (b = 2), as matrices: what Privelet, Boost and the naive tree do.

Every row has the weights of all noisy answers, in the order of the law's rows (`dp_spec.matrix.mechanisms`), heights
from the leaves up, nodes from left to right.
"""

from collections.abc import Iterator

from flint import fmpq

from dp_spec.vocabulary.matrix_statements import Matrix


def ranges(h: int) -> list[range]:
    """All ranges of 2^h counts, numbered from 0."""
    size = 2**h
    return [range(first, last + 1) for first in range(size) for last in range(first, size)]


def range_queries(h: int) -> Matrix:
    """The workload of all ranges."""
    return tuple(tuple(fmpq(int(i in leaves)) for i in range(2**h)) for leaves in ranges(h))


def privelet(h: int) -> Matrix:
    """(4), summed over a range: the total has the weight |I| 2^-h; a difference at height s that of the leaves of I on
    its left, less those on its right, times 2^-s."""
    return tuple(tuple(_privelet(leaves, h)) for leaves in ranges(h))


def _privelet(leaves: range, h: int) -> Iterator[fmpq]:
    yield fmpq(len(leaves), 2**h)
    for s in range(1, h + 1):
        for start in range(0, 2**h, 2**s):
            middle, end = start + 2 ** (s - 1), start + 2**s
            yield fmpq(_common(leaves, start, middle) - _common(leaves, middle, end), 2**s)


def naive(h: int) -> Matrix:
    """Of every range the sum of the fewest nodes: those inside it whose parent is not."""
    return tuple(tuple(_naive(leaves, h)) for leaves in ranges(h))


def _naive(leaves: range, h: int) -> Iterator[fmpq]:
    for s in range(h + 1):
        for node in range(2 ** (h - s)):
            parent = node // 2 * 2 ** (s + 1)
            inside = _common(leaves, node * 2**s, (node + 1) * 2**s) == 2**s
            above = s < h and _common(leaves, parent, parent + 2 ** (s + 1)) == 2 ** (s + 1)
            yield fmpq(int(inside and not above))


def boost(h: int) -> Matrix:
    """The two passes of the consistency step (Hay et al. 2010), run on every answer alone, summed over a range."""
    answers = 2 ** (h + 1) - 1
    leaves = [_consistent([fmpq(int(i == j)) for i in range(answers)], h) for j in range(answers)]
    return tuple(tuple(sum((column[i] for i in of), fmpq(0)) for column in leaves) for of in ranges(h))


def _consistent(noisy: list[fmpq], h: int) -> list[fmpq]:
    """The leaves of the consistent tree: upwards a mean of the own answer and the children's sum, with weights 2^s and
    2^s - 1 over 2^(s+1) - 1 at height s; downwards an equal share of what is missing."""
    levels: list[list[fmpq]] = []
    start = 0
    for s in range(h + 1):
        own, start = noisy[start : start + 2 ** (h - s)], start + 2 ** (h - s)
        if s:
            below = levels[-1]
            sums = [below[i] + below[i + 1] for i in range(0, len(below), 2)]
            own = [(2**s * y + (2**s - 1) * z) / (2 ** (s + 1) - 1) for y, z in zip(own, sums, strict=True)]
        levels.append(own)
    found = levels[-1]
    for below in levels[-2::-1]:
        found = [z + (found[i // 2] - below[i - i % 2] - below[i - i % 2 + 1]) / 2 for i, z in enumerate(below)]
    return found


def _common(leaves: range, start: int, stop: int) -> int:
    return max(0, min(leaves.stop, stop) - max(leaves.start, start))
