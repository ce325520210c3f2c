"""Statistical audits of samplers and of files of reports: what is right passes, planted faults are found and sized."""

import random
from collections.abc import Hashable
from math import exp
from typing import Any

import pytest
from flint import fmpq

from audit.targets.samplers import (
    Answers,
    Counted,
    Hangs,
    Repeating,
    Reporter,
    grr_laws,
    grr_p,
    grr_report,
    oue_report,
    shared_coin,
)
from cases.audit_rows import SOME_FAULT, Said, complaints
from cases.refusals import refusal_test, refuses
from dp_audit.judge.bets.sequential import Sampling, StreamMonitor, audit_samples
from dp_audit.observation.samples import Reports, Sampler
from dp_audit.observation.values import rational
from dp_audit.oracles import Oracle, oracle
from dp_audit.outcome import Row, Verdict
from dp_spec.vocabulary.items import Item
from independent.law_oracles import TableOracle
from running.files import chunk

GRR = oracle("GRR", {"d": 4, "epsilon": 1.0})
OUE = oracle("OUE", {"d": 3, "epsilon": 1.0})
P, Q = grr_p(4, 1.0), 1 / (exp(1.0) + 1)
COARSE = fmpq(1, 5)


def named(rows: tuple[Row, ...]) -> dict[str, Row]:
    assert len({row.check for row in rows}) == len(rows)
    return {row.check: row for row in rows}


def interval(text: str) -> tuple[fmpq, fmpq]:
    low, high = text.strip("[]").split(", ")
    return rational(low), rational(high)


@pytest.mark.parametrize(
    ("sampler", "reference"),
    [
        (Counted(grr_laws(4, P), 1), GRR),
        (Reporter(grr_report(4, P), 2), GRR),
        (Reporter(oue_report(3, 0.5, Q), 3), OUE),
    ],
)
def test_correct_targets_are_consistent(sampler: Sampler, reference: object) -> None:
    assert reference in (GRR, OUE)
    steps: list[tuple[int, int]] = []
    which = GRR if reference == GRR else OUE
    rows = named(
        audit_samples(
            sampler, which, sampling=Sampling(fault=COARSE), progress=lambda done, most: steps.append((done, most))
        )
    )
    assert {row.verdict for row in rows.values()} == {Verdict.CONSISTENT}
    assert rows.keys() == {"law", "privacy", "alphabet"} | (
        {"independence"} if isinstance(sampler, Reporter) else set()
    )
    law = rows["law"].figures
    assert rational(law["relative fault found in any event"]) <= COARSE * fmpq(17, 16)
    assert law["power"] == "19/20"
    assert law["error level"] == "1/1000000"
    assert steps[-1][0] == steps[-1][1] == int(law["reports"])
    assert steps == sorted(steps)
    low, high = interval(rows["privacy"].figures["effective epsilon"])
    assert low < 1
    assert reference == OUE or high > 1  # the watched events of OUE are single bits: they show less than whole reports


@pytest.mark.parametrize("factor", [0.9, 1.1])
def test_faults_in_both_directions_are_found_and_sized(factor: float) -> None:
    rows = named(audit_samples(Counted(grr_laws(4, P * factor), 5), GRR, sampling=Sampling(fault=COARSE)))
    law = rows["law"]
    assert law.verdict is Verdict.FAULT
    low, high = interval(law.figures["relative fault"])
    assert low <= high
    assert (low > 0) if factor > 1 else (high < 0)
    assert low < fmpq(round(100 * factor) - 100, 100) < high
    assert rational(law.figures["log10 of the evidence, at least"]) >= fmpq(599, 100)
    assert law.witness["input"] == law.witness["event"]
    assert law.witness["inputs"] == "0, 1, 2, 3"
    assert int(law.figures["reports"]) < 40_000


def test_a_fault_at_one_input_is_found_there() -> None:
    laws = grr_laws(4, P)
    laws[2] = grr_laws(4, P * 1.3)[2]
    law = named(audit_samples(Counted(laws, 6), GRR, sampling=Sampling(fault=COARSE)))["law"]
    assert law.verdict is Verdict.FAULT
    assert (law.witness["input"], law.witness["event"]) == ("2", "2")
    assert "inputs" not in law.witness


def alternating() -> Sampler:
    """Exactly the expected number of each output on every input, never by chance, whatever the batches are."""
    turn = {0: 0, 1: 0}

    def answer(item: Any, count: int) -> list[Hashable]:
        first = turn[item]
        turn[item] += count
        return [number % 2 for number in range(first + 1, first + count + 1)]

    return Answers(answer)


def seldom_outside(source: random.Random, item: object) -> object:
    return 17 if source.random() < 0.001 else grr_report(4, P)(source, item)


def raises(item: Hashable, count: int) -> Reports:
    raise KeyError("lost")


MALFORMED: dict[str, Any] = {
    "too few": lambda item, count: {0: count - 1},
    "a negative count": lambda item, count: {0: -1, 1: count + 1},
    "a truth value": lambda item, count: {0: True, 1: count - 1},
    "too many": lambda item, count: [0] * (count + 1),
    "lists": lambda item, count: [[]] * count,
    "nothing": lambda item, count: None,
}
HALF = fmpq(1, 2)
OVERLAPPING = TableOracle({0: {"a": HALF, "b": HALF}, 1: {"b": HALF, "c": HALF}})
CERTAIN = TableOracle({0: {"a": fmpq(1)}, 1: {"a": fmpq(1)}})
ONLY_B: dict[Item, dict[Hashable, float]] = {0: {"a": 0.5, "b": 0.499, "c": 0.001}, 1: {"b": 0.5, "c": 0.5}}
RIGHT: dict[Item, dict[Hashable, float]] = {0: {"a": 0.5, "b": 0.5}, 1: {"b": 0.5, "c": 0.5}}
EVEN = oracle("GRR", {"d": 2, "epsilon": 1e-9})
JUDGED: dict[str, tuple[Sampler, Oracle, Sampling, Said]] = {
    "noise of other bits": (Reporter(oue_report(3, 0.5, Q * 1.15), 7), OUE, Sampling(fault=COARSE), {"law": "fault"}),
    "one coin for all bits": (Reporter(shared_coin(3, 0.5, Q), 8), OUE, Sampling(fault=COARSE), {"law": "fault: bits"}),
    "no noise": (
        Answers(lambda item, count: {item: count}),
        GRR,
        Sampling(first=20_000),
        {"law": "fault", "privacy": "fault: infinity]"},
    ),
    "repeated": (
        Repeating(grr_report(4, P), 10),
        GRR,
        Sampling(fault=COARSE, first=500),
        {"independence": "fault: pairs"},
    ),
    "alternating": (alternating(), EVEN, Sampling(fault=COARSE), {"independence": "fault", "law": "consistent"}),
    "outside": (Reporter(seldom_outside, 11), GRR, Sampling(fault=COARSE), {"alphabet": "fault: 'output': '17'"}),
    "impossible": (
        Counted(ONLY_B, 14),
        OVERLAPPING,
        Sampling(fault=COARSE),
        {"law": "fault: 'output': 'c'", "alphabet": "consistent"},
    ),
    "no finite epsilon": (
        Counted(RIGHT, 15),
        OVERLAPPING,
        Sampling(fault=COARSE),
        {"law": "consistent", "privacy": "undecided: infinity]"},  # as the mechanism: "a" only for 0
    ),
    "one input": (Counted(grr_laws(4, P), 16), GRR, Sampling(fault=COARSE, inputs=(2,)), {"privacy": "undecided"}),
    "hangs later": (
        Hangs(Reporter(grr_report(4, P), 12), 9),
        GRR,
        Sampling(fault=COARSE, first=100),
        {"TargetHung": "undecided", "law": "consistent: 'reports': '907'"},  # what was collected before
    ),
    "wrong, and hangs": (Hangs(Reporter(grr_report(4, 0.9), 12), 9), GRR, Sampling(fault=COARSE), SOME_FAULT),
    "hangs at once": (
        Hangs(Reporter(grr_report(4, P), 12), 0),
        GRR,
        Sampling(fault=COARSE),
        dict.fromkeys(("TargetHung", "law", "alphabet"), "undecided"),
    ),
    "raises": (Answers(raises), GRR, Sampling(first=10), {"TargetRaised": "fault"}),
    **{
        f"answers {words}": (Answers(answer), GRR, Sampling(first=10), {"MalformedAnswer": "fault"})
        for words, answer in MALFORMED.items()
    },
    "certain": (Answers(lambda item, count: ["a"] * count), CERTAIN, Sampling(), {"law": "consistent"}),
    "never": (Answers(lambda item, count: ["b"] * count), CERTAIN, Sampling(), {"alphabet": "fault"}),
}


@pytest.mark.parametrize("name", JUDGED)
def test_samples_are_judged(name: str) -> None:
    sampler, reference, sampling, said = JUDGED[name]
    assert list(complaints(audit_samples(sampler, reference, sampling=sampling), said)) == []


def test_too_little_noise_breaks_privacy() -> None:
    rows = named(audit_samples(Counted(grr_laws(4, 0.97), 9), GRR, sampling=Sampling(fault=COARSE, first=20_000)))
    assert rows["law"].verdict is Verdict.FAULT
    privacy = rows["privacy"]
    assert privacy.verdict is Verdict.FAULT
    low, high = interval(privacy.figures["effective epsilon"])
    assert low > 1
    assert float(int(low.p) / int(low.q)) < 4.58 < int(high.p) / int(high.q)  # ln(0.97 / 0.01)
    assert privacy.witness.keys() == {"input", "event", "inputs", "probabilities"}


def test_limit_and_inputs() -> None:
    rows = named(audit_samples(Counted(grr_laws(4, P), 13), GRR, sampling=Sampling(limit=3000, inputs=(1, 3))))
    assert rows["law"].verdict is Verdict.CONSISTENT
    assert rows["law"].figures["reports"] == "6000"
    assert rational(rows["law"].figures["relative fault found in any event"]) > fmpq(1, 100)
    few = named(audit_samples(Counted(grr_laws(4, P), 13), GRR, sampling=Sampling(limit=3)))
    assert "too few reports" in few["law"].detail


CORRECT = Counted(grr_laws(4, P), 13)
test_bad_parameters = refusal_test(
    refuses("limit", lambda limit: audit_samples(CORRECT, GRR, sampling=Sampling(limit=limit)), 0, True),
    refuses("level", lambda: audit_samples(CORRECT, GRR, sampling=Sampling(level=fmpq(2)))),
    refuses("input", lambda: StreamMonitor(GRR).add_chunks([chunk([(4, 0)])])),
    refuses("first", lambda: StreamMonitor(GRR, sampling=Sampling(first=0))),
    refuses("miss", lambda: StreamMonitor(GRR, sampling=Sampling(miss=fmpq(1)))),
)


def pairs(p: float, seed: int, number: int) -> list[tuple[int, object]]:
    source = random.Random(seed)
    held = [source.randrange(4) for _ in range(number)]
    return [(x, grr_report(4, p)(source, x)) for x in held]


def test_monitor_of_a_correct_file() -> None:
    monitor = StreamMonitor(GRR)
    assert not monitor.add_chunks([chunk(pairs(P, 1, 20_000))])
    rows = named(monitor.rows())
    assert {row.verdict for row in rows.values()} == {Verdict.CONSISTENT}
    assert (monitor.reports, monitor.alarmed) == (20_000, False)
    assert rows["law"].figures["reports"] == "20000"


def test_monitor_stops_at_the_alarm() -> None:
    monitor = StreamMonitor(GRR)
    assert monitor.add_chunks([chunk(pairs(P * 1.1, 2, 60_000))])
    assert monitor.alarmed
    assert 500 < monitor.reports < 15_000
    assert monitor.add_chunks([chunk([(0, 0)])])
    law = named(monitor.rows())["law"]
    assert law.verdict is Verdict.FAULT
    assert law.figures["reports"] == str(monitor.reports)


def test_monitor_without_reports_on_an_input_is_undecided() -> None:
    monitor = StreamMonitor(GRR)
    monitor.add_chunks([chunk([(0, 0), (1, 2)])])
    rows = named(monitor.rows())
    assert rows["law"].verdict is rows["alphabet"].verdict is Verdict.UNDECIDED


def test_monitor_sees_an_impossible_report_at_once() -> None:
    monitor = StreamMonitor(GRR)
    assert monitor.add_chunks([chunk([(0, 1), (0, "nonsense")])])
    assert monitor.reports == 2
    assert named(monitor.rows())["alphabet"].verdict is Verdict.FAULT
