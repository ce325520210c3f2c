"""Audits of reports, at error level 10^-6: GRR (d = 4, epsilon = 1) with p off by 0.1%, OUE with q off by 1%.

- Reports until the alarm, over 100 seeded runs. The target is simulated by count: numpy draws how often each output
  comes in a batch (a multinomial variate), so that tens of millions of reports take milliseconds.
- Reference: Wald's sequential probability ratio test of the two laws, both known. No test of error level a that surely
  finds the fault has a smaller expected number of reports under it than log(1/a) / KL (Wald), and this test, stopped at
  the ratio 1/a, comes near it; it is run on the same reports, looked at after the same batches. It knows the size and
  the place of the fault; the audit is told the size (`fault`).
- Budgets that are off: the mean number of reports where the budget of all inputs, or that of a single one, is not the
  stated one, and nothing of it is told. Beside it, Wald's bound: no test, even if it is told both laws, has a smaller
  mean. Our mean is that of the logarithm of the likelihood ratio at the alarm, over its mean for one report (Wald's
  identity): from run to run it varies by a few percent, the number of reports by a third.
- 1,000 audits of correct implementations: no alarm.
"""

import math
import statistics
import time
from collections.abc import Hashable, Mapping
from itertools import product

import pytest
from flint import arb, ctx, fmpq

from audit.targets.samplers import Counted, grr_laws
from benchmarks.table import line
from dp_audit.judge.bets.sequential import Sampling, audit_samples
from dp_audit.observation.samples import Reports
from dp_audit.oracles import Oracle, oracle
from dp_audit.outcome import Verdict
from dp_spec.vocabulary.items import Item

D, EPSILON = 4, 1.0
LEVEL = fmpq(1, 10**6)
RUNS, CORRECT = 100, 1000
DRAWN = 20_000
"""Reports of a client that are drawn, to know how long one takes."""

PLANTED = {"GRR": fmpq(1001, 1000), "OUE": fmpq(101, 100)}
NAMES = {"GRR": "GRR with p off by 0.1%", "OUE": "OUE with q off by 1%"}
SEQUENTIAL = {
    mechanism: line(
        f"sequential audit, {name}, told so: reports", "the optimal test, told both laws", "times as many", 2
    )
    for mechanism, name in NAMES.items()
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
ALARMS = {
    mechanism: line(
        f"{CORRECT // 2} audits of a correct {mechanism}: alarms", "what level 10⁻⁶ allows", "times as many", 1
    )
    for mechanism in NAMES
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
    """Of the mechanism with p or q times the factor."""
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


def double(x: fmpq) -> float:
    return int(x.p) / int(x.q)


@pytest.mark.parametrize("mechanism", SEQUENTIAL)
def test_sequential_audit_of_a_planted_fault(mechanism: str) -> None:
    reports, optimal, seconds = [], [], []
    factor = PLANTED[mechanism]
    for seed in range(RUNS):
        target = WithReference(mechanism, double(factor), seed)
        start = time.perf_counter()
        rows = audit_samples(
            target, reference(mechanism), sampling=Sampling(level=LEVEL, fault=factor - 1, limit=10**8)
        )
        seconds.append(time.perf_counter() - start)
        law = rows[0]
        assert law.verdict is Verdict.FAULT, law.detail
        reports.append(int(law.figures["reports"]))
        while target.reference is None:  # the audit may stop first
            for item in range(D):
                target.sample(item, reports[-1] // 50)
        optimal.append(target.reference)
    SEQUENTIAL[mechanism].record(
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
