"""Bad inputs of the command line, with the exit code and words of the one line they end in.

A line of `bad_inputs.txt` has the exit code, the arguments as a shell reads them, and after => the words. {a|b} stands
for a, and for b; {$name} for all of these `VALUES`. Names of files are those that `files` makes. No case may show a
traceback, whatever else is said.
"""

import json
import re
import shlex
from collections.abc import Iterator, Mapping
from itertools import chain, product
from pathlib import Path

TABLE = Path(__file__).with_suffix(".txt")
Case = tuple[tuple[str, ...], int, str]
"""Arguments, exit code, words of the last line."""

VALUES: Mapping[str, tuple[str, ...]] = {
    "epsilon": (
        *("", "-1", "nan", "inf", "x", "1/0", "ln(0)", "ln(1/2)", "-ln(2)", "1e9", "0x10", "1,5", "٣", "ln(3", "1 2"),
    ),
    "claim": (
        *("nope", "", "2", "002.thm", "003.eq1", "002.thm1.sugr.eq11", "../ledger", "\x00", "002.eq12.", "2.eq12"),
    ),
    "count": ("0", "-1", "1.5", "x", "", "1e-3", "10^", "nan", "99999999999999999999"),
    "number": ("0", "-1", "1.5", "x", "", "1e3", "nan", "99999999999999999999"),
    "functions": (
        *("", "0,1", "[]", "[0,1]", "[[0]]", "[[0,-1]]", "[[0,true]]", "[[0,1.0]]", "[[0,2]]", "[" * 999, "7" * 5000),
    ),
    "workload": ("", "rangs", "none.txt", "folder", "\x00"),
}


def files(folder: Path) -> None:
    """Files and folders that cases name."""
    (folder / "folder").mkdir()
    (folder / "empty").write_bytes(b"")
    (folder / "binary").write_bytes(bytes(range(256)) * 4)
    (folder / "deep.json").write_text("[" * 100_000 + "]" * 100_000)
    (folder / "huge.json").write_text(json.dumps({"id": "x" * 10_000_000}))
    (folder / "number.json").write_text("1")
    (folder / "twice.json").write_text('{"id": 1, "id": 2}')
    (folder / "nan.json").write_text('{"id": NaN}')
    (folder / "columns.csv").write_text("a,b\n1,2\n")
    (folder / "rows.csv").write_text("input,report\n0,\n")
    (folder / "syntax.py").write_text("def randomize(:\n")
    (folder / "narrow.txt").write_text("1 0\n0 1\n")
    (folder / "words.txt").write_text("1 0 0 0\n0 one 0 0\n")
    (folder / "singular.txt").write_text("1 1 0 0\n0 0 1 1\n1 1 1 1\n1 1 -1 -1\n")
    (folder / "other.py").write_text("LISTED = []\n\ndef other(item):\n    return item\n")


def cases() -> Iterator[Case]:
    """All of them."""
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        command, _, words = line.partition(" => ")
        code, *arguments = shlex.split(command)
        for chosen in product(*map(_meant, arguments)):
            yield chosen, int(code), words


def _meant(argument: str) -> list[str]:
    """What an argument stands for."""
    match = re.fullmatch(r"([^{]*)\{(.*)\}", argument)
    if match is None:
        return [argument]
    values = (VALUES[part[1:]] if part.startswith("$") else (part,) for part in match[2].split("|"))
    return [match[1] + value for value in chain.from_iterable(values)]
