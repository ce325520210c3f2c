"""What releases declare, as published: `docs/data/maps/LIBRARY.json`, a verdict for each instance of each release.

    python -m dp_studies.libraries.maps.releases opendp [--jobs 2] [--timeout 300]

audits all of them again (their environments must have been made) and rewrites the file.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dp_audit.declared_maps import SECONDS
from dp_audit.outcome import Audit
from dp_checks.runtime.outputs import write_file
from dp_checks.runtime.parallel import Workers
from dp_spec.vocabulary.exceptions import DomainError, RefusedError
from dp_spec.vocabulary.names import require_name
from dp_studies.libraries.maps import MAPS, MEMBERS, audit_map_instances

FOLDER = Path("docs") / "data" / "maps"
CHECK = "declared map"
QUIET = ("conforms", "consistent", "info")
"""Verdicts of which no more is published."""
Rows = Mapping[str, Mapping[str, str]]
"""By instance: the verdict, and what is said of it where it is not a quiet one."""


def row(audit: Mapping[str, Any]) -> dict[str, str]:
    """Return what is published of an audit, given as JSON."""
    verdict = str(audit["verdict"])
    if verdict in QUIET:
        return {"verdict": verdict}
    worst = next(one for one in audit["rows"] if one["verdict"] == verdict)
    said = {"verdict": verdict, "check": str(worst["check"]), "detail": str(worst["detail"])}
    return said | ({"repeat": "\n".join(worst["reproduction"])} if worst["reproduction"] else {})


def document(library: str, releases: Mapping[str, Rows]) -> str:
    """Return the text of the file."""
    content = {"format": 1, "library": library, "members": MEMBERS, "releases": releases}
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def releases_of(library: str, tree: Path = Path()) -> Mapping[str, Rows]:
    """Return what is published of the releases of a library."""
    content = json.loads((tree / FOLDER / f"{library}.json").read_text(encoding="utf-8"))
    releases: Mapping[str, Rows] = content["releases"]
    return releases


def differing(releases: Mapping[str, Rows]) -> list[str]:
    """Return the instances whose verdicts differ between releases."""
    first, *others = releases.values()
    return [name for name in first if any(rows[name]["verdict"] != first[name]["verdict"] for rows in others)]


def _audited(library: str, version: str, timeout: float, by: Workers) -> Rows:
    names = MAPS[library].instances
    audits: dict[int, Audit] = dict(audit_map_instances(library, names, version=version, timeout=timeout, by=by))
    return {name: row(audits[place].as_json()) for place, name in enumerate(names)}


def main(arguments: Sequence[str]) -> int:
    """Run the command. Exit status 1 if an environment is missing or a library is unknown."""
    parser = argparse.ArgumentParser(prog="dp_studies.libraries.maps.releases", description=__doc__)
    parser.add_argument("library", metavar="LIBRARY")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--timeout", type=float, default=SECONDS, help="seconds for a process")
    options = parser.parse_args(arguments)
    try:
        known = MAPS[require_name("library", options.library, MAPS)]
        by = Workers(options.jobs)
        releases = {version: _audited(known.name, version, options.timeout, by) for version in known.environments}
    except (DomainError, RefusedError) as error:
        print(error, file=sys.stderr)
        return 1
    write_file(FOLDER / f"{known.name}.json", document(known.name, releases))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
