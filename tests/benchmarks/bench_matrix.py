"""Matrix mechanisms in O(N) and O(h) against the matrices that they stand for, in numpy.

- Privelet's transform and restoration: dense products with A and B (N = 2^12: 128 MB each). At N = 2^24, where there is
  no matrix, the time for each count is set beside that of N = 2^20.
- Algorithm 3 for a fixed range: the sum of a submatrix of Sigma, in floats. Operations on numbers that come from the
  range's ends are counted, h = 60 beside h = 30.
- Table 1 of source 001 (N = 1024, 50 ranges, 100 repetitions): the same with A and B.
- The average error of all ranges in closed form, and the worst range by a search: all ranges at once, by arrays.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks.table import growth, line, seconds
from dp_refimpl.fast.matrix.range_arrays import privelet_coefficients, range_ends
from dp_refimpl.fast.matrix.releases import LaplaceArray, release_array, restore_array
from dp_refimpl.fast.matrix.transforms import haar_forward, haar_inverse
from dp_refimpl.matrix.fixed_range import algorithm3
from dp_refimpl.matrix.mechanism import restoration, strategy
from dp_refimpl.matrix.privelet import Privelet
from dp_refimpl.matrix.workload_totals import Workload, energy_totals, queries
from dp_refimpl.matrix.worst_queries import worst_range

Floats = NDArray[np.float64]
H, LARGE, COMMON, TABLE, HUGE, WORST = 12, 24, 20, 10, 60, 11
RANGES, REPEATED = 50, 100
DENSE = "numpy products with the matrices"
TRANSFORM = line("Privelet, N = 2¹²: transform and restoration", DENSE, required=10)
EACH = line("Privelet, N = 2²⁴: transform and restoration, for each count", "the same for N = 2²⁰", "times as long")
FIXED = line("Algorithm 3, N = 2¹²: error of a range", "sum of a submatrix of Σ in numpy", required=2)
OPERATIONS = line("Algorithm 3, h = 60: operations", "the same for h = 30", "times as many", required=2.1)
SIMULATED = line("Table 1 of source 001: 50 ranges, 100 repetitions, N = 1024", DENSE, required=2)
AVERAGE = line("average error of all ranges, N = 2⁶⁰, exact", "all ranges by arrays, N = 2¹⁰", required=10)
SEARCHED = line("worst of all ranges, N = 2¹¹, exact", "all ranges by arrays", required=5)
BY_COUNTS = growth("Privelet's transform and restoration", "counts")
BY_HEIGHT = growth("Algorithm 3: error of a range", "height of the tree")
BY_LEAVES = growth("The worst of all ranges", "counts")


def dense(size: int) -> tuple[Floats, Floats]:
    """A and B, from the transform of the columns of the identity."""
    columns = np.eye(size)
    a = np.array([haar_forward(column) for column in columns]).T
    b = np.array([haar_inverse(column) for column in columns]).T
    return np.ascontiguousarray(a), np.ascontiguousarray(b)


def both_ways(values: Floats) -> Floats:
    back: Floats = haar_inverse(haar_forward(values))
    return back


def require_matrices() -> None:
    """The matrices are those of the exact program."""
    a, b = dense(16)
    own = Privelet(16)
    for matrix, exact in ((a, strategy(own)), (b, restoration(own))):
        assert matrix.ravel().tolist() == [int(x.p) / int(x.q) for x in exact.entries()]


def test_transform(benchmark: Any) -> None:
    require_matrices()
    values = np.random.default_rng(0).random(2**LARGE)
    a, b = dense(2**H)
    small = values[: 2**H]
    assert abs(b @ (a @ small) - both_ways(small)).max() < 1e-9
    TRANSFORM.record(seconds(lambda: both_ways(small), 20), seconds(lambda: b @ (a @ small), 5))
    assert abs(benchmark.pedantic(lambda: both_ways(values), rounds=2) - values).max() < 1e-9
    middle = seconds(lambda: both_ways(values[: 2**COMMON]))
    EACH.record(benchmark.stats.stats.min / 2**LARGE, middle / 2**COMMON, whole=benchmark.stats.stats.min)
    sizes = [2**h for h in range(H, LARGE + 1, 3)]
    BY_COUNTS.record("ours", {n: seconds(lambda n=n: both_ways(values[:n])) for n in sizes})  # type: ignore[misc]
    parts = {n: (dense(n), values[:n]) for n in (2**8, 2**10, 2**H)}
    products = {n: seconds(lambda m=m, v=v: m[1] @ (m[0] @ v)) for n, (m, v) in parts.items()}  # type: ignore[misc]
    BY_COUNTS.record("dense matrices", products)


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
    _, b = dense(2**H)
    sigma = b @ b.T
    exact = benchmark.pedantic(lambda: algorithm3(H, first, last), rounds=50)
    part = sigma[first - 1 : last, first - 1 : last]
    assert float(part.sum()) == pytest.approx(int(exact.p) / int(exact.q))
    FIXED.record(benchmark.stats.stats.min, seconds(part.sum))
    counted = {h: operations(h, *inner(h)) for h in (15, 30, 45, HUGE)}
    details = {f"h_{h}": float(number) for h, number in counted.items()}
    OPERATIONS.record(counted[HUGE], counted[HUGE // 2], **details)
    BY_HEIGHT.record("ours", {h: seconds(lambda h=h: algorithm3(h, *inner(h)), 20) for h in (15, 30, 45, HUGE)})  # type: ignore[misc]


def squares_of(restored: Callable[[], Floats], data: Floats, first: Floats, last: Floats) -> Floats:
    """Sums of squared errors of the ranges over the repetitions."""
    errors = np.zeros(RANGES)
    for _ in range(REPEATED):
        sums = np.concatenate([[0.0], np.cumsum(restored() - data)])
        errors += (sums[last] - sums[first - 1]) ** 2
    return errors


def test_table_1(benchmark: Any) -> None:
    n, generator = 2**TABLE, np.random.default_rng(3)
    data = generator.integers(100, size=n).astype(np.float64)
    ends = np.sort(generator.integers(1, n + 1, size=(RANGES, 2)), axis=1)
    mechanism, noise = Privelet(n), LaplaceArray(np.random.default_rng(4), 1)
    a, b = dense(n)
    scale = float(mechanism.height + 1)

    def ours() -> Floats:
        values: Floats = restore_array(mechanism, release_array(mechanism, data, noise))
        return values

    def theirs() -> Floats:
        values: Floats = b @ (a @ data + generator.laplace(0.0, scale, n))
        return values

    first, last = ends.T
    squares = benchmark.pedantic(lambda: squares_of(ours, data, first, last), rounds=3)
    exact = 2 * scale**2 * privelet_coefficients(TABLE, first, last) / 4**TABLE
    for values in (squares, squares_of(theirs, data, first, last)):
        assert 0.5 < (values / REPEATED / exact).mean() < 2
    SIMULATED.record(
        benchmark.stats.stats.min, seconds(lambda: squares_of(theirs, data, first, last)), repetitions=float(REPEATED)
    )


def average(size: int) -> Any:
    """Of all ranges, in closed form."""
    parts = energy_totals(Workload.RANGES, size, size)
    total = sum(part / value for part, value in zip(parts, Privelet(size).eigenvalues(), strict=True))
    return total / queries(Workload.RANGES, size)


def by_arrays(h: int) -> Any:
    """4^h times the coefficients of all ranges."""
    return privelet_coefficients(h, *range_ends(2**h))


def test_all_ranges(benchmark: Any) -> None:
    assert average(2**TABLE) * queries(Workload.RANGES, 2**TABLE) * 4**TABLE == int(by_arrays(TABLE).sum())
    benchmark.pedantic(lambda: average(2**HUGE), rounds=20)
    AVERAGE.record(benchmark.stats.stats.min, seconds(lambda: by_arrays(TABLE).sum()))


def search(h: int) -> Any:
    return worst_range(2**h, 2**h, Privelet(2**h).eigenvalues())


def test_worst_range(benchmark: Any) -> None:
    maximum = benchmark.pedantic(lambda: search(WORST), rounds=5)
    assert maximum[0] * 4**WORST == int(by_arrays(WORST).max())
    SEARCHED.record(benchmark.stats.stats.min, seconds(lambda: by_arrays(WORST).max()))
    BY_LEAVES.record("ours", {2**h: seconds(lambda h=h: search(h), 2) for h in (8, WORST, 14, 17)})  # type: ignore[misc]
    BY_LEAVES.record("all ranges by arrays", {2**h: seconds(lambda h=h: by_arrays(h).max(), 1) for h in (8, 10, WORST)})  # type: ignore[misc]
