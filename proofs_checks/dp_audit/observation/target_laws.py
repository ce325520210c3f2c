"""What a child answers about its target: exact laws, estimates, findings; read line by line."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

from flint import fmpq

from dp_audit.observation.findings import (
    Finding,
    ImpossibleInput,
    MalformedAnswer,
    SomeLists,
    TargetExceedsLimits,
    TargetMutatedInput,
    TargetPrinted,
    TargetRaised,
    TargetReadsClock,
    TargetSeeds,
    TargetSeedsOthers,
    TooManyPaths,
    UnmodeledRandomness,
)
from dp_audit.observation.values import freeze, rational
from dp_audit.run.answer_lines import Lines
from dp_spec.vocabulary.items import Item

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


ZERO = fmpq(0)


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
class Made:
    """A target: whether it is a class, or a function of the item; and the parameters that it takes."""

    is_class: bool
    taken: tuple[str, ...]


@dataclass(frozen=True)
class TargetLaws:
    """All that the child answered, and the findings. `complete` is False when it did not reach the end of the job.

    `facts` are what the adapter says about the conditioned draws; `reproduce` and `reproduce_estimate` lines of Python
    in the library's own terms with the placeholder `{input}`. `forms`: the reports as Python expressions of the
    target's own form ("" where there is none). `made`: how it was made, if it was.
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
    forms: tuple[str, ...] = ()
    made: "Made | None" = None


class Collected(Lines):
    """What the lines of the child say."""

    def __init__(self) -> None:
        super().__init__()
        self._laws: dict[str, list[Law]] = {"law": [], "outside": [], "reuse": []}
        self._reports: tuple[tuple[Hashable, str], ...] = ()
        self._estimates: list[Estimate] = []
        self._models: tuple[str, ...] = ()
        self._versions: tuple[tuple[str, str], ...] = ()
        self._complete = False
        self._facts: dict[str, object] = {}
        self._reproduce: tuple[str, ...] = ()
        self._reproduce_estimate: tuple[str, ...] = ()
        self._forms: tuple[str, ...] = ()
        self._made: Made | None = None

    def take_part(self, part: str, answer: dict[str, Any]) -> None:
        """As `Lines`."""
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
            self._forms = tuple(str(r["form"]) for r in answer["reports"])
        elif part == "facts":
            self._facts = {str(name): freeze(fact) for name, fact in answer["facts"].items()}
        elif part == "reproduce":
            self._reproduce = tuple(str(line) for line in answer["reports"])
            self._reproduce_estimate = tuple(str(line) for line in answer["estimates"])
            self._made = Made(bool(answer["is_class"]), tuple(map(str, answer["taken"])))
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
            self._forms,
            self._made,
        )


def _decode(item: Any) -> Hashable:
    """The input that `_encode` wrote."""
    if isinstance(item, list):
        return tuple(_decode(part) for part in item)
    if isinstance(item, dict):
        return frozenset(map(_decode, item["set"])) if "set" in item else float(item["float"])
    return item  # type: ignore[no-any-return]


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
    numbers: list[tuple[fmpq, ...]] = []
    for name in ("estimates", "stepwise"):
        if numbers and answer[name] == answer["estimates"]:  # nearly always
            numbers.append(numbers[0])
            continue
        frozen = [freeze(x) for x in answer[name]]
        values = [fmpq(x) for x in frozen if isinstance(x, int | fmpq) and not isinstance(x, bool)]
        if len(values) < len(frozen):
            return Estimate(
                reports, (), (), MalformedAnswer(f"estimates that are not finite numbers: {answer[name]!r}")
            )
        numbers.append(tuple(values))
    return Estimate(reports, numbers[0], numbers[1])
