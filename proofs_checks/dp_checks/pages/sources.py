"""The page of sources: the full record of every paper whose statements are checked, and its BibTeX entry."""

from collections.abc import Mapping

from dp_checks.ledger import Entry
from dp_checks.pages.notation import table
from dp_spec.vocabulary.source import Source, papers, sources

LEAD = (
    "The papers whose statements are checked. An id such as `002.thm1` begins with the number of its source. What a "
    "record leaves out (volume, pages, DOI) is not known here."
)


def page(ledger: Mapping[str, Entry]) -> list[str]:
    """The page."""
    lines = ["# Sources", "", LEAD, ""]
    for record in sources().values():
        count = sum(e.data["source"] == record.id and "corrects" not in e.data for e in ledger.values())
        lines += [f"(source-{record.id})=", f"## Source {record.id}: {record.short}", ""]
        lines += [*table(["", ""], _rows(record)), f"{count} statements of it have an entry in the ledger.", ""]
        own = [paper for paper in papers().values() if paper.id.partition(".")[0] == record.id]
        lines += ["```bibtex", record.bibtex, "```", ""] if not own else []
        for paper in own:
            lines += [f"(source-{paper.id.replace('.', '-')})=", f"### {paper.short}", ""]
            lines += [f"{paper.line}.", "", "```bibtex", paper.bibtex, "```", ""]
    return lines


def _rows(record: Source) -> list[list[str]]:
    authors = ", ".join(f"{a} ({a.original})" if a.original else str(a) for a in record.authors)
    rows = {
        "Authors": authors,
        "Title": _both(record.title, record.original_title),
        "Journal": _both(record.journal, record.original_journal),
        "Year": None if record.year is None else str(record.year),
        "Volume": record.volume,
        "Pages": record.pages,
        "DOI": record.doi,
        "Language": record.language,
        "Received": str(record.received) if record.received else None,
        "Revised": str(record.revised) if record.revised else None,
    }
    return [[f"**{name}**", value] for name, value in rows.items() if value is not None]


def _both(text: str, original: str | None) -> str:
    return text if original is None else f"{text}<br>{original}"
