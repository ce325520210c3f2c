"""What is published for other implementations: a document for every mechanism, generated from the oracles in one form
only, byte by byte; and for other checkers the corpus of right and wrong certificates, as it is committed."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from dp_audit.oracles import KINDS
from dp_audit.vectors import bugs, negative, positive, table_bugs
from dp_audit.vectors.bugs import FLAGS
from dp_checks.runtime.outputs import make_folder, write_file
from dp_checks.runtime.sources import carried

SCHEMA = Path(__file__).with_name("vectors.schema.json")
CERTIFICATE_SCHEMA = Path(__file__).with_name("certificates.schema.json")
CORPUS = ("accepted.jsonl", "rejected.jsonl")
FORMAT = "dp-refimpl-vectors-1"
BUGS = (*bugs.BUGS, *table_bugs.BUGS)
CASES: Mapping[str, tuple[Mapping[str, object], ...]] = {
    name: kind.vectors for name, kind in KINDS.items() if kind.vectors
}
"""The parameters of the positive vectors of every mechanism that has some."""


def documents() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (file name, document) for every mechanism."""
    for name in CASES:
        yield f"{name}.json", document(name)


def document(name: str) -> dict[str, Any]:
    """Return the vectors of one mechanism of `CASES`."""
    valid = [positive.case(f"{name}-{i}", name, parameters) for i, parameters in enumerate(CASES[name], 1)]
    invalid = [negative.case(bug) for bug in BUGS if bug.mechanism == name]
    flags = sorted({flag for vector in invalid for flag in vector["flags"]})
    return {
        "format": FORMAT,
        "mechanism": name,
        "flags": {flag: FLAGS[flag] for flag in flags},
        "vectors": [*valid, *invalid],
    }


def text(document: Mapping[str, Any]) -> str:
    """Return the one text of a document: a line for each vector, so that a change is seen where it is."""
    head = json.dumps({k: v for k, v in document.items() if k != "vectors"}, indent=1)
    lines = ",\n".join(json.dumps(vector, separators=(",", ":")) for vector in document["vectors"])
    return head.removesuffix("\n}") + ',\n "vectors": [\n' + lines + "\n ]\n}\n"


def mechanism_files() -> dict[str, bytes]:
    """Return every document by the name of its file, and their schema."""
    return {name: text(document).encode() for name, document in documents()} | {SCHEMA.name: SCHEMA.read_bytes()}


def certificate_files() -> dict[str, bytes]:
    """Return the corpus of certificates by the names of its files, and its schema."""
    files = [*(carried("tests", "corpus", name) for name in CORPUS), CERTIFICATE_SCHEMA]
    return {file.name: file.read_bytes() for file in files}


def write(folder: Path, files: Mapping[str, bytes]) -> list[Path]:
    """Write the files into a folder, which is made if need be; returns their paths."""
    make_folder(folder)
    for name, content in files.items():
        write_file(folder / name, content)
    return [folder / name for name in files]


def check(folder: Path, files: Mapping[str, bytes]) -> list[str]:
    """Return the files of a folder that are not, byte by byte, those that are expected (missing and superfluous ones,
    too)."""
    contents = {path.name: path.read_bytes() for path in folder.iterdir()} if folder.is_dir() else {}
    return sorted(name for name in files.keys() | contents.keys() if files.get(name) != contents.get(name))
