"""Child processes of which nothing is left: neither when they are ended nor when this process is, however it ends.

On Linux this holds for all that a command starts, also in groups and sessions of its own; on other POSIX systems for
its process group; elsewhere (Windows) for the command only, and only while this process can still see to it. It is no
fence: a command that kills both of its supervisors (`dp_audit.run.supervisor`) saves what left its group before.
"""

import os
import signal
import socket
import subprocess
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from types import TracebackType
from typing import IO, Generic, Protocol, Self, TypeVar

from dp_audit.run import supervisor

PROGRAM = str(Path(supervisor.__file__))
GRACE = 1.0
"""Seconds that the supervisor may take to end everything; then it is killed, and the group of the command."""
PAUSE = 0.005
"""Seconds between two looks at a copy that has not ended."""


class Process(Protocol):
    """What is needed of `subprocess.Popen`."""

    pid: int
    stdin: IO[bytes] | None
    stdout: IO[bytes] | None
    stderr: IO[bytes] | None

    def poll(self) -> int | None:
        """Return the exit status or, negative, the signal; None while it runs."""

    def wait(self, timeout: float | None = None) -> int:
        """Return what `poll` does, when it has ended. Raises `subprocess.TimeoutExpired`."""

    def kill(self) -> None:
        """Kill it."""


P = TypeVar("P", bound=Process)


class Supervision(Generic[P]):
    """A running process with its output in pipes. Leaving the context ends it and what it started.

    `process` is the supervisor, which ends as what it supervises does, with the same status; where there are no process
    groups it is that itself.
    """

    def __init__(self, start: Callable[[socket.socket, socket.socket], P], name: str) -> None:
        """Start it: `start` is handed our end of the leash, and the supervisor's. Raises `OSError` if nothing can be
        started."""
        self._leash, theirs = socket.socketpair()
        try:
            with theirs:
                self.process = start(self._leash, theirs)
            self._await_start(name)
        except BaseException:
            self._leash.close()
            raise

    def _await_start(self, program: str) -> None:
        """Wait until the command runs. Raises `OSError`."""
        number = b""
        while os.name == "posix" and not number.endswith(b"\n") and (more := self._leash.recv(32)):
            number += more
        if number.startswith(b"-"):
            for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
                if pipe is not None:
                    pipe.close()
            self.process.wait()
            error = -int(number)
            raise OSError(error, os.strerror(error), program)
        # nothing comes of a supervisor that was killed: then there is only its own group
        self._group = int(number) if number else self.process.pid

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()

    def kill(self) -> None:
        """End the command and what it started, and wait for that."""
        again = self._leash.fileno() < 0
        with suppress(OSError):  # of a supervisor that has ended
            self._leash.shutdown(socket.SHUT_RDWR)  # also where a copy of this process has it, too
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


class Supervised(Supervision["subprocess.Popen[bytes]"]):
    """A running command. `megabytes` bounds the data of each process, where the platform can (Linux)."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        stdin: int | IO[bytes] = subprocess.PIPE,
        megabytes: int | None = None,
        variables: Mapping[str, str] | None = None,
        folder: str | None = None,
    ) -> None:
        """Start the command. Raises `OSError` if it cannot be started."""

        def start(ours: socket.socket, theirs: socket.socket) -> "subprocess.Popen[bytes]":
            before = [sys.executable, "-I", "-S", PROGRAM, str(theirs.fileno()), str(megabytes or 0)]
            return subprocess.Popen(
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

        super().__init__(start, command[0])


class SupervisedCopy(Supervision["Copy"]):
    """A copy of this process, made by `fork`, that calls `work` with nothing but its three pipes, and ends."""

    def __init__(self, work: Callable[[], object]) -> None:
        super().__init__(lambda ours, theirs: Copy(work, ours, theirs), "fork")


class Copy:
    """The supervisor of a copy of this process, itself a copy."""

    stdin: IO[bytes] | None
    stdout: IO[bytes] | None
    stderr: IO[bytes] | None

    def __init__(self, work: Callable[[], object], ours: socket.socket, theirs: socket.socket) -> None:
        """Make the process. Raises `OSError` where none can be made."""
        pipes = [os.pipe() for _ in range(3)]
        inside, outside = [pipes[0][0], pipes[1][1], pipes[2][1]], [pipes[0][1], pipes[1][0], pipes[2][0]]
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:  # which it is where the file is closed
                stream.flush()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # threads of others: the copy does not wait for them
            self.pid: int = os.fork()
        if not self.pid:
            try:
                os.setsid()
                ours.close()
                for pipe in outside:
                    os.close(pipe)
                for number, pipe in enumerate(inside):
                    os.dup2(pipe, number)
                    os.close(pipe)
                supervisor.supervise(theirs.fileno(), lambda: _copied(work))
            finally:
                os._exit(1)
        for pipe in inside:
            os.close(pipe)
        self.stdin, self.stdout, self.stderr = (
            os.fdopen(pipe, mode, 0) for pipe, mode in zip(outside, ("wb", "rb", "rb"), strict=True)
        )
        self._status: int | None = None

    def poll(self) -> int | None:
        """Return the exit status, as `subprocess.Popen`."""
        if self._status is None:
            try:
                pid, status = os.waitpid(self.pid, os.WNOHANG)
            except ChildProcessError:  # it has ended, and other code of this process has waited for it
                pid, status = self.pid, signal.SIGKILL
            self._status = os.waitstatus_to_exitcode(status) if pid else None
        return self._status

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit status when it has ended, as `subprocess.Popen`."""
        end = None if timeout is None else monotonic() + timeout
        while (status := self.poll()) is None:
            if end is not None and monotonic() >= end:
                raise subprocess.TimeoutExpired("fork", timeout or 0)
            sleep(PAUSE)
        return status

    def kill(self) -> None:
        """Kill it, as `subprocess.Popen`."""
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)


def _copied(work: Callable[[], object]) -> int:
    """Return the process id of a copy of this process that works, leads a group, and does nothing else that this one
    would do when it ends."""
    copy = os.fork()
    if not copy:
        with suppress(BaseException):
            signal.set_wakeup_fd(-1)
            for number in (signal.SIGCHLD, signal.SIGTERM):
                signal.signal(number, signal.SIG_DFL)
            os.setpgid(0, 0)
            work()
        os._exit(0)
    with suppress(OSError):  # whoever comes first
        os.setpgid(copy, copy)
    return copy


def run(command: Sequence[str], timeout: float | None = None, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Return what `subprocess.run` does with this input, its output captured as text. Raises `OSError`,
    `TimeoutExpired`."""
    child = Supervised(command)
    with child.process, child:
        said = child.process.communicate(stdin.encode(), timeout)
    output, errors = (data.decode("utf-8", "replace") for data in said)
    return subprocess.CompletedProcess(list(command), child.process.returncode, output, errors)
