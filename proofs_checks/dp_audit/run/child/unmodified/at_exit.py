"""Many short processes: the first reports of each, or what handlers write when one that reported once exits."""

from __future__ import annotations

import atexit
import contextlib
import importlib
import json
import os
import random
import signal
import sys
import time
from collections import Counter
from typing import Any, Callable, Dict, List, Tuple

from ..jobs import Emit
from .phases import Run
from .side_effects import Beside, said

PATIENCE = 10
"""Seconds after which a copy is killed that has not ended."""
ALIKE = 32
"""Processes after which no more are asked, if all have written the same."""
LIBRARIES = ("scipy", "pandas")
"""They take long to import, and have no generators of their own, which would be the same in all copies."""
LONGEST = 1 << 16
"""Bytes of one answer: less than a pipe holds."""


def in_a_copy(work: Callable[[], Any]) -> Any:
    """Return what `work` returns in a copy of this process, by way of JSON; None if that ends otherwise, or is too
    long."""
    source, sink = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.close(source)
            signal.alarm(PATIENCE)
            answer = json.dumps(work()).encode()
            os.write(sink, answer if len(answer) < LONGEST else b"null")
        finally:
            os._exit(0)
    os.close(sink)
    with os.fdopen(source, "rb") as answers:
        text = answers.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else None


def farewell(beside: Beside) -> str:
    """Return what handlers write that run when this process exits."""
    beside.take()
    try:
        getattr(atexit, "_run_exitfuncs")()  # noqa: B009 - private, and absent from the stubs
    except BaseException as error:
        return (beside.take() + "\n" + said(error)).strip()
    return beside.take()


def handlers() -> int:
    """Return how many handlers there are; 0 where a process cannot be copied to run them."""
    return int(getattr(atexit, "_ncallbacks")()) if hasattr(os, "fork") else 0  # noqa: B009


def fresh_process(job: Dict[str, Any], load: Callable[[], Any], first: int, count: int) -> Any:
    """Return the reports of a process that loads the target, on the inputs in turn, and what is written when it exits.

    It is a copy of this one, in which nothing of the target was loaded, with generators seeded afresh. None: it ended
    otherwise.
    """

    def work() -> Tuple[List[Any], str]:
        random.seed()
        sys.modules["numpy"].random.seed()
        with Beside(True).entered() as beside:
            reports = Run(job, load(), lambda part, **content: None, beside).in_turn(first, count)
            return reports, farewell(beside)

    return in_a_copy(work)


def import_libraries(load: Callable[[], Any]) -> None:
    """Import what the target imports of the standard library and of `LIBRARIES`, for all copies of this process."""

    def imported() -> List[str]:
        before = set(sys.modules)
        load()
        return [name for name in sys.modules if name not in before]

    alike = (*getattr(sys, "stdlib_module_names", ()), *LIBRARIES)
    for name in in_a_copy(imported) or ():
        if name.partition(".")[0] in alike:
            with contextlib.suppress(Exception):  # every copy will see it again
                importlib.import_module(name)


def begin(job: Dict[str, Any], load: Callable[[], Any], emit: Emit) -> None:
    """Run processes that report some times: what happens at one call of a process shows in many."""
    plan: Dict[str, Any] = job["early"]
    codes: Dict[str, int] = {}
    import_libraries(load)
    end = time.monotonic() + plan["seconds"]
    for number in range(plan["processes"]):
        answer = fresh_process(job, load, number, plan["calls"])
        reports = [json.dumps(report, sort_keys=True) for report in answer[0]] if answer is not None else []
        before = len(codes)
        drawn = [codes.setdefault(report, len(codes)) for report in reports]
        new = [json.loads(report) for report in list(codes)[before:]]
        emit("reports", phase="early", item=number % len(job["inputs"]), step=1, codes=drawn, new=new)
        if time.monotonic() > end:
            break
    emit("done")


def leave(job: Dict[str, Any], load: Callable[[], Any], emit: Emit) -> None:
    """Run processes that report once and exit: on the first and the last input in turn."""
    import_libraries(load)
    end = time.monotonic() + job["exit"]["seconds"]
    codes: Dict[str, int] = {}
    by_item: Dict[int, List[int]] = {}
    texts: "Counter[Tuple[int, int, str]]" = Counter()
    reports: List[Any] = []
    for _ in range(job["exit"]["count"]):
        for which in sorted({0, len(job["inputs"]) - 1}):
            answer = fresh_process(job, load, which, 1)
            if answer is None:
                continue
            (report,), text = answer
            key = json.dumps(report, sort_keys=True)
            if key not in codes:
                codes[key] = len(codes)
                reports.append(report)
            by_item.setdefault(which, []).append(codes[key])
            texts[which, codes[key], text] += 1
        alike = len({text for _, _, text in texts}) == 1
        if time.monotonic() > end or (alike and sum(texts.values()) >= ALIKE):
            break
    for which, drawn in by_item.items():
        emit("reports", phase="exit", item=which, step=0, codes=drawn, new=reports)
        reports = []
    emit("left", texts=[[*key, times] for key, times in texts.items() if key[2]])
    emit("done")
