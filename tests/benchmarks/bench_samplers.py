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

from benchmarks.ratios import report
from dp_audit import environment
from dp_refimpl.array_coins import ArrayCoins, Indices
from dp_refimpl.frequency.grr import GRR
from dp_refimpl.frequency.grr_sampler import sample_grr
from dp_refimpl.frequency.item_arrays import chunks
from dp_refimpl.frequency.rappor import RAPPOR
from dp_refimpl.frequency.rappor_sampler import sample_rappor
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.items import ItemDomain

USERS, D, CHUNK, REPORTS = 1_000_000, 1000, 2048, 3000
REQUIRED = 10
BUDGET = Budget.of_root(fmpq(2), 2)


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


def baselines(clients: dict[str, float], kind: str) -> dict[str, float]:
    return {name.removeprefix(f"{kind}: "): seconds for name, seconds in clients.items() if name.startswith(kind)}


def test_dense_unary(benchmark: Any, clients: dict[str, float], items: Indices) -> None:
    mechanism = RAPPOR(ItemDomain.of_sizes(D), BUDGET)

    def ones_of_all_users() -> int:
        """Every report is made and looked at (its ones are counted), none is kept."""
        coins = ArrayCoins(np.random.default_rng(1))
        return sum(int(np.count_nonzero(sample_rappor(mechanism, items[part], coins))) for part in chunks(USERS, CHUNK))

    ones = benchmark.pedantic(ones_of_all_users, rounds=2)
    assert abs(ones - USERS * (2 + (D - 1)) / 3) < 10 * math.sqrt(USERS * D * 2 / 9)  # grossly, ten standard deviations
    ratios = report(
        "dense_unary_sampler",
        benchmark.stats.stats.min / USERS,
        baselines(clients, "unary"),
        "per report",
        n=USERS,
        d=D,
        chunk=CHUNK,
    )
    benchmark.extra_info.update(ratios)
    assert min(ratios.values()) >= REQUIRED


def test_grr(benchmark: Any, clients: dict[str, float], items: Indices) -> None:
    mechanism = GRR(ItemDomain.of_sizes(D), BUDGET)
    reports = benchmark.pedantic(
        lambda: sample_grr(mechanism, items, ArrayCoins(np.random.default_rng(1))), rounds=5, warmup_rounds=1
    )
    assert reports.shape == (USERS,)
    ratios = report(
        "grr_sampler", benchmark.stats.stats.min / USERS, baselines(clients, "grr"), "per report", n=USERS, d=D
    )
    benchmark.extra_info.update(ratios)
