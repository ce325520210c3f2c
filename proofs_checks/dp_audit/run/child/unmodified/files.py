"""Files that a target writes, and what changes in them from report to report."""

from __future__ import annotations

import gc
import io
import os
import stat
import zlib
from typing import Any, Dict, List, Optional

TEXT = 300
"""Characters of a text that are told."""
WATCHED = 4
"""Files that are looked at after every report: those that were opened last."""
WHOLE = 1 << 16
"""Bytes of a file that is compared as a whole; of a longer one what is added at the end."""
_BUFFERED = (io.TextIOWrapper, io.BufferedWriter, io.BufferedRandom)


class Files:
    """What was opened to be written to, and how its content changes."""

    def __init__(self) -> None:
        self._contents: Dict[str, Optional[bytes]] = {}
        self._sizes: Dict[str, int] = {}
        self._open: List[Any] = []

    def note(self, path: str) -> None:
        """Note a file that is opened; `None` is its content until it was looked at."""
        self._contents[path] = self._contents.pop(path, None)
        while len(self._contents) > WATCHED:
            oldest = next(iter(self._contents))
            del self._contents[oldest]
            self._sizes.pop(oldest, None)

    def begin(self) -> None:
        """Look for files that are open: what they still hold back is written before it is looked at."""
        kept = [held for held in gc.get_objects() if type(held) in _BUFFERED] if self._contents else []
        self._open = [held for held in kept if _path_of(held) in self._contents]

    def changes(self) -> List[str]:
        """Return what was changed since it was asked last."""
        if not self._contents:
            return []
        for held in self._open:
            try:
                held.flush()
            except (ValueError, OSError):  # closed meanwhile, or its disk is full
                continue
        changes = []
        for path, before in list(self._contents.items()):
            now, size = _content(path)
            if now is not None and before is not None and (now != before or size != self._sizes[path]):
                changes.append(path + ": " + _changed(before, now, size - self._sizes[path]))
            self._contents[path], self._sizes[path] = now, size
        return changes


def _path_of(held: Any) -> str:
    name = getattr(held, "name", "")
    return os.path.abspath(name) if isinstance(name, str) else ""  # noqa: PTH100


def _content(path: str) -> "tuple[Optional[bytes], int]":
    """Return all of a short file or the end of a long one, and its size; (None, 0) where there is none, or a pipe."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):  # noqa: PTH116
            return None, 0
        with open(path, "rb") as file:  # noqa: PTH123
            size = os.fstat(file.fileno()).st_size
            file.seek(0 if size <= WHOLE else size - TEXT)
            return file.read(WHOLE), size
    except OSError:
        return None, 0


def _changed(before: bytes, now: bytes, more: int) -> str:
    """Return what was added, or the bytes that are others now."""
    if more > 0 and (now[: len(before)] == before or len(now) == TEXT):
        return _text_of(now[-min(more, TEXT) :])
    if more < 0 or len(now) != len(before):
        return _text_of(now[-TEXT:])
    places = [i for i, (one, other) in enumerate(zip(before, now)) if one != other][-TEXT // 16 :]
    return "bytes %s at %s" % (" ".join(str(now[i]) for i in places), " ".join(map(str, places)))


def _text_of(content: bytes) -> str:
    """Return text as it is; of what is none, a number that all of it makes."""
    text = content.decode("utf-8", "replace").strip()
    if text.isprintable() or ("\n" in text and text.replace("\n", "").isprintable()):
        return text
    return "%d bytes, sum %d" % (len(content), zlib.crc32(content))


def end_of(path: str) -> str:
    """Return the last line of a file."""
    content, _ = _content(path)
    lines = _text_of((content or b"")[-TEXT:]).splitlines()
    return lines[-1] if lines else ""
