"""A function or class at hand, run in this process, or in a copy of it that is killed after some time."""

import json
import os
import sys
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cache
from time import monotonic
from types import TracebackType
from typing import Any

from dp_audit.observation.findings import (
    Finding,
    MalformedAnswer,
    TargetDied,
    TargetHung,
    TargetRaised,
)
from dp_audit.observation.jobs import Job, UnmodifiedJob, encoded
from dp_audit.observation.samples import SamplerError
from dp_audit.observation.target_laws import TargetLaws
from dp_audit.observation.unmodified_run import UnmodifiedRun
from dp_audit.observation.values import freeze
from dp_audit.run.child.interceptor import session
from dp_audit.run.child.jobs import ENDED, emitter
from dp_audit.run.child.representation import canonical_value
from dp_audit.run.child.targets import decode, protocol_of
from dp_audit.run.child.unmodified import process
from dp_audit.run.child_program import Answering, ChildAnswer
from dp_audit.run.enumeration import laws_of, run_here
from dp_audit.run.item_names import Categories
from dp_audit.run.process_guard import SupervisedCopy
from dp_audit.run.unmodified_runs import UNMODIFIED_SECONDS, run_unmodified_here, unmodified_of
from dp_spec.vocabulary.items import Item

CAN_COPY = hasattr(os, "fork") and sys.platform != "darwin"
"""There the system's own libraries do not survive a fork."""
AT_ONCE = 500
"""Reports that a copy is asked for in one request, at most."""


class Here:
    """Code at hand, run in this process: nothing bounds its time."""

    def __init__(self, made: Callable[..., Any]) -> None:
        self._made = made

    def __enter__(self) -> "Here":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Do nothing: there is nothing to end."""

    @property
    def seconds(self) -> float:
        """How many it may still take."""
        return float("inf")

    def laws(self, job: Job) -> TargetLaws:
        """Return the laws of the job, as `run_target`."""
        return run_here(job, self._made)

    def unmodified(self, job: UnmodifiedJob) -> UnmodifiedRun:
        """Return the unmodified run of the job, as `run_unmodified`."""
        return run_unmodified_here(job, self._made)

    def drawing(self, handed: Mapping[str, Any]) -> Callable[[Item, int], Sequence[Any]]:
        """Return what draws so many reports on an item, as JSON, by fresh clients of the code with these parameters.

        It raises what the code raises, or `SamplerError`.
        """
        return drawing(self._made, dict(handed))


class Copy(Here):
    """Code at hand, run in a copy of this process, under a supervisor, for at most `timeout` seconds in all.

    What the copy answers is data, read line by line as that of any other child. A copy that has ended is made anew.
    """

    def __init__(self, made: Callable[..., Any], timeout: float) -> None:
        super().__init__(made)
        self._timeout, self._end = timeout, monotonic() + timeout
        self._copy: Answering | None = None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    @property
    def seconds(self) -> float:
        return self._end - monotonic()

    def laws(self, job: Job) -> TargetLaws:
        return laws_of(self._ask("laws", json.loads(job.as_json())), self._timeout)

    def unmodified(self, job: UnmodifiedJob) -> UnmodifiedRun:
        seconds = UNMODIFIED_SECONDS if self.seconds > UNMODIFIED_SECONDS else self._timeout
        return unmodified_of(self._ask("unmodified", job.content(), UNMODIFIED_SECONDS), job, seconds)

    def drawing(self, handed: Mapping[str, Any]) -> Callable[[Item, int], Sequence[Any]]:
        def draw(item: Item, count: int) -> Sequence[Any]:
            reports: list[Any] = []
            while len(reports) < count:
                some = min(AT_ONCE, count - len(reports))
                job = {"handed": dict(handed), "item": encoded(item), "count": some}
                reports += self._reports(self._ask("draw", job), some)
            return reports

        return draw

    def _reports(self, ran: ChildAnswer, count: int) -> list[Any]:
        """Return the reports that were answered. Raises `SamplerError`."""
        if ran.hung:
            raise SamplerError(TargetHung(f"killed after {self._timeout:g} s, during samples"))
        try:
            (answer,) = map(json.loads, ran.lines)
            reports = answer["reports"] if answer["part"] == "drawn" else TargetRaised(str(answer["message"]))
            if not isinstance(reports, TargetRaised) and len(reports) != count:
                raise ValueError(f"{len(reports)} reports where {count} were asked for")
        except (ValueError, LookupError, TypeError, RecursionError) as error:
            died: Finding = TargetDied(f"exit status {ran.status}, during samples: {ran.complaint}")
            raise SamplerError(died if ran.status else MalformedAnswer(f"{error}, during samples")) from None
        if isinstance(reports, TargetRaised):
            raise SamplerError(reports)
        return list(reports)

    def _ask(self, kind: str, job: Mapping[str, Any], seconds: float = float("inf")) -> ChildAnswer:
        """Return what a copy answers to a job, within the time that is left."""
        left = min(seconds, self.seconds)
        if left <= 0:
            return ChildAnswer((), 1, "", True, False)
        if self._copy is None:
            self._copy = Answering(SupervisedCopy(lambda: _answer_each(self._made)))
        ran = self._copy.run(json.dumps([kind, job]), left)
        if self._copy.ended:
            self._close()
        return ran

    def _close(self) -> None:
        if self._copy is not None:
            self._copy.close()
            self._copy = None


def drawing(made: Callable[..., Any], handed: dict[str, Any]) -> Callable[[Item, int], list[Any]]:
    """Return what draws so many reports on an item, as JSON."""
    protocol = protocol_of(made, handed)
    canonical = getattr(protocol, "canonical", None) or (lambda report: report)
    return lambda item, count: [
        canonical_value(canonical(protocol.privatize(protocol.client(), item))) for _ in range(count)
    ]


def _answer_each(made: Callable[..., Any]) -> None:
    """Answer jobs on the standard input, until there are no more: the copy's work. What the code prints goes to the
    standard error, which nobody shows."""
    answers, jobs = os.fdopen(os.dup(1), "w", encoding="ascii"), os.fdopen(os.dup(0), encoding="ascii")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr = sys.__stdout__ = sys.__stderr__ = os.fdopen(  # type: ignore[misc]
        2, "w", encoding="utf-8", errors="backslashreplace", closefd=False
    )
    protocols = cache(lambda handed: drawing(made, json.loads(handed)))
    emit = emitter(answers)

    def draw(job: Mapping[str, Any]) -> None:
        item = decode(job["item"])
        emit("drawn", reports=protocols(json.dumps(job["handed"]))(item, job["count"]))

    answer: dict[str, Callable[[Any], None]] = {
        "laws": lambda job: session.run_here(job, made, emit),
        "unmodified": lambda job: process.run_here(job, made, emit),
        "draw": draw,
    }
    for line in jobs:
        kind, job = json.loads(line)
        try:
            answer[kind](job)
        except BaseException as error:
            emit("failed", kind="raised", message=f"{type(error).__name__}: {error}")
        emit(ENDED, status=0)


class LiveSampler:
    """A sampler of code at hand: every report is drawn by a fresh client."""

    def __init__(self, draw: Callable[[Item, int], Sequence[Any]], names: Categories | None = None) -> None:
        """Keep `draw`, which returns so many reports on an item, as JSON; `names` are those of the oracle's items it
        knows."""
        self._draw, self._names = draw, names

    def sample(self, item: Item, count: int, /) -> Sequence[Hashable]:
        """Return fresh reports in canonical form."""
        names = self._names
        reports = [freeze(report) for report in self._draw(item if names is None else names.name(item), count)]
        return reports if names is None else [names.report(report) for report in reports]
