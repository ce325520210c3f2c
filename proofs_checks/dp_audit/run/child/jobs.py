"""Jobs, lines of JSON on the standard input, each answered with lines of JSON on what was the standard output."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import tempfile
import traceback
import warnings
from typing import Any, Callable, Dict, Iterable, Iterator, List, TextIO

from .refusals import TEXT_LIMIT, Refusal

Emit = Callable[..., None]
"""Tells one part of an answer: `emit(part, **content)`."""
Answer = Callable[[Dict[str, Any]], None]
"""Answers one job."""
ENUMERATE, OBSERVE, EVALUATE, SERVE = "enumerate", "observe", "evaluate", "serve"
KEPT = "kept"
"""The argument of a child that is to answer more than one job."""
ENDED = "ended"
"""The part of the answer that tells the exit status of a copy, after all that it said itself."""
FILE_BYTES = 16 << 20
"""Length of a file that a target may write, where memory is bounded."""


def main(arguments: List[str]) -> None:
    """Answer in the mode that the first argument names, until the input ends.

    What the target prints does not come between the answers. A job that is not `KEPT` is answered in this process; else
    what jobs share is imported as for the first line, which no answer is for, and every further one is answered in a
    copy of this process. Maps are evaluated in this process itself: a copy has no part in what a library has begun
    beside it, threads and a runtime of Java.
    """
    mode, *rest = arguments
    answers = os.fdopen(os.dup(1), "w", encoding="ascii")
    if mode == SERVE:
        from .server import serve

        os.dup2(2, 1)
        serve(rest, answers)
        return
    if mode == ENUMERATE:
        from .interceptor.session import answering
    elif mode == EVALUATE:
        from .maps import answering
    else:
        from .unmodified.process import answering
    jobs = os.fdopen(os.dup(0), encoding="utf-8")
    emit, job = emitter(answers), json.loads(jobs.readline())
    if "megabytes" in job:
        _bound_resources(int(job["megabytes"]))
    with answering(job, emit, rest == [KEPT]) as answer:
        if rest != [KEPT]:
            answer(job)
        elif mode == EVALUATE:
            _answer_in_turn(jobs, emit, answer)
        else:
            _answer_in_copies(jobs, emit, answer)
    os._exit(0)  # and no waiting for threads of the target


def emitter(answers: TextIO) -> Emit:
    """Return what writes the parts of answers to a file, each as soon as it is known."""

    def emit(part: str, **content: Any) -> None:
        answers.write(json.dumps({"part": part, **content}) + "\n")
        answers.flush()

    return emit


def tell_failure(emit: Emit, error: BaseException) -> None:
    """Tell that a job ended with this exception, which is being handled."""
    kind = error.kind if isinstance(error, Refusal) else "raised"
    message = f"{type(error).__name__}: {error}"[:TEXT_LIMIT]
    emit("failed", kind=kind, message=message, trace=traceback.format_exc()[-TEXT_LIMIT:])


@contextlib.contextmanager
def captured(*descriptors: int) -> Iterator[None]:
    """Let each of these open files of the process be a temporary one from now on."""
    with contextlib.ExitStack() as files:
        for descriptor in descriptors:
            os.dup2(files.enter_context(tempfile.TemporaryFile()).fileno(), descriptor)
        yield


def _answer_in_turn(jobs: Iterable[str], emit: Emit, answer: Answer) -> None:
    """Answer jobs until there are no more, without an input."""
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for line in jobs:
        answer(json.loads(line))
        emit(ENDED, status=0)


def _answer_in_copies(jobs: Iterable[str], emit: Emit, answer: Answer) -> None:
    """Answer jobs until there are no more, each in a copy of this process, in an empty folder, without an input.

    What takes long to import is imported once, and what one job changes no other one sees. It needs `os.fork`.
    """
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
