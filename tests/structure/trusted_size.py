"""How much has to be trusted for the ledger: the kernel, its cards and the tie, in lines and syntax-tree nodes; lines
run per verdict. What only certificates of `amplify` rest on (`dp_kernel.amplification`) is not among them.

`python tests/structure/trusted_size.py` prints the table of the guide; with certificates (`dp-refimpl certify` writes
them) also how many lines checking each of them executes. `--write` puts both into the guide.
"""

import ast
import json
import re
import statistics
import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import FrameType
from typing import Any

from dp_kernel import verify

ROOT = Path(__file__).resolve().parents[2]
KERNEL = ROOT / "proofs_checks" / "dp_kernel"
CARDS, BESIDE = KERNEL / "cards", KERNEL / "amplification"
GUIDE = ROOT / "docs" / "guide" / "trust.md"
PARTS: Mapping[str, tuple[Path, ...]] = {
    "kernel": tuple(sorted({*KERNEL.rglob("*.py")} - {*CARDS.glob("*.py")} - {*BESIDE.glob("*.py")})),
    "cards": tuple(sorted(CARDS.glob("*.py"))),
    "tie": (ROOT / "proofs_checks" / "dp_checks" / "check" / "ties.py",),
}
TABLE = re.compile(r"\| Trusted code \|.*?(?=\n\n)", re.DOTALL)
EXECUTED = re.compile(r"Checking one certificate executes (\d+) of these lines in the median, at most (\d+)")


def sizes() -> dict[str, tuple[int, int]]:
    """Lines and syntax-tree nodes of every part."""
    texts = {part: [path.read_text(encoding="utf-8") for path in paths] for part, paths in PARTS.items()}
    return {
        part: (
            sum(len(text.splitlines()) for text in listed),
            sum(sum(1 for _ in ast.walk(ast.parse(text))) for text in listed),
        )
        for part, listed in texts.items()
    }


def table() -> str:
    """The sizes as Markdown."""
    measures = sizes()
    rows = [*measures.items(), ("all", tuple(map(sum, zip(*measures.values(), strict=True))))]
    return "\n".join(
        ["| Trusted code | Lines | Syntax-tree nodes |", "| --- | ---: | ---: |"]
        + [f"| {part} | {lines} | {nodes} |" for part, (lines, nodes) in rows]
    )


def executed(certificate: Any) -> int:
    """How many lines of the kernel are executed to check a certificate. Raises `Rejected`."""
    lines: set[tuple[str, int]] = set()
    root = str(KERNEL)

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        if not frame.f_code.co_filename.startswith(root):
            return None
        if event == "line":
            lines.add((frame.f_code.co_filename, frame.f_lineno))
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        verify(certificate)
    finally:
        sys.settrace(before)
    return len(lines)


def main(paths: Iterable[Path], *, write: bool) -> None:
    """Print both, or put them into the guide."""
    text = TABLE.sub(table(), GUIDE.read_text(encoding="utf-8"), count=1)
    counts = [executed(json.loads(path.read_text(encoding="utf-8"))) for path in paths]
    if counts:
        words = "Checking one certificate executes {} of these lines in the median, at most {}"
        text = EXECUTED.sub(words.format(round(statistics.median(counts)), max(counts)), text, count=1)
    print(table())
    print(f"{len(counts)} certificates:", *EXECUTED.findall(text)[0])
    if write:
        GUIDE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="put the numbers into the guide")
    parser.add_argument("certificates", nargs="*", type=Path)
    options = parser.parse_args()
    main(options.certificates, write=options.write)
