"""Child processes of which nothing is left: neither when they are ended nor when this process is, however it ends.

On Linux this holds for all that a command starts, also in groups and sessions of its own; on other POSIX systems for
its process group; elsewhere (Windows) for the command only, and only while this process can still see to it. It is no
fence: a command that kills its supervisor (`dp_audit.supervisor`) saves what left its group before, and itself if this
process is killed before it has noticed.
"""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO

from dp_audit import supervisor

PROGRAM = str(Path(supervisor.__file__))
GRACE = 1.0
"""Seconds that the supervisor may take to end everything; then it is killed, and the group of the command."""


class Supervised:
    """A running command with its output in pipes. Leaving the context ends it and what it started.

    `process` is the supervisor, which ends as the command does, with the same status; where there are no process groups
    it is the command. `megabytes` bounds the data of each process, where the platform can (Linux).
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        stdin: int | IO[bytes] = subprocess.PIPE,
        megabytes: int | None = None,
        variables: Mapping[str, str] | None = None,
        folder: str | None = None,
    ) -> None:
        """Raises `OSError` if the command cannot be started."""
        self._leash, theirs = socket.socketpair()
        try:
            with theirs:
                before = [sys.executable, "-I", "-S", PROGRAM, str(theirs.fileno()), str(megabytes or 0)]
                self.process = subprocess.Popen(
                    [*(before if os.name == "posix" else ()), *command],
                    stdin=stdin,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    bufsize=0,
                    cwd=folder,
                    env=variables,
                    pass_fds=(theirs.fileno(),) if os.name == "posix" else (),
                    start_new_session=True,
                )
            self._started(command[0])
        except BaseException:
            self._leash.close()
            raise

    def _started(self, program: str) -> None:
        """Wait until the command runs. Raises `OSError`."""
        number = b""
        while os.name == "posix" and not number.endswith(b"\n") and (more := self._leash.recv(32)):
            number += more
        if number.startswith(b"-"):
            with self.process:  # closes the pipes
                error = -int(number)
            raise OSError(error, os.strerror(error), program)
        # nothing comes of a supervisor that was killed: then there is only its own group
        self._group = int(number) if number else self.process.pid

    def __enter__(self) -> "Supervised":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()

    def kill(self) -> None:
        """End the command and what it started, and wait for that."""
        again = self._leash.fileno() < 0
        self._leash.close()
        if os.name != "posix":
            self.process.kill()
        elif not again:
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(GRACE)
            for group in (self._group, self.process.pid):
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(group, signal.SIGKILL)
        self.process.wait()


def run(command: Sequence[str], timeout: float | None = None) -> subprocess.CompletedProcess[str]:
    """`subprocess.run` without an input, its output captured as text. Raises `OSError`, `TimeoutExpired`."""
    child = Supervised(command, stdin=subprocess.DEVNULL)
    with child.process, child:
        output, errors = (data.decode("utf-8", "replace") for data in child.process.communicate(timeout=timeout))
    return subprocess.CompletedProcess(list(command), child.process.returncode, output, errors)
