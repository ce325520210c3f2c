"""The committed table is of the benchmarks that there are, and a missed requirement fails the command."""

import json
import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from benchmarks.table import DECLARED, Line, document, machine, row
from dp_studies.pages.benchmarks import COMMITTED, measured, pages
from structure.tree import ROOT

FILES = sorted(Path(__file__).parent.glob("bench_*.py"))
BENCHMARK = """
from benchmarks.table import line

LINE = line("this", "that", required=5)


def test_this():
    LINE.record(1.0, 4.9)
"""


@pytest.fixture(scope="module")
def committed() -> Any:
    return json.loads((ROOT / COMMITTED).read_text(encoding="utf-8"))


def test_the_committed_table_has_every_declared_line_and_its_verdict(committed: Any) -> None:
    empty = document(machine(), 0, [])
    assert committed["format"] == empty["format"]
    assert (committed.keys(), committed["machine"].keys()) == (empty.keys(), empty["machine"].keys())
    for file in FILES:
        import_module(f"benchmarks.{file.stem}")
    lines = [Line(x["measured"], x["baseline"], x["means"], x["required"]) for x in committed["lines"]]
    assert lines == DECLARED
    assert len({(x.measured, x.baseline) for x in lines}) == len(lines)
    assert committed["lines"] == [
        row(line, x["ours"], x["theirs"], x["details"]) for line, x in zip(lines, committed["lines"], strict=True)
    ]


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.stem))
def test_every_benchmark_records(file: Path) -> None:
    for function in file.read_text(encoding="utf-8").split("\ndef test_")[1:]:
        assert ".record(" in function.partition("\n\n\n")[0]


def test_a_missed_line_fails_the_command(tmp_path: Path) -> None:
    file, out = tmp_path / "bench_it.py", tmp_path / "out" / "it.json"
    file.write_text(BENCHMARK, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks", str(file), "--out", str(out)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1, done.stderr
    assert "missed" in done.stdout
    assert [line["verdict"] for line in json.loads(out.read_text(encoding="utf-8"))["lines"]] == ["missed"]


def test_less_is_better_where_ours_is_divided() -> None:
    line = Line("reports", "of the optimal test", "times as many", 2)
    assert [row(line, ours, 1.0, {})["verdict"] for ours in (0, 2, 2.1)] == ["met", "met", "missed"]
    assert row(Line("a", "b", "times as fast", None), 2.0, 1.0, {})["verdict"] == "measured"


def test_the_page_shows_every_line_and_the_machine(committed: Any) -> None:
    assert measured(ROOT) == committed
    text = pages(committed)["benchmarks.md"]
    for line in committed["lines"]:
        assert re.search(rf"^\| {re.escape(line['measured'])}: .+, against {re.escape(line['baseline'])}: ", text, re.M)
    for value in committed["machine"].values():
        assert f"| {value} |" in text
