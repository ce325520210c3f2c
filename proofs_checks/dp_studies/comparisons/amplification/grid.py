"""Many questions, spread over processes; what is answered survives an interruption."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from math import isfinite
from pathlib import Path
from typing import Any, Literal

from dp_checks.certificate import write
from dp_checks.runtime.journal import Journal
from dp_checks.runtime.parallel import Workers, spread
from dp_checks.runtime.sources import everything
from dp_kernel.certificate.digest import digest
from dp_spec.vocabulary.exceptions import RefusedError
from dp_studies.comparisons.amplification import solve
from dp_studies.comparisons.amplification.constructions import lowers, uppers
from dp_studies.comparisons.amplification.distance import Distance, distance
from dp_studies.comparisons.amplification.enclosure import Bound, End
from dp_studies.comparisons.amplification.query import Setting

Asked = Literal["epsilon", "delta", "epsilon0", "dummies"]
JOURNAL = "journal.jsonl"


@dataclass(frozen=True)
class Question:
    """A setting, and the wanted (epsilon, delta); what of them is asked is None, or a part of the setting."""

    asked: Asked
    setting: Setting
    epsilon: str | None
    delta: str | None
    digits: int
    work: int

    @property
    def key(self) -> str:
        """A name for the question."""
        return digest(asdict(self))[:16]

    def units(self) -> int:
        """About how much work the largest check takes; of a setting that is sought, of one beside it."""
        delta = Fraction(1, 10**6) if self.delta is None else Fraction(self.delta)
        bounds = [
            Bound(self.setting, one, delta, self.work)
            for one in (*lowers(self.setting), *uppers(self.setting, self.work))
        ]
        return max(bound.units() for bound in bounds)

    def answer(self) -> solve.Enclosure:
        """Both ends. Raises `RefusedError` where there is no answer."""
        eps, delta = (None if text is None else Fraction(text) for text in (self.epsilon, self.delta))
        if self.asked == "epsilon" and delta is not None:
            return solve.epsilon(self.setting, delta, self.digits, self.work)
        if self.asked == "delta" and eps is not None:
            return solve.delta(self.setting, eps, self.digits, self.work)
        assert eps is not None
        assert delta is not None
        if self.asked == "epsilon0":
            return solve.epsilon0(self.setting, eps, delta, self.digits, self.work)
        return solve.dummies(self.setting, eps, delta, self.work)


def answers(listed: Sequence[Question], out: Path, by: Workers) -> Iterator[dict[str, Any]]:
    """A document for every question, as they are answered; certificates and the journal are in a folder. What was
    answered before by the same code is taken from there."""
    journal = Journal(out / JOURNAL, f"amplify {everything()[:16]}")
    kept, _ = journal.read()
    yield from (kept[question.key] for question in listed if question.key in kept)
    for answer, certificates in spread(_answered, [question for question in listed if question.key not in kept], by):
        for certificate in certificates:
            write(out / "certificates", certificate)
        journal.add({answer["key"]: answer})
        yield answer


def _answered(question: Question) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    try:
        enclosure = question.answer()
    except RefusedError as error:
        return _document(question) | {"refused": str(error)}, []
    ends = {"lower": enclosure.lower, "upper": enclosure.upper}
    names = {side: f"amplify.{question.key}.{side}" for side in ends}
    certificates = {side: end.certificate(names[side]) for side, end in ends.items()}
    sides = {
        side: _end(end) | {"certificate": names[side] if certificates[side] else None} for side, end in ends.items()
    }
    written = [x for x in certificates.values() if x is not None]
    apart = distance(enclosure, question.setting, question.asked)
    beside = {"left_out": list(enclosure.left_out), "apart": apart and {"percent": _percent(apart), "why": apart.why}}
    return _document(question) | sides | beside, written


def _document(question: Question) -> dict[str, Any]:
    fields = asdict(question.setting)
    fields["labels"] = None if question.setting.mechanism == "ldp" else fields["labels"]
    fields["epsilon0"] = None if question.asked == "epsilon0" else fields["epsilon0"]
    fields["dummies"] = None if question.asked == "dummies" else fields["dummies"]
    wanted = {"epsilon": question.epsilon, "delta": question.delta}
    return {"key": question.key, "asked": question.asked, **fields, **wanted}


def _percent(apart: Distance) -> str | None:
    """The distance of ends in a few digits; None where one of them is 0."""
    return f"{apart.percent:.3g}" if isfinite(apart.percent) else None


def _end(end: End) -> dict[str, Any]:
    cards = [] if end.outcome is None else list(end.outcome.cards)
    return {"value": f"{end.value:f}", "shown_by": end.shown_by, "cards": cards, "work": end.work}
