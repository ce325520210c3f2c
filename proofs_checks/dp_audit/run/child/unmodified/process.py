"""A job, answered by code that is run as its users run it: in a child process or in this one."""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import os
import random
import sys
from typing import Any, Dict, Iterator

from ..jobs import Answer, Emit, captured
from ..targets import compile_file, load
from .at_exit import begin, farewell, handlers, in_a_copy, leave
from .phases import Run
from .side_effects import Beside, said


def run_here(job: Dict[str, Any], made: Any, emit: Emit) -> None:
    """Run a job in this process, for code at hand. The global generators are as they were at the end."""
    states = random.getstate(), sys.modules["numpy"].random.get_state()
    try:
        with Beside(False).entered() as beside:
            Run(job, made, emit, beside).run()
    finally:
        random.setstate(states[0])
        sys.modules["numpy"].random.set_state(states[1])


@functools.lru_cache(maxsize=None)
def _loaded(path: str) -> Any:
    """Return a file as a module that has its name (a package that of the folder), unless there is another; or a
    module."""
    folder, stem = os.path.split(os.path.splitext(path)[0])  # noqa: PTH122
    stem = os.path.basename(folder) if stem == "__init__" else stem  # noqa: PTH119
    if path.endswith(".py") and (stem in sys.modules or importlib.util.find_spec(stem) is not None):
        stem = "audited_" + stem
    return load(path, stem)


def _target(job: Dict[str, Any]) -> Any:
    return getattr(_loaded(job["adapter"]), job["protocol"])


@contextlib.contextmanager
def answering(job: Dict[str, Any], emit: Emit, kept: bool) -> Iterator[Answer]:
    """Yield what answers jobs in a child process, after what they share (if `kept`) is imported."""
    with captured(1, 2):
        if job.get("exit") or job.get("early"):
            compile_file(job["adapter"])
            work = leave if job.get("exit") else begin
            yield lambda job: work(job, lambda: _target(job), emit)
            return
        before = handlers()
        with Beside(True).entered() as beside:

            def answer(job: Dict[str, Any]) -> None:
                beside.forget()
                try:
                    Run(job, _target(job), emit, beside).run()
                    if handlers() > before:
                        emit("exits", text=in_a_copy(lambda: farewell(beside)) or "")
                except BaseException as error:
                    emit("failed", message=said(error))

            if kept:
                with contextlib.suppress(BaseException):  # every copy will see it again
                    getattr(_loaded(job["adapter"]), "prepare", lambda: None)()
            yield answer
