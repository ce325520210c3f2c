"""Journals: finished work survives an interruption, damaged lines do not survive unnoticed."""

import hashlib
import json
import os
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from dp_checks.runtime.outputs import make_folder, opened, require_regular, sync_folder, write_file

DIGITS = 32
"""Of the checksum of a line: half of a SHA-256, so that no change of a line goes unnoticed."""
FORMAT = b"2 "
"""Part of what is hashed, so that a line of another format does not count."""


class Journal:
    """Lines of a checksum and JSON, `[owner, key, value]`: a finished piece of work each. Of one key the last counts.

    Several commands (owners) may keep theirs in one file, if not at the same time.
    """

    def __init__(self, path: Path, owner: str) -> None:
        self._path, self._owner = path, owner

    def read(self) -> tuple[dict[str, Any], tuple[int, ...]]:
        """What is finished by key, and the numbers (from 1) of damaged lines, which do not count.

        Raises `OSError` where the file is there and cannot be read, `IrregularFileError` for a pipe and the like.
        """
        lines, damaged = self._lines()
        return {key: value for (owner, key), value in lines.items() if owner == self._owner}, damaged

    def add(self, entries: Mapping[str, Any]) -> None:
        """Append finished work, on disk before this returns. Raises `OSError`, for example on a full disk."""
        make_folder(self._path.parent)
        text = b"".join(_line(self._owner, key, value) for key, value in entries.items())
        new = not self._path.exists()
        with opened(require_regular(self._path), "a") as file:
            if file.tell() and not self._ends_with_a_line():
                text = b"\n" + text  # the line before was cut off
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if new:
            sync_folder(self._path.parent)

    def keep(self, keys: Collection[str]) -> None:
        """Forget everything else of this owner, and damaged lines. Raises `OSError`."""
        lines, damaged = self._lines()
        kept = {line: value for line, value in lines.items() if line[0] != self._owner or line[1] in keys}
        if not kept:
            self._path.unlink(missing_ok=True)
        elif damaged or len(kept) < len(lines):
            write_file(self._path, b"".join(_line(*line, value) for line, value in kept.items()))

    def clear(self) -> None:
        """Forget everything of this owner. Raises `OSError`."""
        self.keep(())

    def _lines(self) -> tuple[dict[tuple[str, str], Any], tuple[int, ...]]:
        """Of all owners: values by owner and key; the numbers of damaged lines."""
        values: dict[tuple[str, str], Any] = {}
        damaged = []
        lines = self._path.read_bytes().split(b"\n") if require_regular(self._path).exists() else []
        for number, line in enumerate(lines, start=1):
            digest, _, body = line.partition(b" ")
            if digest == _digest(body):
                owner, key, value = json.loads(body)
                values[owner, key] = value
            elif line:
                damaged.append(number)
        return values, tuple(damaged)

    def _ends_with_a_line(self) -> bool:
        with self._path.open("rb") as file:
            file.seek(-1, os.SEEK_END)
            return file.read() == b"\n"


def _digest(body: bytes) -> bytes:
    return hashlib.sha256(FORMAT + body).hexdigest()[:DIGITS].encode()


def _line(owner: str, key: str, value: Any) -> bytes:
    body = json.dumps([owner, key, value]).encode()
    return _digest(body) + b" " + body + b"\n"
