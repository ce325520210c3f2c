"""The published audits of released libraries: run, kept as JSON, and shown.

    python -m dp_checks.report.audits

runs them again (the environment of the libraries has to exist: `python -m dp_checks.audit.environment`) and rewrites
`docs/data/audits.json`. The documentation is built from that file alone.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dp_checks.audit import AuditEnvironmentError, audit_library
from dp_checks.audit.library import LIBRARIES
from dp_checks.report.notation import table

FILE = Path("docs") / "data" / "audits.json"
SIZES: Mapping[str, Sequence[int]] = {"GRR": (3, 4), "SUE": (2, 3), "OUE": (2, 3)}
EPSILON = "ln(3)"
Report = Mapping[str, Any]


def published(tree: Path) -> tuple[Report, ...]:
    """The committed reports."""
    reports: list[Report] = json.loads((tree / FILE).read_text(encoding="utf-8"))["reports"]
    return tuple(reports)


def run() -> list[Report]:
    """Audit every known library and protocol at its sizes."""
    return [
        audit_library(library, protocol, d=d, epsilon=EPSILON).as_json()
        for library, known in LIBRARIES.items()
        for protocol in known.protocols
        for d in SIZES[protocol]
    ]


def page(reports: Sequence[Report]) -> list[str]:
    """The page: what was looked at, a summary, then what a maintainer may want to know, library by library."""
    lines = ["# Audits of released libraries", "", LEAD, ""]
    rows = []
    for report in reports:
        counts = [
            sum(row["verdict"] == v for row in report["rows"]) for v in ("conforms", "rounding", "fault", "undecided")
        ]
        rows.append([f"{_version(report)} {report['protocol']}", str(report["d"]), *(str(c) for c in counts)])
    lines += table(["Library, protocol", "d", "conforms", "within rounding", "deviates", "undecided"], rows, "lrrrrr")
    lines += [f"Nominal budget $\\epsilon=\\ln 3$; tolerance for rounding {_power(reports[0]['tolerance'])}.", ""]
    for library in dict.fromkeys(str(r["library"]) for r in reports):
        lines += _library(library, [r for r in reports if r["library"] == library])
    return [*lines, *AGAIN]


LEAD = (
    "Each library was installed unmodified, in an environment of its own, and run with its random draws replaced by "
    "an exhaustive enumeration: the output laws below are exact, not estimated. Every check compares them with the "
    "certified law of the mechanism. A row that deviates is a fact about behaviour at the stated parameters; "
    "whether it is intended is for the authors to say. We thank them for publishing code that can be examined this "
    "closely, and will gladly correct anything here that misreads it."
)
AGAIN = [
    "## Running it again",
    "",
    "```console",
    "$ python -m dp_checks.audit.environment   # once: the libraries, pinned and hashed, in .audit-env",
    "$ python -m dp_checks.report.audits       # rewrites docs/data/audits.json",
    "```",
    "",
]
WORDS = {"conforms": "✓ conforms", "rounding": "✓ within rounding", "fault": "✗ deviates", "undecided": "– undecided"}
COLOURS = {"conforms": "proved", "rounding": "verified", "fault": "refuted", "undecided": "unchecked"}


def _library(library: str, reports: Sequence[Report]) -> list[str]:
    lines = [f"## {_version(reports[0])}", ""]
    notes = list(dict.fromkeys(note for r in reports for note in (*r["notes"], *(f"model: {m}" for m in r["models"]))))
    lines += [*(f"- {note}" for note in notes), ""] if notes else []
    for report in reports:
        lines += [f"### {library} {report['protocol']}, d = {report['d']}", ""]
        rows = [
            [row["check"], f"[{WORDS[row['verdict']]}]{{.verdict .{COLOURS[row['verdict']]}}}", _detail(row)]
            for row in report["rows"]
        ]
        lines += table(["Check", "Result", "Detail"], rows)
    return lines


def _detail(row: Report) -> str:
    text = _plain(str(row["detail"]))
    if row["verdict"] in ("fault", "undecided") and row["witness"]:
        text += "<br>" + "; ".join(f"{_plain(name)}: `{_short(str(value))}`" for name, value in row["witness"].items())
    return text


def _plain(text: str) -> str:
    for character in "*_<>$|`":
        text = text.replace(
            character, f"\\{character}" if character in "*_$`|" else {"<": "&lt;", ">": "&gt;"}[character]
        )
    return text


def _short(value: str) -> str:
    """Long exact fractions are in the JSON file; the page shows their beginning."""
    value = value.replace("|", "/").replace("`", "'")
    return value if len(value) <= 60 else value[:57] + "..."


def _version(report: Report) -> str:
    library = str(report["library"])
    return f"{library} {report['versions'].get(library, '')}".strip()


def _power(tolerance: str) -> str:
    bits = int(tolerance.partition("/")[2]).bit_length() - 1
    return f"$2^{{-{bits}}}$"


def main() -> int:
    """The command."""
    try:
        reports = run()
    except AuditEnvironmentError as error:
        print(error, file=sys.stderr)
        return 1
    path = Path(__file__).parents[3] / FILE
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"reports": reports}, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"wrote {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
