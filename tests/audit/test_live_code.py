"""Code at hand in a copy of this process: the same audit, nothing left of it, and nothing of it believed or obeyed."""

import os
import pickle
import signal
import stat
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from audit.targets import clients, hostile_endings
from dp_audit.audit import audit_callable
from dp_audit.options import Options
from dp_audit.outcome import Audit, Verdict
from dp_audit.run.live_code import CAN_COPY
from dp_spec.vocabulary.exceptions import DomainError
from running.process_marks import Marked

pytestmark = pytest.mark.skipif(not CAN_COPY, reason="a process cannot be copied here")

GRR = {"d": 3, "epsilon": 1.0}
BRIEF = Options(users=(), reuse=False, unmodified=False, outside=())
SAMPLED = Options(limits={"paths": 1}, unmodified=False)
CALLER = """
import sys
sys.path.insert(0, "tests")
from audit.targets import hostile_endings
from dp_audit.options import Options
from dp_audit.audit import audit_callable
code = getattr(hostile_endings, sys.argv[1])
"""


def audited(function: Callable[..., Any], timeout: float | None = 30.0, options: Options = BRIEF) -> Audit:
    return audit_callable(function, "GRR", GRR, options=replace(options, timeout=timeout))


def checks_of(audit: Audit) -> dict[str, Verdict]:
    return {row.check: row.verdict for row in audit.rows}


# --- as in this process -----------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("function", [clients.grr, clients.too_little_noise])
def test_a_copy_is_audited_as_in_this_process(function: Callable[..., Any]) -> None:
    here, copy = (
        audit_callable(function, "GRR", GRR, estimate=clients.estimate, options=Options(timeout=t))
        for t in (None, 60.0)
    )
    assert checks_of(copy) == checks_of(here)
    assert copy.laws == here.laws


@pytest.mark.slow
def test_what_it_changes_is_changed_in_the_copy_alone() -> None:
    items: list[int] = []

    def remembers(item: int) -> int:
        items.append(item)
        return clients.grr(item, 3, 1.0)

    assert audited(remembers).row("law").verdict in (Verdict.CONFORMS, Verdict.ROUNDING)
    assert items == []


@pytest.mark.slow
def test_samples_are_drawn_in_the_copy() -> None:
    place = os.getpid()

    def elsewhere(item: int) -> int:
        assert os.getpid() != place
        return clients.grr(item, 3, 1.0)

    audit = audited(elsewhere, options=SAMPLED)
    assert audit.row("law").verdict is Verdict.CONSISTENT
    assert "TargetRaised" not in checks_of(audit)
    wrong = audited(lambda item: clients.grr(item, 3, 2.0), options=SAMPLED)
    assert wrong.row("law").verdict is Verdict.FAULT


@pytest.mark.slow
def test_an_exception_of_samples_is_told() -> None:
    def raises(item: int) -> int:
        if item == 1:
            raise LookupError("no\nitem")
        return clients.grr(item, 3, 1.0)

    few = Options(limits={"paths": 1}, unmodified=False, outside=())
    assert "LookupError" in str([row.detail for row in audited(raises, options=few).rows])


@pytest.mark.parametrize("timeout", [0, -1.0, float("nan"), float("inf"), "5", True])
def test_a_timeout_is_a_positive_number(timeout: Any) -> None:
    with pytest.raises(DomainError, match="timeout"):
        audited(clients.grr, timeout)


# --- it ends ----------------------------------------------------------------------------------------------------------


def daemon(item: int) -> int:
    """Leaves a process that holds all pipes, and ends."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(600)
        os._exit(0)
    os._exit(0)


@pytest.mark.slow
@pytest.mark.parametrize("checks", [BRIEF, SAMPLED], ids=["enumerated", "sampled"])
@pytest.mark.parametrize("function", [hostile_endings.busy, hostile_endings.deaf, daemon])
def test_a_call_ends_in_time(function: Callable[..., Any], checks: Options) -> None:
    begun = time.monotonic()
    assert audited(function, 1.0, checks).verdict is Verdict.UNDECIDED
    assert time.monotonic() - begun < 15


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
@pytest.mark.parametrize(
    ("ending", "number"),
    [("busy", signal.SIGKILL)]
    + [
        pytest.param(*case, marks=pytest.mark.slow)
        for case in (("deaf", signal.SIGTERM), ("deaf", signal.SIGHUP), ("busy", signal.SIGINT))
    ],
)
def test_nothing_outlives_its_caller(ending: str, number: int) -> None:
    program = CALLER + "audit_callable(code, 'GRR', {'d': 2, 'epsilon': 1.0}, options=Options(timeout=500))"
    with Marked("-c", program, ending) as running:
        running.wait_until(lambda: len(running.alive()) >= 4)
        time.sleep(0.2)
        assert running.end(number)[::2] == (-number, [])


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
@pytest.mark.parametrize("ending", ["grandchildren", "kills_its_supervisor_and_leaves"])
def test_nothing_outlives_a_call(ending: str) -> None:
    program = CALLER + (
        "audit_callable(code, 'GRR', {'d': 2, 'epsilon': 1.0}, "
        "options=Options(limits={'paths': 1}, users=(), outside=(), timeout=2))\n"
        "import time; print('over', flush=True); time.sleep(60)"
    )
    with Marked("-c", program, ending) as running:
        assert running.process.stdout is not None
        assert running.process.stdout.readline() == "over\n"
        running.wait_until(lambda: running.alive() == [running.process.pid])


# --- it is not believed -----------------------------------------------------------------------------------------------


def pipes() -> dict[int, int]:
    """The pipes of this process, by the number of their file."""
    inodes = {}
    for number in range(64):
        with suppress(OSError):
            status = os.fstat(number)
            if stat.S_ISFIFO(status.st_mode):
                inodes[number] = status.st_ino
    return inodes


class Trap:
    """What makes a folder where it is unpickled."""

    def __init__(self, place: str) -> None:
        self._place = place

    def __reduce__(self) -> tuple[Callable[..., object], tuple[str]]:
        return os.mkdir, (self._place,)


FORGED: dict[str, bytes] = {
    "not text": b"\xff\x00\xfe\n",
    "an end": b'{"part": "ended", "status": 0}\n',
    "an end without a status": b'{"part": "ended", "status": "x"}\n',
    "an end with a huge status": b'{"part": "ended", "status": 1e999}\n',
    "a deep list": b"[" * 100_000 + b"\n",
    "an audit": b'{"verdict": "conforms", "rows": [{"check": "law", "verdict": "conforms"}]}\n',
    "a flood": b"x" * (65 << 20),
}


def forging(data: bytes) -> Callable[[int], int]:
    """What writes into all pipes that are made for it, and spends three times the budget."""
    inodes = set(pipes().values())

    def forges(item: int) -> int:
        for number in [number for number, pipe in pipes().items() if pipe not in inodes]:
            with suppress(OSError):  # ends that are read
                left = memoryview(data)
                while left:
                    left = left[os.write(number, left) :]
        return clients.grr(item, 3, 3.0)

    return forges


@pytest.mark.slow
@pytest.mark.parametrize("data", FORGED.values(), ids=FORGED)
def test_what_the_code_writes_into_our_pipes_is_no_verdict(data: bytes) -> None:
    assert audited(forging(data), 20.0).verdict in (Verdict.FAULT, Verdict.UNDECIDED)


@pytest.mark.parametrize("checks", [BRIEF, SAMPLED], ids=["enumerated", "sampled"])
def test_nothing_is_unpickled(tmp_path: Path, checks: Options) -> None:
    place = tmp_path / "made"
    data = pickle.dumps(Trap(str(place)))
    assert audited(forging(data), 20.0, checks).verdict in (Verdict.FAULT, Verdict.UNDECIDED)
    assert not place.exists()
    pickle.loads(data)
    assert place.exists()
