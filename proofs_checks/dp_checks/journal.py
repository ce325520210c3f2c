"""The journal of a run: finished claims survive an interruption and are not decided again."""

import hashlib
import json
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path

import dp_checks
import dp_refimpl
import dp_spec
from dp_checks.outputs import make_folder, write_file
from dp_checks.verdict import Evidence, Outcome


def fingerprint() -> str:
    """A hash of everything a verdict depends on: the three packages' sources and the versions of the number
    libraries."""
    digest = hashlib.sha256()
    for package in (dp_spec, dp_refimpl, dp_checks):
        root = Path(str(package.__file__)).parent
        for path in sorted(p for p in root.rglob("*") if p.suffix in (".py", ".toml")):
            digest.update(str(path.relative_to(root)).encode() + b"\0" + path.read_bytes() + b"\0")
    for library in ("python-flint", "mpmath", "numpy"):
        digest.update(f"{library}=={version(library)}".encode())
    return digest.hexdigest()


class Journal:
    """Lines of JSON, one for every decided id; lines of another fingerprint or cut off by a crash do not count."""

    def __init__(self, path: Path, stamp: str) -> None:
        self._path, self._stamp = path, stamp

    def read(self) -> tuple[dict[str, Outcome], int]:
        """Outcomes of an earlier run of the same code, and the number of lines that could not be used."""
        outcomes: dict[str, Outcome] = {}
        unusable = 0
        lines = self._path.read_text(encoding="utf-8", errors="replace").splitlines() if self._path.exists() else []
        for line in lines:
            try:
                entry = json.loads(line)
                if entry["stamp"] == self._stamp:
                    outcomes[entry["id"]] = Outcome(
                        entry["verdict"],
                        Evidence(entry["kind"], entry["scope"], entry["data"]),
                        tuple(entry["ties"]),
                        tuple(entry["cards"]),
                    )
            except (ValueError, KeyError, TypeError):
                unusable += 1
        return outcomes, unusable

    def add(self, outcomes: Mapping[str, Outcome]) -> None:
        """Append finished outcomes, on disk before this returns."""
        make_folder(self._path.parent)
        lines = []
        for claim, outcome in outcomes.items():
            evidence = outcome.evidence
            line: dict[str, object] = {"stamp": self._stamp, "id": claim, "verdict": outcome.verdict}
            line |= {"kind": evidence.kind, "scope": evidence.scope, "data": dict(evidence.data)}
            line |= {"ties": outcome.ties, "cards": outcome.cards}
            lines.append(json.dumps(line) + "\n")
        write_file(self._path, "".join(lines), append=True)

    def clear(self) -> None:
        """Forget everything: the run is complete."""
        self._path.unlink(missing_ok=True)
