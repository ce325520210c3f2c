"""Answers jobs one after the other, each in a copy of this process. Standard library only, for Python 3.8.

What takes long to import is imported once, and what one job changes no other one sees. It needs `os.fork`; the child
that runs code as it is has a copy of this file.
"""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections.abc import Callable, Iterable
from typing import Any

ENDED = "ended"
"""The part of the answer that tells the exit status of a copy, after all that it said itself."""


def answer_each(jobs: Iterable[str], emit: Callable[..., None], answer: Callable[[dict[str, Any]], None]) -> None:
    """Answer jobs, lines of JSON, until there are no more. A copy works in an empty folder, without an input."""
    here = os.getcwd()  # noqa: PTH109
    for number, line in enumerate(jobs):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # threads of libraries of numbers: they know what to do after a fork
            copy = os.fork()
        if not copy:
            try:
                os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
                folder = os.path.join(here, f"job{number}")  # noqa: PTH118
                os.mkdir(folder)  # noqa: PTH102
                os.chdir(folder)
                answer(json.loads(line))
                os._exit(0)
            except BaseException as error:
                sys.stderr.write(f"{type(error).__name__}: {error}\n")
                sys.stderr.flush()
                os._exit(1)
        emit(ENDED, status=os.waitpid(copy, 0)[1])
