"""The reader of journals: it raises nothing, whatever is in the file, and returns nothing that was not written."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dp_checks.runtime.journal import Journal
from torture.reader import Misread, Reader

ENTRIES: Mapping[str, Any] = {
    "a1" * 32: {"id": "002.def1.eq1@pmf", "verdict": "verified", "data": {"instances": [{"m": 1, "K": 1}]}},
    "b2" * 32: {"id": "002.eq12", "verdict": "refuted", "data": {"x": [0, "1/2"], "y": None}, "cards": ["card"]},
    "seed=1 runs=2 SuGRR:n=3": {"inside": {"sensitive": True}, "sum": "1.25e-3"},
}


def journal_readers(folder: Path) -> tuple[Reader, ...]:
    """The one of `certify` and `reproduce`."""
    path = folder / "journal.jsonl"
    Journal(path, "certify").add(ENTRIES)
    whole = path.read_bytes()

    def read(data: bytes) -> None:
        path.write_bytes(data)
        entries, _ = Journal(path, "certify").read()
        if wrong := [key for key, value in entries.items() if key not in ENTRIES or ENTRIES[key] != value]:
            raise Misread(f"a damaged line counts: {wrong[0]!r}")

    return (Reader("journals", (whole,), read, (), 10),)
