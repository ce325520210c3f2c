"""However a command ends, its exit code and one line say so, finished work is kept, and no process is left."""

import os
import signal
import sys
from pathlib import Path

import pytest

from dp_checks.boundary import INTERRUPTED
from dp_checks.certify import certify
from running.marked import PATIENCE, Marked, command, lines

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")

WORKER = "loky.backend.popen_loky_posix"
SMALL = "002.thm1*"
JOURNALS = {
    "certify": ("certify", SMALL, "--jobs", "2"),
    "reproduce": ("reproduce", "002", "--calibration", "paper", "--jobs", "2"),
}
FORGETFUL = """
import sys, time, click
from dp_checks.boundary import Commands
@click.group(cls=Commands)
def main(): pass
@main.command()
def sleep():
    print("begun", flush=True)
    while True:
        try: time.sleep(60)
        except BaseException: pass
main()
"""


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("name", JOURNALS)
def test_an_end_from_outside_leaves_the_journal_and_no_process(name: str, number: int, tmp_path: Path) -> None:
    with command(*JOURNALS[name], "--out", tmp_path) as running:
        running.wait_until(lambda: lines(tmp_path / "journal.jsonl"))
        assert len(running.alive(WORKER)) == 2
        code, errors, left = running.end(number)
    assert left == []
    assert lines(tmp_path / "journal.jsonl")
    if number == signal.SIGKILL:
        assert code == -signal.SIGKILL
        return
    assert code == INTERRUPTED
    said = [line for line in errors.splitlines() if "processes: about" not in line]
    assert len(said) == 1
    assert said[0].startswith("Error: interrupted; ")
    assert f"kept in {tmp_path}: run the same command again to go on" in said[0]


def lose_a_worker(folder: Path, *arguments: str) -> None:
    """Kill one of the two when something is finished: it is kept, nothing else is left, and one line says so."""
    with command(*arguments, "--out", folder) as running:
        running.wait_until(lambda: lines(folder / "journal.jsonl"))
        os.kill(running.alive(WORKER)[0], signal.SIGKILL)
        code, errors, left = running.end()
    assert (code, left) == (INTERRUPTED, [])
    said = [line for line in errors.splitlines() if "processes: about" not in line]
    assert len(said) == 1
    assert said[0].startswith("Error: a worker process was killed, or ran out of memory; ")
    assert lines(folder / "journal.jsonl")


@pytest.mark.slow
def test_a_killed_worker_of_reproduce_leaves_the_journal(tmp_path: Path) -> None:
    lose_a_worker(tmp_path, *JOURNALS["reproduce"])


@pytest.mark.slow
def test_after_the_loss_of_a_worker_the_same_bytes_are_written(tmp_path: Path) -> None:
    lose_a_worker(tmp_path / "cut", *JOURNALS["certify"])
    with command(*JOURNALS["certify"], "--out", tmp_path / "cut") as running:
        output = running.process.communicate(timeout=PATIENCE)[0]
    assert running.process.returncode == 0
    assert "were decided before" in output
    assert certify(SMALL, tmp_path / "whole").taken == 0
    written = {}
    for folder in ("cut", "whole"):
        files = [path for path in (tmp_path / folder).rglob("*") if path.is_file() and path.suffix != ".jsonl"]
        written[folder] = {str(path.relative_to(tmp_path / folder)): path.read_bytes() for path in files}
    assert written["cut"] == written["whole"]
    assert len(written["cut"]) > 2


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_what_swallows_an_interruption_is_ended(number: int) -> None:
    with Marked("-c", FORGETFUL, "sleep") as running:
        assert running.process.stdout is not None
        assert running.process.stdout.readline() == "begun\n"
        code, errors, left = running.end(number)
    assert (code, left) == (INTERRUPTED, [])
    assert errors.startswith("Error: interrupted; ")
    assert len(errors.splitlines()) == 1


def test_a_second_request_ends_at_once() -> None:
    with Marked("-c", FORGETFUL, "sleep") as running:
        assert running.process.stdout is not None
        assert running.process.stdout.readline() == "begun\n"
        running.process.send_signal(signal.SIGINT)
        code, errors, _ = running.end(signal.SIGTERM)
    assert code == INTERRUPTED
    assert len(errors.splitlines()) == 1


def test_ctrl_c_counts_where_a_shell_ignores_it() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        running = Marked("-c", FORGETFUL, "sleep")
    finally:
        signal.signal(signal.SIGINT, before)
    with running:
        assert running.process.stdout is not None
        assert running.process.stdout.readline() == "begun\n"
        assert running.end(signal.SIGINT)[0] == INTERRUPTED


def test_a_worker_of_another_parent_ends() -> None:
    program = "import time; from dp_checks.processes import end_with; end_with(1); time.sleep(60)"
    with Marked("-c", program) as running:
        assert running.process.wait(30) == 1
