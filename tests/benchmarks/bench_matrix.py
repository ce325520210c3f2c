"""Matrix mechanisms in O(h) against what they stand for, in numpy.

- Algorithm 3 for a fixed range: the sum of a submatrix of Sigma, in floats. Operations on numbers that come from the
  range's ends are counted, h = 60 beside h = 30.
- The average error of all ranges in closed form, and the worst range by a search: all ranges at once, by arrays.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks.table import line, seconds
from dp_refimpl.matrix.fixed_range import algorithm3
from dp_refimpl.matrix.mechanism import restoration
from dp_refimpl.matrix.privelet import Privelet
from dp_refimpl.matrix.workload_totals import Workload, energy_totals, queries
from dp_refimpl.matrix.worst_queries import worst_range
from independent.range_arrays import privelet_coefficients

H, TABLE, HUGE, WORST = 12, 10, 60, 11
FIXED = line("Algorithm 3, N = 2¹²: error of a range", "sum of a submatrix of Σ in numpy", required=2)
OPERATIONS = line("Algorithm 3, h = 60: operations", "the same for h = 30", "times as many", required=2.1)
AVERAGE = line("average error of all ranges, N = 2⁶⁰, exact", "all ranges by arrays, N = 2¹⁰", required=10)
SEARCHED = line("worst of all ranges, N = 2¹¹, exact", "all ranges by arrays", required=5)


def dense(h: int) -> NDArray[np.float64]:
    """The restoration of Privelet: for every node 1 / width above its left half, -1 / width above its right half."""
    size = 2**h
    matrix = np.zeros((size, size))
    matrix[:, 0] = 1 / size
    for node in range(1, size):
        depth = node.bit_length() - 1
        width = size >> depth
        start = node * width - size
        matrix[start : start + width // 2, node] = 1 / width
        matrix[start + width // 2 : start + width, node] = -1 / width
    return matrix


class Counted(int):
    """An integer whose operations are counted, and those of what comes of them."""

    done = 0


def _counted(name: str) -> Callable[[Counted, int], Any]:
    operation = getattr(int, name)

    def work(one: Counted, other: int) -> Any:
        Counted.done += 1
        number = operation(one, other)
        return Counted(number) if type(number) is int else number

    return work


OPERATORS = (
    *("add", "radd", "sub", "rsub", "mul", "rmul", "floordiv", "rfloordiv", "mod", "rmod", "lt", "le", "gt", "ge"),
)
for _name in OPERATORS:
    setattr(Counted, f"__{_name}__", _counted(f"__{_name}__"))


def operations(h: int, first: int, last: int) -> int:
    """How many Algorithm 3 makes with what comes of the ends."""
    Counted.done = 0
    answer = algorithm3(h, Counted(first), Counted(last))
    assert answer == algorithm3(h, first, last)
    return Counted.done


def inner(h: int) -> tuple[int, int]:
    """A range that has two border nodes on all but the largest heights, as 0101..."""
    first = sum(4**i for i in range(h // 2)) + 1
    return first, 2**h - first + 1


def test_fixed_range(benchmark: Any) -> None:
    first, last = inner(H)
    assert dense(4).ravel().tolist() == [int(x.p) / int(x.q) for x in restoration(Privelet(16)).entries()]
    b = dense(H)
    sigma = b @ b.T
    exact = benchmark.pedantic(lambda: algorithm3(H, first, last), rounds=50)
    part = sigma[first - 1 : last, first - 1 : last]
    assert float(part.sum()) == pytest.approx(int(exact.p) / int(exact.q))
    FIXED.record(benchmark.stats.stats.min, seconds(part.sum))
    counted = {h: operations(h, *inner(h)) for h in (15, 30, 45, HUGE)}
    details = {f"h_{h}": float(number) for h, number in counted.items()}
    OPERATIONS.record(counted[HUGE], counted[HUGE // 2], **details)


def average(size: int) -> Any:
    """Of all ranges, in closed form."""
    parts = energy_totals(Workload.RANGES, size, size)
    total = sum(part / value for part, value in zip(parts, Privelet(size).eigenvalues(), strict=True))
    return total / queries(Workload.RANGES, size)


def test_all_ranges(benchmark: Any) -> None:
    assert average(2**TABLE) * queries(Workload.RANGES, 2**TABLE) * 4**TABLE == int(privelet_coefficients(TABLE).sum())
    benchmark.pedantic(lambda: average(2**HUGE), rounds=20)
    AVERAGE.record(benchmark.stats.stats.min, seconds(lambda: privelet_coefficients(TABLE).sum()))


def search(h: int) -> Any:
    return worst_range(2**h, 2**h, Privelet(2**h).eigenvalues())


def test_worst_range(benchmark: Any) -> None:
    maximum = benchmark.pedantic(lambda: search(WORST), rounds=5)
    assert maximum[0] * 4**WORST == int(privelet_coefficients(WORST).max())
    SEARCHED.record(benchmark.stats.stats.min, seconds(lambda: privelet_coefficients(WORST).max()))
