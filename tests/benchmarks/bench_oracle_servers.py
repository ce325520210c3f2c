"""Servers of frequency oracles against those of pure-ldp, which run unmodified in their own environment.

- Sketches, k = m = 1024, n = 10^6 reports: all sums, then the estimates of 1000 items. Ours get the reports of
  `sample_client_cms` in packed chunks that are in memory (128 MB), pure-ldp ready-made vectors of signs. Both in full.
- OLH with e^eps = 4 and its best range of 5 labels, n = 10^5, d = 10^4: the numbers of supporting reports. pure-ldp's
  server is linear in the users: it hashes every item for every report. It is measured for up to 200 of them, which is
  also plotted, and taken 10^5 times its least cost of one.

Memory: the peak beside the input, as traced by `tracemalloc`, and how it grows when n and d (n and m) are doubled: what
is made of n + d numbers doubles, an array of users and items takes four times as much.
"""

import json
import math
import subprocess
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flint import fmpq

from benchmarks.table import growth, line, seconds
from dp_audit import environment
from dp_refimpl.fast.array_coins import ArrayCoins
from dp_refimpl.fast.frequency.count_sketch_reports import SketchReports, cms_totals, estimate_cms, sample_client_cms
from dp_refimpl.fast.frequency.hadamard import SignReports, estimate_hcms, sample_hcms
from dp_refimpl.fast.frequency.hash_arrays import MERSENNE
from dp_refimpl.fast.frequency.local_hashing import (
    HashedReports,
    estimate_local_hashing,
    sample_local_hashing,
    support_counts,
)
from dp_refimpl.frequency.count_sketch import ClientCMS
from dp_refimpl.frequency.hadamard import HCMS
from dp_refimpl.frequency.hash_families import CarterWegman, LabelFunction
from dp_refimpl.frequency.local_hashing import LocalHashing, optimal_labels
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.items import ItemDomain

BUDGET = Budget.of_root(fmpq(2), 2)
K, M, RECORDS, ESTIMATED, CHUNK = 1024, 1024, 1_000_000, 1000, 65536
USERS, D = 100_000, 10_000
PART = (0.1, 0.2, 0.5, 1)
FEW = (50, 100, 200)
SKETCHED, HASHED = "pure-ldp's server of the sketch", "pure-ldp's server of local hashing"
SKETCH = line("count-mean sketch, 10⁶ reports, k = m = 1024: sums, 1000 estimates", SKETCHED, required=10)
COORDINATES = line("Hadamard sketch, 10⁶ reports, k = m = 1024: sums, 1000 estimates", SKETCHED, required=10)
SUPPORT = line("OLH's server, 10⁵ users, 10⁴ items: all counts", f"{HASHED}, 200 users scaled up", required=10)
SUPPORT_MEMORY = line(
    "OLH's server, 10⁵ users, 10⁴ items: memory beside the input",
    "all truth values, a byte each",
    "times as much",
    required=0.01,
)
SKETCH_MEMORY = line(
    "count-mean sketch, 10⁶ reports: memory beside the input", "all signs, a byte each", "times as much", required=0.05
)
SUPPORT_GROWS = line(
    "OLH's server, 10⁵ users, 10⁴ items: memory beside the input", "half of both numbers", "times as much", required=2.2
)
SKETCH_GROWS = line(
    "count-mean sketch, 10⁶ reports, m = 1024: memory beside the input",
    "half of both numbers",
    "times as much",
    required=2.2,
)
BY_REPORTS = growth("Sums of a count-mean sketch, k = m = 1024", "reports")
BY_SIGNS = growth("Sums and 1000 estimates, Hadamard sketch", "reports")
BY_USERS = growth("OLH's support counts, 10⁴ items", "users")
BY_ITEMS = growth("OLH's support counts, 10⁵ users", "items")


def peak(work: Callable[[], object]) -> int:
    """Bytes."""
    tracemalloc.start()
    work()
    peak_bytes = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak_bytes


@pytest.fixture(scope="module")
def theirs() -> dict[str, Any]:
    """Seconds of pure-ldp's servers by size, measured in their environment in this run."""
    sketch = {"k": K, "m": M, "users": [int(RECORDS * part) for part in PART], "items": [ESTIMATED // 2, ESTIMATED]}
    hashing = {"items": D, "users": FEW}
    request = {"epsilon": math.log(4), "sketch": sketch, "coordinates": sketch, "hashing": hashing}
    script = Path(__file__).with_name("servers.py")
    command = [str(environment.create("local").python), str(script), json.dumps(request)]
    document: dict[str, Any] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return document


def sketch_functions(m: int) -> tuple[LabelFunction, ...]:
    """k tables of random labels."""
    table = np.random.default_rng(0).integers(m, size=(K, ESTIMATED)).tolist()
    return tuple(LabelFunction(tuple(range(ESTIMATED)), tuple(row), m) for row in table)


def items(users: int, d: int) -> Any:
    return np.random.default_rng(1).integers(d, size=users)


def gross(estimates: dict[Any, fmpq], held: Any, deviation: float) -> None:
    """Estimates are those of these data, grossly: seven standard deviations."""
    true = np.bincount(held, minlength=len(estimates)) / len(held)
    frequencies = np.array([int(f.p) / int(f.q) for f in estimates.values()])
    assert abs(frequencies - true).max() < 7 * deviation


def last(sketch: dict[str, Any]) -> dict[str, float]:
    """Seconds of pure-ldp's server of a sketch at the largest sizes."""
    return {f"their_{part}": sketch[part][-1][1] for part in ("aggregation", "estimation")}


def few(chunks: list[SketchReports], reports: int) -> Iterator[SketchReports]:
    """The first so many reports."""
    for chunk in chunks:
        rows = min(reports, len(chunk.rows))
        if rows:
            yield SketchReports(chunk.bits[:rows], chunk.rows[:rows], chunk.packed)
        reports -= rows


def test_count_mean_sketch(benchmark: Any, theirs: dict[str, Any]) -> None:
    mechanism, held = ClientCMS(ItemDomain.of_sizes(ESTIMATED), BUDGET, sketch_functions(M)), items(RECORDS, ESTIMATED)
    coins = ArrayCoins(np.random.default_rng(2))
    chunks = list(sample_client_cms(mechanism, held, coins, CHUNK, packed=True))
    estimates = benchmark.pedantic(lambda: estimate_cms(mechanism, cms_totals(chunks, K, M)), rounds=3)
    gross(estimates, held, math.sqrt(2 / RECORDS) * 1.1)
    aggregation, taken = theirs["sketch"]["aggregation"], last(theirs["sketch"])
    SKETCH.record(benchmark.stats.stats.min, sum(taken.values()), **taken)
    sizes = [int(RECORDS * part) for part in PART]
    BY_REPORTS.record("ours", {n: seconds(lambda n=n: cms_totals(few(chunks, n), K, M), 2) for n in sizes})  # type: ignore[misc]
    BY_REPORTS.record("pure-ldp", dict(aggregation))
    whole = peak(lambda: cms_totals(chunks, K, M))
    SKETCH_MEMORY.record(whole, RECORDS * M)
    halves = [SketchReports(chunk.bits[: CHUNK // 2, : M // 16], chunk.rows[: CHUNK // 2], True) for chunk in chunks]
    SKETCH_GROWS.record(whole, peak(lambda: cms_totals(halves, K, M // 2)))


def test_hadamard_sketch(benchmark: Any, theirs: dict[str, Any]) -> None:
    mechanism, held = HCMS(ItemDomain.of_sizes(ESTIMATED), BUDGET, sketch_functions(M)), items(RECORDS, ESTIMATED)
    reports = sample_hcms(mechanism, held, ArrayCoins(np.random.default_rng(2)))
    estimates = benchmark.pedantic(lambda: estimate_hcms(mechanism, reports), rounds=3)
    gross(estimates, held, math.sqrt(25 / 9 / RECORDS) * 1.1)
    aggregation, taken = theirs["coordinates"]["aggregation"], last(theirs["coordinates"])
    COORDINATES.record(benchmark.stats.stats.min, sum(taken.values()), **taken)

    def first(n: int) -> SignReports:
        return SignReports(reports.signs[:n], reports.rows[:n], reports.coordinates[:n])

    ours = {n: seconds(lambda n=n: estimate_hcms(mechanism, first(n)), 2) for n, _ in aggregation}  # type: ignore[misc]
    BY_SIGNS.record("ours", ours)
    BY_SIGNS.record("pure-ldp", {n: sums + taken["their_estimation"] for n, sums in aggregation})


def hashing(d: int) -> LocalHashing[fmpq]:
    domain = ItemDomain.of_sizes(d)
    return LocalHashing(domain, BUDGET, CarterWegman(domain.items, MERSENNE, optimal_labels(BUDGET).best, True))


def test_support_counts(benchmark: Any, theirs: dict[str, Any]) -> None:
    mechanism, held = hashing(D), items(USERS, D)
    reports = sample_local_hashing(mechanism, held, ArrayCoins(np.random.default_rng(2)))
    counts = benchmark.pedantic(lambda: support_counts(mechanism, reports), rounds=3, warmup_rounds=1)
    gross(estimate_local_hashing(mechanism, reports), held, math.sqrt(16 / 9 / USERS) * 1.1)
    positions = np.arange(0, D, D // 20)
    rows = np.broadcast_to(positions, (USERS, len(positions)))
    assert (reports.hashes.values(rows) == reports.labels[:, None]).sum(axis=0).tolist() == counts[positions].tolist()
    per_user = {users: taken / users for users, taken in theirs["hashing"]}
    SUPPORT.record(
        benchmark.stats.stats.min,
        USERS * min(per_user.values()),
        **{f"their_seconds_per_user_of_{users}": taken for users, taken in per_user.items()},
    )
    whole = peak(lambda: support_counts(mechanism, reports))
    SUPPORT_MEMORY.record(whole, USERS * D)

    def first(n: int) -> HashedReports:
        return HashedReports(reports.hashes.part(slice(n)), reports.labels[:n])

    less = hashing(D // 2)
    SUPPORT_GROWS.record(whole, peak(lambda: support_counts(less, first(USERS // 2))))
    sizes = [int(USERS * part) for part in PART]
    BY_USERS.record("ours", {n: seconds(lambda n=n: support_counts(mechanism, first(n)), 2) for n in sizes})  # type: ignore[misc]
    BY_USERS.record("pure-ldp", dict(theirs["hashing"]))
    domains = {d: hashing(d) for d in (int(D * part) for part in PART)}
    BY_ITEMS.record("ours", {d: seconds(lambda s=s: support_counts(s, reports), 2) for d, s in domains.items()})  # type: ignore[misc]
