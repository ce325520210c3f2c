"""The published audits of released libraries: run, kept as JSON, and shown.

    python -m dp_studies.libraries.published_audits [LIBRARY ...]

runs them again (their environments have to exist: `dp-refimpl audit environment`) and rewrites
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

from dp_audit import Verdict
from dp_audit.outcome import certification
from dp_audit.report.markdown import cut, escape, parameters, privacy
from dp_checks.pages.notation import table
from dp_checks.runtime.outputs import write_file
from dp_checks.runtime.parallel import HERE, Workers
from dp_checks.runtime.processes import WorkerLostError
from dp_spec.vocabulary.exceptions import DomainError, RefusedError
from dp_spec.vocabulary.names import require_name
from dp_studies.libraries import LIBRARIES, deviations
from dp_studies.libraries.audit import LibraryOptions, audit_protocols
from dp_studies.libraries.deviations import parameters_key

TREE = Path(__file__).parents[3]
FOLDER = Path("docs") / "data" / "audits"
Published = Mapping[str, Any]
EMPTY: Mapping[tuple[str, str, str], Published] = {}


def published(tree: Path) -> tuple[Published, ...]:
    """The committed audits, library by library in the order of the registry."""
    return tuple(audit for library in LIBRARIES for audit in _content(tree, library)["audits"])


def repaired(tree: Path) -> dict[tuple[str, str, str], Published]:
    """The committed audits of repaired libraries, by library, mechanism and parameters."""
    audits = (audit for library in LIBRARIES for audit in _content(tree, library)["repaired"])
    return {(str(a["target"]), str(a["mechanism"]), parameters_key(a)): a for a in audits}


def _content(tree: Path, library: str) -> Published:
    content: Published = json.loads((tree / FOLDER / f"{library}.json").read_text(encoding="utf-8"))
    return {"repaired": [], **content}


def run(
    library: str, by: Workers = HERE, kept: Sequence[Published] = (), repaired: bool = False
) -> Iterator[dict[int, Published]]:
    """Audit every known mechanism of a library at its published parameters: what is finished, by place, each time.

    Audits that are among those `kept` are not run. `repaired`: those with a repair that can be run, with that repair.
    """
    protocols = LIBRARIES[library].protocols.items()
    runs = [one for one in protocols if not repaired or one[1].repaired is not None]
    planned = [(name, values) for name, audited in runs for values in audited.parameters]
    by_place = {place: audit for place, task in enumerate(planned) for audit in kept if _is_of(audit, *task)}
    yield dict(by_place)
    missing = [place for place in range(len(planned)) if place not in by_place]
    audits = audit_protocols(library, [planned[place] for place in missing], LibraryOptions(repaired=repaired), by=by)
    for place, audit in track(audits, description=library, total=len(missing)):
        by_place[missing[place]] = replace(audit, laws={}).as_json()  # the pages show no laws
        yield dict(by_place)


def _is_of(audit: Published, mechanism: str, values: Mapping[str, object]) -> bool:
    """Whether an audit is of a mechanism at these parameters; facts of the library complete them."""
    same = all(audit["parameters"].get(name) == str(value) for name, value in values.items())
    return same and audit["mechanism"] == mechanism


def pages(audits: Sequence[Published], repaired: Mapping[tuple[str, str, str], Published] = EMPTY) -> dict[str, str]:
    """The overview `audits.md`, pages for each library and for each mechanism that deviates, and the table
    `audit-scope.txt` of what was looked at and what was not, which the guide includes; as text by path.

    `repaired` as the function of this name has them.
    """
    libraries = list(dict.fromkeys(str(r["target"]) for r in audits))
    lines_of = {"audits.md": _overview(audits, libraries), "audit-scope.txt": _scopes(audits, libraries)}
    for library in libraries:
        lines_of[f"audits/{library}.md"] = _library(library, [r for r in audits if r["target"] == library])
    texts = {name: "\n".join(lines).rstrip() + "\n" for name, lines in lines_of.items()}
    return texts | deviations.pages(audits, repaired)


LEAD = (
    "Each library was installed unmodified, in an environment of its own, and run with its random draws replaced by "
    "an exhaustive enumeration: the output laws below are exact, not estimated (rows marked *samples*, and libraries "
    "that are compiled or not in Python, were tested statistically, at a stated error level). Every check compares "
    "them with the exact law of the mechanism; the deviations that matter are "
    "[explained in words](../guide/audit-findings.md), and every mechanism that deviates has a page of its own: how to "
    "see it, what it costs, how to repair it. A row that deviates is a fact about behavior at the stated parameters; "
    "whether it is intended is for the authors to say. We thank them for publishing code that can be examined this "
    "closely, and will gladly correct anything here that misreads it."
)
AGAIN = [
    "## Running it again",
    "",
    "```console",
    "$ dp-refimpl audit environment local central further synthesis javascript   # once: pinned, in .audit-env",
    "$ python -m dp_studies.libraries.published_audits --jobs 2   # rewrites docs/data/audits; --missing: absent ones",
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


def scope(library: str, audits: Sequence[Published]) -> tuple[str, str, str]:
    """What was looked at in a library, what of it deviates, and what was not looked at, as its record says."""
    own = [audit for audit in audits if audit["target"] == library]
    looked = dict.fromkeys(str(audit["mechanism"]) for audit in own)
    bad = dict.fromkeys(name for _, name in deviations.deviating(own))
    how = " and ".join(dict.fromkeys("exactly" if audit["method"] == "exact" else "in samples" for audit in own))
    left = LIBRARIES[library].without_oracle if library in LIBRARIES else {}
    return (
        f"{len(looked)} {'mechanism' if len(looked) == 1 else 'mechanisms'}, {how}",
        str(len(bad)),
        "; ".join(left) or "–",
    )


def _scopes(audits: Sequence[Published], libraries: Sequence[str]) -> list[str]:
    rows = []
    for library in libraries:
        own = [audit for audit in audits if audit["target"] == library]
        looked, bad, left = scope(library, own)
        link = f"[{escape(_version(own[0]))}](../_generated/audits/{library}.md)"
        rows.append([link, looked, bad, escape(left)])
    return table(["Library", "Looked at", "of these deviate", "Not looked at"], rows, "llrl")


def _overview(audits: Sequence[Published], libraries: Sequence[str]) -> list[str]:
    """One table for each library."""
    lines = ["# Audits of released libraries", "", LEAD, ""]
    lines += [f"Tolerance for rounding: {_power(audits[0]['tolerance'])}. A dash: the mechanism has no such part.", ""]
    for library in libraries:
        own = [r for r in audits if r["target"] == library]
        looked, _, left = scope(library, own)
        lines += [f"## {_version(own[0])}", "", f"[All that deviates, with reproductions](audits/{library}.md). "]
        lines += [f"Looked at: {looked}. Not looked at: {escape(left)}.", ""]
        rows = [
            [
                f"**{escape(str(r['mechanism']))}**<br>{parameters(r)}",
                privacy(r, "nominal epsilon"),
                privacy(r, "effective epsilon"),
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
    entry = LIBRARIES.get(library)
    notes = entry.notes if entry is not None else ()
    lines += [*(f"- {escape(note)}" for note in notes), ""] if notes else []
    if entry is not None and entry.without_oracle:
        lines += ["Not looked at:", ""]
        lines += [*(f"- {escape(name)}: {escape(why)}" for name, why in entry.without_oracle.items()), ""]
    for name, code in entry.exceeded.items() if entry is not None else ():
        lines += [f"What {escape(name)} spends, and may spend:", "", "```python", *code, "```", ""]
    if deviating := deviations.deviating(audits):
        links = [
            f"[{escape(name)}]({deviations.address(library, name).removeprefix('audits/')})" for _, name in deviating
        ]
        lines += [f"What deviates, with reproductions and repairs: {'; '.join(links)}.", ""]
        pages = [deviations.address(library, name).removeprefix("audits/").removesuffix(".md") for _, name in deviating]
        lines += [":::{toctree}", ":hidden:", "", *pages, ":::", ""]
    for audit in audits:
        lines += _audit(audit, notes)
    return lines


def _audit(audit: Published, said: Sequence[str]) -> list[str]:
    """A section: the oracle, notes not `said` of the whole library, models, what conforms, what deviates."""
    rows = [row for row in audit["rows"] if row["verdict"] in SHOWN]
    fine = [row for row in audit["rows"] if row["verdict"] not in SHOWN]
    lines = [f"## {escape(str(audit['mechanism']))}, {parameters(audit)}", ""]
    notes = [certification(audit["certified"]), *(note for note in audit["notes"] if note not in said)]
    notes += [f"model: {'; '.join(audit['models'])}"] if audit["models"] else []
    lines += [*(f"- {escape(note)}" for note in notes), ""]
    if fine:
        names = "; ".join(f"{escape(row['check'])} ({row['verdict']})" for row in fine)
        lines += [f"As the oracle says: {names}.", ""]
    for row in rows:
        lines += [f"{_badge(row['verdict'])} **{escape(row['check'])}**", f": {escape(row['detail'])}", ""]
        witness = "; ".join(f"{escape(name)}: `{cut(str(value))}`" for name, value in row["witness"].items())
        lines += [f"  {witness}", ""] if witness else []
        if row["reproduction"]:
            code = [line.replace("`", "'") for line in row["reproduction"]]
            lines += ["  ```python", *(f"  {line}" for line in code), "  ```", ""]
    return lines


def by_oracle(audits: Sequence[Published]) -> dict[str, list[str]]:
    """What audits say, a line for each mechanism of a library, by the oracle it was compared with."""
    worst: dict[tuple[str, str, str], Published] = {}
    order = [str(verdict) for verdict in Verdict]
    for audit in audits:
        key = str(audit["oracle"]), str(audit["target"]), str(audit["mechanism"])
        if key not in worst or order.index(audit["verdict"]) > order.index(worst[key]["verdict"]):
            worst[key] = audit
    lines: dict[str, list[str]] = {}
    for (oracle, library, mechanism), audit in worst.items():
        deviating = _deviating(audit).removeprefix("<br>")
        says = f"{_badge(audit['verdict'])}{f' {deviating}' if deviating else ''}"
        link = f"[{_version(audit)}](../audits/{library}.md)"
        lines.setdefault(oracle, []).append(f"- {link}, {escape(mechanism)}: {says}")
    return lines


def _worst(audit: Published, checks: tuple[str, ...]) -> str:
    order = [str(v) for v in Verdict]
    verdicts = [row["verdict"] for row in audit["rows"] if row["check"].split(",")[0] in checks]
    worst = max(verdicts, key=order.index) if verdicts else ""
    return f"[{WORDS[worst][0]}]{{.verdict .{COLORS[worst]}}}" if worst else "–"


def _deviating(audit: Published) -> str:
    """The names of the checks behind a verdict of a audit, types of inputs left out."""
    if audit["verdict"] not in SHOWN:
        return ""
    names = [row["check"].partition(" (")[0] for row in audit["rows"] if row["verdict"] == audit["verdict"]]
    names = list(dict.fromkeys(name.partition(",")[0] for name in names))
    return "<br>" + escape("; ".join(names[:4])) + (" ..." if len(names) > 4 else "")


def _badge(verdict: str) -> str:
    return f"[{WORDS[verdict]}]{{.verdict .{COLORS[verdict]}}}"


def _version(audit: Published) -> str:
    library = str(audit["target"])
    return f"{library} {audit['versions'].get(library, '')}".strip()


def _power(tolerance: str) -> str:
    bits = int(tolerance.partition("/")[2]).bit_length() - 1
    return f"$2^{{-{bits}}}$"


def _publish(library: str, by: Workers, missing: bool) -> None:
    """Rewrites the file of a library after every audit."""
    file = TREE / FOLDER / f"{library}.json"
    kept = _content(TREE, library) if missing and file.is_file() else {"audits": [], "repaired": []}
    lists: dict[str, list[Published]] = {}
    for name in ("audits", "repaired"):
        for by_place in run(library, by, kept[name], name == "repaired"):
            lists[name] = [by_place[place] for place in sorted(by_place)]
            content = {part: audits for part, audits in lists.items() if audits or part == "audits"}
            write_file(file, json.dumps(content, indent=1, ensure_ascii=False) + "\n")


def main(arguments: Sequence[str]) -> int:
    """The command. Exit status 1 if an environment is missing or a library is unknown."""
    parser = argparse.ArgumentParser(
        prog="dp_studies.libraries.published_audits", description="Run the published audits again."
    )
    parser.add_argument("libraries", nargs="*", metavar="LIBRARY", default=list(LIBRARIES))
    parser.add_argument("--missing", action="store_true", help="only those that are not in the files yet")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--scheduler", help="address of a Dask scheduler, as host:8786")
    options = parser.parse_args(arguments)
    try:
        by = Workers(options.jobs, options.scheduler)
        for library in (require_name("library", name, LIBRARIES) for name in options.libraries):
            _publish(library, by, options.missing)
    except (DomainError, RefusedError, WorkerLostError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
