"""Audits of planted faults: GRR (d = 4, epsilon = 1) with p off by 0.1%, OUE with q off by 1%, at error level 10^-6.

- Exact: the adapter file `faulty_clients.py`, intercepted; its law against the oracle's.
- Black box: reports and seconds until the alarm, over 100 seeded runs. The target is simulated by count: numpy draws
  how often each output comes in a batch (a multinomial variate), so that tens of millions of reports take milliseconds;
  the seconds are those of simulation and audit without a target. A smaller run draws every report of its own.
- Reference: Wald's sequential probability ratio test of the two laws, both known. No test of error level a that surely
  finds the fault has a smaller expected number of reports under it than log(1/a) / KL (Wald), and this test, stopped at
  the ratio 1/a, comes near it; it is run on the same reports, looked at after the same batches. It knows the size and
  the place of the fault; the audit is told the size in the first two cases (`fault`), and a wrong size in the others.
- 1,000 audits of correct implementations: no alarm.
"""

import json
import math
import random
import statistics
import sys
import time
from collections.abc import Callable, Hashable, Mapping
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from flint import arb, ctx, fmpq
from rich.console import Console

from audit.targets.samplers import Counted, Reporter, grr_laws
from benchmarks.faulty_clients import GRR, OUE
from benchmarks.ratios import FOLDER
from dp_audit.audits import Verdict
from dp_audit.environment import Environment
from dp_audit.exact.assess import assess
from dp_audit.exact.target import Job, run_target
from dp_audit.figures import figure
from dp_audit.oracles import Oracle, oracle
from dp_audit.samples.blackbox import Reports, audit_samples
from dp_spec.vocabulary.items import Item

D, EPSILON = 4, 1.0
LEVEL = fmpq(1, 10**6)
RUNS, CORRECT = 100, 1000
MOST_REPORTS = 2.0
"""Required, when told the size of the fault: the median number of reports, in those of the optimal test."""
CLIENTS = Path(__file__).with_name("faulty_clients.py")

Laws = dict[Item, dict[Hashable, float]]


def oue_laws(q: float) -> Laws:
    return {
        x: {
            bits: math.prod(0.5 if j == x else (q if bit else 1 - q) for j, bit in enumerate(bits))
            for bits in product((0, 1), repeat=D)
        }
        for x in range(D)
    }


def laws(mechanism: str, factor: float) -> Laws:
    """Of the client in `faulty_clients.py`."""
    if mechanism == "GRR":
        return grr_laws(D, math.exp(EPSILON) / (math.exp(EPSILON) + D - 1) * factor)
    return oue_laws(factor / (math.exp(EPSILON) + 1))


def divergence(mechanism: str, factor: fmpq) -> arb:
    """KL divergence of the faulty law of one report from the right one: the same for every input."""
    e = arb(fmpq(*EPSILON.as_integer_ratio())).exp()
    p, times = (e / (e + D - 1), 1) if mechanism == "GRR" else (1 / (e + 1), D - 1)
    wrong = p * factor
    return times * (wrong * (wrong / p).log() + (1 - wrong) * ((1 - wrong) / (1 - p)).log())


class WithReference(Counted):
    """A simulated target that also runs the optimal test on its reports, after every round of all inputs."""

    def __init__(self, mechanism: str, factor: float, seed: int) -> None:
        super().__init__(laws(mechanism, factor), seed)
        right, wrong = laws(mechanism, 1.0), laws(mechanism, factor)
        self._logs = {x: {y: math.log(wrong[x][y] / right[x][y]) for y in right[x]} for x in right}
        self._log, self._reports = 0.0, 0
        self.reference: int | None = None

    def sample(self, item: Item, count: int) -> Reports:
        counts = super().sample(item, count)
        self.look(item, counts, count)
        return counts

    def look(self, item: Item, counts: Reports, count: int) -> None:
        """Add the batch to the likelihood ratio; look at it after the last input."""
        assert isinstance(counts, Mapping)
        self._log += sum(k * self._logs[item][y] for y, k in counts.items())
        self._reports += count
        if item == D - 1 and self.reference is None and self._log >= math.log(1e6):
            self.reference = self._reports


def spread(values: list[float]) -> dict[str, float]:
    ordered = sorted(values)
    return {
        "mean": statistics.mean(ordered),
        "median": statistics.median(ordered),
        "10%": ordered[len(ordered) // 10],
        "90%": ordered[-len(ordered) // 10],
    }


def write(name: str, figures: dict[str, Any]) -> None:
    Console(width=110).print(name, figures)
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / f"{name}.json").write_text(json.dumps(figures, indent=2, default=str) + "\n", encoding="utf-8")


def reference(mechanism: str) -> Oracle:
    return oracle(mechanism, {"d": D, "epsilon": EPSILON})


@pytest.mark.parametrize(("mechanism", "factor"), [("GRR", 1.001), ("OUE", 1.01)])
def test_exact_audit_of_a_planted_fault(benchmark: Any, mechanism: str, factor: float) -> None:
    job = Job(CLIENTS, mechanism, {"d": D, "epsilon": EPSILON, "factor": factor}, tuple(range(D)))

    def audit() -> Any:
        return assess(run_target(job, Environment(Path(sys.executable))), reference(mechanism))

    rows = benchmark.pedantic(audit, rounds=5, warmup_rounds=1)
    law = next(row for row in rows if row.check == "law")
    assert law.verdict is Verdict.FAULT
    figures = {"seconds": benchmark.stats.stats.min, "verdict": str(law.verdict), "detail": law.detail}
    write(f"audit_exact_{mechanism}", figures)
    benchmark.extra_info.update(figures)


@pytest.mark.parametrize(
    ("mechanism", "factor", "fault", "runs"),
    [
        ("GRR", fmpq(1001, 1000), fmpq(1, 1000), RUNS),
        ("OUE", fmpq(101, 100), fmpq(1, 100), RUNS),
        ("GRR", fmpq(1001, 1000), fmpq(1, 3000), RUNS // 4),
        ("OUE", fmpq(101, 100), fmpq(1, 1000), RUNS // 4),
        ("OUE", fmpq(101, 100), fmpq(1, 20), RUNS // 4),
    ],
)
def test_blackbox_audit_of_a_planted_fault(
    benchmark: Any, mechanism: str, factor: fmpq, fault: fmpq, runs: int
) -> None:
    reports, optimal, seconds = [], [], []
    off = int(factor.p) / int(factor.q)

    def run(seed: int) -> None:
        target = WithReference(mechanism, off, seed)
        start = time.perf_counter()
        rows = audit_samples(target, reference(mechanism), level=LEVEL, fault=fault, limit=10**8)
        seconds.append(time.perf_counter() - start)
        law = rows[0]
        assert law.verdict is Verdict.FAULT, law.detail
        reports.append(int(law.figures["reports"]))
        while target.reference is None:  # the audit may stop first
            for item in range(D):
                target.sample(item, reports[-1] // 50)
        optimal.append(target.reference)

    def all_runs() -> None:
        for seed in range(runs):
            run(seed)

    benchmark.pedantic(all_runs, rounds=1)
    with ctx.workprec(128):
        bound = arb(10**6).log() / divergence(mechanism, factor)
    ratio = statistics.median(reports) / statistics.median(optimal)
    figures: dict[str, Any] = {
        "reports": spread([float(r) for r in reports]),
        "of the optimal test on the same reports": spread([float(r) for r in optimal]),
        "log(1/level) / KL": float(bound),
        "enclosure": figure(bound),
        "ratio of medians": ratio,
        "ratio of the mean to log(1/level) / KL": statistics.mean(reports) / float(bound),
        "seconds": spread(seconds),
        "runs": runs,
        "looked for": str(fault),
        "alarms": len(reports),
    }
    write(f"audit_blackbox_{mechanism}_{fault.p}_{fault.q}", figures)
    benchmark.extra_info.update(figures)
    assert fault != factor - 1 or ratio <= MOST_REPORTS


@pytest.mark.parametrize("mechanism", ["GRR", "OUE"])
def test_no_alarm_about_correct_implementations(benchmark: Any, mechanism: str) -> None:
    """Half of the audits each; n reports per input, as many as the audit asks for at 1% (GRR), or its limit (OUE)."""
    verdicts: list[Verdict] = []
    reports: list[int] = []
    worst: list[str] = []

    def run(seed: int) -> None:
        target = Counted(laws(mechanism, 1.0), 10**6 + seed)
        rows = audit_samples(target, reference(mechanism), level=LEVEL)
        verdicts.append(max((row.verdict for row in rows), key=list(Verdict).index))
        reports.append(int(rows[0].figures["reports"]))
        worst.append(rows[0].figures["relative fault found in any event"])

    def all_runs() -> None:
        for seed in range(CORRECT // 2):
            run(seed)

    start = time.perf_counter()
    benchmark.pedantic(all_runs, rounds=1)
    figures = {
        "audits": len(verdicts),
        "alarms": sum(verdict is Verdict.FAULT for verdict in verdicts),
        "reports each": sorted(set(reports)),
        "relative fault found in any event": sorted(set(worst)),
        "seconds each": (time.perf_counter() - start) / len(verdicts),
    }
    write(f"audit_correct_{mechanism}", figures)
    benchmark.extra_info.update(figures)
    assert set(verdicts) == {Verdict.CONSISTENT}


def single_reports(mechanism: str, factor: float) -> Callable[[Any, Item], Hashable]:
    client: Any = {"GRR": GRR, "OUE": OUE}[mechanism](D, EPSILON, factor)

    def report(source: Any, item: Item) -> Hashable:
        answer = client.privatize(None, item)
        return tuple(answer) if isinstance(answer, list) else answer

    return report


@pytest.mark.parametrize(("mechanism", "factor"), [("GRR", 1.05), ("OUE", 1.05), ("GRR", 1.0), ("OUE", 1.0)])
def test_audit_of_single_reports(benchmark: Any, mechanism: str, factor: float) -> None:
    """The clients of `faulty_clients.py` themselves, report by report, looked for a fault of 5%."""
    rows: list[Any] = []

    def run() -> None:
        random.seed(0)  # what the clients draw from
        target = Reporter(single_reports(mechanism, factor), 0)
        rows[:] = audit_samples(target, reference(mechanism), level=LEVEL, fault=fmpq(1, 20))

    benchmark.pedantic(run, rounds=3)
    figures = {
        "seconds": benchmark.stats.stats.median,
        "reports of the last": int(rows[0].figures["reports"]),
        "verdict": str(rows[0].verdict),
    }
    write(f"audit_single_reports_{mechanism}_{factor}", figures)
    benchmark.extra_info.update(figures)
    assert rows[0].verdict is (Verdict.CONSISTENT if factor == 1 else Verdict.FAULT)
