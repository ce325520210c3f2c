"""The command in processes of its own: started, ended from outside, and whatever it leaves behind."""

import itertools
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from running.marked import in_a_terminal

MARKER = "DP_REFIMPL_TORTURE"
"""Environment variable that every process of a campaign inherits."""
GRACE = 2.0
"""Seconds after its end in which everything that a command started has to end, too."""
LONGEST = 120.0
"""Seconds that a command takes at most."""
_PROC = Path("/proc")
_NUMBERS = itertools.count()
_LIMITED = (
    "import os, resource, sys; n = int(sys.argv[1]); resource.setrlimit(resource.RLIMIT_FSIZE, (n, n)); "
    "os.execv(sys.executable, [sys.executable, *sys.argv[2:]])"
)
_PROGRESS = re.compile(r"\d+/\d+ (statements|points)|\d+ points, \d+ runs each.*|\s*")


class Ended(NamedTuple):
    """How a command ended: its exit code as a shell tells it, its output, the processes that outlived it."""

    code: int
    output: str
    errors: str
    orphans: tuple[str, ...] = ()

    @property
    def complaints(self) -> list[str]:
        """The lines of the standard error without those of progress."""
        return [line for line in self.errors.splitlines() if not _PROGRESS.fullmatch(line)]


class Job:
    """A command that runs in a session of its own; `ended` waits for it."""

    def __init__(self, arguments: Sequence[str], *, fsize: int | None = None, output: int = subprocess.PIPE) -> None:
        limited = [] if fsize is None else ["-c", _LIMITED, str(fsize)]
        self.marker = f"{os.getpid()}-{next(_NUMBERS)}"
        path = os.pathsep.join(entry for entry in sys.path if entry)
        with in_a_terminal():
            self.process = subprocess.Popen(
                [sys.executable, *limited, "-m", "dp_command", *arguments],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.PIPE,
                env={**os.environ, MARKER: self.marker, "PYTHONPATH": path, "MPLBACKEND": "Agg", "COLUMNS": "200"},
                start_new_session=True,
            )

    def send(self, number: int, to_all: bool = False) -> None:
        """A signal to the command, or to its process group, as a terminal does it."""
        with suppress(ProcessLookupError):
            if self.process.poll() is None:
                (os.killpg if to_all else os.kill)(self.process.pid, number)

    def wait(self, seconds: float) -> bool:
        """Whether it ended within so many seconds."""
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)
        return self.process.returncode is not None

    def ended(self, grace: float = GRACE) -> Ended:
        """Wait; what outlives it by the grace is told and killed. A command that does not end has the code -1."""
        hung = not self.wait(LONGEST)
        self.send(signal.SIGKILL)
        orphans = self.orphans(grace)
        self.end_orphans()
        output, errors = self.process.communicate(timeout=LONGEST)
        code = -1 if hung else self.process.returncode
        shell = 128 - code if code < -1 or (code == -1 and not hung) else code
        return Ended(shell, _text(output), _text(errors), orphans)

    def orphans(self, grace: float) -> tuple[str, ...]:
        """The processes with this marker or of this session that are left after the grace."""
        end = time.monotonic() + grace
        while (left := dict(self._left())) and time.monotonic() < end:
            time.sleep(0.05)
        return tuple(left.values())

    def end_orphans(self) -> None:
        """Kill what is left."""
        for _ in range(20):
            left = dict(self._left())
            for pid in left:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            if not left:
                return
            time.sleep(0.05)

    def _left(self) -> Iterator[tuple[int, str]]:
        marked = f"{MARKER}={self.marker}".encode()
        for folder in _PROC.iterdir() if _PROC.is_dir() else ():
            if not folder.name.isdigit() or int(folder.name) == self.process.pid:
                continue
            with suppress(OSError):
                state, _, _, session = (folder / "stat").read_text().rpartition(")")[2].split()[:4]
                if state in "ZX":
                    continue
                environment = (folder / "environ").read_bytes().split(b"\0")
                if marked in environment or int(session) == self.process.pid:
                    command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                    yield int(folder.name), f"{folder.name}: {command[:150]}"


def _text(content: bytes | None) -> str:
    return "" if content is None else content.decode("utf-8", "backslashreplace")


@contextmanager
def full() -> Iterator[int]:
    """A full device as an output."""
    number = os.open("/dev/full", os.O_WRONLY)
    try:
        yield number
    finally:
        os.close(number)
