"""Audits of planted faults: GRR (d = 4, epsilon = 1) with p off by 0.1%, OUE with q off by 1%, at error level 10^-6.

- Exact: the adapter file `faulty_clients.py`, intercepted; its law against the oracle's. Beside it, the time to draw
  the reports that every test needs (below) from the same client.
- Black box: reports and seconds until the alarm, over 100 seeded runs. The target is simulated by count: numpy draws
  how often each output comes in a batch (a multinomial variate), so that tens of millions of reports take milliseconds;
  the seconds are those of simulation and audit without a target. A smaller run draws every report of its own.
- Reference: Wald's sequential probability ratio test of the two laws, both known. No test of error level a that surely
  finds the fault has a smaller expected number of reports under it than log(1/a) / KL (Wald), and this test, stopped at
  the ratio 1/a, comes near it; it is run on the same reports, looked at after the same batches. It knows the size and
  the place of the fault; the audit is told the size in the first two cases (`fault`), and a wrong size in the others.
- Budgets that are off: the mean number of reports where the budget of all inputs, or that of a single one, is not the
  stated one, and nothing of it is told. Beside it, Wald's bound: no test, even if it is told both laws, has a smaller
  mean. Our mean is that of the logarithm of the likelihood ratio at the alarm, over its mean for one report (Wald's
  identity): from run to run it varies by a few percent, the number of reports by a third.
- 1,000 audits of correct implementations: no alarm.
- Files: a million reports of GRR and OUE, read and tested, beside reading and counting alone.
"""

import math
import random
import statistics
import sys
import time
from collections.abc import Callable, Hashable, Mapping
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pytest
from flint import arb, ctx, fmpq
from pyarrow import csv, parquet

from audit.targets.samplers import Counted, Reporter, grr_laws
from benchmarks.faulty_clients import GRR, OUE
from benchmarks.table import line, seconds
from dp_audit.audit import audit_reports
from dp_audit.environment import Environment
from dp_audit.judge.assessment import assess
from dp_audit.judge.bets.sequential import Sampling, audit_samples
from dp_audit.observation.jobs import Job
from dp_audit.observation.samples import Reports
from dp_audit.oracles import Oracle, oracle
from dp_audit.outcome import Verdict
from dp_audit.run.enumeration import run_target
from dp_spec.vocabulary.items import Item

D, EPSILON = 4, 1.0
LEVEL = fmpq(1, 10**6)
RUNS, CORRECT = 100, 1000
DRAWN = 20_000
"""Reports of a client that are drawn, to know how long one takes."""
CLIENTS = Path(__file__).with_name("faulty_clients.py")

PLANTED = {"GRR": fmpq(1001, 1000), "OUE": fmpq(101, 100)}
NAMES = {"GRR": "GRR with p off by 0.1%", "OUE": "OUE with q off by 1%"}
EXACT = {
    mechanism: line(f"exact audit, {name}", "drawing the reports that every test needs")
    for mechanism, name in NAMES.items()
}
SEQUENTIAL = {
    (mechanism, fault): line(
        f"sequential audit, {NAMES[mechanism]}, {knowledge}: reports",
        "the optimal test, told both laws",
        "times as many",
        required,
    )
    for mechanism, fault, knowledge, required in (
        ("GRR", fmpq(1, 1000), "told so", 2),
        ("OUE", fmpq(1, 100), "told so", 2),
        ("GRR", fmpq(1, 3000), "told a third", None),
        ("OUE", fmpq(1, 1000), "told a tenth", None),
        ("OUE", fmpq(1, 20), "told five times", None),
    )
}
LEAST = "Wald's bound for tests told both laws: mean of reports"
OFF = {
    (mechanism, d, percent): line(
        f"sequential audit, {mechanism} of {d} items, budget {percent}% larger, not told: mean of reports",
        LEAST,
        "times as many",
        1.25,
    )
    for mechanism, d in (("GRR", 4), ("GRR", 16), ("OUE", 8), ("SUE", 8))
    for percent in (1, 5, 20)
}
ALONE = {
    (mechanism, d): line(
        f"sequential audit, {mechanism} of {d} items, budget 20% larger at one of them, not told: mean of reports",
        LEAST,
        "times as many",
    )
    for mechanism, d in (("GRR", 4), ("OUE", 8))
}
BUDGETS = 40
"""Runs for each of these."""
FILES = {
    (form, d): line(
        f"audit of a million reports {'' if d == D else f'of GRR of {d} items '}in a {form} file",
        "reading it and counting with pyarrow and numpy",
        "times as long",
    )
    for d in (D, 16, 64)
    for form in ("CSV", "Parquet")
}
BITS = {
    form: line(
        f"audit of a million reports of OUE of 16 items in a {form} file",
        "reading it and counting with pyarrow and numpy",
        "times as long",
    )
    for form in ("CSV", "Parquet")
}
REPORTS = 10**6
ALARMS = {
    mechanism: line(
        f"{CORRECT // 2} audits of a correct {mechanism}: alarms", "what level 10⁻⁶ allows", "times as many", 1
    )
    for mechanism in NAMES
}
SINGLE = {
    (mechanism, factor): line(f"audit of single reports, {mechanism} {name}", "drawing them", "times as long")
    for mechanism in NAMES
    for factor, name in ((1.05, "5% off"), (1.0, "correct"))
}

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


class Wrong(Counted):
    """A simulated target of wrong laws that knows the logarithm of the likelihood ratio of its reports."""

    def __init__(self, wrong: Laws, right: Laws, seed: int) -> None:
        super().__init__(wrong, seed)
        self._logs = {x: {y: math.log(wrong[x][y] / right[x][y]) for y in right[x]} for x in right}
        self.log = 0.0

    def sample(self, item: Item, count: int) -> Reports:
        counts = super().sample(item, count)
        assert isinstance(counts, Mapping)
        histogram = {y: k for y, k in counts.items() if k}
        self.log += sum(k * self._logs[item][y] for y, k in histogram.items())
        return histogram


class WithReference(Wrong):
    """One that also runs the optimal test on its reports, after every round of all inputs."""

    def __init__(self, mechanism: str, factor: float, seed: int) -> None:
        super().__init__(laws(mechanism, factor), laws(mechanism, 1.0), seed)
        self._reports = 0
        self.reference: int | None = None

    def sample(self, item: Item, count: int) -> Reports:
        histogram = super().sample(item, count)
        self._reports += count
        if item == D - 1 and self.reference is None and self.log >= math.log(1e6):
            self.reference = self._reports
        return histogram


def reference(mechanism: str) -> Oracle:
    return oracle(mechanism, {"d": D, "epsilon": EPSILON})


def least_reports(mechanism: str) -> float:
    """The expected number of reports that every test needs which finds the planted fault: log(1/level) / KL (Wald)."""
    with ctx.workprec(128):
        return float(arb(1 / LEVEL).log() / divergence(mechanism, PLANTED[mechanism]))


def drawing(mechanism: str, factor: float, reports: float) -> float:
    """Seconds that so many reports of the client in `faulty_clients.py` take: a part of them is drawn."""
    target, rounds = Reporter(single_reports(mechanism, factor), 0), []
    for _ in range(5):
        start = time.perf_counter()
        for item in range(D):
            target.sample(item, DRAWN // D)
        rounds.append(time.perf_counter() - start)
    return min(rounds) / DRAWN * reports


def single_reports(mechanism: str, factor: float) -> Callable[[Any, Item], Hashable]:
    client: Any = {"GRR": GRR, "OUE": OUE}[mechanism](D, EPSILON, factor)

    def report(source: Any, item: Item) -> Hashable:
        answer = client.privatize(None, item)
        return tuple(answer) if isinstance(answer, list) else answer

    return report


def double(x: fmpq) -> float:
    return int(x.p) / int(x.q)


@pytest.mark.parametrize("mechanism", EXACT)
def test_exact_audit_of_a_planted_fault(benchmark: Any, mechanism: str) -> None:
    factor = double(PLANTED[mechanism])
    job = Job(CLIENTS, mechanism, {"d": D, "epsilon": EPSILON, "factor": factor}, tuple(range(D)))

    def audit() -> Any:
        return assess(run_target(job, Environment(Path(sys.executable))), reference(mechanism))

    rows = benchmark.pedantic(audit, rounds=5, warmup_rounds=1)
    law = next(row for row in rows if row.check == "law")
    assert law.verdict is Verdict.FAULT
    reports = least_reports(mechanism)
    EXACT[mechanism].record(benchmark.stats.stats.min, drawing(mechanism, factor, reports), reports=reports)


@pytest.mark.parametrize(("mechanism", "fault"), SEQUENTIAL)
def test_sequential_audit_of_a_planted_fault(mechanism: str, fault: fmpq) -> None:
    """A quarter of the runs where the audit is told a wrong size of the fault."""
    reports, optimal, seconds = [], [], []
    factor = PLANTED[mechanism]
    right = fault == factor - 1
    for seed in range(RUNS if right else RUNS // 4):
        target = WithReference(mechanism, double(factor), seed)
        start = time.perf_counter()
        rows = audit_samples(target, reference(mechanism), sampling=Sampling(level=LEVEL, fault=fault, limit=10**8))
        seconds.append(time.perf_counter() - start)
        law = rows[0]
        assert law.verdict is Verdict.FAULT, law.detail
        reports.append(int(law.figures["reports"]))
        while target.reference is None:  # the audit may stop first
            for item in range(D):
                target.sample(item, reports[-1] // 50)
        optimal.append(target.reference)
    SEQUENTIAL[mechanism, fault].record(
        statistics.median(reports),
        statistics.median(optimal),
        runs=len(reports),
        least_reports=least_reports(mechanism),
        mean_reports=statistics.mean(reports),
        median_seconds=statistics.median(seconds),
    )


def stated_laws(mechanism: str, d: int, epsilon: float) -> Laws:
    target = oracle(mechanism, {"d": d, "epsilon": epsilon})
    weights = {x: {y: float(arb(p)) for y, p in target.law(x).items()} for x in target.inputs}
    return {x: {y: p / math.fsum(law.values()) for y, p in law.items()} for x, law in weights.items()}


def means(mechanism: str, d: int, wrong: Laws, right: Laws) -> tuple[float, float]:
    """Mean numbers of reports: ours, and the least possible one. All inputs get equally many."""
    one = [math.fsum(p * math.log(p / right[x][y]) for y, p in law.items()) for x, law in wrong.items()]
    logs = []
    for seed in range(BUDGETS):
        target = Wrong(wrong, right, seed)
        law = audit_samples(
            target, oracle(mechanism, {"d": d, "epsilon": EPSILON}), sampling=Sampling(level=LEVEL, limit=10**8)
        )[0]
        assert law.verdict is Verdict.FAULT
        logs.append(target.log)
    return statistics.mean(logs) / statistics.mean(one), math.log(1 / double(LEVEL)) / statistics.mean(one)


@pytest.mark.parametrize(("mechanism", "d", "percent"), OFF)
def test_sequential_audit_of_a_budget_that_is_off(mechanism: str, d: int, percent: int) -> None:
    right, wrong = (stated_laws(mechanism, d, EPSILON * (1 + part / 100)) for part in (0, percent))
    OFF[mechanism, d, percent].record(*means(mechanism, d, wrong, right), runs=BUDGETS)


@pytest.mark.parametrize(("mechanism", "d"), ALONE)
def test_sequential_audit_of_a_budget_that_is_off_at_one_input(mechanism: str, d: int) -> None:
    right, wrong = (stated_laws(mechanism, d, EPSILON * (1 + part / 100)) for part in (0, 20))
    ALONE[mechanism, d].record(*means(mechanism, d, {**right, 1: wrong[1]}, right), runs=BUDGETS)


@pytest.mark.parametrize(("form", "d"), FILES)
def test_audit_of_a_file(tmp_path: Path, form: str, d: int) -> None:
    source = np.random.default_rng(1)
    held = source.integers(0, d, REPORTS)
    lies = (held + source.integers(1, d, REPORTS)) % d
    sent = np.where(source.random(REPORTS) < math.exp(EPSILON) / (math.exp(EPSILON) + d - 1), held, lies)
    table, path = pyarrow.table({"input": held, "report": sent}), tmp_path / f"reports.{form.lower()}"
    write, read = (csv.write_csv, csv.read_csv) if form == "CSV" else (parquet.write_table, parquet.read_table)
    write(table, path)

    def audit() -> None:
        assert audit_reports(path, oracle("GRR", {"d": d, "epsilon": EPSILON})).verdict is Verdict.CONSISTENT

    def count() -> None:
        columns = read(path)
        assert np.bincount(columns["input"].to_numpy() * d + columns["report"].to_numpy()).sum() == REPORTS

    audit()
    ours = seconds(audit)
    FILES[form, d].record(ours, seconds(count), reports_per_second=REPORTS / ours)


@pytest.mark.parametrize("form", BITS)
def test_audit_of_a_file_of_bits(tmp_path: Path, form: str) -> None:
    """The first audit also computes what faults would have been found, which is remembered."""
    source, d = np.random.default_rng(1), 16
    held = source.integers(0, d, REPORTS)
    chances = np.where(np.arange(d) == held[:, None], 0.5, 1 / (math.exp(EPSILON) + 1))
    bits = (source.random((REPORTS, d)) < chances).astype(np.uint8)
    texts = np.full((REPORTS, 2 * d + 1), ord(","), np.uint8)
    texts[:, 0], texts[:, -1], texts[:, 1::2] = ord("["), ord("]"), bits + ord("0")
    lists = pyarrow.FixedSizeListArray.from_arrays(bits.ravel(), d).cast(pyarrow.list_(pyarrow.uint8()))
    sent = texts.view(f"S{2 * d + 1}").ravel().astype(str) if form == "CSV" else lists
    write, read = (csv.write_csv, csv.read_csv) if form == "CSV" else (parquet.write_table, parquet.read_table)
    path = tmp_path / f"reports.{form.lower()}"
    write(pyarrow.table({"input": held, "report": sent}), path)

    def audit() -> None:
        assert audit_reports(path, oracle("OUE", {"d": d, "epsilon": EPSILON})).verdict is Verdict.CONSISTENT

    def count() -> None:
        column = read(path)["report"].combine_chunks()
        if form == "CSV":
            matrix = np.frombuffer(column.buffers()[2], np.uint8).reshape(REPORTS, -1)[:, 1::2] - ord("0")
        else:
            matrix = column.flatten().to_numpy().reshape(REPORTS, d)
        assert matrix.sum(axis=0).tolist() == bits.sum(axis=0).tolist()

    first, ours = seconds(audit, 1), seconds(audit)
    BITS[form].record(ours, seconds(count), reports_per_second=REPORTS / ours, first=first)


@pytest.mark.parametrize("mechanism", ALARMS)
def test_no_alarm_about_correct_implementations(mechanism: str) -> None:
    """n reports per input, as many as the audit asks for at 1% (GRR), or its limit (OUE)."""
    alarms, reports = 0, set()
    for seed in range(CORRECT // 2):
        target = Counted(laws(mechanism, 1.0), 10**6 + seed)
        rows = audit_samples(target, reference(mechanism), sampling=Sampling(level=LEVEL))
        worst = max((row.verdict for row in rows), key=list(Verdict).index)
        assert worst in (Verdict.CONSISTENT, Verdict.FAULT)
        alarms += worst is Verdict.FAULT
        reports.add(int(rows[0].figures["reports"]))
    ALARMS[mechanism].record(alarms, double(LEVEL) * (CORRECT // 2), most_reports=max(reports))


@pytest.mark.parametrize(("mechanism", "factor"), SINGLE)
def test_audit_of_single_reports(benchmark: Any, mechanism: str, factor: float) -> None:
    """The clients of `faulty_clients.py` themselves, report by report, looked for a fault of 5%."""
    rows: list[Any] = []

    def run() -> None:
        random.seed(0)  # what the clients draw from
        target = Reporter(single_reports(mechanism, factor), 0)
        rows[:] = audit_samples(target, reference(mechanism), sampling=Sampling(level=LEVEL, fault=fmpq(1, 20)))

    benchmark.pedantic(run, rounds=3)
    reports = int(rows[0].figures["reports"])
    SINGLE[mechanism, factor].record(
        benchmark.stats.stats.min, drawing(mechanism, factor, reports), reports=reports, verdict=str(rows[0].verdict)
    )
    assert rows[0].verdict is (Verdict.CONSISTENT if factor == 1 else Verdict.FAULT)
