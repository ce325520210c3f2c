"""The child program, a folder that is copied and run by another interpreter: a job goes in, lines come out."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Any

from dp_audit.run.bounded_child import Child, Flood, Reader, Silence
from dp_audit.run.child.jobs import ENDED, KEPT
from dp_audit.run.process_guard import Supervised, Supervision

MAX_ANSWER_BYTES = 64 << 20
_UNFINISHED = shutil.ignore_patterns("*.pyc.*")
"""What an interpreter is writing just now. What it has compiled is copied, so that the child need not do it."""
MOST = 4
"""So many children are kept at once: those of one library."""
FOLDER = Path(__file__).with_name("child")
CHILD_NAME = "dp_child"
"""The name of the package that the folder is in the child."""
_ENDED = json.dumps({"part": ENDED})[:-1].encode()
CAN_FORK = sys.platform == "linux"
"""Elsewhere a copy of a process may not go on with what libraries have begun."""


@dataclass(frozen=True)
class ChildAnswer:
    """What a child said, and how it ended: `hung`, it was killed after its time; `flooded`, after too many bytes.

    `lines` are the finished ones of stdout, `complaint` the end of stderr.
    """

    lines: tuple[bytes, ...]
    status: int
    complaint: str
    hung: bool
    flooded: bool


@dataclass(frozen=True)
class Program:
    """The child program in a mode (`child.jobs`), and who runs it, with which variables.

    It is copied because nothing that the child does can then change ours. `megabytes` as in `Supervised`. `shares` (may
    be empty): what jobs have in common that may be answered by one child.
    """

    mode: str
    python: Path
    variables: Mapping[str, str]
    megabytes: int | None = None
    shares: str = ""

    def command(self, directory: str) -> list[str]:
        """Return the command that runs the copy, which is made in the directory."""
        program = shutil.copytree(FOLDER, Path(directory, FOLDER.name), ignore=_UNFINISHED)
        return [str(self.python), "-s", "-B", str(program), self.mode]


Start = Callable[[Program, str, float], ChildAnswer]
"""Runs a program on a job, a line of input, for at most so many seconds."""


def run_copied(program: Program, job: str, timeout: float) -> ChildAnswer:
    """Run a program on one line of input, for at most `timeout` seconds. Raises `OSError` if it cannot be started."""
    with tempfile.TemporaryDirectory() as directory:
        file = Path(directory, "job.json")
        file.write_text(job + "\n", encoding="utf-8")
        command = program.command(directory)
        with file.open("rb") as stdin:
            child = Supervised(
                command, stdin=stdin, variables=program.variables, folder=directory, megabytes=program.megabytes
            )
        with child:
            process = child.process
            assert process.stdout is not None
            assert process.stderr is not None
            answers = Reader(process.stdout, MAX_ANSWER_BYTES, MAX_ANSWER_BYTES, child.kill)
            errors = Reader(process.stderr, 500, MAX_ANSWER_BYTES, child.kill, keep_end=True)
            hung = False
            try:
                process.wait(timeout)
            except subprocess.TimeoutExpired:
                hung = True
        lines, complaint = answers.finish(), errors.finish()
    return ChildAnswer(
        tuple(lines.split(b"\n")[:-1]),
        process.returncode,
        complaint.decode("utf-8", "replace").strip(),
        hung,
        answers.overflow or errors.overflow,
    )


class Answering:
    """A child that answers jobs, lines of JSON, with lines, of which the last says `ENDED`, and how.

    `ended`: it cannot answer another one.
    """

    def __init__(self, child: Supervision[Any]) -> None:
        self.ended: bool = False
        self._child = Child(child, waiting=MAX_ANSWER_BYTES, total=sys.maxsize)

    def send(self, job: str) -> None:
        """Hand it a job."""
        self._child.send(job.encode() + b"\n")

    def run(self, job: str, timeout: float) -> ChildAnswer:
        """Return the answer to one job."""
        self.send(job)
        lines: list[bytes] = []
        left, end = MAX_ANSWER_BYTES, monotonic() + timeout
        try:
            while (line := self._child.line(max(0.0, end - monotonic()))) is not None:
                if line.startswith(_ENDED) and (status := _status(line)) is not None:
                    return ChildAnswer(tuple(lines), status, self._child.complaint if status else "", False, False)
                lines.append(line)
                left -= len(line)
                if left < 0:
                    raise Flood
        except (Silence, Flood) as stopped:
            self.ended = True
            return ChildAnswer(
                tuple(lines), -signal.SIGKILL, "", isinstance(stopped, Silence), isinstance(stopped, Flood)
            )
        self.ended = True
        return ChildAnswer(tuple(lines), 1, self._child.status, False, False)

    def close(self) -> None:
        """End it and what it started."""
        with self._child:
            pass


def _status(line: bytes) -> int | None:
    """Return the exit status that an `ENDED` line tells; None where it is not as agreed."""
    try:
        return os.waitstatus_to_exitcode(json.loads(line)["status"])
    except (ValueError, LookupError, TypeError, OverflowError):
        return None


class Children:
    """Runs programs as `run_copied` does. A child whose jobs share something is kept for the next ones, and answers
    each in a copy of itself, as if it had been started for it (maps are evaluated in itself). Leaving the context ends
    all."""

    def __init__(self) -> None:
        self._kept: list[_Resident] = []

    def __enter__(self) -> "Children":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def run(self, program: Program, job: str, timeout: float) -> ChildAnswer:
        """Run a program on one line of input, for at most `timeout` seconds. Raises `OSError` as `run_copied`."""
        if not (program.shares and CAN_FORK):
            return run_copied(program, job, timeout)
        children = [child for child in self._kept if child.program == program]
        child = children[0] if children else _Resident(program, job)
        self._kept = [*(other for other in self._kept if other is not child), child]
        while len(self._kept) > MOST:
            self._kept.pop(0).close()
        answer = child.run(job, timeout)
        if child.ended:
            self._kept.remove(child)
            child.close()
        return answer

    def close(self) -> None:
        """End all that are kept."""
        while self._kept:
            self._kept.pop().close()


class _Resident(Answering):
    """A running program that answers job after job."""

    def __init__(self, program: Program, job: str) -> None:
        self.program = program
        self._directory = tempfile.TemporaryDirectory()
        try:
            child = Supervised(
                [*program.command(self._directory.name), KEPT],
                megabytes=program.megabytes,
                variables=program.variables,
                folder=self._directory.name,
            )
        except OSError:
            self._directory.cleanup()
            raise
        super().__init__(child)
        self.send(job)  # of which it imports what all jobs share

    def close(self) -> None:
        """End it and its copies."""
        super().close()
        with suppress(OSError):
            self._directory.cleanup()
