"""The status table: claims per source and verdict, as Markdown; README.md carries it between two marker lines."""

from collections import Counter
from collections.abc import Mapping

from dp_checks.ledger import Entry
from dp_checks.verdict import VERDICTS

BEGIN, END = "<!-- status: begin (dp-refimpl list --status) -->", "<!-- status: end -->"


def status_table(ledger: Mapping[str, Entry]) -> str:
    """Rows of the sources, their readings and our corrections, counted by verdict."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    for entry in ledger.values():
        group = "corrections" if "corrects" in entry.data else "readings" if "row" in entry.data else "rows"
        counts.setdefault((str(entry.data["source"]), group), Counter())[entry.verdict] += 1
    lines = ["| source | | " + " | ".join(VERDICTS) + " |", "|---|---|" + "---:|" * len(VERDICTS)]
    for (source, group), counter in counts.items():
        lines.append(f"| {source} | {group} | " + " | ".join(str(counter[v]) for v in VERDICTS) + " |")
    return "\n".join(lines)
