"""Files that are there whole or not at all."""

import os
from contextlib import suppress
from pathlib import Path


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file beside its place, on disk, and rename it: a reader, or a crash, meets the old one or the new one.

    A symbolic link in its place is replaced, not followed. What is no regular file (a device, a pipe) is written to.
    Raises `OSError`; what was begun is removed then.
    """
    data = content.encode() if isinstance(content, str) else content
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with beside.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Put the names in a folder on disk, where the platform can."""
    with suppress(OSError):  # Windows opens no folders
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
