"""Errata: what a source or the literature asserts and what is refuted or ill-posed."""

from collections.abc import Mapping

from dp_checks.ledger import Entry
from dp_checks.report.claims import corrections
from dp_checks.report.notation import badge, cited, reference, table
from dp_checks.report.witness import one_line
from dp_spec.vocabulary.claim import Claim, Formal

ASSERTED = ("source", "literature")
WRONG = ("refuted", "ill_posed")


def errata(ledger: Mapping[str, Entry]) -> tuple[str, ...]:
    """The ids of the errata: refuted or ill-posed, and asserted by a source or the literature."""
    return tuple(i for i, e in ledger.items() if e.verdict in WRONG and e.data["asserted_by"] in ASSERTED)


def page(claims: tuple[Claim, ...], ledger: Mapping[str, Entry]) -> list[str]:
    """The page: rows that fail in every reading first, then readings that fail while another one holds."""
    ids = set(errata(ledger))
    lines = ["# Errata", "", LEAD, ""]
    outright = [c for c in claims if c.id in ids]
    some = [c for c in claims if c.id not in ids and any(i in ids for i, _ in c.formals())]
    lines += ["## Statements that do not hold", "", LEAD_OUTRIGHT, ""]
    lines += [line for claim in outright for line in _entry(claim, ids, ledger)]
    lines += ["## Statements that hold in some readings only", "", LEAD_SOME, ""]
    return lines + [line for claim in some for line in _entry(claim, ids, ledger)]


LEAD = (
    "Generated from the ledger: every statement that a source or the literature asserts and that is refuted or "
    "ill-posed, with the smallest counterexample found and, where there is one, the statement that holds instead. "
    "Questions and supplements of our own are not errata, whatever became of them. Each id links to the full entry."
)
LEAD_OUTRIGHT = "In every reading, or in a part that the statement asserts along with the others."
LEAD_SOME = (
    "The print means one of several readings. Those listed here fail; the row's other readings hold or are "
    "undecided, so an implementer has to know which one is meant."
)


def _entry(claim: Claim, ids: set[str], ledger: Mapping[str, Entry]) -> list[str]:
    row = ledger[claim.id]
    lines = [
        f"**{reference(claim.id)}** {badge(row.verdict)} ({cited(claim.source)}, {claim.place})",
        "",
        f"> {claim.text}",
        "",
    ]
    listed = [(i, formal) for i, formal in claim.formals() if i in ids]
    fixes = corrections(row) if claim.readings else []
    rows = [[_name(claim, i), _example(formal, ledger[i]), _corrected(ledger[i], ledger)] for i, formal in listed]
    header = ["Reading" if claim.readings else "", "Smallest counterexample", "Correction"]
    lines += table(header, rows) if claim.readings else table(header[1:], [row[1:] for row in rows])
    held = [i for i, _ in claim.formals() if i not in ids]
    if held:
        lines += ["Other readings: " + ", ".join(f"{_name(claim, i)} {badge(ledger[i].verdict)}" for i in held), ""]
    return lines + (["Correction of the whole: " + ", ".join(reference(i) for i in fixes), ""] if fixes else [])


def _name(claim: Claim, name: str) -> str:
    return reference(name, name.removeprefix(f"{claim.id}@"))


def _example(formal: Formal, entry: Entry) -> str:
    return one_line(formal, entry.evidence.get("witness", {}))


def _corrected(entry: Entry, ledger: Mapping[str, Entry]) -> str:
    found = [f"{reference(i, 'corrected')}: {ledger[i].statement}" for i in corrections(entry)]
    return "<br>".join(found) if found else "–"
