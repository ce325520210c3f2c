"""Vectorized samplers at n = 10^6 users and d = 1000 against the clients of the audited libraries, per report.

The clients run unmodified, compiled where they are, in their own environment. Ours write dense reports chunk by chunk,
one chunk in memory at a time. e^ε = 4: the probabilities 2/3, 1/3 are not dyadic, so that ties occur and are refined.
"""

import json
import math
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flint import fmpq

from benchmarks.table import line
from dp_audit import environment
from dp_refimpl.fast.array_coins import ArrayCoins, Indices
from dp_refimpl.fast.frequency.grr import sample_grr
from dp_refimpl.fast.frequency.item_arrays import chunks
from dp_refimpl.fast.frequency.rappor import sample_rappor
from dp_refimpl.frequency.grr import GRR
from dp_refimpl.frequency.rappor import RAPPOR
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.items import ItemDomain

USERS, D, CHUNK, REPORTS = 1_000_000, 1000, 2048, 3000
BUDGET = Budget.of_root(fmpq(2), 2)
LIBRARIES = ("pure-ldp", "multi-freq-ldpy")
UNARY = {
    name: line("dense unary reports of 10⁶ users, 1000 items", f"client of {name}, report by report", required=10)
    for name in LIBRARIES
}
DIRECT = {
    name: line("GRR reports of 10⁶ users, 1000 items", f"client of {name}, report by report") for name in LIBRARIES
}


@pytest.fixture(scope="module")
def clients() -> dict[str, float]:
    """Seconds per report of the libraries' clients, measured in their environment in this run."""
    python = environment.create("local").python
    script = Path(__file__).with_name("clients.py")
    command = [str(python), str(script), str(D), repr(math.log(4)), str(REPORTS)]
    figures: dict[str, float] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return figures


@pytest.fixture(scope="module")
def items() -> Indices:
    return np.random.default_rng(0).integers(D, size=USERS)


def test_dense_unary(benchmark: Any, clients: dict[str, float], items: Indices) -> None:
    mechanism = RAPPOR(ItemDomain.of_sizes(D), BUDGET)

    def ones_of_all_users() -> int:
        """Every report is made and looked at (its ones are counted), none is kept."""
        coins = ArrayCoins(np.random.default_rng(1))
        return sum(int(np.count_nonzero(sample_rappor(mechanism, items[part], coins))) for part in chunks(USERS, CHUNK))

    ones = benchmark.pedantic(ones_of_all_users, rounds=2)
    assert abs(ones - USERS * (2 + (D - 1)) / 3) < 10 * math.sqrt(USERS * D * 2 / 9)  # grossly, ten standard deviations
    for name, baseline in UNARY.items():
        baseline.record(benchmark.stats.stats.min / USERS, clients[f"unary: {name}"])


def test_grr(benchmark: Any, clients: dict[str, float], items: Indices) -> None:
    mechanism = GRR(ItemDomain.of_sizes(D), BUDGET)
    reports = benchmark.pedantic(
        lambda: sample_grr(mechanism, items, ArrayCoins(np.random.default_rng(1))), rounds=5, warmup_rounds=1
    )
    assert reports.shape == (USERS,)
    for name, baseline in DIRECT.items():
        baseline.record(benchmark.stats.stats.min / USERS, clients[f"grr: {name}"])
