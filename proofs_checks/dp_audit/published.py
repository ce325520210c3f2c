"""The published audits of released libraries: run, kept as JSON, and shown.

    python -m dp_audit.published [LIBRARY ...]

runs them again (their environments have to exist: `python -m dp_audit.environment`) and rewrites
`docs/data/audits/<library>.json` after every audit. The documentation is built from these files alone.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.progress import track

from dp_audit import LIBRARIES, Verdict
from dp_audit.audits import certification
from dp_audit.library import audit_protocols
from dp_checks.outputs import write_file
from dp_checks.pages.notation import table
from dp_checks.parallel import HERE, Workers
from dp_checks.processes import WorkerLostError
from dp_spec.vocabulary.exceptions import DomainError, RefusedError
from dp_spec.vocabulary.names import known_name

TREE = Path(__file__).parents[2]
FOLDER = Path("docs") / "data" / "audits"
Published = Mapping[str, Any]


def published(tree: Path) -> tuple[Published, ...]:
    """The committed audits, library by library in the order of the registry."""
    files = [tree / FOLDER / f"{library}.json" for library in LIBRARIES]
    return tuple(audit for file in files for audit in json.loads(file.read_text(encoding="utf-8"))["audits"])


def run(library: str, by: Workers = HERE) -> Iterator[dict[int, Published]]:
    """Audit every known mechanism of a library at its published parameters: what is finished, by place, each time."""
    planned = [(name, given) for name, audited in LIBRARIES[library].protocols.items() for given in audited.parameters]
    found: dict[int, Published] = {}
    for place, audit in track(audit_protocols(library, planned, by=by), description=library, total=len(planned)):
        found[place] = replace(audit, laws={}).as_json()  # the pages show no laws
        yield found


def pages(audits: Sequence[Published]) -> dict[str, str]:
    """The overview `audits.md`, and a page for each library with all that deviates, as text by path."""
    libraries = list(dict.fromkeys(str(r["target"]) for r in audits))
    found = {"audits.md": _overview(audits, libraries)}
    for library in libraries:
        found[f"audits/{library}.md"] = _library(library, [r for r in audits if r["target"] == library])
    return {name: "\n".join(lines).rstrip() + "\n" for name, lines in found.items()}


LEAD = (
    "Each library was installed unmodified, in an environment of its own, and run with its random draws replaced by "
    "an exhaustive enumeration: the output laws below are exact, not estimated (rows marked *samples*, and opendp, "
    "which is compiled, were tested statistically, at a stated error level). Every check compares them with the "
    "exact law of the mechanism; the deviations that matter are [explained in words](../guide/audit-findings.md). "
    "A row that deviates is a fact about behavior at the stated parameters; "
    "whether it is intended is for the authors to say. We thank them for publishing code that can be examined this "
    "closely, and will gladly correct anything here that misreads it."
)
AGAIN = [
    "## Running it again",
    "",
    "```console",
    "$ python -m dp_audit.environment   # once: the libraries, pinned and hashed, in .audit-env",
    "$ python -m dp_audit.published       # rewrites docs/data/audits",
    "$ dp-refimpl audit library pure-ldp GRR --param d=3   # one of them, at parameters of your own",
    "```",
    "",
]
WORDS = {
    "info": "– info",
    "conforms": "✓ conforms",
    "rounding": "✓ within rounding",
    "consistent": "✓ consistent",
    "warning": "◐ surprise",
    "undecided": "– undecided",
    "fault": "✗ deviates",
}
COLORS = {
    "info": "unchecked",
    "conforms": "proved",
    "rounding": "verified",
    "consistent": "verified",
    "warning": "conditional",
    "undecided": "unchecked",
    "fault": "refuted",
}
SHOWN = ("fault", "warning", "undecided")


def _overview(audits: Sequence[Published], libraries: Sequence[str]) -> list[str]:
    """One table for each library."""
    lines = ["# Audits of released libraries", "", LEAD, ""]
    lines += [f"Tolerance for rounding: {_power(audits[0]['tolerance'])}. A dash: the mechanism has no such part.", ""]
    for library in libraries:
        own = [r for r in audits if r["target"] == library]
        lines += [f"## {_version(own[0])}", "", f"[All that deviates, with reproductions](audits/{library}.md)", ""]
        rows = [
            [
                f"**{plain(str(r['mechanism']))}**<br>{_parameters(r)}",
                _figure(r, "nominal epsilon"),
                _figure(r, "effective epsilon"),
                _worst(r, ("estimator", "estimates", "expectation")),
                _worst(r, ("variance",)),
                _badge(str(r["verdict"])) + _deviating(r),
            ]
            for r in own
        ]
        head = ["Mechanism", "nominal ε", "exact ε", "Estimator", "Variance", "Verdict"]
        lines += table(head, rows, "lrrccl")
    hidden = [":::{toctree}", ":hidden:", "", *(f"audits/{library}" for library in libraries), ":::", ""]
    return [*lines, *AGAIN, *hidden]


def _library(library: str, audits: Sequence[Published]) -> list[str]:
    lines = [f"# {_version(audits[0])}", ""]
    known = LIBRARIES.get(library)
    notes = known.notes if known is not None else ()
    lines += [*(f"- {plain(note)}" for note in notes), ""] if notes else []
    if known is not None and known.without_oracle:
        lines += ["Not audited, for want of a finite law or an oracle:", ""]
        lines += [*(f"- {plain(name)}: {plain(why)}" for name, why in known.without_oracle.items()), ""]
    for audit in audits:
        lines += _audit(audit, notes)
    return lines


def _audit(audit: Published, said: Sequence[str]) -> list[str]:
    """A section: the oracle, notes not `said` of the whole library, models, what conforms, what deviates."""
    shown = [row for row in audit["rows"] if row["verdict"] in SHOWN]
    fine = [row for row in audit["rows"] if row["verdict"] not in SHOWN]
    lines = [f"## {plain(str(audit['mechanism']))}, {_parameters(audit)}", ""]
    notes = [certification(audit["certified"]), *(note for note in audit["notes"] if note not in said)]
    notes += [f"model: {'; '.join(audit['models'])}"] if audit["models"] else []
    lines += [*(f"- {plain(note)}" for note in notes), ""]
    if fine:
        names = "; ".join(f"{plain(row['check'])} ({row['verdict']})" for row in fine)
        lines += [f"As the oracle says: {names}.", ""]
    for row in shown:
        lines += [f"{_badge(row['verdict'])} **{plain(row['check'])}**", f": {plain(row['detail'])}", ""]
        witness = "; ".join(f"{plain(name)}: `{_short(str(value))}`" for name, value in row["witness"].items())
        lines += [f"  {witness}", ""] if witness else []
        if row["reproduction"]:
            code = [line.replace("`", "'") for line in row["reproduction"]]
            lines += ["  ```python", *(f"  {line}" for line in code), "  ```", ""]
    return lines


def _parameters(audit: Published) -> str:
    return ", ".join(f"{plain(name)} = {plain(_short(value))}" for name, value in audit["parameters"].items())


def _figure(audit: Published, name: str) -> str:
    """A figure of the row about privacy, to five digits; the exact one is in the JSON file."""
    text = next((row["figures"].get(name) for row in audit["rows"] if row["check"] == "privacy"), None)
    if text is None or text == "infinite":
        return "–" if text is None else "∞"
    ends = [_decimal(end) for end in text.strip("[]").split(", ")]
    return ends[0] if len(set(ends)) == 1 else " to ".join(ends)


def _decimal(text: str) -> str:
    top, _, bottom = text.partition("/")
    return f"{int(top) / int(bottom or 1):.5g}" if top.lstrip("-").isdigit() else text


def _worst(audit: Published, checks: tuple[str, ...]) -> str:
    order = [str(v) for v in Verdict]
    found = [row["verdict"] for row in audit["rows"] if row["check"].split(",")[0] in checks]
    worst = max(found, key=order.index) if found else ""
    return f"[{WORDS[worst][0]}]{{.verdict .{COLORS[worst]}}}" if worst else "–"


def _deviating(audit: Published) -> str:
    """The names of the checks behind a verdict of a audit, types of inputs left out."""
    if audit["verdict"] not in SHOWN:
        return ""
    names = [row["check"].partition(" (")[0] for row in audit["rows"] if row["verdict"] == audit["verdict"]]
    names = list(dict.fromkeys(name.partition(",")[0] for name in names))
    return "<br>" + plain("; ".join(names[:4])) + (" ..." if len(names) > 4 else "")


def _badge(verdict: str) -> str:
    return f"[{WORDS[verdict]}]{{.verdict .{COLORS[verdict]}}}"


def plain(text: str) -> str:
    """Text in which nothing is Markdown."""
    for character in "\\*_<>$`[]":  # `table` escapes the vertical bar
        text = text.replace(character, {"<": "&lt;", ">": "&gt;"}.get(character, f"\\{character}"))
    return " ".join(text.split())


def _short(value: str) -> str:
    """Long exact fractions are in the JSON file; the page shows their beginning."""
    value = value.replace("|", "/").replace("`", "'")
    return value if len(value) <= 60 else value[:57] + "..."


def _version(audit: Published) -> str:
    library = str(audit["target"])
    return f"{library} {audit['versions'].get(library, '')}".strip()


def _power(tolerance: str) -> str:
    bits = int(tolerance.partition("/")[2]).bit_length() - 1
    return f"$2^{{-{bits}}}$"


def main(arguments: Sequence[str]) -> int:
    """The command. Exit status 1 if an environment is missing or a library is unknown."""
    parser = argparse.ArgumentParser(prog="dp_audit.published", description="Run the published audits again.")
    parser.add_argument("libraries", nargs="*", metavar="LIBRARY", default=list(LIBRARIES))
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--scheduler", help="address of a Dask scheduler, as host:8786")
    given = parser.parse_args(arguments)
    folder = TREE / FOLDER
    try:
        by = Workers(given.jobs, given.scheduler)
        for library in (known_name("library", name, LIBRARIES) for name in given.libraries):
            for found in run(library, by):
                audits = [found[place] for place in sorted(found)]
                text = json.dumps({"audits": audits}, indent=1, ensure_ascii=False)
                write_file(folder / f"{library}.json", text + "\n")
    except (DomainError, RefusedError, WorkerLostError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
