"""Runs an audited target in a child process and reads its exact laws; what else it does becomes a typed finding."""

import json
import os
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from flint import fmpq

from dp_audit.copied import MAX_ANSWER_BYTES, Program, Start, run_copied
from dp_audit.environment import Environment
from dp_audit.findings import (
    Finding,
    ImpossibleInput,
    MalformedAnswer,
    SomeLists,
    TargetDied,
    TargetExceedsLimits,
    TargetHung,
    TargetMutatedInput,
    TargetPrinted,
    TargetRaised,
    TargetReadsClock,
    TargetSeeds,
    TargetSeedsOthers,
    TooManyPaths,
    UnmodeledRandomness,
)
from dp_audit.interceptor import child as intercepted
from dp_audit.samples.child import MEGABYTES
from dp_audit.values import freeze, rational, text
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item

INTERCEPTOR = Path(intercepted.__file__).parent

_KINDS: dict[str, type[Finding]] = {
    "raised": TargetRaised,
    "printed": TargetPrinted,
    "mutated": TargetMutatedInput,
    "clock": TargetReadsClock,
    "seeded": TargetSeeds,
    "seeds": TargetSeedsOthers,
    "unmodeled": UnmodeledRandomness,
    "paths": TooManyPaths,
    "lists": SomeLists,
    "limits": TargetExceedsLimits,
    "output": MalformedAnswer,
    "input": ImpossibleInput,
}


@dataclass(frozen=True)
class Job:
    """What to run: a protocol of an adapter file (a class, or a function of the item), on all inputs.

    Inputs are integers, floats, text, None, or tuples or sets of them. `input_types` are the types they come in: `int`
    (as they stand: tuples as lists, sets as frozensets), `list`, `tuple`, `bool`, `str`, `float`, or `numpy.` with the
    name of a scalar type. `outside` are inputs outside the domain; `reuse` lists of inputs given to one client in turn;
    `users` the sizes of the data sets whose estimates are computed for every list of reports; `limits` as
    `dp_audit.interceptor.coins.Limits`.

    `conditioned`: outcomes, counted from 0, of integer draws with more than `limits.paths` outcomes (at least
    `condition_from`, if given), in turn: they select a hash function, and the laws are those given these outcomes.

    `seconds`: of enumeration (None: any), shared among the laws; one that takes longer is refused.

    `megabytes`: of data that the child may have, where the platform can bound it; a file it writes has at most 16.
    `salt`: of Python's own hash function, in the child. `shares`: which file the adapter is, if it is not told by its
    path; jobs on the same one may be answered by copies of one child.
    """

    adapter: Path
    protocol: str
    parameters: Mapping[str, object]
    inputs: tuple[Item, ...]
    input_types: tuple[str, ...] = ("int",)
    outside: tuple[Item, ...] = ()
    reuse: tuple[tuple[Item, ...], ...] = ()
    users: tuple[int, ...] = ()
    distributions: tuple[str, ...] = ()
    limits: Mapping[str, object] = field(default_factory=dict)
    megabytes: int = MEGABYTES
    salt: int = 0
    conditioned: tuple[int, ...] = ()
    condition_from: int | None = None
    seconds: float | None = None
    shares: str = ""

    def as_json(self) -> str:
        """The line the child reads."""
        content = {name: value for name, value in vars(self).items() if name not in ("adapter", "shares")}
        inputs = {name: encoded(content[name]) for name in ("inputs", "outside", "reuse")}
        parameters = {"parameters": dict(self.parameters)}
        return json.dumps({"adapter": str(self.adapter.absolute()), **content, **inputs, **parameters})


def encoded(item: Any) -> Any:
    """An input as JSON: a float as text, which also writes NaN and infinities."""
    if isinstance(item, tuple | list):
        return [encoded(part) for part in item]
    if isinstance(item, frozenset):
        return {"set": sorted((encoded(part) for part in item), key=text)}
    return {"float": repr(item)} if isinstance(item, float) else item


def _decode(item: Any) -> Hashable:
    """The input that `_encode` wrote."""
    if isinstance(item, list):
        return tuple(_decode(part) for part in item)
    if isinstance(item, dict):
        return frozenset(map(_decode, item["set"])) if "set" in item else float(item["float"])
    return item  # type: ignore[no-any-return]


ZERO = fmpq(0)
TURNS = 16
"""Up to so many inputs all are given twice to one client."""


def turns(inputs: Sequence[Item], keeps: bool = False) -> tuple[tuple[Item, ...], ...]:
    """What one client is used for in turn: an input twice (every one, if they are few), and the first and the last one
    after each other; of a mechanism that `keeps` something for every value also the first one again."""
    both = ((inputs[0], inputs[-1]), (inputs[-1], inputs[0])) if len(inputs) > 1 else ()
    twice = inputs if len(inputs) <= TURNS else (inputs[0], inputs[len(inputs) // 2], inputs[-1])
    again = ((inputs[0], inputs[-1], inputs[0]),) if keeps and both else ()
    return (*((x, x) for x in twice), *both, *again)


@dataclass(frozen=True, slots=True)
class Entry:
    """One output of a law: canonical value, raw description, probability, and the exception if one came out."""

    output: Hashable
    raw: str
    probability: fmpq
    raised: str | None


@dataclass(frozen=True)
class Law:
    """Exact law of the report on an input; for several inputs, of the tuple of reports of one client used in turn.

    Every probability is at least the entry's, and at most `unexplored` more; `blurred` are at most that much less or
    more, too.
    """

    inputs: tuple[Item, ...]
    input_type: str
    entries: tuple[Entry, ...]
    refused: Finding | None = None
    unexplored: fmpq = ZERO
    blurred: fmpq = ZERO

    @property
    def slack(self) -> fmpq:
        """The width of the interval that a probability lies in."""
        return self.unexplored + 2 * self.blurred

    def lowered(self, found: Mapping[Hashable, fmpq]) -> dict[Hashable, fmpq]:
        """The lower ends of these intervals, as far as they are positive."""
        return {y: p - self.blurred for y, p in found.items() if p > self.blurred}

    def by_output(self) -> dict[Hashable, fmpq]:
        """Probability of every canonical output."""
        law: dict[Hashable, fmpq] = {}
        for entry in self.entries:
            before = law.get(entry.output)
            law[entry.output] = entry.probability if before is None else before + entry.probability
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
    """All that the child answered, and the findings. `complete` is False when it did not reach the end of the job.

    `facts` are what the adapter says about the conditioned draws; `reproduce` and `reproduce_estimate` lines of Python
    in the library's own terms with the placeholder `{input}`.
    """

    laws: tuple[Law, ...] = ()
    outside: tuple[Law, ...] = ()
    reuse: tuple[Law, ...] = ()
    reports: tuple[tuple[Hashable, str], ...] = ()
    estimates: tuple[Estimate, ...] = ()
    findings: tuple[Finding, ...] = ()
    models: tuple[str, ...] = ()
    versions: tuple[tuple[str, str], ...] = ()
    complete: bool = False
    facts: Mapping[str, object] = field(default_factory=dict)
    reproduce: tuple[str, ...] = ()
    reproduce_estimate: tuple[str, ...] = ()


def run_target(job: Job, environment: Environment, timeout: float = 120.0, start: Start = run_copied) -> TargetLaws:
    """Run a job in the environment's interpreter, for at most `timeout` seconds and 64 MiB of answers.

    Never raises for what the target does: that is in the findings, and parts answered before are kept. Raises
    `DomainError` for a timeout that is not a positive number.
    """
    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not 0 < timeout < float("inf"):
        raise DomainError("timeout", timeout, "a finite number of seconds > 0")
    shares = (
        f"{job.shares or job.adapter.absolute()}, {'' if job.conditioned else 'not '}conditioned, {job.megabytes} MB"
    )
    program = Program(INTERCEPTOR, environment.python, _variables(job.salt), shares=shares)
    ran = start(program, job.as_json(), timeout)
    collected = _Collected()
    for line in ran.lines:
        collected.take(line)
    if ran.flooded:
        text = f"more than {MAX_ANSWER_BYTES} bytes of output, during {collected.where}"
        collected.findings.append(MalformedAnswer(text))
    elif ran.hung:
        collected.findings.append(TargetHung(f"killed after {timeout:g} s, during {collected.where}"))
    elif not collected.ended:
        text = f"exit status {ran.status}, during {collected.where}: {ran.complaint}"
        collected.findings.append(TargetDied(text))
    return collected.laws()


def run_here(job: Job, made: Callable[..., Any]) -> TargetLaws:
    """A job in this process, for a class or function that is at hand instead of `job.adapter` and `job.protocol`.

    Nothing bounds time and memory but `job.limits`: for code that is trusted, such as the caller's own.
    """
    collected = _Collected()

    def emit(part: str, **content: Any) -> None:
        collected.take(json.dumps({"part": part, **content}).encode())

    intercepted.run_here(json.loads(job.as_json()), made, emit)
    return collected.laws()


def _variables(salt: int) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "NUMBA", "VIRTUAL_ENV"))}
    fixed = {"NUMBA_DISABLE_JIT": "1", "PYTHONHASHSEED": str(salt), "MPLBACKEND": "Agg"}
    return {**kept, **fixed, **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")}


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
        self._facts: dict[str, object] = {}
        self._reproduce: tuple[str, ...] = ()
        self._reproduce_estimate: tuple[str, ...] = ()

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
            self._reports = tuple((freeze(r["output"]), str(r["raw"])) for r in answer["reports"])
        elif part == "facts":
            self._facts = {str(name): freeze(fact) for name, fact in answer["facts"].items()}
        elif part == "reproduce":
            self._reproduce = tuple(str(line) for line in answer["reports"])
            self._reproduce_estimate = tuple(str(line) for line in answer["estimates"])
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
            self._facts,
            self._reproduce,
            self._reproduce_estimate,
        )


def _finding(answer: Mapping[str, Any]) -> Finding:
    return _KINDS[answer["kind"]](str(answer["message"]))


def _law(answer: Mapping[str, Any]) -> Law:
    inputs, input_type = tuple(_decode(x) for x in answer["inputs"]), str(answer["input_type"])
    if "refused" in answer:
        return Law(inputs, input_type, (), _finding(answer["refused"]))
    unexplored = rational(answer.get("unexplored", "0"))
    blurred = rational(answer.get("blurred", "0"))
    known = {text: rational(text) for text in {e["probability"] for e in answer["entries"]}}  # one object for each
    alike = [(e["outputs"], str(e["raw"]), known[e["probability"]], e["raised"]) for e in answer["entries"]]
    entries = tuple(Entry(freeze(y), raw, p, raised) for outputs, raw, p, raised in alike for y in outputs)
    total = sum((p * len(outputs) for outputs, _, p, _ in alike), unexplored)
    if total != 1 or min(unexplored, blurred) < 0 or any(p <= 0 for _, _, p, _ in alike):
        raise ValueError("probabilities that are not > 0 with sum 1")
    return Law(inputs, input_type, entries, None, unexplored, blurred)


def _estimate(answer: Mapping[str, Any]) -> Estimate:
    reports = tuple(int(i) for i in answer["reports"])
    if "refused" in answer:
        return Estimate(reports, (), (), _finding(answer["refused"]))
    numbers = []
    for name in ("estimates", "stepwise"):
        frozen = [freeze(x) for x in answer[name]]
        values = [fmpq(x) for x in frozen if isinstance(x, int | fmpq) and not isinstance(x, bool)]
        if len(values) < len(frozen):
            return Estimate(
                reports, (), (), MalformedAnswer(f"estimates that are not finite numbers: {answer[name]!r}")
            )
        numbers.append(tuple(values))
    return Estimate(reports, numbers[0], numbers[1])
