"""Errata, written for the authors: what is printed and where, the smallest instance where it fails, what is true."""

from collections.abc import Iterable, Mapping, Sequence

from dp_checks.ledger import Entry, errata
from dp_checks.pages.codemap import programs_of
from dp_checks.pages.notation import badge, cited, place, reference, table
from dp_checks.pages.statements import in_one_line
from dp_checks.pages.witness import one_line
from dp_spec.vocabulary.claim import Claim, Formal
from dp_spec.vocabulary.source import sources


def pages(claims: tuple[Claim, ...], ledger: Mapping[str, Entry]) -> dict[str, list[str]]:
    """Lines by path: an index, and a page for every source that has errata."""
    ids = set(errata(ledger))
    wrong = [c for c in claims if c.id in ids or any(i in ids for i, _ in c.formals())]
    by_source = {name: [c for c in wrong if c.source == name] for name in sorted({c.source for c in wrong})}
    formals = {i: statement for claim in claims for i, statement in claim.formals()}
    lines_of = {"errata.md": _index(by_source, ids)}
    return lines_of | {f"errata/{name}.md": _page(name, rows, ledger, formals) for name, rows in by_source.items()}


def _index(by_source: Mapping[str, Sequence[Claim]], ids: set[str]) -> list[str]:
    rows = []
    for name, wrong in by_source.items():
        outright = sum(claim.id in ids for claim in wrong)
        rows += [[f"[{sources()[name].short}](errata/{name}.md)", str(outright), str(len(wrong) - outright)]]
    head = ["Source", *(title for title, _ in SECTIONS)]
    return [
        "# Errata",
        "",
        LEAD,
        "",
        *table(head, rows, "lrr"),
        "```{toctree}",
        ":hidden:",
        "",
        *(f"errata/{name}" for name in by_source),
        "```",
    ]


def _page(name: str, wrong: Sequence[Claim], ledger: Mapping[str, Entry], formals: Mapping[str, Formal]) -> list[str]:
    """Rows that fail in every reading first, then those of which a reading fails while another one holds."""
    ids, about = set(errata(ledger)), {claim.id: programs_of(claim) for claim in wrong}
    programs_named = sorted({program for programs in about.values() for program in programs})
    lines = [f"# Errata: {sources()[name].short}", "", f"Of {cited(name)}. [What is listed](../errata.md).", ""]
    lines += [f":::{{choice}} {' '.join(programs_named)}", ":::", ""] if len(programs_named) > 1 else []
    outright = [claim for claim in wrong if claim.id in ids]
    some = [claim for claim in wrong if claim.id not in ids]
    for (title, lead), rows in zip(SECTIONS, (outright, some), strict=True):
        lines += [f"## {title}", "", lead, ""] if rows else []
        for claim in rows:
            block = _entry(claim, ids, ledger, formals)
            lines += [f":::::{{about}} {' '.join(about[claim.id])}", "", *block, ":::::", ""]
    return lines


LEAD = (
    "Every statement that a source or the literature asserts and that is refuted or ill-posed: what is *printed* (in "
    "English) and where, *why it fails* (the smallest instance found, with exact numbers), and what *holds instead*, "
    "which is proved or verified in turn. Questions and supplements of our own are not errata. The page is generated "
    "from the ledger; each id links to the full entry with its evidence."
)
SECTIONS = (
    (
        "Statements that do not hold",
        "In every reading, or in a part that the statement asserts along with the others.",
    ),
    (
        "Statements that hold in some readings only",
        "The print means one of several readings. Those listed here fail; the row's other readings hold or are "
        "undecided, so an implementer has to know which one is meant.",
    ),
)
"""The sections of a page, each with its lead."""


def _entry(claim: Claim, ids: set[str], ledger: Mapping[str, Entry], formals: Mapping[str, Formal]) -> list[str]:
    row = ledger[claim.id]
    lines = [f"**{reference(claim.id)}** {badge(row.verdict)} {place(claim)}. *Printed:*", ""]
    lines += [f"> {claim.text}", ""]
    answers: dict[tuple[str, ...], list[str]] = {}
    for i, statement in claim.formals():
        if i in ids:
            why = one_line(statement, ledger[i].evidence.get("witness", {}))
            answers.setdefault(ledger[i].instead, []).append(f"{_reading(claim, i)}{why}.")
    for targets, whys in answers.items():
        lines += ["*Why it fails:*", "", *(f"- {why}" for why in whys), ""]
        lines += ["*Holds instead:*", "", *entry_lines(targets, ledger, formals)]
    held = [i for i, _ in claim.formals() if i not in ids]
    if held:
        lines += ["Other readings: " + ", ".join(f"{_name(claim, i)} {badge(ledger[i].verdict)}" for i in held), ""]
    return lines


def entry_lines(targets: Iterable[str], ledger: Mapping[str, Entry], formals: Mapping[str, Formal]) -> list[str]:
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
