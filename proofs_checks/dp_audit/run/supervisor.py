"""Between a program and its child, which nobody trusts: when either ends, all that the child started is ended.

    python -I -S supervisor.py LEASH MEGABYTES COMMAND [ARGUMENT ...]

LEASH is a socket whose other end the caller holds. It hears the process id of the command or, negative, the number of
the error that it cannot be started with; when that end is closed, as it is however the caller ends, all is killed.
MEGABYTES bounds the data of each process of the command (0: nothing does). The exit status, or the signal, is that of
the command.

Imports the standard library only, and little of it: this starts in some hundredths of a second.
"""

import ctypes
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress

_SET_CHILD_SUBREAPER = 36
_PAUSE, _PAUSES = 0.005, 150
"""Seconds between two attempts to end everything, and attempts: less than `process_guard.GRACE` in all."""
_RESTORED = [getattr(signal, name) for name in ("SIGPIPE", "SIGXFSZ") if hasattr(signal, name)]
"""What Python ignores, and its children should not."""


def main(leash: int, megabytes: int, command: list[str]) -> None:
    """Run the command until it ends or the leash is let go."""
    _bound(megabytes)
    supervise(leash, lambda: os.posix_spawnp(command[0], command, os.environ, setpgroup=0, setsigdef=_RESTORED))


def supervise(leash: int, start: Callable[[], int]) -> None:
    """Start a child, which leads a group of its own, and end all when it ends or the leash is let go.

    There are two of us, one the parent of the other, so that a child that kills its parent is adopted by the first one
    and ended. `start` returns the process id of the child; what it raises as `OSError` is told.
    """
    os.set_inheritable(leash, False)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # for us and the child: this is for the caller to act upon
    read, written = os.pipe()

    def second() -> int:
        copy = os.fork()
        if not copy:
            os.close(written)
            _watch(read, lambda: _child_of(leash, start))
        return copy

    _watch(leash, second)


def _child_of(leash: int, start: Callable[[], int]) -> int:
    """Return the child, and tell its number; if there is none, tell why and end this process."""
    try:
        child = start()
    except OSError as error:
        os.write(leash, b"%d\n" % -(error.errno or 1))
        os._exit(127)
    with suppress(OSError):  # nobody hears it any more, which the first of us reads next
        os.write(leash, b"%d\n" % child)
    os.close(leash)
    return child


def _watch(leash: int, start: Callable[[], int]) -> None:
    """End all, and then as the child did, when that ends or the leash is let go."""
    _adopt()
    woken, wakes = os.pipe()
    os.set_blocking(wakes, False)
    signal.set_wakeup_fd(wakes)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    child = start()
    nothing = os.open(os.devnull, os.O_RDWR)
    for pipe in range(3):  # so that they close when the command closes them
        os.dup2(nothing, pipe)
    ended: dict[int, int] = {}
    while child not in ended:
        if leash in select.select([leash, woken], [], [])[0]:
            break
        os.read(woken, 512)
        _reap(ended)
    _end_all(child, ended)
    _end_as(ended.get(child, signal.SIGKILL))


def _adopt() -> None:
    """Adopt processes that lose their parent, also those that left the group and the session (on Linux)."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _bound(megabytes: int) -> None:
    """Bound data and files. RLIMIT_DATA, not RLIMIT_AS: runtimes as those of JavaScript, Java and Go reserve far more
    than they use."""
    if not megabytes:
        return
    with suppress(ImportError, OSError, ValueError):
        import resource

        size, hard = megabytes << 20, resource.getrlimit(resource.RLIMIT_DATA)[1]
        size = size if hard == resource.RLIM_INFINITY else min(size, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (size, size))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
        size = size if hard == resource.RLIM_INFINITY else min(size, hard)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def _reap(ended: dict[int, int]) -> bool:
    """Note the status of every child that has ended; whether any is left."""
    try:
        while (child := os.waitpid(-1, os.WNOHANG))[0]:
            ended[child[0]] = child[1]
    except ChildProcessError:
        return False
    return True


def _end_all(group: int, ended: dict[int, int]) -> None:
    """Kill the group, and again and again who has become our child, until nobody is left."""
    for _ in range(_PAUSES):
        _kill(os.killpg, group)
        for child in _children(os.getpid()):
            for descendant in (*_children(child), child):  # the child last: who loses it may kill us, its parent
                _kill(os.kill, descendant)
        if not _reap(ended):
            return
        time.sleep(_PAUSE)


def _kill(how: Callable[[int, int], None], whom: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        how(whom, signal.SIGKILL)


def _children(parent: int) -> list[int]:
    """Return the children of a process, where Linux tells."""
    try:
        with open(f"/proc/{parent}/task/{parent}/children", "rb") as file:  # noqa: PTH123
            return [int(child) for child in file.read().split()]
    except OSError:
        return []


def _end_as(status: int) -> None:
    """End in the way in which the command ended."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(os.WEXITSTATUS(status))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
