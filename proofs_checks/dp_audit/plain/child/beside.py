"""What is left beside a report: what is written, warned, logged, stored, sent, and carried."""

from __future__ import annotations

import contextlib
import io
import logging
import os
import re
import sys
import warnings
from typing import Any, Iterator, List, Tuple

TEXT = 300
"""Characters of a text that are told."""


class _Recorder(io.TextIOBase):
    """A text file that keeps what is written to it."""

    def __init__(self, name: str, texts: List[str]) -> None:
        self._name, self._texts = name, texts

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if text.strip():
            self._texts.append(self._name + ": " + text.strip()[:TEXT])
        return len(text)


class _Handler(logging.Handler):
    def __init__(self, texts: List[str]) -> None:
        super().__init__(1)
        self._texts = texts

    def emit(self, record: logging.LogRecord) -> None:
        self._texts.append("log: " + record.levelname + " " + str(record.getMessage())[:TEXT])


class Beside:
    """Collects what is written, warned, logged, stored and sent while it is entered."""

    def __init__(self, below: bool) -> None:
        """`below`: also what is written to the files 1 and 2 themselves, which are ours then."""
        self._texts: List[str] = []
        self._paths: List[str] = []
        self._below = {1: 0, 2: 0} if below else {}

    @contextlib.contextmanager
    def entered(self) -> Iterator["Beside"]:
        """Everything is put back at the end, but the hook, which stays and is silent."""
        handler, root, before = _Handler(self._texts), logging.getLogger(), logging.getLogger().level
        _watch()
        out, err = _Recorder("stdout", self._texts), _Recorder("stderr", self._texts)
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.showwarning = self._warned
            root.addHandler(handler)
            root.setLevel(1)
            _ENTERED.append(self)
            try:
                yield self
            finally:
                _ENTERED.pop()
                root.removeHandler(handler)
                root.setLevel(before)

    def take(self) -> str:
        """What came since it was last asked."""
        for file, size in self._below.items():
            now = os.fstat(file).st_size
            if now != size:
                text = os.pread(file, TEXT, size).decode("utf-8", "replace").strip()
                self._texts.append(("stdout: " if file == 1 else "stderr: ") + text)
                self._below[file] = now
        if not self._texts and not self._paths:
            return ""
        self._texts += [path + ": " + _end_of(path) for path in dict.fromkeys(self._paths)]
        text = "\n".join(self._texts)
        del self._texts[:], self._paths[:]
        return text[: 4 * TEXT]

    def forget(self) -> None:
        """Forget what came so far, and begin the files anew: a copy of this process shares them with it."""
        for file in self._below:
            os.ftruncate(file, 0)
            os.lseek(file, 0, os.SEEK_SET)
            self._below[file] = 0
        del self._texts[:], self._paths[:]

    def _warned(self, message: Any, category: Any, *rest: Any, **options: Any) -> None:
        self._texts.append("warning: " + category.__name__ + " " + str(message)[:TEXT])

    def heard(self, event: str, arguments: Tuple[Any, ...]) -> None:
        """What the interpreter reports about files, variables, sockets and processes."""
        if event == "open":
            path, _, flags = arguments
            writes = isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR)
            if writes and isinstance(path, (str, bytes)) and not _KEEPS.search(os.fsdecode(path)):
                self._paths.append(os.fsdecode(path))
        else:
            self._texts.append(event + ": " + repr(arguments)[:TEXT])


_ENTERED: List[Beside] = []
_WATCHED: List[bool] = []


def _watch() -> None:
    """A hook of the interpreter stays for good, so only one is made."""

    def hook(event: str, arguments: Tuple[Any, ...]) -> None:
        if event in _EVENTS and _ENTERED:
            _ENTERED[-1].heard(event, arguments)

    if not _WATCHED:
        _WATCHED.append(True)
        sys.addaudithook(hook)


_EVENTS = frozenset(
    ["open", "os.putenv", "os.unsetenv", "socket.connect", "socket.sendto", "subprocess.Popen", "os.system"]
)
_KEEPS = re.compile(r"__pycache__|\.nb[ic]$|^/dev/")
"""What the interpreter and compilers keep for themselves."""


def _end_of(path: str) -> str:
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - TEXT))
            lines = file.read().decode("utf-8", "replace").splitlines()
    except OSError:
        return ""
    return lines[-1] if lines else ""


def attributes(own: Any) -> str:
    """What a report carries beside its value."""
    carried = getattr(own, "__dict__", None)
    return "attributes: " + repr(carried)[:TEXT] if carried and not isinstance(own, type) else ""


def said(error: BaseException) -> str:
    """The type and the text of an exception."""
    return (type(error).__name__ + ": " + str(error))[:TEXT]
