"""What child processes answer about their target, read line by line: what is not as agreed is a finding."""

import json
from collections.abc import Hashable, Mapping
from typing import Any

from flint import fmpq

from dp_audit.observation.findings import (
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
from dp_audit.observation.target_laws import Entry, Estimate, Law, TargetKind, TargetLaws
from dp_audit.observation.unmodified_run import Draws, ListEstimates, TextsBeside, UnmodifiedRun, Updated
from dp_audit.observation.values import freeze, rational
from dp_audit.run.child_program import MAX_ANSWER_BYTES, ChildAnswer
from dp_spec.vocabulary.items import Item


class Lines:
    """Reads the JSON lines of a child. `where` it was last; whether it has `ended` of its own accord."""

    def __init__(self) -> None:
        self.where: str = "the start"
        self.ended: bool = False
        self.findings: list[Finding] = []

    def read(self, answer: ChildAnswer, timeout: float, how: str = "") -> None:
        """Read all that a child answered that was given so many seconds; how it failed is a finding (`how` it was run
        is said there)."""
        for line in answer.lines:
            self.take(line)
        where = f"during {self.where}{how}"
        if answer.flooded:
            self.findings.append(MalformedAnswer(f"more than {MAX_ANSWER_BYTES} bytes of output, {where}"))
        elif answer.hung:
            self.findings.append(TargetHung(f"killed after {timeout:g} s, {where}"))
        elif not self.ended:
            self.findings.append(TargetDied(f"exit status {answer.status}, {where}: {answer.complaint}"))

    def emit(self, part: str, **content: Any) -> None:
        """Read one part, as the child program tells it in this process."""
        self.take(json.dumps({"part": part, **content}).encode())

    def take(self, line: bytes) -> None:
        """Read one line; what is not as agreed becomes a `MalformedAnswer`."""
        try:
            answer = json.loads(line)
            self.take_part(answer["part"], answer)
        except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
            self.findings.append(MalformedAnswer(f"{type(error).__name__}: {error}, in {line[:200]!r}"))

    def take_part(self, part: str, answer: dict[str, Any]) -> None:
        """Take one part of the answer. Raises `ValueError` and the like for what is not as agreed."""
        raise NotImplementedError


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


class LawAnswers(Lines):
    """What the lines of the child say."""

    def __init__(self) -> None:
        super().__init__()
        self._laws: dict[str, list[Law]] = {"law": [], "outside": [], "reuse": []}
        self._estimates: list[Estimate] = []
        self._told: dict[str, Any] = {}

    def take_part(self, part: str, answer: dict[str, Any]) -> None:
        """Take one part of the answer, as `Lines`."""
        if part == "begin":
            self.where: str = str(answer["where"])
        elif part == "versions":
            self._told["versions"] = tuple((str(k), str(v)) for k, v in answer["versions"].items())
        elif part == "finding":
            self.findings.append(finding(answer))
        elif part in self._laws:
            self._laws[part].append(_law(answer))
        elif part == "reports":
            self._told["reports"] = tuple((freeze(r["output"]), str(r["raw"])) for r in answer["reports"])
            self._told["forms"] = tuple(str(r["form"]) for r in answer["reports"])
        elif part == "facts":
            self._told["facts"] = {str(name): freeze(fact) for name, fact in answer["facts"].items()}
        elif part == "reproduce":
            self._told["reproduce"] = tuple(str(line) for line in answer["reports"])
            self._told["reproduce_estimate"] = tuple(str(line) for line in answer["estimates"])
            taken, calls, ignored = (tuple(map(str, answer[name])) for name in ("taken", "calls", "ignored"))
            self._told["made"] = TargetKind(bool(answer["is_class"]), taken, calls, ignored)
        elif part == "estimate":
            self._estimates.append(_estimate(answer))
        elif part == "done":
            self._told["models"] = tuple(str(model) for model in answer["models"])
            self._told["complete"] = True
            self.ended: bool = True
        elif part == "failed":
            self.findings.append(type(finding(answer))(f"during {self.where}: {answer['message']}"))
            self.ended = True
        else:
            raise ValueError(f"unknown part {part!r}")

    def laws(self) -> TargetLaws:
        """Return everything collected."""
        laws, outside, reuse = (tuple(self._laws[part]) for part in ("law", "outside", "reuse"))
        fields = {**self._told, "estimates": tuple(self._estimates), "findings": tuple(self.findings)}
        return TargetLaws(laws, outside, reuse, **fields)


def _decode(item: Any) -> Hashable:
    """Return the input that `_encode` wrote."""
    if isinstance(item, list):
        return tuple(_decode(part) for part in item)
    if isinstance(item, dict):
        return frozenset(map(_decode, item["set"])) if "set" in item else float(item["float"])
    return item  # type: ignore[no-any-return]


def finding(answer: Mapping[str, Any]) -> Finding:
    """Return what an answer tells of the target that is no value. Raises `LookupError` for an unknown kind."""
    return _KINDS[answer["kind"]](str(answer["message"]))


def _law(answer: Mapping[str, Any]) -> Law:
    inputs, input_type = tuple(_decode(x) for x in answer["inputs"]), str(answer["input_type"])
    if "refused" in answer:
        return Law(inputs, input_type, (), finding(answer["refused"]))
    unexplored = rational(answer.get("unexplored", "0"))
    probabilities = {
        text: rational(text) for text in {e["probability"] for e in answer["entries"]}
    }  # one object for each
    alike = [(e["outputs"], str(e["raw"]), probabilities[e["probability"]], e["raised"]) for e in answer["entries"]]
    entries = tuple(Entry(freeze(y), raw, p, raised) for outputs, raw, p, raised in alike for y in outputs)
    total = sum((p * len(outputs) for outputs, _, p, _ in alike), unexplored)
    if total != 1 or unexplored < 0 or any(p <= 0 for _, _, p, _ in alike):
        raise ValueError("probabilities that are not > 0 with sum 1")
    return Law(inputs, input_type, entries, None, unexplored)


def _estimate(answer: Mapping[str, Any]) -> Estimate:
    reports = tuple(int(i) for i in answer["reports"])
    if "refused" in answer:
        return Estimate(reports, (), (), finding(answer["refused"]))
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


class RunAnswers(Lines):
    """What the lines of the child say."""

    def __init__(self, inputs: tuple[Item, ...]) -> None:
        super().__init__()
        self.inputs = inputs
        self._lists: dict[str, list[Any]] = {}

    def take_part(self, part: str, answer: dict[str, Any]) -> None:
        """Take one part of the answer, as `Lines`."""
        for report in answer.get("new", ()):
            self._keep("reports", freeze(report))
        codes = tuple(int(code) for code in answer.get("codes", ()))
        estimates = tuple(answer.get("estimates", ())), str(answer.get("raised", ""))
        if part == "begin":
            self.where: str = str(answer["where"])
        elif part == "reports":
            self._keep("draws", Draws(answer["phase"], int(answer["item"]), int(answer["step"]), codes))
        elif part in ("beside", "left"):
            for item, code, text, times in answer["texts"]:
                self._keep(part, (int(item), int(code), str(text), int(times)))
        elif part == "watched":
            texts = [str(text) for text in answer["texts"]]
            which = zip(answer["items"], answer["beside"], answer["which"], strict=True)
            triples = tuple((int(item), int(code), texts[text]) for item, code, text in which)
            self._keep("watched", TextsBeside(triples, int(answer["left"]), int(answer["looked"])))
        elif part == "streams":
            self._keep("streams", tuple(map(str, answer["seeds"])))
        elif part == "exits":
            self._keep("exits", str(answer["text"]))
        elif part == "typed":
            kinds = {(int(code), str(kind)): int(times) for code, kind, times in answer["kinds"]}
            self._keep("typed", (str(answer["type"]), int(answer["item"]), kinds))
        elif part == "many":
            forms = tuple(map(str, answer["shown"]))
            self._keep("many", ListEstimates(int(answer["size"]), codes, *estimates, forms, bool(answer.get("asked"))))
        elif part == "updated":
            self._keep("updated", Updated(str(answer["how"]), int(answer["item"]), codes, *estimates))
        elif part == "clock":
            self._keep("clock", (str(answer["when"]), int(answer["item"]), codes))
        elif part == "more":
            self._keep("more", (int(answer["item"]), codes, tuple(map(str, answer["kinds"]))))
        elif part == "raws":
            for item, code, text in answer["raws"]:
                self._keep("raws", (int(item), int(code), str(text)))
        elif part == "raised":
            self._keep("raised", (str(answer["phase"]), str(answer["message"])))
        elif part == "failed":
            self._keep("raised", (self.where, str(answer["message"])))
            self.ended: bool = True
        elif part == "done":
            self.ended = True
        else:
            raise ValueError(f"unknown part {part!r}")

    def _keep(self, name: str, value: Any) -> None:
        self._lists.setdefault(name, []).append(value)

    def unmodified(self) -> UnmodifiedRun:
        """Return everything collected."""
        return UnmodifiedRun(
            self.inputs,
            findings=tuple(self.findings),
            complete=self.ended,
            **{name: tuple(parts) for name, parts in self._lists.items()},
        )
