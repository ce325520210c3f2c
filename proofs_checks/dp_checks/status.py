"""The status: claims per source and verdict, as Markdown and for a terminal, and the sources' records."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from rich.table import Table

from dp_checks.ledger import Entry, errata
from dp_checks.verdict import VERDICTS
from dp_spec.vocabulary.source import sources


def status(ledger: Mapping[str, Entry]) -> str:
    """The table of counts, and a line for every source in it: authors, title, journal, year, language."""
    names = dict.fromkeys(source for source, _ in _counted(ledger))
    return "\n\n".join([status_table(ledger), *(f"Source {name}: {sources()[name].line}." for name in names)])


def source_list(ledger: Mapping[str, Entry]) -> str:
    """A line for every source: its number, its record, how many statements of it are judged, how many are errata."""
    wrong = Counter(str(ledger[i].data["source"]) for i in errata(ledger))
    lines = []
    for name in dict.fromkeys(source for source, _ in _counted(ledger)):
        judged = sum(e.data["source"] == name and "corrects" not in e.data for e in ledger.values())
        lines.append(f"- {name}: {sources()[name].line} ({judged} rows and readings, of which {wrong[name]} errata).")
    return "\n".join(lines)


def status_json(ledger: Mapping[str, Entry]) -> dict[str, Any]:
    """The same as plain data: for every source its record, and its counts by group and verdict."""
    records: dict[str, Any] = {}
    for (name, group), counter in _counted(ledger).items():
        about = records.setdefault(name, {"record": sources()[name].json(), "counts": {}})
        about["counts"][group] = {verdict: counter[verdict] for verdict in VERDICTS}
    return records


def status_table(ledger: Mapping[str, Entry]) -> str:
    """Rows of the sources, their readings and our corrections, counted by verdict."""
    counts = _counted(ledger)
    lines = ["| source | | " + " | ".join(VERDICTS) + " |", "|---|---|" + "---:|" * len(VERDICTS)]
    for (source, group), counter in counts.items():
        lines.append(f"| {source} | {group} | " + " | ".join(str(counter[v]) for v in VERDICTS) + " |")
    return "\n".join(lines)


def verdict_grid(ledger: Mapping[str, Entry]) -> Table:
    """How many rows, and how many readings, have each verdict."""
    rows = Counter(e.verdict for e in ledger.values() if "row" not in e.data)
    readings = Counter(e.verdict for e in ledger.values() if "row" in e.data)
    grid = Table("verdict", "rows", "readings")
    for verdict in VERDICTS:
        grid.add_row(verdict, str(rows[verdict]), str(readings[verdict]))
    return grid


def certificate_line(folder: object) -> str:
    """Where the certificates of a run are, and how one is checked."""
    return f"certificates: {folder} (re-check one with: python -m dp_kernel FILE)"


def agreement(entries: int, ledger: str, different: int) -> str:
    """How a run compares with the committed ledger, a file of this name."""
    return f"{entries - different} entries agree with {ledger}, {different} differ"


def _counted(ledger: Mapping[str, Entry]) -> dict[tuple[str, str], Counter[str]]:
    """Numbers of verdicts by (source, rows | readings | corrections)."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    for entry in ledger.values():
        group = "corrections" if "corrects" in entry.data else "readings" if "row" in entry.data else "rows"
        counts.setdefault((str(entry.data["source"]), group), Counter())[entry.verdict] += 1
    return counts
