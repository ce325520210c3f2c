"""A child process that nobody trusts: bounded time, bytes and memory, and nothing of it is left behind."""

import os
import signal
import subprocess
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from time import monotonic
from types import TracebackType
from typing import IO, Any

from dp_audit.run.process_guard import Process, Supervision

_POLL = 0.05
_GRACE = 1.0
"""Seconds that the rest of a dead child's output is waited for, and that a child may take to end."""
_TAIL = 4096


class Silence(Exception):
    """No line came in time."""


class Flood(Exception):
    """More bytes came than are read."""


class Child:
    """A supervised process with its three pipes: what it starts ends with it, and it ends with us.

    `waiting` bounds the bytes of stdout that nobody has taken yet (so also one line), `total` all bytes of stdout, and
    of stderr, whose end is kept: beyond it all is killed. Leaving the context ends all.
    """

    def __init__(self, child: Supervision[Any], *, waiting: int, total: int) -> None:
        self._child = child
        self._process: Process = child.process
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._answers = Reader(process.stdout, waiting, total, self.kill)
        self._complaints = Reader(process.stderr, _TAIL, total, self.kill, keep_end=True)
        self._requests = _Writer(process.stdin)

    def __enter__(self) -> "Child":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()
        self._requests.finish()
        self._answers.finish()
        self._complaints.finish()

    def send(self, data: bytes) -> None:
        """Hand bytes to its stdin; never blocks. A child that is gone shows when its answer is read."""
        self._requests.put(data)

    def line(self, timeout: float) -> bytes | None:
        """Return the next line without its end; None if it ended instead. Raises `Silence`, `Flood`.

        When the command itself has ended, what it started is killed, so that nobody keeps the pipe open.
        """
        deadline = monotonic() + timeout
        while True:
            left = deadline - monotonic()
            try:
                line = self._answers.line(min(max(left, 0), _POLL))
            except Silence:
                if self._process.poll() is not None:
                    self.kill()
                    deadline = min(deadline, monotonic() + _GRACE)
                if left <= 0:
                    if self._process.poll() is None:
                        raise
                    return None
            else:
                if line is None and self._complaints.overflow:
                    raise Flood
                return line

    def end(self, grace: float = _GRACE) -> bytes:
        """Close its stdin, give it a moment to end, kill what is left; what it still wrote. Raises `Flood`."""
        self._requests.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(grace)
        self.kill()
        rest = self._answers.finish()
        if self._answers.overflow or self._complaints.overflow:
            raise Flood
        return rest

    def kill(self) -> None:
        """End the command and what it started, and wait for that."""
        self._child.kill()

    @property
    def complaint(self) -> str:
        """The end of what it has written to stderr."""
        return self._complaints.pending()[-500:].decode("utf-8", "replace").strip()

    @property
    def status(self) -> str:
        """How it ended: exit status or signal, and the end of what it wrote to stderr."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_GRACE)
        code = self._process.poll()
        self.kill()
        if code is None:
            how = "closed its standard output"
        elif code >= 0:
            how = f"exit status {code}"
        else:
            how = f"signal {-code}"
            with suppress(ValueError):
                how = f"signal {signal.Signals(-code).name}"
        complaint = self._complaints.finish()[-500:].decode("utf-8", "replace").strip()
        return f"{how}: {complaint}" if complaint else how


class Reader:
    """Reads a pipe in a thread, up to limits of the bytes that nobody has taken yet, and of all bytes.

    `keep_end`: instead of stopping at the first limit, forget all but the last bytes.
    """

    def __init__(
        self, pipe: IO[bytes], waiting: int, total: int, on_overflow: Callable[[], None], keep_end: bool = False
    ) -> None:
        self._pipe, self._waiting, self._left, self._on_overflow = pipe, waiting, total, on_overflow
        self._keep_end = keep_end
        self._data = bytearray()
        self._searched = 0
        self._patience = _GRACE
        self._ended = False
        self.overflow: bool = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        with self._pipe:
            while not self.overflow and (block := os.read(self._pipe.fileno(), 1 << 16)):
                with self._changed:
                    self._data += block
                    self._left -= len(block)
                    if self._keep_end:
                        del self._data[: -self._waiting]
                    self.overflow = self._left < 0 or len(self._data) > self._waiting
                    self._changed.notify_all()
        with self._changed:
            self._ended = True
            self._changed.notify_all()
        if self.overflow:
            self._on_overflow()

    def line(self, timeout: float) -> bytes | None:
        """Return the next line without its end, or None if there is none any more. Raises `Silence`, `Flood`."""
        deadline = monotonic() + timeout
        with self._changed:
            while True:
                end = self._data.find(b"\n", self._searched)
                if end >= 0:
                    line = bytes(self._data[:end])
                    del self._data[: end + 1]
                    self._searched = 0
                    return line
                self._searched = len(self._data)
                if self.overflow:
                    raise Flood
                if self._ended:
                    return None
                left = deadline - monotonic()
                if left <= 0:
                    raise Silence
                self._changed.wait(left)

    def pending(self) -> bytes:
        """Return what was read and not taken, so far."""
        with self._changed:
            return bytes(self._data)

    def finish(self) -> bytes:
        """Return what was read and not taken, when the child is dead.

        A process that left its group may hold the pipe open: what comes after some seconds is not waited for.
        """
        self._thread.join(self._patience)
        self._patience = 0.0
        return self.pending()


class _Writer:
    """Writes to a pipe in a thread: a child that does not read blocks nobody else."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe
        self._queue: SimpleQueue[bytes | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._write, daemon=True)
        self._thread.start()

    def _write(self) -> None:
        with suppress(OSError):
            while (data := self._queue.get()) is not None:
                while data:
                    data = data[os.write(self._pipe.fileno(), data) :]
        with suppress(OSError):
            self._pipe.close()

    def put(self, data: bytes) -> None:
        """Queue some bytes."""
        self._queue.put(data)

    def close(self) -> None:
        """Close the pipe when all is written."""
        self._queue.put(None)

    def finish(self) -> None:
        """Wait for the end. To be called when the child has ended."""
        self._queue.put(None)
        self._thread.join(_GRACE)
