"""Files that the commands write: never through a symbolic link, which somebody else may have put there."""

import errno
import os
from pathlib import Path
from typing import IO

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


def make_folder(path: Path) -> Path:
    """The folder, made with those above it if need be. Raises `LinkedOutputError`, `OSError`."""
    require_unlinked(path).mkdir(parents=True, exist_ok=True)
    return path


def write_file(path: Path, content: str | bytes, append: bool = False) -> None:
    """Write (or append to) a file; text as UTF-8. Raises `LinkedOutputError`, `OSError`."""
    data = content.encode() if isinstance(content, str) else content
    with _opened(require_unlinked(path), append) as file:
        file.write(data)


def _opened(path: Path, append: bool) -> IO[bytes]:
    """Opened so that a link which is put there in the meantime is not followed either, where the platform can."""
    flags = os.O_WRONLY | os.O_CREAT | (os.O_APPEND if append else os.O_TRUNC) | getattr(os, "O_CLOEXEC", 0)
    flags |= getattr(os, "O_BINARY", 0) | (0 if _is_device(path) else getattr(os, "O_NOFOLLOW", 0))
    try:
        return os.fdopen(os.open(path, flags, 0o666), "wb")
    except OSError as error:
        if error.errno == errno.ELOOP and path.is_symlink():
            raise LinkedOutputError(path) from None
        raise


def _is_device(path: Path) -> bool:
    """Below /dev, where /dev/stdout and /dev/fd/3 are links that the system made."""
    return os.path.normpath(path.absolute()).startswith("/dev/")
