"""A job, in a child process (on the standard input, JSON lines on the output) or in this one."""

from __future__ import annotations

import contextlib
import functools
import importlib
import importlib.util
import inspect
import json
import os
import random
import sys
import tempfile
from typing import Any, Callable, Dict

from .at_exit import apart, farewell, handlers, leave
from .phases import Emit, Run
from .side_effects import Beside, said


def maker(made: Any, serve: Any) -> Callable[..., Any]:
    """What makes a protocol of parameters: a class, of those it takes; or a function of the item."""
    if inspect.isclass(made):
        return lambda **parameters: made(**serve.taken(made, parameters))
    return lambda **parameters: serve._Function(made, parameters)


def run_here(job: Dict[str, Any], made: Any, serve: Any, emit: Emit, raws: Any) -> None:
    """A job in this process, for code at hand. The global generators are as they were at the end."""
    states = random.getstate(), sys.modules["numpy"].random.get_state()
    try:
        with Beside(False).entered() as beside:
            Run(job, maker(made, serve), serve, emit, beside, raws).run()
    finally:
        random.setstate(states[0])
        sys.modules["numpy"].random.set_state(states[1])


@functools.lru_cache(maxsize=None)
def _load(path: str) -> Any:
    """A file, as a module that has its name (a package that of the folder), unless there is another; or a module."""
    if not path.endswith(".py"):
        return importlib.import_module(path)
    folder, stem = os.path.split(os.path.splitext(path)[0])  # noqa: PTH122
    stem = os.path.basename(folder) if stem == "__init__" else stem  # noqa: PTH119
    if stem in sys.modules or importlib.util.find_spec(stem) is not None:
        stem = "audited_" + stem
    specification = importlib.util.spec_from_file_location(stem, path)
    if specification is None or specification.loader is None:
        raise ImportError(path)
    module = importlib.util.module_from_spec(specification)
    sys.modules[stem] = module
    specification.loader.exec_module(module)
    return module


def main() -> None:
    """Read one job from stdin, write JSON lines. With an argument: import what jobs share, then answer job after job
    in copies of this process."""
    serve = importlib.import_module(".child_server", __package__)  # in this folder, where it was copied to
    raws = importlib.import_module(".representation", __package__)

    answers = os.fdopen(os.dup(1), "w", encoding="ascii")
    job = json.loads(sys.stdin.readline())

    def emit(part: str, **content: Any) -> None:
        answers.write(json.dumps({"part": part, **content}) + "\n")
        answers.flush()

    with tempfile.TemporaryFile() as one, tempfile.TemporaryFile() as two:
        os.dup2(one.fileno(), 1)
        os.dup2(two.fileno(), 2)
        if job.get("exit"):
            leave(job, lambda: maker(getattr(_load(job["adapter"]), job["protocol"]), serve), serve, emit)
            os._exit(0)
        before = handlers()
        with Beside(True).entered() as beside:

            def answer(job: Dict[str, Any]) -> None:
                beside.forget()
                try:
                    made = maker(getattr(_load(job["adapter"]), job["protocol"]), serve)
                    Run(job, made, serve, emit, beside, raws).run()
                    if handlers() > before:
                        emit("exits", text=apart(lambda: farewell(beside)) or "")
                except BaseException as error:
                    emit("failed", message=said(error))

            if len(sys.argv) == 1:
                answer(job)
            else:
                with contextlib.suppress(BaseException):  # every copy will see it again
                    getattr(_load(job["adapter"]), "prepare", lambda: None)()
                importlib.import_module(".job_copies", __package__).answer_each(sys.stdin, emit, answer)
    os._exit(0)  # and no waiting for threads of the target
