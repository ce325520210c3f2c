"""Errata, written for the authors: what is printed and where, the smallest instance where it fails, what is true."""

from collections.abc import Iterable, Mapping

from dp_checks.ledger import FAILED, Entry
from dp_checks.pages.notation import badge, cited, reference
from dp_checks.pages.statements import in_one_line
from dp_checks.pages.witness import one_line
from dp_spec.vocabulary.claim import Claim, Formal

ASSERTED = ("source", "literature")


def errata(ledger: Mapping[str, Entry]) -> tuple[str, ...]:
    """The ids of the errata: refuted or ill-posed, and asserted by a source or the literature."""
    return tuple(i for i, e in ledger.items() if e.verdict in FAILED and e.data["asserted_by"] in ASSERTED)


def page(claims: tuple[Claim, ...], ledger: Mapping[str, Entry]) -> list[str]:
    """The page: rows that fail in every reading first, then readings that fail while another one holds."""
    ids = set(errata(ledger))
    formals = {i: statement for claim in claims for i, statement in claim.formals()}
    lines = ["# Errata", "", LEAD, ""]
    outright = [c for c in claims if c.id in ids]
    some = [c for c in claims if c.id not in ids and any(i in ids for i, _ in c.formals())]
    for title, lead, rows in (
        ("Statements that do not hold", LEAD_OUTRIGHT, outright),
        ("Statements that hold in some readings only", LEAD_SOME, some),
    ):
        lines += [f"## {title}", "", lead, ""]
        lines += [line for claim in rows for line in _entry(claim, ids, ledger, formals)]
    return lines


LEAD = (
    "Every statement that a source or the literature asserts and that is refuted or ill-posed: what is *printed* (in "
    "English) and where, *why it fails* (the smallest instance found, with exact numbers), and what *holds instead*, "
    "which is proved or verified in turn. Questions and supplements of our own are not errata. The page is generated "
    "from the ledger; each id links to the full entry with its evidence."
)
LEAD_OUTRIGHT = "In every reading, or in a part that the statement asserts along with the others."
LEAD_SOME = (
    "The print means one of several readings. Those listed here fail; the row's other readings hold or are "
    "undecided, so an implementer has to know which one is meant."
)


def _entry(claim: Claim, ids: set[str], ledger: Mapping[str, Entry], formals: Mapping[str, Formal]) -> list[str]:
    row = ledger[claim.id]
    lines = [f"**{reference(claim.id)}** {badge(row.verdict)} {cited(claim.source)}, {claim.place}. *Printed:*", ""]
    lines += [f"> {claim.text}", ""]
    answers: dict[tuple[str, ...], list[str]] = {}
    for i, statement in claim.formals():
        if i in ids:
            why = one_line(statement, ledger[i].evidence.get("witness", {}))
            answers.setdefault(ledger[i].instead, []).append(f"{_reading(claim, i)}{why}.")
    for targets, whys in answers.items():
        lines += ["*Why it fails:*", "", *(f"- {why}" for why in whys), ""]
        lines += ["*Holds instead:*", "", *told(targets, ledger, formals)]
    held = [i for i, _ in claim.formals() if i not in ids]
    if held:
        lines += ["Other readings: " + ", ".join(f"{_name(claim, i)} {badge(ledger[i].verdict)}" for i in held), ""]
    return lines


def told(targets: Iterable[str], ledger: Mapping[str, Entry], formals: Mapping[str, Formal]) -> list[str]:
    """What the named entries say, one point each: a row in the words of its source, a reading as it is checked."""
    lines = []
    for i in targets:
        entry = ledger[i]
        says = in_one_line(formals[i]) if "row" in entry.data else f"{entry.statement}."
        lines += [f"- {reference(i)} {badge(entry.verdict)} {says}"]
    return [*lines, ""]


def _reading(claim: Claim, name: str) -> str:
    return f"{_name(claim, name)}: " if claim.readings else ""


def _name(claim: Claim, name: str) -> str:
    return reference(name, name.removeprefix(f"{claim.id}@"))
