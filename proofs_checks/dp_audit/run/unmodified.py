"""Runs a target with nothing replaced, in a supervised child or in this process, and reads what it did."""

import json
import os
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dp_audit.environment import Environment
from dp_audit.observation.findings import Finding, TargetDied, TargetHung
from dp_audit.observation.values import freeze
from dp_audit.run import child_server
from dp_audit.run.answer_lines import Lines
from dp_audit.run.bounded_child import MEGABYTES
from dp_audit.run.child import process as plain_child
from dp_audit.run.child_program import Program, Ran, Start, run_copied
from dp_audit.run.enumeration import encoded
from dp_audit.run.interceptor import job_copies, refusals
from dp_audit.run.interceptor import representation as raws
from dp_spec.vocabulary.items import Item

PLAIN_SECONDS = 60.0
"""Of a plain run, at most."""
CHILD = Path(plain_child.__file__).parent
BESIDE = Path(child_server.__file__), Path(job_copies.__file__), Path(raws.__file__), Path(refusals.__file__)


@dataclass(frozen=True)
class PlainJob:
    """What to run, as `Job`, on some of the inputs; `phases`: how much of each, for the child."""

    adapter: Path
    protocol: str
    parameters: Mapping[str, object]
    inputs: tuple[Item, ...]
    phases: Mapping[str, object]
    everything: tuple[Item, ...] = ()
    """All inputs, in whose order estimates are told that are told by input."""
    process: int = 0
    """Jobs with different numbers are never answered by copies of one process."""

    def content(self) -> dict[str, Any]:
        """What the child reads."""
        about = {"adapter": str(self.adapter.absolute()), "protocol": self.protocol}
        return {
            **about,
            "parameters": dict(self.parameters),
            "inputs": encoded(self.inputs),
            "all": encoded(self.everything),
            **self.phases,
        }


@dataclass(frozen=True)
class Draws:
    """Successive reports of one client, by code, on `item` (an index into the inputs) or, step 1, on all in turn.

    Of the phases `first` and `fresh` each report is of a new client.
    """

    phase: str
    item: int
    step: int
    codes: tuple[int, ...]


@dataclass(frozen=True)
class Plain:
    """What a target did. `reports` are the different ones; ("raised", text) is an exception.

    `beside` lists (item, report, text, times), `watched` all such reports in their order; `streams` what tells the
    generators that the first reports drew from; `left` texts written at exit of processes that reported once, `exits`
    what was written at exit of this run. `typed` (type, item, {(report, type of the report): times}); `many` and
    `updated` estimates, with the reports that were handed to the server in turn; `clock` (when, item, reports);
    `more` (item, reports, their types), where items are places among all inputs; `raws` (item, report, its types, order
    and content).
    """

    inputs: tuple[Item, ...]
    reports: tuple[Hashable, ...] = ()
    draws: tuple[Draws, ...] = ()
    beside: tuple[tuple[int, int, str, int], ...] = ()
    watched: tuple["Watched", ...] = ()
    streams: tuple[tuple[str, ...], ...] = ()
    left: tuple[tuple[int, int, str, int], ...] = ()
    exits: tuple[str, ...] = ()
    typed: tuple[tuple[str, int, Mapping[tuple[int, str], int]], ...] = ()
    many: tuple["Listed", ...] = ()
    updated: tuple["Updated", ...] = ()
    clock: tuple[tuple[str, int, tuple[int, ...]], ...] = ()
    more: tuple[tuple[int, tuple[int, ...], tuple[str, ...]], ...] = ()
    raws: tuple[tuple[int, int, str], ...] = ()
    raised: tuple[tuple[str, str], ...] = ()
    findings: tuple[Finding, ...] = ()
    complete: bool = False


@dataclass(frozen=True)
class Watched:
    """What was left beside reports on random items: (item, report, text) in their order, where there was something.

    `left` of `looked` reports of the whole run had something beside them.
    """

    found: tuple[tuple[int, int, str], ...]
    left: int
    looked: int


@dataclass(frozen=True)
class Listed:
    """The estimates of `size` reports, which are these in turn again and again; or what was raised.

    `shown`: few reports as the target has them. `asked`: the server was asked for estimates after each report.
    """

    size: int
    codes: tuple[int, ...]
    estimates: tuple[Any, ...] = ()
    raised: str = ""
    shown: tuple[str, ...] = ()
    asked: bool = False


@dataclass(frozen=True)
class Updated:
    """After parameters were set: reports on an item; or (item -1) estimates."""

    how: str
    item: int
    codes: tuple[int, ...]
    estimates: tuple[Any, ...] = ()
    raised: str = ""


def run_plain(
    job: PlainJob, environment: Environment, timeout: float = PLAIN_SECONDS, start: Start = run_copied
) -> Plain:
    """Run a job in the environment's interpreter for at most `timeout` seconds. What was answered before is kept."""
    shares = f"{job.adapter.absolute()}, process {job.process}"
    program = Program(CHILD, environment.python, _variables(), BESIDE, MEGABYTES, shares)
    alone = run_copied if "exit" in job.phases else start  # where nothing of the target is loaded
    return plain_of(alone(program, json.dumps(job.content()), timeout), job, timeout)


def plain_of(ran: Ran, job: PlainJob, timeout: float) -> Plain:
    """What a child has answered that was given so many seconds; how it failed is a finding."""
    collected = Collected(job.inputs)
    for line in ran.lines:
        collected.take(line)
    if ran.hung:
        collected.findings.append(TargetHung(f"killed after {timeout:g} s, during {collected.where}, unintercepted"))
    elif not collected.ended:
        text = f"exit status {ran.status}, during {collected.where}, unintercepted: {ran.complaint}"
        collected.findings.append(TargetDied(text))
    return collected.plain()


def run_plain_here(job: PlainJob, made: Callable[..., Any]) -> Plain:
    """A job in this process, for a class or function at hand. Nothing bounds its time."""
    collected = Collected(job.inputs)

    def emit(part: str, **content: Any) -> None:
        collected.take(json.dumps({"part": part, **content}).encode())

    plain_child.run_here(json.loads(json.dumps(job.content())), made, child_server, emit, raws)
    return collected.plain()


def _variables() -> dict[str, str]:
    return {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "NUMBA", "VIRTUAL_ENV"))}


class Collected(Lines):
    """What the lines of the child say."""

    def __init__(self, inputs: tuple[Item, ...]) -> None:
        super().__init__()
        self.inputs = inputs
        self._lists: dict[str, list[Any]] = {}

    def take_part(self, part: str, answer: dict[str, Any]) -> None:
        """As `Lines`."""
        for report in answer.get("new", ()):
            self._keep("reports", freeze(report))
        codes = tuple(int(code) for code in answer.get("codes", ()))
        given = tuple(answer.get("estimates", ())), str(answer.get("raised", ""))
        if part == "begin":
            self.where = str(answer["where"])
        elif part == "reports":
            self._keep("draws", Draws(answer["phase"], int(answer["item"]), int(answer["step"]), codes))
        elif part in ("beside", "left"):
            for item, code, text, times in answer["texts"]:
                self._keep(part, (int(item), int(code), str(text), int(times)))
        elif part == "watched":
            texts = [str(text) for text in answer["texts"]]
            which = zip(answer["items"], answer["beside"], answer["which"], strict=True)
            found = tuple((int(item), int(code), texts[text]) for item, code, text in which)
            self._keep("watched", Watched(found, int(answer["left"]), int(answer["looked"])))
        elif part == "streams":
            self._keep("streams", tuple(map(str, answer["seeds"])))
        elif part == "exits":
            self._keep("exits", str(answer["text"]))
        elif part == "typed":
            kinds = {(int(code), str(kind)): int(times) for code, kind, times in answer["kinds"]}
            self._keep("typed", (str(answer["type"]), int(answer["item"]), kinds))
        elif part == "many":
            shown = tuple(map(str, answer["shown"]))
            self._keep("many", Listed(int(answer["size"]), codes, *given, shown, bool(answer.get("asked"))))
        elif part == "updated":
            self._keep("updated", Updated(str(answer["how"]), int(answer["item"]), codes, *given))
        elif part == "clock":
            self._keep("clock", (str(answer["when"]), int(answer["item"]), codes))
        elif part == "more":
            self._keep("more", (int(answer["item"]), codes, tuple(map(str, answer["kinds"]))))
        elif part == "raws":
            for item, code, text in answer["found"]:
                self._keep("raws", (int(item), int(code), str(text)))
        elif part == "raised":
            self._keep("raised", (str(answer["phase"]), str(answer["message"])))
        elif part == "failed":
            self._keep("raised", (self.where, str(answer["message"])))
            self.ended = True
        elif part == "done":
            self.ended = True
        else:
            raise ValueError(f"unknown part {part!r}")

    def _keep(self, name: str, value: Any) -> None:
        self._lists.setdefault(name, []).append(value)

    def plain(self) -> Plain:
        """Everything collected."""
        return Plain(
            self.inputs,
            findings=tuple(self.findings),
            complete=self.ended,
            **{name: tuple(found) for name, found in self._lists.items()},
        )
