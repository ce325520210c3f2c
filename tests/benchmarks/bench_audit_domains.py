"""Time of a whole audit of a file against the number of items d, beside that of the same audit at the smallest d.

Clients: `large_clients.py`. OUE on 16 items has 2^16 reports on each: it is tested by samples, for five seconds. So is
a search of the cumulative sums on many items.
"""

import time
from pathlib import Path

import pytest

from benchmarks.table import growth, line
from dp_audit.audit import audit_adapter
from dp_audit.outcome import Audit, Verdict

CLIENTS = Path(__file__).with_name("large_clients.py")
SIZES = {
    "randrange": ("GRR", (4, 16, 64, 256, 1024)),
    "choice": ("GRR", (4, 16, 64, 256)),
    "rejection": ("GRR", (4, 16, 64, 256)),
    "weights": ("GRR", (4, 16, 64, 256)),
    "choices": ("GRR", (4, 16, 64, 256)),
    "indexed": ("GRR", (4, 16, 64, 256)),
    "scaled": ("GRR", (4, 16, 64, 256)),
    "deleted": ("GRR", (4, 16, 64, 256)),
    "searched": ("GRR", (4, 16, 64, 256)),
    "bits": ("OUE", (2, 4, 8, 16)),
    "arrays": ("OUE", (2, 4, 8, 16)),
}
LINES = {
    (client, d): line(f"audit of {mechanism} ({client}), d = {d}", f"the same at d = {sizes[0]}", "times as long")
    for client, (mechanism, sizes) in SIZES.items()
    for d in sizes[2:]
}
GROWTH = {client: growth(f"audit of {mechanism} ({client})", "items") for client, (mechanism, _) in SIZES.items()}


def audited(client: str, d: int) -> tuple[float, Audit]:
    """Seconds of an audit, and what it said."""
    start = time.perf_counter()
    report = audit_adapter(CLIENTS, client, SIZES[client][0], {"d": d, "epsilon": 1.0})
    return time.perf_counter() - start, report


@pytest.mark.parametrize("client", SIZES)
def test_audits_of_large_domains(client: str) -> None:
    points: dict[int, float] = {}
    for d in SIZES[client][1]:
        points[d], report = audited(client, d)
        assert report.row("law").verdict in (Verdict.CONFORMS, Verdict.ROUNDING, Verdict.CONSISTENT), report.text()
        if (client, d) in LINES:
            LINES[client, d].record(points[d], points[SIZES[client][1][0]], method=report.method)
    GROWTH[client].record("ours", points)
