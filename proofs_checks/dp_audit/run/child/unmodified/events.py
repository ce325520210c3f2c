"""What the interpreter reports about a target: files, folders, databases, sockets, processes, variables."""

from __future__ import annotations

import contextlib
import os
import re
import sys
from typing import Any, Callable, Dict, List, Tuple

TEXT = 300
_NETWORK = ("socket.connect", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo", "socket.gethostbyname")
_SENT = ("send", "sendall", "sendto", "sendmsg")
"""Methods of sockets, which the interpreter reports without what is sent, or not at all."""
_FILES = ("chdir", "chmod", "chown", "link", "mkdir", "remove", "rename", "rmdir", "symlink", "truncate", "utime")
TOLD = frozenset(
    [
        *_NETWORK,
        *("os." + name for name in (*_FILES, "setxattr", "removexattr", "putenv", "unsetenv", "kill")),
        *("os.system", "os.exec", "os.spawn", "os.posix_spawn", "subprocess.Popen"),
        *("syslog.syslog", "urllib.Request", "http.client.send", "smtplib.send", "ftplib.sendcmd"),
    ]
)
"""Events that are told with their arguments."""
_HEARD = TOLD | {"open", "sqlite3.connect", "sqlite3.connect/handle", "mmap.__new__", "socket.__new__"}
_KEEPS = re.compile(r"__pycache__|\.nb[ic]\b")
"""What the interpreter and compilers keep for themselves."""
_DEVICES = re.compile("^/dev/(?!shm/)")
_HEARERS: List[Any] = []
_WATCHED: List[bool] = []


def listen(hearer: Any) -> None:
    """Tell `hearer` what happens from now on (the last one only): `said(text)`, `wrote(path)`."""
    _HEARERS.append(hearer)
    if not _WATCHED:
        _WATCHED.append(True)
        sys.addaudithook(_hook)
    if "socket" in sys.modules:
        _watch_sockets()


def leave() -> None:
    """Stop listening: the hook stays, and is silent."""
    _HEARERS.pop()
    if not _HEARERS:
        for name, _ in list(_REPLACED.items()):
            delattr(sys.modules["socket"].socket, name)
            del _REPLACED[name]


def _hook(event: str, arguments: Tuple[Any, ...]) -> None:
    if _HEARERS and event in _HEARD:
        with contextlib.suppress(Exception):  # an argument without a text, no current folder: no matter of the target
            _hear(event, arguments)


def _hear(event: str, arguments: Tuple[Any, ...]) -> None:
    if event in TOLD:
        text = event + ": " + repr(arguments)[:TEXT]
        if not _KEEPS.search(text):
            _HEARERS[-1].said(text, event in _NETWORK and not _is_local(arguments))
    elif event == "open":
        path, _, flags = arguments
        if isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR):
            _wrote(path)
    elif event == "sqlite3.connect/handle":
        _CONNECTED.append(arguments[0])
    elif event == "sqlite3.connect":
        _wrote(arguments[0])
    elif event == "mmap.__new__":
        _wrote(_path_of(arguments[0]))
    elif event == "socket.__new__":
        _watch_sockets()


def _wrote(path: Any) -> None:
    if isinstance(path, (str, bytes)) and path:
        text = os.fsdecode(path)
        if not _KEEPS.search(text) and not _DEVICES.search(text):
            _HEARERS[-1].wrote(text)


def _path_of(number: Any) -> str:
    """Return the file behind an open file descriptor; "" where there is none."""
    try:
        return os.readlink("/proc/self/fd/%d" % number)  # noqa: PTH115
    except (OSError, TypeError):
        return ""


_CONNECTED: List[Any] = []


def attend() -> None:
    """Listen to what new connections to databases are asked from now on; they were not ready when they were told."""
    while _CONNECTED:
        with contextlib.suppress(Exception):  # closed, or of another thread
            _CONNECTED.pop().set_trace_callback(_queried)


def _queried(statement: str) -> None:
    if _HEARERS:
        _HEARERS[-1].said("sqlite3: " + statement[:TEXT], False)


def _is_local(arguments: Tuple[Any, ...]) -> bool:
    """Return whether a socket is one of this machine only, whose address is a file."""
    return len(arguments) == 2 and isinstance(arguments[1], (str, bytes))


_REPLACED: Dict[str, Any] = {}


def _watch_sockets() -> None:
    """Watch what is sent through Python's own class of sockets."""
    made = getattr(sys.modules.get("socket"), "socket", None)
    if made is None:
        return
    for name in _SENT:
        if name not in _REPLACED and name not in vars(made):
            _REPLACED[name] = _telling(name, getattr(made, name))
            setattr(made, name, _REPLACED[name])


def _telling(name: str, send: Callable[..., Any]) -> Callable[..., Any]:
    def told(self: Any, data: Any, *rest: Any) -> Any:
        if _HEARERS:
            _HEARERS[-1].said("socket.%s: %s" % (name, _text(data)), False)
        return send(self, data, *rest)

    return told


def _text(data: Any) -> str:
    try:
        return bytes(data)[:TEXT].decode("utf-8", "replace")
    except TypeError:  # the parts of `sendmsg`
        return repr([bytes(part)[:TEXT] for part in data])[:TEXT]
