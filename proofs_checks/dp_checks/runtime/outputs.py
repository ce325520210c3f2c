"""Files that the commands write: whole or not at all, and never through a symbolic link that somebody else made."""

import errno
import os
from contextlib import suppress
from pathlib import Path
from typing import IO, Literal

from dp_spec.vocabulary.exceptions import RefusedError


class LinkedOutputError(RefusedError):
    """An output is a symbolic link; the message says which."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} is a symbolic link: nothing is written through it; remove it, or give where it leads")


def require_unlinked(path: Path) -> Path:
    """The path. Raises `LinkedOutputError` for a symbolic link, but for devices as /dev/stdout."""
    if path.is_symlink() and not _is_device(path):
        raise LinkedOutputError(path)
    return path


class IrregularFileError(RefusedError):
    """What is to be read and written again is no regular file; the message says which."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} is no regular file: remove it, or give another folder")


def require_regular(path: Path) -> Path:
    """The path. Raises `IrregularFileError` for what is there and no regular file (a pipe, a folder, a device)."""
    if path.exists() and not path.is_file():
        raise IrregularFileError(path)
    return path


def make_folder(path: Path) -> Path:
    """The folder, made with those above it if need be. Raises `LinkedOutputError`, `OSError`."""
    require_unlinked(path).mkdir(parents=True, exist_ok=True)
    return path


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file, text as UTF-8, beside its place and on disk, and rename it: a reader, or a crash, meets the old one
    or the new one. What is no regular file (a device, a pipe) is written to.

    Raises `LinkedOutputError`, `OSError`; what was begun is removed then.
    """
    data = content.encode() if isinstance(content, str) else content
    if require_unlinked(path).exists() and not path.is_file():
        path.write_bytes(data)
        return
    _remove_left_over(path)
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with opened(beside, "x") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise
    sync_folder(path.parent)


def _remove_left_over(path: Path) -> None:
    """What writers of a file that were killed had begun (where it can be seen that they are gone)."""
    start, end = f".{path.name}.", ".part"
    for beside in path.parent.iterdir() if os.name == "posix" and path.parent.is_dir() else ():
        if beside.name.startswith(start) and beside.name.endswith(end):
            writer = beside.name.removeprefix(start).removesuffix(end)
            try:
                os.kill(int(writer), 0)
            except ProcessLookupError:
                beside.unlink(missing_ok=True)
            except (OSError, OverflowError, ValueError):
                continue


def opened(path: Path, mode: Literal["a", "x"]) -> IO[bytes]:
    """Opened to append, or as a new file; a link that is put there in the meantime is not followed, where the platform
    can. Raises `LinkedOutputError`, `OSError`."""
    flags = os.O_WRONLY | os.O_CREAT | (os.O_APPEND if mode == "a" else os.O_EXCL) | getattr(os, "O_CLOEXEC", 0)
    flags |= getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
    try:
        return os.fdopen(os.open(require_unlinked(path), flags, 0o666), mode.replace("x", "w") + "b")
    except OSError as error:
        if error.errno == errno.ELOOP and path.is_symlink():
            raise LinkedOutputError(path) from None
        raise


def sync_folder(folder: Path) -> None:
    """Put the names in a folder on disk, where the platform can."""
    with suppress(OSError):  # Windows opens no folders
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def _is_device(path: Path) -> bool:
    """Below /dev, where /dev/stdout and /dev/fd/3 are links that the system made."""
    return os.path.normpath(path.absolute()).startswith("/dev/")
