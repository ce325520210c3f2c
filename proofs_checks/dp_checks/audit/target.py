"""Runs an audited target in a child process and reads its exact laws; what else it does becomes a typed finding."""

import json
import os
import re
import signal
import subprocess
import tempfile
import threading
from collections.abc import Hashable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from flint import fmpq, fmpz

from dp_checks.audit.environment import Environment
from dp_checks.audit.findings import (
    Finding,
    MalformedAnswer,
    TargetDied,
    TargetHung,
    TargetMutatedInput,
    TargetPrinted,
    TargetRaised,
    TargetReadsClock,
    TooManyPaths,
    UnmodelledRandomness,
)
from dp_spec.vocabulary.errors import DomainError
from dp_spec.vocabulary.items import Item

INTERCEPTOR = Path(__file__).with_name("intercept.py")
MAX_ANSWER_BYTES = 64 << 20
_RATIONAL = re.compile(r"-?[0-9]+(?:/[0-9]+)?")

_KINDS: dict[str, type[Finding]] = {
    "raised": TargetRaised,
    "printed": TargetPrinted,
    "mutated": TargetMutatedInput,
    "clock": TargetReadsClock,
    "unmodelled": UnmodelledRandomness,
    "paths": TooManyPaths,
    "output": MalformedAnswer,
}


@dataclass(frozen=True)
class Job:
    """What to run: a protocol of an adapter file, on all inputs (integers, or tuples of integers for the type `list`).

    `input_types` are the types the inputs come in: `int`, `list`, or `numpy.` with the name of a scalar type.
    `outside` are inputs outside the domain; `reuse` lists of inputs given to one client in turn; `users` the sizes of
    the data sets whose estimates are computed for every list of reports; `limits` as `intercept.Limits`.
    """

    adapter: Path
    protocol: str
    parameters: Mapping[str, int | float]
    inputs: tuple[Item, ...]
    input_types: tuple[str, ...] = ("int",)
    outside: tuple[Item, ...] = ()
    reuse: tuple[tuple[Item, ...], ...] = ()
    users: tuple[int, ...] = ()
    distributions: tuple[str, ...] = ()
    limits: Mapping[str, int] = field(default_factory=dict)
    megabytes: int = 4096

    def as_json(self) -> str:
        """The line the child reads."""
        content = {name: value for name, value in vars(self).items() if name != "adapter"}
        return json.dumps({"adapter": str(self.adapter.absolute()), **content, "parameters": dict(self.parameters)})


@dataclass(frozen=True)
class Entry:
    """One output of a law: canonical value, raw description, probability, and the exception if one came out."""

    output: Hashable
    raw: str
    probability: fmpq
    raised: str | None


@dataclass(frozen=True)
class Law:
    """Exact law of the report on an input; for several inputs, of the tuple of reports of one client used in turn."""

    inputs: tuple[Item, ...]
    input_type: str
    entries: tuple[Entry, ...]
    refused: Finding | None = None

    def by_output(self) -> dict[Hashable, fmpq]:
        """Probability of every canonical output."""
        law: dict[Hashable, fmpq] = {}
        for entry in self.entries:
            law[entry.output] = law.get(entry.output, fmpq(0)) + entry.probability
        return law

    def by_raw(self) -> dict[Hashable, fmpq]:
        """Probability of every (canonical output, raw description)."""
        return {(entry.output, entry.raw): entry.probability for entry in self.entries}


@dataclass(frozen=True)
class Estimate:
    """The server's estimates for a list of reports (indices into `TargetLaws.reports`).

    `stepwise` are the estimates of a server that was also asked for estimates after every report.
    """

    reports: tuple[int, ...]
    estimates: tuple[fmpq, ...]
    stepwise: tuple[fmpq, ...]
    refused: Finding | None = None


@dataclass(frozen=True)
class TargetLaws:
    """All that the child answered, and the findings. `complete` is False when it did not reach the end of the job."""

    laws: tuple[Law, ...] = ()
    outside: tuple[Law, ...] = ()
    reuse: tuple[Law, ...] = ()
    reports: tuple[tuple[Hashable, str], ...] = ()
    estimates: tuple[Estimate, ...] = ()
    findings: tuple[Finding, ...] = ()
    models: tuple[str, ...] = ()
    versions: tuple[tuple[str, str], ...] = ()
    complete: bool = False


def run_target(job: Job, environment: Environment, timeout: float = 120.0) -> TargetLaws:
    """Run a job in the environment's interpreter, for at most `timeout` seconds and 64 MiB of answers.

    Never raises for what the target does: that is in the findings, and parts answered before are kept. Raises
    `DomainError` for a timeout that is not a positive number.
    """
    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not 0 < timeout < float("inf"):
        raise DomainError("timeout", timeout, "a finite number of seconds > 0")
    with tempfile.TemporaryDirectory() as directory:
        process = subprocess.Popen(
            [str(environment.python), "-s", "-B", str(INTERCEPTOR)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=directory,
            env=_variables(),
            start_new_session=True,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        answers = _Reader(process.stdout, MAX_ANSWER_BYTES, lambda: _kill(process))
        errors = _Reader(process.stderr, MAX_ANSWER_BYTES, lambda: _kill(process))
        with suppress(BrokenPipeError):
            process.stdin.write(job.as_json().encode() + b"\n")
            process.stdin.close()
        hung = False
        try:
            process.wait(timeout)
        except subprocess.TimeoutExpired:
            hung = True
        _kill(process)
        process.wait()
        lines, overflow = answers.finish()
        complaint, flood = errors.finish()
    collected = _Collected()
    for line in lines.split(b"\n")[:-1]:
        collected.take(line)
    if overflow or flood:
        collected.findings.append(
            MalformedAnswer(f"more than {MAX_ANSWER_BYTES} bytes of output, during {collected.where}")
        )
    elif hung:
        collected.findings.append(TargetHung(f"killed after {timeout:g} s, during {collected.where}"))
    elif not collected.ended:
        end = complaint[-500:].decode("utf-8", "replace").strip()
        collected.findings.append(TargetDied(f"exit status {process.returncode}, during {collected.where}: {end}"))
    return collected.laws()


def _variables() -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "NUMBA", "VIRTUAL_ENV"))}
    fixed = {"NUMBA_DISABLE_JIT": "1", "PYTHONHASHSEED": "0", "MPLBACKEND": "Agg"}
    return {**kept, **fixed, **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")}


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End the child and what it started: the process group that was made for it."""
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


class _Reader:
    """Reads a pipe in a thread, up to a limit."""

    def __init__(self, pipe: IO[bytes], limit: int, on_overflow: Any) -> None:
        self._pipe, self._limit, self._on_overflow = pipe, limit, on_overflow
        self._data = bytearray()
        self._overflow = False
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        while block := os.read(self._pipe.fileno(), 1 << 16):
            self._data += block
            if len(self._data) > self._limit:
                self._overflow = True
                self._on_overflow()
                return

    def finish(self) -> tuple[bytes, bool]:
        """(what was read, whether there was more than the limit)."""
        self._thread.join(10)
        self._pipe.close()
        return bytes(self._data), self._overflow


class _Collected:
    """The child's lines, checked one by one."""

    def __init__(self) -> None:
        self.where = "the start"
        self.ended = False
        self.findings: list[Finding] = []
        self._laws: dict[str, list[Law]] = {"law": [], "outside": [], "reuse": []}
        self._reports: tuple[tuple[Hashable, str], ...] = ()
        self._estimates: list[Estimate] = []
        self._models: tuple[str, ...] = ()
        self._versions: tuple[tuple[str, str], ...] = ()
        self._complete = False

    def take(self, line: bytes) -> None:
        """Read one line; what is not as agreed becomes a `MalformedAnswer`."""
        try:
            answer = json.loads(line)
            self._take(answer["part"], answer)
        except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
            self.findings.append(MalformedAnswer(f"{type(error).__name__}: {error}, in {line[:200]!r}"))

    def _take(self, part: str, answer: dict[str, Any]) -> None:
        if part == "begin":
            self.where = str(answer["where"])
        elif part == "versions":
            self._versions = tuple((str(k), str(v)) for k, v in answer["versions"].items())
        elif part == "finding":
            self.findings.append(_finding(answer))
        elif part in self._laws:
            self._laws[part].append(_law(answer))
        elif part == "reports":
            self._reports = tuple((_freeze(r["output"]), str(r["raw"])) for r in answer["reports"])
        elif part == "estimate":
            self._estimates.append(_estimate(answer))
        elif part == "done":
            self._models = tuple(str(model) for model in answer["models"])
            self.ended = self._complete = True
        elif part == "failed":
            self.findings.append(type(_finding(answer))(f"during {self.where}: {answer['message']}"))
            self.ended = True
        else:
            raise ValueError(f"unknown part {part!r}")

    def laws(self) -> TargetLaws:
        """Everything collected."""
        laws, outside, reuse = (tuple(self._laws[part]) for part in ("law", "outside", "reuse"))
        return TargetLaws(
            laws,
            outside,
            reuse,
            self._reports,
            tuple(self._estimates),
            tuple(self.findings),
            self._models,
            self._versions,
            self._complete,
        )


def _finding(answer: Mapping[str, Any]) -> Finding:
    return _KINDS[answer["kind"]](str(answer["message"]))


def _law(answer: Mapping[str, Any]) -> Law:
    inputs, input_type = tuple(_freeze(x) for x in answer["inputs"]), str(answer["input_type"])
    if "refused" in answer:
        return Law(inputs, input_type, (), _finding(answer["refused"]))
    entries = tuple(
        Entry(_freeze(e["output"]), str(e["raw"]), _rational(e["probability"]), e["raised"]) for e in answer["entries"]
    )
    if sum((e.probability for e in entries), fmpq(0)) != 1 or any(e.probability <= 0 for e in entries):
        raise ValueError("probabilities that are not > 0 with sum 1")
    return Law(inputs, input_type, entries)


def _estimate(answer: Mapping[str, Any]) -> Estimate:
    reports = tuple(int(i) for i in answer["reports"])
    if "refused" in answer:
        return Estimate(reports, (), (), _finding(answer["refused"]))
    numbers = []
    for name in ("estimates", "stepwise"):
        frozen = [_freeze(x) for x in answer[name]]
        values = [fmpq(x) for x in frozen if isinstance(x, int | fmpq) and not isinstance(x, bool)]
        if len(values) < len(frozen):
            return Estimate(
                reports, (), (), MalformedAnswer(f"estimates that are not finite numbers: {answer[name]!r}")
            )
        numbers.append(tuple(values))
    return Estimate(reports, numbers[0], numbers[1])


def _rational(text: str) -> fmpq:
    if not isinstance(text, str) or not _RATIONAL.fullmatch(text):
        raise ValueError(f"{text!r} is not a rational number")
    top, _, bottom = text.partition("/")
    return fmpq(fmpz(top), fmpz(bottom or "1"))  # not int(): it stops at 4300 digits


def _freeze(value: Any) -> Hashable:
    """A canonical JSON value as a hashable Python value: lists are tuples, fractions `fmpq`, sets frozensets."""
    if isinstance(value, list):
        return tuple(_freeze(part) for part in value)
    if not isinstance(value, dict):
        return value  # type: ignore[no-any-return]
    ((kind, content),) = value.items()
    if kind == "fraction":
        return _rational(content)
    if kind == "set":
        return frozenset(_freeze(part) for part in content)
    if kind == "bytes":
        return bytes.fromhex(content)
    return (kind, _freeze(content))
