"""Journals: finished work survives an interruption, damaged lines do not survive unnoticed."""

import hashlib
import json
import os
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from dp_checks.outputs import make_folder, opened, sync_folder, write_file

DIGITS = 32
"""Of the checksum of a line: half of a SHA-256, so that no change of a line goes unnoticed."""


class Journal:
    """Lines of a checksum and JSON, `[key, value]`: a finished piece of work each. Of one key the last line counts."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> tuple[dict[str, Any], tuple[int, ...]]:
        """What is finished by key, and the numbers (from 1) of damaged lines, which do not count.

        Raises `OSError` where the file is there and cannot be read.
        """
        found: dict[str, Any] = {}
        damaged = []
        lines = self._path.read_bytes().split(b"\n") if self._path.exists() else []
        for number, line in enumerate(lines, start=1):
            digest, _, body = line.partition(b" ")
            if digest == _digest(body):
                key, value = json.loads(body)
                found[key] = value
            elif line:
                damaged.append(number)
        return found, tuple(damaged)

    def add(self, entries: Mapping[str, Any]) -> None:
        """Append finished work, on disk before this returns. Raises `OSError`, for example on a full disk."""
        make_folder(self._path.parent)
        text = b"".join(map(_line, entries.items()))
        new = not self._path.exists()
        with opened(self._path, "a") as file:
            if file.tell() and not self._ends_with_a_line():
                text = b"\n" + text  # the line before was cut off
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if new:
            sync_folder(self._path.parent)

    def keep(self, keys: Collection[str]) -> None:
        """Forget everything else, damaged lines too."""
        found, damaged = self.read()
        kept = {key: value for key, value in found.items() if key in keys}
        if damaged or kept.keys() != found.keys():
            write_file(self._path, b"".join(map(_line, kept.items())))

    def clear(self) -> None:
        """Forget everything."""
        self._path.unlink(missing_ok=True)

    def _ends_with_a_line(self) -> bool:
        with self._path.open("rb") as file:
            file.seek(-1, os.SEEK_END)
            return file.read() == b"\n"


def _digest(body: bytes) -> bytes:
    return hashlib.sha256(body).hexdigest()[:DIGITS].encode()


def _line(entry: tuple[str, Any]) -> bytes:
    body = json.dumps(entry).encode()
    return _digest(body) + b" " + body + b"\n"
