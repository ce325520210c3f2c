"""Claims as blocks of a page: statement, verdict, what is checked, evidence, counterexample, corrections."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from dp_checks.ledger import Entry
from dp_checks.pages.evidence import LEMMAS_PAGE, explained
from dp_checks.pages.notation import badge, foldable, place, reference, table, word
from dp_checks.pages.statements import formal
from dp_checks.pages.witness import examples, witness
from dp_spec.vocabulary.claim import Claim, Formal
from dp_spec.vocabulary.statement import Definition

OPEN = 2
"""So many readings of a row are shown at once; more are folded."""
ASSERTED = {
    "source": "asserted by the source",
    "literature": "asserted in the literature",
    "question": "asked by us",
    "supplement": "added by us",
}
COQ, COQ_LINKED = "by Coq as well", "[by Coq as well](/_generated/theorems.md)"
COMBINED = {
    "alternatives": "Readings, of which the print means one:",
    "parts": "The statement asserts all of these:",
}


def block(claim: Claim, ledger: Mapping[str, Entry], by: Mapping[str, str]) -> list[str]:
    """A row with its readings, as nested directives; `by` says by whom a statement is checked."""
    entry = ledger[claim.id]
    lines = [f":::::{{claim}} {claim.id} {entry.verdict}", meta(claim), "", *_quoted(claim.text), *_links(entry)]
    if claim.formal is not None:
        lines += _checked(claim.formal, entry, by.get(claim.id, ""))
    elif claim.combine is not None:
        readings: list[str] = []
        for name, reading in claim.formals():
            readings += [
                f":::{{claim}} {name} {ledger[name].verdict}",
                *_links(ledger[name]),
                *_checked(reading, ledger[name], by.get(name, "")),
                ":::",
                "",
            ]
        count = Counter(word(ledger[name].verdict) for name, _ in claim.formals())
        summary = f"{len(claim.readings)} readings: " + ", ".join(f"{n} {verdict}" for verdict, n in count.items())
        lines += [
            COMBINED[claim.combine],
            "",
            *(foldable(summary, readings) if len(claim.readings) > OPEN else readings),
        ]
    return [*lines, ":::::", ""]


def overview(claims: Iterable[Claim], ledger: Mapping[str, Entry]) -> list[str]:
    """The rows of a page at a glance."""
    rows = [[reference(c.id), c.place, c.kind, badge(ledger[c.id].verdict)] for c in claims]
    return table(["Claim", "Place", "Kind", "Verdict"], rows)


def meta(claim: Claim) -> str:
    """Where the claim stands, its kind, and who says so."""
    where = "correction" if claim.corrects else place(claim)
    return f"{where} · {claim.kind} · {ASSERTED[claim.asserted_by]}"


def evidence(entry: Entry) -> str:
    """What the verdict rests on, linked to the explanation of that kind of evidence."""
    kinds = [part.strip() for part in str(entry.evidence["kind"]).split(",")]
    linked = ", ".join(f"[{kind}]({LEMMAS_PAGE}#{explained(kind)})" if explained(kind) else kind for kind in kinds)
    scope = str(entry.evidence["scope"])
    if "witness" in entry.evidence:  # it is shown below, in words
        scope = "; ".join(part for part in scope.split("; ") if part.startswith("law ="))
    return f"**Evidence:** {linked}" + (f": {scope}." if scope else ".")


def _checked(statement: Formal, entry: Entry, by: str) -> list[str]:
    data: Mapping[str, Any] = entry.evidence.get("witness", {})
    lines = formal(statement)
    if entry.verdict != "unchecked":
        said = f" **Checked** {by.replace(COQ, COQ_LINKED)}." if by else ""
        lines = [*lines, evidence(entry) + said, ""]
    example = witness(statement, data)
    if example:
        lines += ["**Counterexample.**", "", *example]
    return [*lines, *examples(statement)] if isinstance(statement, Definition) else lines


def _links(entry: Entry) -> list[str]:
    lines = []
    if "corrects" in entry.data:
        lines.append("Corrects " + reference(str(entry.data["corrects"])) + ".")
    if entry.instead:
        how = "Corrected by" if "corrected_by" in entry.data else "What is true instead:"
        lines.append(f"{how} " + ", ".join(reference(i) for i in entry.instead) + ".")
    return [" ".join(lines), ""] if lines else []


def _quoted(text: str) -> list[str]:
    return [f"> {text}", ""]
