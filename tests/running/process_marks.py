"""Commands started with a mark in their environment, by which everything that they leave behind is found (on Linux)."""

import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

MARK = "DP_REFIMPL_TEST_MARK"
SECONDS = 2.0
"""In which nothing may be left of a command that has ended."""
PATIENCE = 60.0


@contextmanager
def in_a_terminal(ignored: int | None = None) -> Iterator[None]:
    """What is started ignores one signal or none, whatever the tests themselves were started with (nohup, `&`)."""
    actions = {n: signal.SIG_IGN if n == ignored else signal.SIG_DFL for n in (signal.SIGINT, signal.SIGHUP)}
    before = {number: signal.signal(number, action) for number, action in actions.items()}
    try:
        yield
    finally:
        for number, action in before.items():
            signal.signal(number, action)


class Marked:
    """A running command of Python (`-m`, a file, `-c`), in a session of its own."""

    def __init__(self, *arguments: str, ignored: int | None = None, output: int = subprocess.PIPE) -> None:
        self.mark = uuid.uuid4().hex
        path = os.pathsep.join(filter(None, sys.path))
        variables = {**os.environ, "PYTHONPATH": path, MARK: self.mark, "MPLBACKEND": "Agg", "COLUMNS": "200"}
        with in_a_terminal(ignored):
            self.process = subprocess.Popen(
                [sys.executable, *arguments],
                env=variables,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.PIPE,
                text=True,
                errors="backslashreplace",
                start_new_session=True,
            )

    def __enter__(self) -> "Marked":
        return self

    def __exit__(self, *error: object) -> None:
        self.kill()
        self.process.communicate(timeout=PATIENCE)

    def kill(self) -> None:
        """End everything with the mark, also what is started meanwhile."""
        while left := self.alive():
            for number in left:
                with suppress(ProcessLookupError):
                    os.kill(number, signal.SIGKILL)
            self.process.poll()
            time.sleep(0.02)

    def alive(self, words: str = "") -> list[int]:
        """The processes with the mark or of the session, but the dead, whose command lines contain the words."""
        processes = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                state, _, _, session = (folder / "stat").read_text().rpartition(")")[2].split()[:4]
                marked = f"{MARK}={self.mark}".encode() in (folder / "environ").read_bytes()
                ours = state not in "ZX" and (marked or int(session) == self.process.pid)
                if ours and words.encode() in (folder / "cmdline").read_bytes().replace(b"\0", b" "):
                    processes.append(int(folder.name))
            except OSError:
                continue
        return processes

    def left(self, seconds: float = SECONDS) -> list[str]:
        """The command lines of what is left some seconds after the end."""
        end = time.monotonic() + seconds
        while (alive := self.alive()) and time.monotonic() < end:
            time.sleep(0.02)
        lines = []
        for number in alive:
            with suppress(OSError):
                lines.append(Path(f"/proc/{number}/cmdline").read_text(errors="replace").replace("\0", " "))
        return lines

    def begun(self) -> None:
        """Wait for the command to say so."""
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == "begun\n"

    def wait_until(self, happened: Callable[[], object]) -> None:
        """Wait while the command runs."""
        end = time.monotonic() + PATIENCE
        while not happened():
            assert self.process.poll() is None, self.process.communicate(timeout=PATIENCE)
            assert time.monotonic() < end, "nothing happened"
            time.sleep(0.02)

    def end(self, number: int | None = None) -> tuple[int, str, list[str]]:
        """Send a signal to this process alone, and wait: exit code, standard error, command lines of what is left."""
        if number is not None:
            self.process.send_signal(number)
        code, left = self.process.wait(PATIENCE), self.left()
        return code, "" if left else self.process.communicate(timeout=PATIENCE)[1], left


def command(*arguments: object) -> Marked:
    """A `dp-refimpl` command."""
    return Marked("-m", "dp_command", *map(str, arguments))


def lines(path: Path) -> Sequence[str]:
    """Of a file that may not be there."""
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []
