"""The readers of journals: they raise nothing, whatever is in the file, and return nothing that was not written."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from dp_checks import journal
from dp_checks.reproduce import run as reproduction
from dp_checks.reproduce.points import result
from dp_checks.verdict import Evidence, Outcome
from torture.reader import Misread, Reader

STAMP = "a" * 64
OUTCOMES: Mapping[str, Outcome] = {
    "002.def1.eq1@pmf": Outcome("verified", Evidence("enumeration", "m <= 2", {"instances": [{"m": 1, "K": 1}]})),
    "002.eq12": Outcome("refuted", Evidence("witness", "m = 1", {"x": [0, "1/2"], "y": None}), (), ("card",)),
    "002.def1.order": Outcome("proved", Evidence("implication", "all", {})),
}


def _read(make: Callable[[Path, str], Any], path: Path, whole: Mapping[str, Any]) -> Callable[[bytes], object]:
    def read(data: bytes) -> None:
        path.write_bytes(data)
        found, _ = make(path, STAMP).read()
        if wrong := [key for key, value in found.items() if key not in whole or whole[key] != value]:
            raise Misread(f"a damaged line counts: {wrong[0]!r}")

    return read


def journal_readers(folder: Path) -> tuple[Reader, ...]:
    """Those of `certify` and of `reproduce`; the journals are written as those commands do."""
    certified, drawn = folder / "certify.jsonl", folder / "reproduce.jsonl"
    journal.Journal(certified, STAMP).add(OUTCOMES)
    points = reproduction.Plan((1,), ("paper",), 1).points()[:2]
    results = {point.key: result(point, 1, 1, Fraction(1, 1000)) for point in points}
    for key, found in results.items():
        reproduction.Journal(drawn, STAMP).add(key, found)
    decided, _ = journal.Journal(certified, STAMP).read()
    kept, _ = reproduction.Journal(drawn, STAMP).read()
    assert decided.keys() == OUTCOMES.keys()
    assert kept.keys() == results.keys()
    return (
        Reader("journals of certify", (certified.read_bytes(),), _read(journal.Journal, certified, decided), (), 10),
        Reader("journals of reproduce", (drawn.read_bytes(),), _read(reproduction.Journal, drawn, kept), (), 1),
    )
