"""The command in processes of its own: started, ended from outside, and whatever it leaves behind."""

import os
import re
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import NamedTuple

from running.process_marks import Marked

GRACE = 2.0
"""Seconds after its end in which everything that a command started has to end, too."""
LONGEST = 120.0
"""Seconds that a command takes at most."""
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


class Job(Marked):
    """A command of ours; `ended` waits for it."""

    def __init__(self, arguments: Sequence[str], *, fsize: int | None = None, output: int = subprocess.PIPE) -> None:
        limited = [] if fsize is None else ["-c", _LIMITED, str(fsize)]
        super().__init__(*limited, "-m", "dp_command", *arguments, output=output)

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
        self.process.wait(LONGEST)
        orphans = tuple(line[:150] for line in self.left(grace))
        self.kill()
        output, errors = self.process.communicate(timeout=LONGEST)
        code = -1 if hung else self.process.returncode
        shell = 128 - code if code < -1 or (code == -1 and not hung) else code
        return Ended(shell, output or "", errors, orphans)


@contextmanager
def full() -> Iterator[int]:
    """A full device as an output."""
    number = os.open("/dev/full", os.O_WRONLY)
    try:
        yield number
    finally:
        os.close(number)
