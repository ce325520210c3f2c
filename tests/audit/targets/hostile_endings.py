"""Targets that do not want to end: functions for exact audits, and programs: `python hostile_endings.py NAME`."""

import os
import signal
import subprocess
import sys
import time
from typing import NoReturn


def busy(item: int) -> int:
    while True:
        pass


def sleeps(item: int) -> int:
    time.sleep(600)
    return item


def deaf(item: int) -> int:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    return sleeps(item)


def grandchildren(item: int) -> int:
    """In this group, in a session of its own, and one whose parent has left it; all hold the pipes."""
    script = [sys.executable, "-S", "-c", "import time; time.sleep(600)", "grandchildren"]
    subprocess.Popen(script)
    subprocess.Popen(script, start_new_session=True)
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(600)
        os._exit(0)
    return sleeps(item)


def kills_its_supervisor(item: int) -> int:
    os.kill(os.getppid(), signal.SIGKILL)
    return sleeps(item)


def kills_its_supervisor_and_leaves(item: int) -> int:
    """Others in sessions of their own, which would stay."""
    if os.fork() == 0:
        os.setsid()
        return sleeps(item)
    if os.fork() == 0:
        grandchildren(item)
    time.sleep(0.3)
    return kills_its_supervisor(item)


def main(name: str) -> NoReturn:
    print("begun", file=sys.stderr, flush=True)
    globals()[name](0)
    raise SystemExit


if __name__ == "__main__":
    main(sys.argv[1])
