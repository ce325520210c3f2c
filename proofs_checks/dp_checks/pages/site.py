"""The pages of claims and ledger, as text: a pure function of both and of the tree."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

from dp_checks.ledger import Entry, Ledger, LedgerError
from dp_checks.pages import cards, certificates, codemap, errata, gallery, mechanisms, sources, status, theorems
from dp_checks.pages.claims import block, overview
from dp_checks.pages.notation import cited
from dp_checks.pages.reference import reference_pages
from dp_checks.pages.topics import TOPICS, Topic, rows_of
from dp_checks.runtime.outputs import write_file
from dp_checks.theorems import checkers
from dp_spec.vocabulary.claim import Claim

EMPTY: mechanisms.Audits = MappingProxyType({})
NO_CHECKERS: Mapping[str, str] = MappingProxyType({})
KINDS: Mapping[str, str] = {
    "definition": "Definitions",
    "normalization": "Normalization",
    "algorithm": "Algorithms",
    "invertibility": "Invertibility",
    "privacy": "Privacy",
    "sensitivity": "Sensitivity",
    "bound": "Bounds in proofs",
    "tightness": "Smallest constants",
    "composition": "Composition",
    "unbiasedness": "Unbiasedness",
    "variance": "Mean squared errors",
    "identity": "Identities and implications",
    "comparison": "Comparisons",
    "asymptotics": "Limits and orders",
    "complexity": "Costs",
    "experiment": "Experiments",
}
"""Headings by kind of claim, in the order of a page."""


def pages(claims: tuple[Claim, ...], ledger: Ledger, tree: Path, audits: mechanisms.Audits = EMPTY) -> dict[str, str]:
    """Text by path below the folder of generated pages; `audits` is what pages of mechanisms say of implementations.

    Raises `LedgerError` when claims and ledger do not match.
    """
    if missing := {i for c in claims for i in (c.id, *(name for name, _ in c.formals()))} ^ set(ledger):
        raise LedgerError(f"claims and ledger differ in {sorted(missing)}: run dp-refimpl certify --write")
    topics = [topic for topic in TOPICS if any(True for _ in rows_of(topic, claims))]
    by = checkers(ledger, tree)
    texts = {f"specification/{topic.name}.md": joined(topic_page(topic, claims, ledger, by)) for topic in topics}
    texts |= {path: joined(lines) for path, lines in mechanisms.pages(claims, ledger, audits).items()}
    texts["specification/index.md"] = joined(_index(topics, claims))
    texts |= {path: joined(lines) for path, lines in errata.pages(claims, ledger).items()}
    texts["gallery.md"] = joined(gallery.page(claims, ledger))
    texts["map.md"] = joined(codemap.page(claims, ledger, tree))
    texts["sources.md"] = joined(sources.page(ledger))
    texts["status.md"] = joined(status.page(claims, ledger))
    texts["cards.md"] = joined(cards.page(ledger, tree))
    texts["theorems.md"] = joined(theorems.page(ledger, tree))
    texts["certificates.md"] = joined(certificates.page())
    return texts | reference_pages()


def topic_page(
    topic: Topic, claims: tuple[Claim, ...], ledger: Mapping[str, Entry], by: Mapping[str, str] = NO_CHECKERS
) -> list[str]:
    """One page of the specification; `by` says by whom a statement is checked."""
    rows = tuple(rows_of(topic, claims))
    lines = [*head(topic), *([topic.lead, ""] if topic.lead else [])]
    lines += checked_sources(rows)
    if topic.mechanisms:
        links = ", ".join(f"[{name}](../mechanisms/{name.lower()}.md)" for name in topic.mechanisms)
        lines += [f"Law, estimators and an exact example: {links}.", ""]
    if topic.name == "padding":
        lines += mechanisms.padding_example()
    lines += ["## Claims", "", *overview(rows, ledger)]
    order, by_id = list(KINDS), {i: c for c in claims for i in (c.id, *(name for name, _ in c.formals()))}
    kinds = sorted(
        dict.fromkeys(_kind(row, by_id) for row in rows), key=lambda k: order.index(k) if k in order else len(order)
    )
    for kind in kinds:
        lines += [f"### {KINDS.get(kind, kind.capitalize())}", ""]
        for row in rows:
            if _kind(row, by_id) == kind:
                lines += block(row, ledger, by)
    return lines


def head(topic: Topic) -> list[str]:
    """The head of a page: title, keywords, and a main entry of the index for each, which a search shows first."""
    title = [f"# {topic.title}", ""]
    if not topic.keywords:
        return title
    meta = {"keywords": ", ".join(topic.keywords), "description": f"{topic.title}: stated, checked and corrected."}
    front = ["---", "myst:", "  html_meta:", *(f"    {name}: {json.dumps(text)}" for name, text in meta.items()), "---"]
    entries = [line for word in topic.keywords for line in (f"```{{index}} ! single: {word}", "```")]
    return [*front, "", *title, *entries, ""]


def checked_sources(claims: Iterable[Claim]) -> list[str]:
    """Which papers the statements of a page are from, linked to their records."""
    names = dict.fromkeys(claim.source for claim in claims)
    return [f"Statements of {', '.join(cited(name) for name in names)}.", ""] if names else []


def write(content: Mapping[str, str], folder: Path) -> None:
    """Write the pages; files that are as they should be keep their date, others in the folder go."""
    for path in sorted([*folder.rglob("*.md"), *folder.rglob("*.rst")]):
        if str(path.relative_to(folder).as_posix()) not in content:
            path.unlink()
    for name, text in content.items():
        path = folder / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_file(path, text)


def _kind(row: Claim, by_id: Mapping[str, Claim]) -> str:
    """The heading of a row: a correction stands with what it corrects."""
    while row.corrects:
        row = by_id[row.corrects]
    return row.kind


def _index(topics: list[Topic], claims: tuple[Claim, ...]) -> list[str]:
    names = [topic.name for topic in topics]
    return ["# Specification", "", *checked_sources(claims), "```{toctree}", *names, "```"]


def joined(lines: list[str]) -> str:
    """The lines of a page."""
    return "\n".join(lines).rstrip() + "\n"
