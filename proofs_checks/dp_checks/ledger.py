"""The ledger: one entry for every row and every reading, generated, committed, and compared with every fresh run."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

import jsonschema

from dp_checks.certificate import certificate
from dp_checks.runtime.sources import carried
from dp_checks.runtime.tex import terminal_text
from dp_checks.verdict import VERDICTS, Outcome, Verdict, combined
from dp_kernel.certificate.digest import digest
from dp_kernel.certificate.digest import scope as scope_of
from dp_spec.vocabulary.claim import Claim
from dp_spec.vocabulary.exceptions import SHOWN, DomainError, RefusedError
from dp_spec.vocabulary.names import suggestions
from dp_spec.vocabulary.statement import Statement

FORMAT = "dp-refimpl ledger 2"
MAX_BYTES = 1 << 26
"""Longest file that is read as a ledger, or as its statements."""
HELD: tuple[Verdict, ...] = ("proved", "verified")
FAILED: tuple[Verdict, ...] = ("refuted", "ill_posed")
ASSERTED = ("source", "literature")
"""Who asserts what can be an erratum; questions and supplements of ours cannot."""
LINKS = ("corrects", "corrected_by", "see")
_IDS = {"type": "array", "items": {"type": "string"}}
_DIGEST = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
SCHEMA: Mapping[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "dp-refimpl ledger",
    "type": "object",
    "required": ["format", "claims"],
    "additionalProperties": False,
    "properties": {
        "format": {"const": FORMAT},
        "claims": {
            "type": "object",
            "additionalProperties": {
                "type": "object",
                "required": ["verdict", "evidence", "source", "place", "kind", "statement", "asserted_by"],
                "additionalProperties": False,
                "properties": {
                    "verdict": {"enum": list(VERDICTS)},
                    "evidence": {
                        "type": "object",
                        "required": ["kind", "scope"],
                        "properties": {"kind": {"type": "string"}, "scope": {"type": "string"}, "cards": _IDS},
                    },
                    "source": {"type": "string"},
                    "place": {"type": "string"},
                    "kind": {"type": "string"},
                    "statement": {"type": "string"},
                    "digest": _DIGEST,
                    "scope": _DIGEST,
                    "asserted_by": {"enum": ["source", "literature", "question", "supplement"]},
                    "row": {"type": "string"},
                    "readings": _IDS,
                    "combine": {"enum": ["alternatives", "parts"]},
                    "corrects": {"type": "string"},
                    "corrected_by": _IDS,
                    "see": _IDS,
                },
                "anyOf": [  # a verdict that was decided is one on a formal statement
                    {"required": ["digest"]},
                    {"required": ["readings"]},
                    {"properties": {"verdict": {"const": "unchecked"}}},
                ],
            },
        },
    },
}


class LedgerError(RefusedError, ValueError):
    """A file that is not a ledger; the message says where and why."""


class UnknownClaimError(DomainError, KeyError):
    """An id that the ledger does not have; the message says which ones come close."""

    def __init__(self, claim: object, near: Sequence[str]) -> None:
        super().__init__("claim", claim, "an id of the ledger")
        listed = f"did you mean {' or '.join(near)}?" if near else "dp-refimpl search WORDS finds some"
        self.args: tuple[object, ...] = (f"no claim {str(claim)[:200]!r}: {listed}",)

    def __str__(self) -> str:
        return str(self.args[0])


class VerdictError(RefusedError):
    """A claim that is relied on has another verdict."""


@dataclass(frozen=True)
class Entry:
    """What the ledger says of one id."""

    id: str
    verdict: Verdict
    data: Mapping[str, Any]

    @property
    def evidence(self) -> Mapping[str, Any]:
        """Kind, scope and, where there is one, the witness."""
        return cast("Mapping[str, Any]", self.data["evidence"])

    @property
    def statement(self) -> str:
        """The statement in words."""
        return str(self.data["statement"])

    @property
    def sentence(self) -> str:
        """The statement as text on one line, without its readings."""
        return terminal_text(self.typeset).removesuffix(".")

    @property
    def typeset(self) -> str:
        """The statement with its formulas in TeX, without its readings."""
        return self.statement.partition(" Reading")[0].partition(" Parts:")[0].removesuffix(".")

    @property
    def instead(self) -> tuple[str, ...]:
        """The ids that tell what is true, of an entry that is refuted or ill-posed: corrections, else pointers."""
        return tuple(self.data.get("corrected_by") or self.data.get("see", ()))

    @property
    def digest(self) -> str | None:
        """The digest of the formal statement; None for a row with readings, or without a formal statement."""
        return self.data.get("digest")

    @property
    def scope(self) -> str | None:
        """The digest of what was exhausted and of the ties of laws; None where a certificate has neither."""
        return self.data.get("scope")


class Ledger(Mapping[str, Entry]):
    """Entries by id. Raises `UnknownClaimError` (a `KeyError`) with suggestions for an id it does not have."""

    def __init__(self, entries: Mapping[str, Entry]) -> None:
        self._entries = dict(entries)

    def __getitem__(self, claim: str) -> Entry:
        if claim not in self._entries:
            raise UnknownClaimError(claim, suggestions(str(claim), self._entries, 5))
        return self._entries[claim]

    def __contains__(self, claim: object) -> bool:
        return claim in self._entries  # without looking for suggestions

    def require(self, *claims: str, verdict: Verdict = "proved") -> None:
        """A gate: raise `VerdictError` naming every claim whose verdict is another one."""
        if others := {claim: self[claim].verdict for claim in claims if self[claim].verdict != verdict}:
            raise VerdictError(f"not {verdict}: " + ", ".join(f"{claim} is {other}" for claim, other in others.items()))

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def json(self) -> dict[str, Any]:
        """The ledger as plain data."""
        return {"format": FORMAT, "claims": {i: dict(entry.data) for i, entry in self.items()}}

    def text(self) -> str:
        """The ledger as the committed file has it."""
        return json.dumps(self.json(), indent=1, ensure_ascii=False) + "\n"


def build(claims: tuple[Claim, ...], outcomes: Mapping[str, Outcome], corpus: tuple[Claim, ...] = ()) -> Ledger:
    """The ledger of freshly decided outcomes (by id of row without readings, or of reading).

    Rows are computed from their readings; links to corrections are those of the `corpus` (default: `claims`).
    """
    entries: dict[str, Entry] = {}
    for claim in claims:
        formals = dict(claim.formals())
        decided = {i: outcomes[i] for i in formals}
        if claim.readings and claim.combine:
            verdict = combined({i: o.verdict for i, o in decided.items()}, claim.combine)
            scope = "; ".join(f"{i.split('@')[1]} {o.verdict}" for i, o in decided.items())
            combination = {"kind": claim.combine, "scope": scope}
            row = {"readings": list(decided), "combine": claim.combine}
            entries[claim.id] = _entry(claim, claim.id, verdict, combination, row)
        for i, outcome in decided.items():
            evidence: dict[str, Any] = {"kind": outcome.evidence.kind, "scope": outcome.evidence.scope}
            evidence |= {"cards": list(outcome.cards)} if outcome.cards else {}
            if outcome.verdict in ("refuted", "ill_posed"):
                evidence["witness"] = json.loads(json.dumps(dict(outcome.evidence.data)))
            formal = formals[i]
            more: dict[str, Any] = {}
            if isinstance(formal, Statement):
                more["digest"] = digest(formal.json())
                if outcome.verdict != "unchecked" and (pinned := scope_of(certificate(i, formal, outcome))):
                    more["scope"] = pinned
            more |= {"row": claim.id} if claim.readings else {}
            entries[i] = _entry(claim, i, outcome.verdict, evidence, more)
    return linked(entries, claims, corpus)


def linked(entries: Mapping[str, Entry], claims: tuple[Claim, ...], corpus: tuple[Claim, ...] = ()) -> Ledger:
    """The entries of the claims with their links, which depend on claims and verdicts only.

    `corrects` and `corrected_by` are those of the `corpus` (default: `claims`). What fails and has no correction
    gets `see`: the ids that tell what is true. They are, of a reading, those the claim names, else the corrections of
    the row, else, of alternatives, the readings that hold; of a row, what tells it of the readings that fail.
    """
    corrections: dict[str, list[str]] = {}
    for claim in corpus or claims:
        if claim.corrects:
            corrections.setdefault(claim.corrects, []).append(claim.id)
    linked_entries: dict[str, Entry] = {}
    for claim in claims:
        see: dict[str, list[str]] = {}
        failed = [i for i, _ in claim.formals() if entries[i].verdict in FAILED]
        held = [i for i, _ in claim.formals() if entries[i].verdict in HELD]
        for i in failed:
            others = held if claim.combine == "alternatives" else []
            see[i] = list(claim.see.get(i, ())) or corrections.get(claim.id) or others
        if claim.readings and entries[claim.id].verdict in FAILED:
            see[claim.id] = list(dict.fromkeys(j for i in failed for j in corrections.get(i) or see[i]))
        for i in (claim.id, *(name for name, _ in claim.formals())):
            data = {key: value for key, value in entries[i].data.items() if key not in LINKS}
            data |= {"corrects": claim.corrects} if claim.corrects else {}
            if i in corrections:
                data["corrected_by"] = corrections[i]
            elif see.get(i):
                data["see"] = see[i]
            linked_entries[i] = Entry(i, entries[i].verdict, data)
    return Ledger(linked_entries)


def matching(glob: str, ids: Iterable[str]) -> tuple[str, ...]:
    """The ids that match a pattern. Raises `DomainError` when none does."""
    matches = tuple(i for i in ids if fnmatchcase(i, glob))
    if not matches:
        allowed = "a pattern that matches some claim id, for example '002.thm1*' (see dp-refimpl list)"
        raise DomainError("GLOB", glob, allowed)
    return matches


def errata(ledger: Mapping[str, Entry]) -> tuple[str, ...]:
    """The ids of the errata: refuted or ill-posed, and asserted by a source or the literature."""
    return tuple(i for i, e in ledger.items() if e.verdict in FAILED and e.data["asserted_by"] in ASSERTED)


def load_ledger(path: Path | None = None) -> Ledger:
    """The committed ledger (in an installation: the one the wheel carries), or the one at `path`.

    Raises `LedgerError` for a missing or malformed file.
    """
    source = path if path is not None else default_path()
    text = _text_of(source)
    data = _strict_json(source, text)
    try:
        _require_schema(text)
    except jsonschema.ValidationError as error:
        place = "/".join(str(part) for part in error.absolute_path) or "top level"
        raise LedgerError(f"{source}: {place[:SHOWN]}: {error.message[:SHOWN]}") from error
    return Ledger({i: Entry(i, entry["verdict"], entry) for i, entry in data["claims"].items()})


@lru_cache(maxsize=8)
def _require_schema(text: str) -> None:
    """Raise `jsonschema.ValidationError` for another form; what has it is not compared again, as that takes longest."""
    jsonschema.validate(json.loads(text), SCHEMA)


def read_strictly(source: Path) -> Any:
    """The JSON of a file of at most `MAX_BYTES` in UTF-8, without floats, and with every field named once.

    Raises `LedgerError` for anything else, and for a file that cannot be read.
    """
    return _strict_json(source, _text_of(source))


def _text_of(source: Path) -> str:
    """The text of a file of at most `MAX_BYTES`. Raises `LedgerError`."""
    try:
        with source.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            raise LedgerError(f"{source}: more than {MAX_BYTES} bytes")
        return content.decode()
    except OSError as error:
        raise LedgerError(f"{source}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise LedgerError(f"{source}: {str(error)[:SHOWN]}") from error


def _strict_json(source: Path, text: str) -> Any:
    """The JSON that a text from a file is, without floats, and with every field named once. Raises `LedgerError`."""
    try:
        data = json.loads(text, object_pairs_hook=_fields, parse_float=_no_float, parse_constant=_no_float)
        if "\\u" in text:  # no half of a surrogate pair, which could not be printed: only an escape can be one
            json.dumps(data, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise LedgerError(f"{source}: {str(error)[:SHOWN]}") from error
    return data


def _fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise ValueError("a field is named twice")
    return fields


def _no_float(text: str) -> None:
    raise ValueError(f"{text[:SHOWN]}: there are no floats in a ledger")


def default_path() -> Path:
    """Where the ledger is: beside the package in the source tree, inside it in an installation."""
    return carried("proofs_checks", "ledger.json")


def drift(committed: Mapping[str, Entry], fresh: Mapping[str, Entry]) -> list[str]:
    """What differs, one line for each id; a partial fresh run is compared on its own ids."""
    lines = []
    for i, entry in fresh.items():
        if i not in committed:
            lines.append(f"{i}: not in the committed ledger (now {entry.verdict})")
        elif committed[i].digest != entry.digest:
            verdicts = f"committed {committed[i].verdict}, now {entry.verdict}"
            lines.append(f"{i}: another statement (digest {committed[i].digest}, now {entry.digest}; {verdicts})")
        elif committed[i].verdict != entry.verdict:
            lines.append(f"{i}: committed {committed[i].verdict}, now {entry.verdict}")
        elif dict(committed[i].data) != dict(entry.data):
            changed = [key for key in entry.data if committed[i].data.get(key) != entry.data[key]]
            changed += [key for key in committed[i].data if key not in entry.data]
            lines.append(f"{i}: {entry.verdict} as before, but {', '.join(changed)} changed")
    return lines


def _entry(
    claim: Claim,
    claim_id: str,
    verdict: Verdict,
    evidence: dict[str, Any],
    more: Mapping[str, Any],
) -> Entry:
    data = {
        "verdict": verdict,
        "evidence": evidence,
        "source": claim.source,
        "place": claim.place,
        "kind": claim.kind,
        "statement": claim.text,
        "asserted_by": claim.asserted_by,
        **more,
    }
    return Entry(claim_id, verdict, data)
