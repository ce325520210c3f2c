"""What Coq proves of the ledger, as it is committed: for every claim its digest, which of its parts are theorems, and
why the others rest on the kernel alone."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dp_coq import statements
from dp_coq.compiler import Compiler, ProofError, theory_digest
from dp_coq.parts import Part, part_at
from dp_coq.theorems import Goal, decided, goals
from dp_kernel.certificate.digest import digest

COMMITTED = Path(__file__).resolve().parent / "theorems.json"
PENDING = "Coq has not been given this statement yet"
REFUSED = "the checker does not accept the evidence"


def written(place: tuple[int, ...]) -> str:
    """The place of a part: `2.1` is part 1 of part 2; `all`, the whole statement."""
    return ".".join(map(str, place)) or "all"


def place_of(text: str) -> tuple[int, ...]:
    return () if text == "all" else tuple(map(int, text.split(".")))


def text_digest(statement: str) -> str:
    return hashlib.sha256(statement.encode()).hexdigest()


@dataclass(frozen=True)
class Row:
    """A part of a claim: its kind, its verdict, and whether it is a theorem."""

    kind: str
    verdict: str
    theorem: bool


def pinned(certificate: Any, ledger: Any) -> Any:
    """The certificate. Raises `ProofError` unless the ledger has its statement and its verdict."""
    entry, own = ledger["claims"].get(certificate["id"], {}), digest(certificate["statement"])
    if (entry.get("digest"), entry.get("verdict")) != (own, certificate["verdict"]):
        raise ProofError(f"the ledger has another statement or verdict of {certificate['id']} than its certificate")
    return certificate


def derived(compiler: Compiler, ledger: Any, certificates: Iterable[Any]) -> tuple[Any, list[Row]]:
    """The record of these certificates, and a row for every part. Coq itself has accepted what it calls a theorem."""
    compiler.compile_theory()
    found: list[tuple[Any, list[tuple[Part, Goal | str]]]] = [
        (certificate, list(goals(pinned(certificate, ledger)))) for certificate in certificates
    ]
    asked = [goal for _, listed in found for _, goal in listed if isinstance(goal, Goal)]
    answers, axioms = decided(compiler, asked)
    accepted = {goal.name for goal, yes in zip(asked, answers, strict=True) if yes}
    claims: dict[str, Any] = {}
    rows = []
    for certificate, listed in found:
        theorems, kernel = {}, {}
        for part, goal in listed:
            proved = isinstance(goal, Goal) and goal.name in accepted
            rows.append(Row(part.statement["type"], part.verdict, proved))
            if isinstance(goal, Goal) and proved:
                theorems[written(part.place)] = text_digest(goal.statement)
            else:
                kernel[written(part.place)] = REFUSED if isinstance(goal, Goal) else goal
        claims[certificate["id"]] = {
            "digest": digest(certificate["statement"]),
            "theorems": theorems,
            "kernel only": kernel,
        }
    return {"theory": theory_digest(), "axioms": sorted(axioms), "claims": claims}, rows


def text_of(record: Any) -> str:
    """The file: a line for every claim."""
    lines = [f"{json.dumps(name)}: {json.dumps(entry)}" for name, entry in sorted(record["claims"].items())]
    head = json.dumps({"theory": record["theory"], "axioms": record["axioms"]}, indent=1)[:-2]
    return head + ',\n "claims": {\n' + ",\n".join(lines) + "\n}}\n"


def pending(record: Any, ledger: Any) -> Any:
    """The record for a ledger that has changed, without Coq: what is new there rests on the kernel alone."""
    claims = {}
    for name, entry in ledger["claims"].items():
        if "digest" in entry:
            new = {"digest": entry["digest"], "theorems": {}, "kernel only": {"all": PENDING}}
            known = record["claims"].get(name, new)
            claims[name] = known if known["digest"] == entry["digest"] else new
    return {**record, "claims": claims}


def drift(record: Any, ledger: Any, statements_of: Mapping[str, Any]) -> list[str]:
    """What a record and the ledger do not agree on: claims, digests, the theory, and what is translated today."""
    pins = {name: entry["digest"] for name, entry in ledger["claims"].items() if "digest" in entry}
    own = {name: entry["digest"] for name, entry in record["claims"].items()}
    changed = [name for name in pins.keys() | own.keys() if pins.get(name) != own.get(name)]
    complaints = [f"{name}: the statement is another one" for name in changed]
    if record["theory"] != theory_digest():
        complaints.append("the theory is another one")
    for name, entry in record["claims"].items():
        for place, text in entry["theorems"].items():
            now = statements.statement(part_at(statements_of[name], place_of(place)))
            if text_digest(now) != text:
                complaints.append(f"{name}, part {place}: the translation is another one")
    return sorted(complaints)


def counts(rows: Iterable[Row]) -> str:
    """A line for every kind of statement and verdict: how many parts are theorems, of how many."""
    total, proved = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for row in rows:
        for kind in (row.kind, "all"):
            total[row.verdict, kind] += 1
            proved[row.verdict, kind] += row.theorem
    lines = [f"{proved[row]:5} of {number:5}  {row[0]:10} {row[1]}" for row, number in sorted(total.items())]
    return "\n".join(lines)
