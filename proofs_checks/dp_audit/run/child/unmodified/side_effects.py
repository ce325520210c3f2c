"""What is left beside a report: what is written, warned, logged, stored, sent, and carried."""

from __future__ import annotations

import contextlib
import io
import logging
import os
import warnings
from typing import Any, Iterator, List

from .events import attend, leave, listen
from .files import TEXT, Files, end_of

MARK = "network: "
"""Before the text of what uses the network."""


class _Recorder(io.TextIOBase):
    """A text file that keeps what is written to it."""

    def __init__(self, name: str, texts: List[str]) -> None:
        self._name, self._texts, self._goes_on = name, texts, False

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if self._goes_on and self._texts and self._texts[-1].startswith(self._name):
            self._texts[-1] += text[:TEXT]
        elif text.strip():
            self._texts.append(self._name + ": " + text[:TEXT])
        self._goes_on = not text.endswith("\n")
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
        """Collect nothing yet; `below`: also what is written to the files 1 and 2 themselves, which are ours then."""
        self._texts: List[str] = []
        self._paths: List[str] = []
        self._files = Files()
        self._below = {1: 0, 2: 0} if below else {}

    @contextlib.contextmanager
    def entered(self) -> Iterator["Beside"]:
        """Collect meanwhile. Everything is put back at the end, but the hook, which stays and is silent."""
        handler, root, before = _Handler(self._texts), logging.getLogger(), logging.getLogger().level
        out, err = _Recorder("stdout", self._texts), _Recorder("stderr", self._texts)
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.showwarning = self._warned
            root.addHandler(handler)
            root.setLevel(1)
            listen(self)
            try:
                yield self
            finally:
                leave()
                root.removeHandler(handler)
                root.setLevel(before)

    def begin(self) -> None:
        """Begin anew, before reports that are looked at one by one."""
        self._files.begin()
        self.take()

    def take(self) -> str:
        """Return what came since it was last asked."""
        for file, size in self._below.items():
            now = os.lseek(file, 0, os.SEEK_END)
            if now != size:
                text = os.pread(file, TEXT, size).decode("utf-8", "replace").strip()
                self._texts.append(("stdout: " if file == 1 else "stderr: ") + text)
                self._below[file] = now
        attend()
        changes = self._files.changes()
        if not self._texts and not self._paths and not changes:
            return ""
        ends = [path + ": " + end_of(path) for path in dict.fromkeys(self._paths)]
        text = "\n".join(dict.fromkeys(map(str.strip, (*self._texts, *ends, *changes))))
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

    def said(self, text: str, network: bool) -> None:
        """Note what the interpreter reports, as text."""
        self._texts.append((MARK if network else "") + text)

    def wrote(self, path: str) -> None:
        """Note a file that is opened to be written to."""
        path = os.path.abspath(path)  # noqa: PTH100
        self._paths.append(path)
        self._files.note(path)


def attributes(own: Any) -> str:
    """Return what a report carries beside its value."""
    carried = getattr(own, "__dict__", None)
    return "attributes: " + repr(carried)[:TEXT] if carried and not isinstance(own, type) else ""


def said(error: BaseException) -> str:
    """Return the type and the text of an exception."""
    return (type(error).__name__ + ": " + str(error))[:TEXT]
