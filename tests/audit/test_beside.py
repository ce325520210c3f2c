"""What is left beside the reports of an unmodified run: leaks are found, however seldom; what tells no more is none."""

import random
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from flint import arb, fmpq

from audit.targets import beside_reports as targets
from dp_audit.judge import plan
from dp_audit.judge.events import Observation
from dp_audit.judge.leak_test import leak
from dp_audit.judge.plan import Plan
from dp_audit.observation.unmodified_run import TextsBeside, UnmodifiedRun
from dp_audit.oracles import oracle
from dp_audit.outcome import Row, Verdict
from running.observations import observed_rows, observer, rows_of_runs
from running.optional_values import known

GRR = {"d": 4, "epsilon": 1.0}
CHECK = "beside the report"
SMALLER = {"BESIDE": 5000, "FRESH": 1024, "RAW_REPORTS": 256, "CLIENTS": (4, 4), "REPORTS": 200, "TYPED": 50}


@pytest.fixture(autouse=True)
def _apart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """In an empty folder, with few reports of used clients; what a target has open is closed at the end."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(targets, "OPEN", {})
    monkeypatch.setattr(targets, "CALLS", [0])
    for name, value in SMALLER.items():
        monkeypatch.setattr(plan, name, value)
    yield
    for held in targets.OPEN.values():
        getattr(held, "close", lambda: None)()


def row(name: str, mechanism: str = "GRR", parameters: Mapping[str, Any] = GRR) -> Row | None:
    rows = observed_rows(targets, name, parameters, oracle(mechanism, parameters))
    assert rows["unintercepted run"].verdict is Verdict.INFO, rows["unintercepted run"]
    return rows.get(CHECK)


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("one_of_ten", "stderr: 'debug "),
        ("one_of_a_thousand", "log: 'WARNING sample "),
        ("appended_seldom", ""),
        ("carried_seldom", "attributes: \"{'note': "),
        ("kept_seldom", "stderr: 'kept'"),
        ("from_the_2000th_on", "stdout: 'item "),
        ("with_the_time", "log: '"),
        ("replaced", "log: 'WARNING value replaced'"),
        ("held_open", ""),
        ("folder", "os.mkdir: "),
        ("changes_folder", "os.chdir: "),
        ("database", "sqlite3: 'insert into items values ("),
        ("mapped", ""),
        ("datagram", "socket.sendto: "),
    ],
)
def test_leaks_are_found(name: str, word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if name == "one_of_a_thousand":
        monkeypatch.setattr(plan, "BESIDE", 50_000)
    check = known(row(name))
    assert check.verdict is Verdict.FAULT, check
    assert check.detail.startswith(word), check
    assert check.detail.endswith("depends on the input")


LAPLACE = {"values": [0, 1], "sensitivity": 1, "epsilon": 1.0, "low": -2, "high": 3}
TWINS = (
    *("counts_calls", "every_fourth", "only_at_first", "says_its_report", "says_it_seldom", "says_the_last_report"),
    *("stores_reports", "keeps_a_count", "Numbered", "into_a_pipe", "from_no_folder"),
)


@pytest.mark.slow
@pytest.mark.parametrize("name", TWINS)
def test_what_tells_no_more_than_the_report_is_no_leak(name: str) -> None:
    check = known(row(name))
    assert check.verdict is Verdict.INFO, check
    assert "nothing found that depends on the input" in check.detail


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "mechanism", "parameters", "verdict"),
    [
        ("heartbeat", "GRR", GRR, Verdict.WARNING),
        ("noisy", "Laplace", LAPLACE, Verdict.INFO),  # a report tells more than what is seen of it
        ("noisy_and_says_the_value", "Laplace", LAPLACE, Verdict.FAULT),
    ],
)
def test_networks_and_noise(name: str, mechanism: str, parameters: Mapping[str, Any], verdict: Verdict) -> None:
    check = known(row(name, mechanism, parameters))
    assert check.verdict is verdict, check
    assert name != "heartbeat" or "a network is used: socket.sendto" in check.detail


def test_nothing_is_said_where_nothing_is_left() -> None:
    assert row("quiet") is None


LEVEL = fmpq(1, 20)


def alarms(text: Callable[[random.Random, int, int], str], listed: bool) -> int:
    """How many of 100 runs with 300 texts are called a leak at a level of 5 %."""
    reference = oracle("GRR", {"d": 3, "epsilon": 1.0})
    observation, count = Observation(UnmodifiedRun((0, 1, 2), (0, 1, 2)), reference), 0
    for seed in range(100):
        rng, drawn = random.Random(seed), []
        for _ in range(300):
            item = rng.randrange(3)
            report = (
                item if rng.random() < 2.718281828459045 / (2.718281828459045 + 2) else (item + rng.randint(1, 2)) % 3
            )
            drawn.append((item, report, text(rng, item, report)))
        count += leak(observation, TextsBeside(tuple(drawn), 300, 300), LEVEL, listed) is not None
    return count


@pytest.mark.slow
@pytest.mark.parametrize("listed", [True, False])
def test_alarms_come_as_seldom_as_the_level_says(listed: bool) -> None:
    assert alarms(lambda rng, item, report: f"{report} {rng.randrange(4)} {rng.random():.3f}", listed) <= 5
    assert alarms(lambda rng, item, report: "item" if rng.random() < 0.5 else f"item {item}", listed) == 100


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "same"),
    [
        ("seeded_in_a_thread", True),
        ("seeded_for_numpy", True),
        ("seeded_by_entropy", False),
        ("seeded_by_a_draw", False),
        ("hashes_with_a_generator", False),
        ("quiet", False),
    ],
)
def test_a_generator_with_a_constant_seed_is_seen_in_two_processes(code: str, same: bool) -> None:
    reference = oracle("GRR", GRR)
    rows = rows_of_runs(Plan(reference, reuse=False), observer(targets, code, GRR, reference, here=False))
    faults = [row.check for row in rows if row.verdict is Verdict.FAULT]
    assert faults == (["TargetSeeds"] if same else []), rows


@pytest.mark.parametrize(
    ("code", "verdict"), [("logs_the_noise", Verdict.FAULT), ("logs_the_noisy_value", Verdict.INFO)]
)
def test_noise_tells_the_value_together_with_the_report(code: str, verdict: Verdict) -> None:
    """Of integers in a window; what is outside of it is one report, of which a text may say more."""
    parameters = {"values": [0, 1], "scale": 2, "low": -3, "high": 4}
    reference = oracle("DiscreteLaplace", parameters)
    observe = observer(targets, code, {"scale": 2.0}, reference, here=False)
    rows = rows_of_runs(Plan(reference, users=(), afresh=False), observe)
    row = next(row for row in rows if row.check == "beside the report")
    assert row.verdict is verdict, row


def test_items_that_a_report_rules_out_are_no_surprise() -> None:
    """uRR: an item that is not sensitive may be shown, and nobody else can hold it."""
    mechanism = oracle("URR", {"K": 2, "N": 2, "epsilon": 1.0})
    reports = tuple(dict.fromkeys(y for x in mechanism.inputs for y in mechanism.law(x)))
    observation, drawn = Observation(UnmodifiedRun(mechanism.inputs, reports), mechanism), random.Random(3)
    texts = []
    for _ in range(3000):
        item = drawn.randrange(4)
        law = mechanism.law(item)
        report = drawn.choices(list(law), [float(arb(p)) for p in law.values()])[0]
        texts.append((item, reports.index(report), f"kind {drawn.randrange(2)}"))
    assert leak(observation, TextsBeside(tuple(texts), len(texts), len(texts)), fmpq(1, 10**9), True) is None
    leaks = [(item, code, f"kind {item % 2}") for item, code, _ in texts]
    assert leak(observation, TextsBeside(tuple(leaks), len(leaks), len(leaks)), fmpq(1, 10**9), True) is not None
