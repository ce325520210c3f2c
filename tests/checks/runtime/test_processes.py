"""However a command ends, its exit code and one line say so, finished work is kept, and no process is left."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from dp_checks.certify import certify
from dp_checks.runtime.boundary import HUNG_UP, INTERRUPTED
from dp_checks.runtime.processes import SAFE_PATH, TIDY, guarded
from running.process_marks import PATIENCE, Marked, command, lines

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")

WORKER = "loky.backend.popen_loky_posix"
SMALL = "002.thm1*"
JOURNALS = {
    "certify": ("certify", SMALL, "--jobs", "2"),
    "reproduce": ("reproduce", "002", "--calibration", "paper", "--jobs", "2"),
}
SAID: dict[int, tuple[int, str]] = {
    signal.SIGINT: (INTERRUPTED, "Error: interrupted; "),
    signal.SIGTERM: (INTERRUPTED, "Error: interrupted; "),
    signal.SIGHUP: (HUNG_UP, "Error: hung up; "),
}
FORGETFUL = """
import sys, time, click
from dp_checks.runtime.boundary import Commands
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
PATIENT = FORGETFUL.replace("except BaseException", "except ZeroDivisionError")
SHADOWS = ("re", "random", "json", "pickle", "joblib", "numpy", "dp_checks", "dp_audit", "sitecustomize", "venv", "pip")
"""Modules that lie in the current folder: running one of them leaves a trace, and fails."""
SERVED = """
import json, sys
import neighbor
for line in sys.stdin:
    asked = json.loads(line)
    if asked["op"] != "sample":
        print(json.dumps({"id": asked["id"], "error": "no server"}), flush=True)
        continue
    reports = [neighbor.flipped(asked["input"]) for _ in range(asked["count"])]
    print(json.dumps({"id": asked["id"], "reports": reports}), flush=True)
"""
NEIGHBOR = """
def flipped(item):
    import random
    return item if random.randrange(4) else 1 - item
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "number"),
    [("reproduce", signal.SIGINT), *(("certify", end) for end in (signal.SIGTERM, signal.SIGHUP, signal.SIGKILL))],
)
def test_an_end_from_outside_leaves_the_journal_and_no_process(name: str, number: int, tmp_path: Path) -> None:
    with command(*JOURNALS[name], "--out", tmp_path) as running:
        running.wait_until(lambda: lines(tmp_path / "journal.jsonl"))
        assert len(running.alive(WORKER)) == 2
        code, errors, left = running.end(number)
    assert left == []
    assert lines(tmp_path / "journal.jsonl")
    said = [line for line in errors.splitlines() if "processes: about" not in line]
    if number == signal.SIGKILL:
        assert (code, said) == (-signal.SIGKILL, [])
        return
    assert code == SAID[number][0]
    assert len(said) == 1
    assert said[0].startswith(SAID[number][1])
    assert f"kept in {tmp_path}: run the same command again to go on" in said[0]


@pytest.mark.slow
def test_after_the_loss_of_a_worker_the_same_bytes_are_written(tmp_path: Path) -> None:
    """One of the two is killed when something is finished: it is kept, nothing else is left, and one line says so."""
    cut = tmp_path / "cut"
    with command(*JOURNALS["certify"], "--out", cut) as running:
        running.wait_until(lambda: lines(cut / "journal.jsonl"))
        os.kill(running.alive(WORKER)[0], signal.SIGKILL)
        code, errors, left = running.end()
    assert (code, left) == (INTERRUPTED, [])
    said = [line for line in errors.splitlines() if "processes: about" not in line]
    assert len(said) == 1
    assert said[0].startswith("Error: a worker process was killed, or ran out of memory; ")
    assert lines(cut / "journal.jsonl")
    with command(*JOURNALS["certify"], "--out", cut) as running:
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


@pytest.mark.parametrize("number", SAID)
def test_what_swallows_an_interruption_is_ended(number: int) -> None:
    with Marked("-c", FORGETFUL, "sleep") as running:
        running.begun()
        code, errors, left = running.end(number)
    assert (code, left) == (SAID[number][0], [])
    assert errors.startswith(SAID[number][1])
    assert len(errors.splitlines()) == 1


@pytest.mark.parametrize("number", SAID)
def test_an_interruption_is_one_line_and_its_code(number: int) -> None:
    with Marked("-c", PATIENT, "sleep") as running:
        running.begun()
        code, word = SAID[number]
        assert running.end(number) == (code, f"{word}what was printed or written before is all that is kept\n", [])


def test_nohup_is_respected() -> None:
    with Marked("-c", PATIENT, "sleep", ignored=signal.SIGHUP) as running:
        running.begun()
        running.process.send_signal(signal.SIGHUP)
        assert running.end(signal.SIGTERM)[0] == INTERRUPTED


def test_a_second_request_ends_at_once() -> None:
    with Marked("-c", FORGETFUL, "sleep") as running:
        running.begun()
        running.process.send_signal(signal.SIGINT)
        code, errors, _ = running.end(signal.SIGTERM)
    assert code == INTERRUPTED
    assert len(errors.splitlines()) == 1


def test_ctrl_c_counts_where_a_shell_ignores_it() -> None:
    with Marked("-c", FORGETFUL, "sleep", ignored=signal.SIGINT) as running:
        running.begun()
        assert running.end(signal.SIGINT)[0] == INTERRUPTED


def test_a_worker_of_another_parent_ends() -> None:
    program = "import time; from dp_checks.runtime.processes import end_with; end_with(1); time.sleep(60)"
    with Marked("-c", program) as running:
        assert running.process.wait(30) == 1


@pytest.fixture
def shadowed(tmp_path: Path) -> Path:
    """A folder with modules of the names of others, and beside it one with audited code and its neighbor."""
    here, target = tmp_path / "here", tmp_path / "target"
    for folder in (here, target):
        folder.mkdir()
    for name in SHADOWS:
        (here / f"{name}.py").write_text(
            f"open({str(tmp_path / 'trace')!r}, 'a').write(__name__)\nraise SystemExit(9)\n"
        )
    (target / "neighbor.py").write_text(NEIGHBOR, encoding="utf-8")
    (target / "served.py").write_text(SERVED, encoding="utf-8")
    return here


GRR = ("--oracle", "GRR", "--param", "d=2", "--param", "epsilon=ln(3)", "-q")
STARTS = {
    "certify": ("certify", "002.base.grr*", "--jobs", "2", "--out", "OUT"),
    "reproduce": (*JOURNALS["reproduce"], "--figures", "3", "--runs", "1", "--out", "OUT"),
    "audit python": ("audit", "python", "../target/neighbor.py:flipped", *GRR),
    "audit process": ("audit", "process", *GRR, "--limit", "1000", "--", sys.executable, "../target/served.py"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", STARTS)
def test_no_child_runs_what_lies_in_the_current_folder(name: str, shadowed: Path) -> None:
    """Started as the installed command is, which has not the current folder in its path either."""
    arguments = [str(shadowed.parent / "out") if word == "OUT" else word for word in STARTS[name]]
    variables = {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    done = subprocess.run(
        [sys.executable, "-P", "-m", "dp_command", *arguments],
        cwd=shadowed,
        env=os.environ | variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert not (shadowed.parent / "trace").exists()


def test_a_worker_starts_without_the_current_folder_and_starts_others_as_its_parent_would(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PYTHONSAFEPATH", "")
    monkeypatch.delenv("PYTHONNOUSERSITE", raising=False)
    monkeypatch.setenv("PYTHONWARNINGS", "error")
    with guarded() as options:
        assert {name: os.environ[name] for name in SAFE_PATH} == SAFE_PATH
        assert os.environ["PYTHONWARNINGS"] == f"error,{TIDY}"
    before = {"PYTHONSAFEPATH": "", "PYTHONNOUSERSITE": None, "PYTHONWARNINGS": "error"}
    assert {name: os.environ.get(name) for name in before} == before
    assert options["initargs"] == (os.getpid(), before)
