"""A job, in a child process (on the standard input, JSON lines on the output) or in this one."""

from __future__ import annotations

import contextlib
import functools
import io
import json
import os
import sys
import tempfile
import traceback
import warnings
from typing import Any, Callable, Dict

from . import job_copies
from .refusals import TEXT_LIMIT, Refusal
from .session import Session

FILE_BYTES = 16 << 20
"""Length of a file that a target may write."""


def _bound_resources(megabytes: int) -> None:
    """Limit memory and the size of written files where the platform can."""
    try:
        import resource
    except ImportError:
        return
    # data as for a program that is tested by samples; addresses too, because what is shared is no data
    memory = [(resource.RLIMIT_DATA, megabytes << 20), (resource.RLIMIT_AS, megabytes << 21)]
    for limit, size in [*memory, (resource.RLIMIT_FSIZE, FILE_BYTES), (resource.RLIMIT_CORE, 0)]:
        hard = resource.getrlimit(limit)[1]
        size = size if hard == resource.RLIM_INFINITY else min(size, hard)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(limit, (size, size))


def main() -> None:
    """Read one job from stdin, write JSON lines. The target's prints go to a file, out of the way of the answers.

    With an argument: import what jobs share, then answer job after job in copies of this process.
    """
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    job = json.loads(sys.stdin.readline())
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(0)  # a probability may have more digits
    _bound_resources(int(job.get("megabytes", 2048)))
    warnings.simplefilter("ignore")

    def emit(part: str, **content: Any) -> None:
        answers.write(json.dumps({"part": part, **content}) + "\n")
        answers.flush()

    with tempfile.TemporaryFile() as capture:
        os.dup2(capture.fileno(), 1)
        sys.stdout = io.TextIOWrapper(os.fdopen(1, "wb", closefd=False), write_through=True)

        def printed() -> str:
            with contextlib.suppress(Exception):
                sys.stdout.flush()
            size = os.fstat(1).st_size
            if not size:
                return ""
            text = os.pread(1, TEXT_LIMIT // 4, 0).decode("utf-8", "replace")
            os.ftruncate(1, 0)
            os.lseek(1, 0, os.SEEK_SET)
            return f"{size} bytes: {text!r}"

        def guarded(work: Callable[..., None], *given: Any) -> None:
            try:
                work(*given)
            except BaseException as error:
                kind = error.kind if isinstance(error, Refusal) else "raised"
                emit("failed", kind=kind, message=f"{type(error).__name__}: {error}"[:TEXT_LIMIT], trace=_trace())

        def answer_each(answer: Callable[[Dict[str, Any]], None]) -> None:
            job_copies.answer_each(sys.stdin, emit, functools.partial(guarded, answer))

        if len(sys.argv) == 1:
            guarded(lambda: Session(job, emit, printed).run())
        else:
            guarded(lambda: Session(job, emit, printed).keep(answer_each))
    os._exit(0)  # and no waiting for threads of the target


def run_here(job: Dict[str, Any], made: Any, emit: Callable[..., None]) -> None:
    """A job in this process, for a class or function that is at hand: no limits of memory or time, same answers."""
    digits = getattr(sys, "get_int_max_str_digits", int)()
    stdout = io.StringIO()

    def printed() -> str:
        text = stdout.getvalue()
        stdout.seek(0)
        stdout.truncate()
        return f"{len(text)} characters: {text[: TEXT_LIMIT // 4]!r}" if text else ""

    with warnings.catch_warnings(), contextlib.redirect_stdout(stdout):
        warnings.simplefilter("ignore")
        try:
            if digits:
                sys.set_int_max_str_digits(0)  # a probability may have more digits
            Session(job, emit, printed).run_made(made)
        except (Exception, Refusal) as error:
            kind = error.kind if isinstance(error, Refusal) else "raised"
            emit("failed", kind=kind, message=f"{type(error).__name__}: {error}"[:TEXT_LIMIT], trace=_trace())
        finally:
            if digits:
                sys.set_int_max_str_digits(digits)


def _trace() -> str:
    return traceback.format_exc()[-TEXT_LIMIT:]
