"""A small part of `make torture`, and that the campaigns find what is planted."""

import signal
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dp_kernel import Rejected
from torture.disturbances import DISTURBANCES, damaged, trial
from torture.findings import Tried
from torture.fuzz import Found, alarmed, drawn, fault, fuzz, readers
from torture.fuzz_jobs import fuzz_jobs
from torture.mutations import DEPTH, RAW, changed
from torture.processes import Ended, Job
from torture.reader import Misread, Reader
from torture.workshop import Case, Whole, Workshop, one_line, orphans

INPUTS = 2000
SEED = 1
QUICK = Case(("certify", "002.base.grr*", "--jobs", "1"))
"""Rows that take no time."""


@pytest.fixture(scope="module")
def all_readers(tmp_path_factory: pytest.TempPathFactory) -> tuple[Reader, ...]:
    """All readers; making their inputs takes a few seconds."""
    return readers(tmp_path_factory.mktemp("readers"))


def planted(read: Callable[[bytes], object], *allowed: type[BaseException], inputs: int = 300) -> list[Found]:
    """What is found in a reader of a protocol's answers, whose faults are planted."""
    reader = Reader("planted", (b'{"id": 1, "reports": [0, 1, 2]}',), read, allowed)
    return list(fuzz([reader], SEED, range(inputs), Counter(), seconds=0.05))


# --- fuzzing ----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_no_reader_has_another_error_than_it_documents(all_readers: tuple[Reader, ...]) -> None:
    """In a process of its own, whose memory is limited."""
    result = fuzz_jobs(SEED, range(INPUTS))
    assert [finding.printed() for finding in result.found.values()] == []
    assert result.tried.total() == INPUTS
    assert result.tried.keys() == {reader.name for reader in all_readers}


@pytest.mark.parametrize("error", [ValueError, KeyError, RecursionError, MemoryError, SystemExit, AssertionError])
def test_another_error_is_found(error: type[BaseException]) -> None:
    def read(data: bytes) -> None:
        if b"reports" not in data:
            raise error("planted")

    (failure,) = planted(read, Rejected)
    assert (failure.fault.kind, failure.fault.text) == (error.__name__, "'planted'" if error is KeyError else "planted")
    assert b"reports" not in failure.data


def hang(data: bytes) -> None:
    """Also where everything that is an `Exception` is caught."""
    while b"reports" not in data:
        try:
            sum(range(1000))
        except Exception:
            continue


def test_a_hang_is_found() -> None:
    assert [failure.fault.kind for failure in planted(hang, inputs=10)] == ["hang"]


def test_faults_at_different_places_are_different() -> None:
    def first(data: bytes) -> None:
        raise TypeError(data)

    def second(data: bytes) -> None:
        raise TypeError(data)

    assert len(planted(lambda data: (first if b"counts" in data or len(data) % 2 else second)(data))) == 2


def test_what_is_documented_is_no_fault() -> None:
    def refuse(data: bytes) -> None:
        raise Rejected("as documented")

    assert planted(refuse, Rejected) == []
    assert planted(lambda data: None) == []


@pytest.mark.slow
def test_a_journal_that_believes_everything_is_found(
    all_readers: tuple[Reader, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = [reader for reader in all_readers if reader.name == "journals"]

    def believe(self: Any) -> tuple[dict[str, Any], tuple[int, ...]]:
        return {"002.eq12": "proved"}, ()

    monkeypatch.setattr("dp_checks.runtime.journal.Journal.read", believe)
    (failure,) = fuzz(chosen, SEED, range(5), Counter())
    assert failure.fault.kind == Misread.__name__


def test_changed_inputs_are_many_and_repeat_with_their_seed() -> None:
    seeds = (b'{"id":1,"reports":[0,1,2]}', b"input,report\n0,1\n")
    once, twice = ([changed(seeds[i % 2], seeds, Random(i)) for i in range(500)] for _ in range(2))
    assert once == twice
    assert len(set(once)) > 300
    assert any(b"[" * DEPTH in data for data in once)
    assert any(RAW[0].encode() in data for data in once)


def test_the_alarm_is_put_away() -> None:
    before = signal.getsignal(signal.SIGPROF)
    with alarmed():
        assert fault(Reader("fine", (), lambda data: None), b"") is None
        assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGPROF) is before


@pytest.mark.slow
def test_an_input_that_ends_the_interpreter_is_found(
    all_readers: tuple[Reader, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The inputs after it are tried, too."""
    number = next(i for i in range(1000) if drawn(all_readers, SEED, i)[0].name == "samples of processes")
    (tmp_path / "sitecustomize.py").write_text(
        "import os\nfrom dp_audit.run import protocol\nprotocol.read_samples = lambda *given: os.abort()\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(tmp_path)
    result = fuzz_jobs(SEED, range(number + 2))
    (finding,) = (finding for finding in result.found.values() if "process" in finding.happened)
    assert finding.happened == "the whole process ends with -6"
    assert finding.repeat.endswith(f"--index {number}")
    assert result.tried.total() == number + 2


# --- processes --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    return Workshop(tmp_path_factory.mktemp("runs"))


@pytest.mark.slow
@pytest.mark.parametrize("name", DISTURBANCES)
def test_disturbed_runs_end_as_they_should(name: str, workshop: Workshop) -> None:
    """As if undisturbed, or in one line; damage is told, and changes nothing."""
    tried: Tried = Counter()
    findings = [one for i in range(2) for one in trial(name, Random(f"{SEED}/{i}"), tried, workshop, [QUICK])]
    assert tried.total() == 2
    assert [one.printed() for one in findings] == []


class Changed(Workshop):
    """A workshop whose undisturbed runs had other files."""

    def whole(self, case: Case) -> Whole:
        return Whole({"ledger.json": b"other", "reproduce.json": b""}, 0.0)


def test_other_files_complaints_and_exit_codes_are_found(tmp_path: Path) -> None:
    (tmp_path / "ledger.json").write_bytes(b"one")
    (tmp_path / "left.tmp").write_bytes(b"")
    workshop = Changed(tmp_path)
    (finding,) = workshop.compared(QUICK, tmp_path, Ended(0, "", "16/16 statements\n"), "done")
    assert finding.happened == "3 other: ledger.json differs, left.tmp too many, reproduce.json missing"
    for ended, end in ((Ended(4, "", ""), "exit code 4: "), (Ended(0, "", "a library speaks"), "speaks")):
        finding = next(workshop.compared(QUICK, tmp_path, ended, "done"))
        assert finding.happened.endswith(end)
    for ended, number in (
        (Ended(130, "", "20/40 statements\nError: interrupted\n"), 0),
        (Ended(0, "", ""), 0),
        (Ended(2, "", "Error: no space"), 1),
        (Ended(130, "", "Error: interrupted\nresource_tracker: leaked\n"), 1),
        (Ended(130, "", "KeyboardInterrupt"), 1),
        (Ended(130, "", ""), 1),
        (Ended(-1, "", ""), 1),
    ):
        assert len([*one_line(ended, "done", (130, 143, 0, 1, 3))]) == number


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are looked for in /proc")
def test_an_orphan_is_found_and_ended(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Also one with a session of its own, and one that has lost the variable."""
    (tmp_path / "dp_command.py").write_text(
        "import subprocess, sys\n"
        "sleep = [sys.executable, '-c', 'import time; time.sleep(60)']\n"
        "subprocess.Popen(sleep, start_new_session=True)\n"
        "subprocess.Popen(sleep, env={})\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(tmp_path)
    ended = Job([]).ended(grace=0.2)
    assert (ended.code, len(ended.orphans)) == (0, 2)
    (finding,) = orphans(ended, "done")
    assert finding.happened.startswith("2 left: ")


def test_a_command_that_does_not_end_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "dp_command.py").write_text("import time; time.sleep(60)", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("torture.processes.LONGEST", 0.3)
    assert Job([]).ended().code == -1


def test_every_sort_of_damage_is_done() -> None:
    data = b'{"a": 1}\n{"b": 2}\n{"c": 3}\n'
    results = [damaged(data, Random(i)) for i in range(100)]
    assert len({how.strip("0123456789 ").split(" ")[-1] for how, _ in results}) >= 4
    assert any(len(after) < len(data) for _, after in results)
    assert any(sorted(after.splitlines()) == sorted(data.splitlines()) != after.splitlines() for _, after in results)
    assert sum(after != data for _, after in results) > 80
