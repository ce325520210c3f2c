"""The corpus: certificates that are right, and certificates that are wrong in a known way, as data for any checker.

A line of `accepted.jsonl` and `rejected.jsonl` is a JSON object; `certificates.schema.json` in `dp_audit.vectors` says
what is in it.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from dp_checks.certificate import json_value
from dp_kernel import Rejected, verify
from dp_kernel.certificate.check import FORMAT
from dp_kernel.certificate.digest import digest, laws
from dp_spec.vocabulary.statement import Statement

Json = dict[str, Any]
ACCEPTED, REJECTED = (Path(__file__).with_name(f"{kind}.jsonl") for kind in ("accepted", "rejected"))


@dataclass(frozen=True)
class Line:
    """A certificate of the corpus, and what the corpus says of it."""

    id: str
    subject: str
    """What it is about: a part of the kernel's rules."""
    wrong: str
    """What is wrong, as a sentence; empty where nothing is."""
    reason: str
    """A part of what the kernel says when it rejects."""
    of: str
    """The accepted certificate that was changed into this one; empty where it was written by hand."""
    text: str
    """The certificate, as JSON."""

    def certificate(self) -> Json:
        """A fresh copy."""
        document: Json = json.loads(self.text)
        return document


def lines_of(path: Path) -> Iterator[Line]:
    """The lines of a file of the corpus. Raises `KeyError` where a field is missing."""
    for text in path.read_text(encoding="ascii").splitlines():
        fields = json.loads(text)
        said = {name: fields.get(name, "") for name in ("wrong", "reason", "of")}
        yield Line(fields["id"], fields["subject"], **said, text=json.dumps(fields["certificate"]))


@cache
def accepted() -> Mapping[str, Line]:
    """What the kernel accepts, by id: one at least for every type of statement and verdict."""
    return {line.id: line for line in lines_of(ACCEPTED)}


@cache
def rejected() -> Mapping[str, Line]:
    """What it rejects, by id."""
    return {line.id: line for line in lines_of(REJECTED)}


def real(name: str) -> Json:
    """A fresh copy of an accepted certificate."""
    return accepted()[name].certificate()


FEW = 2


def small(name: str) -> Json:
    """A fresh copy of an accepted certificate that is accepted in less time: where it lists instances, the first two
    of them; where it lists families, their channels are multiples of 1/2."""
    certificate = real(name)
    evidence = certificate["evidence"]
    for family in evidence.get("families", ()):
        family["parts"] = min(FEW, family["parts"])
    if isinstance(evidence.get("instances"), list):
        evidence["instances"] = evidence["instances"][:FEW]
    return certificate


def accepted_about(*subjects: str) -> dict[str, Json]:
    """The accepted certificates about these subjects, by id."""
    return {line.id: line.certificate() for line in accepted().values() if line.subject in subjects}


def planted(*subjects: str) -> dict[str, Json]:
    """The rejected certificates about these subjects that were written by hand, by id."""
    return {line.id: line.certificate() for line in rejected().values() if line.subject in subjects and not line.of}


def misjudged(lines: Iterable[Line]) -> Iterator[str]:
    """What the kernel accepts of wrong certificates, and rejects of right ones."""
    for line in lines:
        try:
            verify(line.certificate())
        except Rejected as error:
            if line.id in accepted():
                yield f"{line.id}: {error}"
        else:
            if line.id in rejected():
                yield line.id


def certified(statement: Statement | Json, verdict: str, evidence: Any, name: str = "test") -> Json:
    """A certificate as it is read from a file."""
    body = statement.json() if isinstance(statement, Statement) else statement
    content = {"format": FORMAT, "id": name, "statement": body, "verdict": verdict, "evidence": evidence}
    content["cards"] = []
    return retied(json_value(content))


def retied(content: Json) -> Json:
    """With a record of a tie for every law that the statement has now, whatever its program would say."""
    digests = sorted({digest(law) for law in laws(content["statement"])})
    at = [{"m": 1, "K": 1, "N": 1}]
    return {**content, "ties": [{"law": law, "at": at, "table": "0" * 64} for law in digests]}
