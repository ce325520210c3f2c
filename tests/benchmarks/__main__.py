"""`make bench`: measure, print one table, and write it with a description of the machine to build/benchmarks.

    python -m benchmarks [-k WORD] [--write] [FILE ...]

`--write` replaces the committed docs/data/benchmarks.json, of which the documentation's page is made (whole runs only).
Exit status 1 when a requirement is missed, or a benchmark fails.
"""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from benchmarks import table
from dp_checks.runtime.outputs import write_file

ROOT = Path(__file__).resolve().parents[2]
COMMITTED = ROOT / "docs" / "data" / "benchmarks.json"
OUT = Path("build") / "benchmarks" / "benchmarks.json"


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measured ratios in one table.")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="default: all benchmarks")
    parser.add_argument("-k", dest="word", default="", help="only those whose names contain this, as for pytest")
    parser.add_argument("--out", type=Path, default=OUT, help=f"default: {OUT}")
    parser.add_argument("--write", action="store_true", help="replace the committed file as well")
    options = parser.parse_args(arguments)
    whole = not options.files and not options.word
    if options.write and not whole:
        parser.error("--write needs all benchmarks: leave FILE and -k away")
    machine, start = table.machine(), time.perf_counter()
    failed = bool(pytest.main(_options(options.files or [Path(__file__).parent], options.word)))
    rows = [table.RECORDED[line] for line in table.DECLARED if line in table.RECORDED]
    failed = failed or (whole and len(rows) < len(table.DECLARED))
    document = table.document(machine, time.perf_counter() - start, rows)
    text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
    options.out.parent.mkdir(parents=True, exist_ok=True)
    write_file(options.out, text)
    table.show(rows)
    missed = sum(row["verdict"] == "missed" for row in rows)
    print(f"{len(rows)} lines in {document['seconds']} s, {missed} missed: {options.out}")
    if options.write and not failed:
        write_file(COMMITTED, text)
        print(f"wrote {COMMITTED.relative_to(ROOT)}")
    return int(failed or missed > 0)


def _options(files: Sequence[Path], word: str) -> list[str]:
    """Of pytest: one process, short, nothing kept."""
    plugins = ["-p", "no:xdist", "-p", "no:cacheprovider", "--benchmark-quiet", "-q"]
    return ["-c", str(ROOT / "pyproject.toml"), *plugins, "-o", "python_files=bench_*.py", "-k", word, *map(str, files)]


if __name__ == "__main__":
    sys.exit(main())
