"""A child process, in any language, that answers for its mechanism: asked within bounds, and each answer checked."""

import shutil
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, fields
from time import monotonic
from types import TracebackType
from typing import Any, TypeVar

from flint import fmpq

from dp_audit.observation.exact_json import shorten
from dp_audit.observation.findings import Finding, MalformedAnswer, TargetDied, TargetHung, TargetPrinted, TargetRaised
from dp_audit.observation.jobs import MEGABYTES
from dp_audit.observation.samples import Reports, SamplerError
from dp_audit.observation.values import show
from dp_audit.run.bounded_child import Child, Flood, Silence
from dp_audit.run.process_guard import Supervised
from dp_audit.run.protocol import (
    Counts,
    Refused,
    estimate_request,
    is_answer,
    read_estimates,
    read_samples,
    sample_request,
)
from dp_spec.vocabulary.exceptions import DomainError, FormatError
from dp_spec.vocabulary.integers import require_integer
from dp_spec.vocabulary.items import Item

T = TypeVar("T")
BATCH = 10_000
"""Most reports in one request: a larger sample is several requests."""


@dataclass(frozen=True)
class Bounds:
    """What a child may use: seconds for an answer and in all, data of each of its processes, bytes of output.

    Raises `DomainError` for values that are not finite numbers > 0.
    """

    timeout: float = 60.0
    deadline: float = 1800.0
    megabytes: int = MEGABYTES
    answer_bytes: int = 64 << 20
    total_bytes: int = 8 << 30

    def __post_init__(self) -> None:
        for field in fields(self):
            value: Any = getattr(self, field.name)
            kind = int if isinstance(field.default, int) else float
            if isinstance(value, bool) or not isinstance(value, int | kind) or not 0 < value < float("inf"):
                raise DomainError(field.name, value, f"a finite {kind.__name__} > 0")


BOUNDS = Bounds()


class ProcessSampler:
    """A child process asked for reports and estimates. After its first failure every request raises that again.

    Use it as a context manager: leaving it kills the child and what it started. Raises `DomainError` for a command that
    cannot be found or started.
    """

    def __init__(
        self,
        command: Sequence[str],
        bounds: Bounds = BOUNDS,
        *,
        variables: Mapping[str, str] | None = None,
        record: Callable[[bytes], None] | None = None,
        decimals: bool = False,
    ) -> None:
        """Start the command. `record` is called with every line of the conversation. `variables` replace the
        environment. `decimals`: reports may be numbers with a fraction."""
        self.command: tuple[str, ...] = require_command(command)
        self._bounds = bounds
        self._record = record or (lambda line: None)
        self._decimals = decimals
        self._end = monotonic() + bounds.deadline
        self._requests = 0
        self.failure: Finding | None = None
        try:
            child = Supervised(self.command, megabytes=bounds.megabytes, variables=variables)
        except OSError as error:
            raise DomainError("command", self.command, f"a program that can be started ({error})") from None
        self._child = Child(child, waiting=bounds.answer_bytes, total=bounds.total_bytes)

    def __enter__(self) -> "ProcessSampler":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._child.__exit__(kind, error, trace)

    def sample(self, item: Item, count: int, /) -> Reports:
        """Return `count` fresh reports: in their order if the child gives it, else how often each came.

        Raises `SamplerError`, with what was collected before: a child that answered "error" can be asked again, a child
        that broke the protocol cannot. Raises `DomainError` for count < 1.
        """
        require_integer("count", count, 1)
        collected: list[tuple[Hashable, ...] | Counts] = []
        for start in range(0, count, BATCH):
            try:
                collected.append(self._draw(item, min(BATCH, count - start)))
            except SamplerError as error:
                raise SamplerError(error.finding, _together(collected) if collected else None) from None
        return _together(collected)

    def estimate(self, reports: Sequence[Hashable]) -> tuple[fmpq, ...]:
        """Return the server's estimates given these reports. Raises `SamplerError`."""
        where = f"estimates of {len(reports)} reports"
        request = self._next()
        answer = self._ask(estimate_request(request, reports), lambda line: read_estimates(line, request), where)
        if isinstance(answer, Refused):
            raise SamplerError(TargetRaised(f"{answer.message}, asked for {where}"))
        return answer

    def finish(self) -> Finding | None:
        """End its input and wait a moment: what is wrong with how it ended (None: nothing, or it had failed before)."""
        if self.failure is not None:
            return None
        try:
            rest = self._child.end()
        except Flood:
            return MalformedAnswer("more output than is read, after the last answer")
        return MalformedAnswer(f"wrote more than it was asked for: {shorten(repr(rest[:200]))}") if rest else None

    def _next(self) -> int:
        self._requests += 1
        return self._requests

    def _draw(self, item: Item, count: int) -> tuple[Hashable, ...] | Counts:
        where = f"a sample of {count} on the input {show(item)}"
        request = self._next()
        answer = self._ask(
            sample_request(request, item, count),
            lambda line: read_samples(line, request, count, self._decimals),
            where,
        )
        if isinstance(answer, Refused):
            raise SamplerError(TargetRaised.on(answer.message, show(item)))
        return answer

    def _ask(self, request: bytes, read: Callable[[bytes], T], where: str) -> T:
        """Return the answer to one request."""
        if self.failure is not None:
            raise SamplerError(self.failure)
        self._record(request)
        self._child.send(request)
        left = self._end - monotonic()
        try:
            line = self._child.line(min(self._bounds.timeout, left))
        except Silence:
            short = f"no answer within {self._bounds.timeout:g} s"
            allowed = f"not finished within {self._bounds.deadline:g} s in all"
            raise self._failed(TargetHung(f"{short if self._bounds.timeout < left else allowed}, {where}")) from None
        except Flood:
            raise self._failed(MalformedAnswer(f"more output than is read, {where}")) from None
        if line is None:
            raise self._failed(TargetDied(f"{self._child.status}, {where}"))
        self._record(line + b"\n")
        try:
            return read(line)
        except FormatError as error:
            if is_answer(line):
                raise self._failed(MalformedAnswer(f"{error}, {where}")) from None
            printed = f"{shorten(repr(line[:200]))} on standard output, which is for answers only, {where}"
            raise self._failed(TargetPrinted(printed)) from None

    def _failed(self, finding: Finding) -> SamplerError:
        self.failure = finding
        self._child.kill()
        return SamplerError(finding)


def require_command(command: Sequence[str]) -> tuple[str, ...]:
    """Return a command whose program can be found. Raises `DomainError`."""
    if isinstance(command, str) or not command or not all(isinstance(part, str) for part in command):
        raise DomainError("command", command, "a program and its arguments, a list of texts")
    if any("\0" in part for part in command):
        raise DomainError("command", command, "texts without NUL characters")
    if shutil.which(command[0]) is None:
        raise DomainError("command", command[0], "a program that can be found and run")
    return tuple(command)


def _together(parts: Sequence[tuple[Hashable, ...] | Counts]) -> Reports:
    """Return lists one after the other; counts, as soon as one part has lost the order."""
    lists = [part for part in parts if not isinstance(part, Counts)]
    if len(lists) == len(parts):
        return tuple(report for part in lists for report in part)
    counts: Counter[Hashable] = Counter()
    for part in parts:
        if isinstance(part, Counts):
            counts.update(dict(part.counts))
        else:
            counts.update(part)
    return counts
