"""Of a supervised command nothing outlives its end, nor ours; its status, output and errors are as without us."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dp_audit.run import process_guard
from dp_audit.run.process_guard import Supervised, run
from dp_checks.runtime.boundary import INTERRUPTED
from running.process_marks import Marked, command

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")

HOSTILE = Path(__file__).parent / "targets" / "hostile_endings.py"
GRR = ("--oracle", "GRR", "--param", "d=2", "--param", "epsilon=1")
ENDINGS = ("busy", "sleeps", "deaf", "grandchildren", "kills_its_supervisor", "kills_its_supervisor_and_leaves")
CALLER = f"""
import sys
from dp_audit.run.process_guard import Supervised
with Supervised([sys.executable, "-S", {str(HOSTILE)!r}, sys.argv[1]]) as child:
    print(child.process.stderr.readline().decode(), end="", flush=True)
    child.process.wait()
"""
BESIDE = f"""
import sys, time
from dp_audit.run.process_guard import Supervised, SupervisedCopy
with Supervised([sys.executable, "-S", {str(HOSTILE)!r}, sys.argv[1]]) as child:
    child.process.stderr.readline()
    time.sleep(0.5)
    copy = SupervisedCopy(lambda: time.sleep(600))
copy.kill()
"""


# --- as without a supervisor ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("program", "status"),
    [("pass", 0), ("raise SystemExit(3)", 3)]
    + [(f"import os; os.kill(os.getpid(), {number})", -number) for number in (9, 11, 15)],
)
def test_the_status_is_the_commands(program: str, status: int) -> None:
    assert run([sys.executable, "-S", "-c", program]).returncode == status


def test_output_and_errors_are_the_commands() -> None:
    done = run([sys.executable, "-c", "import sys; print(sys.stdin.read() + 'out'); sys.exit('err')"])
    assert (done.stdout, done.stderr, done.returncode) == ("out\n", "err\n", 1)


def test_a_pipe_that_the_command_closes_is_closed() -> None:
    child = Supervised([sys.executable, "-S", "-c", "import os, time; os.close(1); time.sleep(60)"])
    with child.process, child:
        assert child.process.stdout is not None
        assert child.process.stdout.read() == b""
        assert child.process.poll() is None


def test_a_command_that_cannot_be_started_raises(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("no program", encoding="utf-8")
    with pytest.raises(PermissionError):
        run([str(text)])
    text.chmod(0o755)
    with pytest.raises(OSError, match="format"):
        run([str(text)])
    with pytest.raises(FileNotFoundError) as error:
        run([str(tmp_path / "nothing")])
    assert error.value.filename == str(tmp_path / "nothing")


def test_a_timeout_is_one() -> None:
    with pytest.raises(subprocess.TimeoutExpired):
        run([sys.executable, "-S", "-c", "import time; time.sleep(60)"], timeout=0.2)


def test_a_supervisor_that_does_nothing_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_guard, "GRACE", 0.1)
    child = Supervised([sys.executable, "-S", "-c", "import time; time.sleep(60)"])
    with child.process, child:
        os.kill(child.process.pid, signal.SIGSTOP)
    assert child.process.returncode == -signal.SIGKILL


# --- nothing is left --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ENDINGS)
def test_nothing_outlives_its_caller(ending: str) -> None:
    with Marked("-c", CALLER, ending) as running:
        running.begun()
        assert running.end(signal.SIGKILL)[2] == []


@pytest.mark.parametrize("ending", ENDINGS[-2:])
def test_a_command_that_kills_its_supervisor_has_ended(ending: str) -> None:
    with Marked("-c", CALLER, ending) as running:
        assert running.end()[::2] == (0, [])  # the caller ends as soon as the supervisor does


def test_a_copy_of_the_caller_keeps_nothing_alive() -> None:
    """It has our end of the leash, too, as whatever is forked has."""
    with Marked("-c", BESIDE, "grandchildren") as running:
        assert running.end()[::2] == (0, [])


@pytest.mark.slow
@pytest.mark.parametrize("ending", ENDINGS[2:])
def test_an_audit_of_a_program_ends_in_time(ending: str) -> None:
    with command("audit", "process", *GRR, "--timeout", "1", "--", sys.executable, "-S", HOSTILE, ending) as running:
        running.wait_until(lambda: running.alive(ending))
        begun = time.monotonic()
        code, _, left = running.end()
    assert left == []
    assert code in (1, 3)
    assert time.monotonic() - begun < 30  # three or four processes of at most 3 s each


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "number"),
    [("deaf", signal.SIGINT), ("deaf", signal.SIGTERM), ("busy", signal.SIGTERM), ("busy", signal.SIGKILL)],
)
def test_an_interrupted_exact_audit_says_so(name: str, number: int) -> None:
    with command("audit", "python", f"{HOSTILE}:{name}", *GRR) as running:
        running.wait_until(lambda: running.alive("enumerate"))
        code, errors, left = running.end(number)
    assert left == []
    if number == signal.SIGKILL:
        assert code == -signal.SIGKILL
    else:
        assert code == INTERRUPTED
        assert errors == "Error: interrupted; what was printed or written before is all that is kept\n"


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_audit_of_a_program_says_so(number: int) -> None:
    with command("audit", "process", *GRR, "--", sys.executable, "-S", HOSTILE, "grandchildren") as running:
        running.wait_until(lambda: len(running.alive("grandchildren")) >= 4)
        code, errors, left = running.end(number)
    assert left == []
    assert code == (-number if number == signal.SIGKILL else INTERRUPTED)
    assert errors.count("\n") == (number != signal.SIGKILL)


@pytest.mark.slow
def test_a_hung_exact_audit_ends_in_time() -> None:
    with command("audit", "python", f"{HOSTILE}:busy", *GRR, "--timeout", "1") as running:
        code, _, left = running.end()
    assert left == []
    assert code == 3


def test_a_copy_that_somebody_else_has_waited_for_has_ended() -> None:
    with process_guard.SupervisedCopy(lambda: None) as copy:
        os.waitpid(copy.process.pid, 0)
        assert copy.process.wait() == -signal.SIGKILL
        for pipe in (copy.process.stdin, copy.process.stdout, copy.process.stderr):
            assert pipe is not None
            pipe.close()
