"""suWheel's server at n = 10^5 users and d = 10^4 items (K = 9000 of them sensitive), m = 8, without an n x d array.

Two baselines that hash and test line 5 of Algorithm 2 as printed, in integers as ours, with Horner's rule:

- item by item: a vector of all users for each item; every 100th item, scaled up;
- dense: the n x d truth values for 200 users at a time, summed; 1000 of the users, scaled up.

Both have to count what ours counts. Hash functions are polynomials of degree 8 modulo 2^31 - 1 (9-wise independent).
"""

import time
import tracemalloc
from typing import Any

import numpy as np
from flint import fmpq

from benchmarks.table import line
from dp_refimpl.coins import as_fraction
from dp_refimpl.fast.array_coins import ArrayCoins, Indices
from dp_refimpl.fast.frequency.hash_arrays import PolynomialHashes, draw_hashes
from dp_refimpl.fast.frequency.item_arrays import chunks
from dp_refimpl.fast.frequency.wheel import PointReports, estimate_suwheel, hit_counts, sample_suwheel
from dp_refimpl.frequency.suwheel import SuWheel
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.items import ItemDomain

USERS, K, N, M = 100_000, 9000, 1000, 8
D = K + N
EVERY, FEW, ROWS = 100, 1000, 200
SERVER = "suWheel's server, 10⁵ users, 10⁴ items"
BY_ITEM = line(f"{SERVER}: all estimates", "a vector of all users, item by item", required=3)
DENSE = line(f"{SERVER}: all estimates", "truth values, 200 users at a time", required=3)
MEMORY = line(f"{SERVER}: memory beside the input", "all truth values, a byte each", "times as much", required=0.2)


def hits(reports: PointReports, hashes: PolynomialHashes, arc: int, positions: Indices) -> Any:
    """Line 5 for every user and the items at the given positions, shape (n, items)."""
    rows = np.broadcast_to(positions, (len(hashes), len(positions)))
    v = hashes.values(rows) * (reports.grid // hashes.prime)
    z0 = reports.points[:, None]
    return ((z0 - arc < v) & (v <= z0)) | (z0 - arc + reports.grid < v)


def part(reports: PointReports, users: slice) -> PointReports:
    return PointReports(reports.points[users], reports.grid, reports.invertible[users])


def test_suwheel_server(benchmark: Any) -> None:
    mechanism = SuWheel(ItemDomain.of_sizes(K, N), Budget.of_root(fmpq(3)), M)
    coins, generator = ArrayCoins(np.random.default_rng(1)), np.random.default_rng(0)
    sets = generator.integers(D // M, size=(USERS, M)) + np.arange(M) * (D // M)
    hashes = draw_hashes(USERS, M + 1, coins)
    reports = sample_suwheel(mechanism, sets, hashes, coins)
    arc = int(as_fraction(mechanism.p) * reports.grid)

    estimates = benchmark.pedantic(lambda: estimate_suwheel(mechanism, reports, hashes), rounds=2)
    true = np.bincount(sets.ravel(), minlength=D) / USERS
    errors = np.array([float(int(f.p) / int(f.q)) for f in estimates.values()]) - true
    deviation = np.sqrt(np.mean(errors[:K] ** 2))

    tracemalloc.start()
    counts = hit_counts(mechanism, reports, hashes, FEW)
    MEMORY.record(tracemalloc.get_traced_memory()[1], USERS * K)
    tracemalloc.stop()

    start = time.perf_counter()
    some = [int(hits(reports, hashes, arc, np.array([x])).sum()) for x in range(0, FEW, FEW // (K // EVERY))]
    by_item = (time.perf_counter() - start) * K / len(some)
    assert some == counts[:: FEW // (K // EVERY)].tolist()

    users, everything = slice(0, FEW), np.arange(K)
    few, few_hashes = part(reports, users), hashes.part(users)
    start = time.perf_counter()
    dense = sum(hits(part(few, rows), few_hashes.part(rows), arc, everything).sum(axis=0) for rows in chunks(FEW, ROWS))
    densely = (time.perf_counter() - start) * USERS / FEW
    assert np.array_equal(dense, hit_counts(mechanism, few, few_hashes, K))

    for baseline, seconds in ((BY_ITEM, by_item), (DENSE, densely)):
        baseline.record(benchmark.stats.stats.min, seconds, rmse=float(deviation))
