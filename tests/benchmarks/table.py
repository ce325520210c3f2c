"""One table of ratios. A benchmark declares its lines, requirements included, before it measures anything:

    LINE = line("exact channel of suRAP", "the same program, replayed path by path", required=5)

and records both figures of a line, taken in the same run: `LINE.record(ours, theirs)`.
"""

import os
import platform
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

from rich.console import Console
from rich.table import Table

from dp_checks.runtime.terminal import MAX_WIDTH, print_table

FORMAT = "dp-refimpl benchmarks 3"
Means = Literal["times as fast", "times as long", "times as much", "times as many"]
UNITS: Mapping[Means, str] = {
    "times as fast": "seconds",
    "times as long": "seconds",
    "times as much": "bytes",
    "times as many": "number",
}
FASTER: Means = "times as fast"
"""The baseline's figure by ours; the others are ours by the baseline's."""


@dataclass(frozen=True)
class Line:
    """What is measured beside which baseline, what their ratio means, and what is required of it, if anything."""

    measured: str
    baseline: str
    means: Means
    required: float | None

    @property
    def bound(self) -> str:
        """Whether a requirement is a least or a largest ratio."""
        return "at least" if self.means == FASTER else "at most"

    def record(self, ours: float, theirs: float, **details: float | str) -> None:
        """Keep the two figures; `details` are for readers of the JSON."""
        RECORDED[self] = row(self, ours, theirs, details)


DECLARED: list[Line] = []
RECORDED: dict[Line, dict[str, Any]] = {}


def line(measured: str, baseline: str, means: Means = FASTER, required: float | None = None) -> Line:
    """Declare a line of the table."""
    declared = Line(measured, baseline, means, required)
    DECLARED.append(declared)
    return declared


def seconds(work: Callable[[], object], rounds: int = 3) -> float:
    """The least of some rounds."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def row(line: Line, ours: float, theirs: float, details: Mapping[str, float | str]) -> dict[str, Any]:
    """A line with its figures: the ratio says how many times as fast, as long, ... ours is as the baseline."""
    ours, theirs = _rounded(ours), _rounded(theirs)
    ratio = _rounded(theirs / ours if line.means == FASTER else ours / theirs)
    return {
        "measured": line.measured,
        "baseline": line.baseline,
        "unit": UNITS[line.means],
        "ours": ours,
        "theirs": theirs,
        "ratio": ratio,
        "means": line.means,
        "bound": line.bound,
        "required": line.required,
        "verdict": _verdict(line, ratio),
        "details": {name: _rounded(v) if isinstance(v, float) else v for name, v in details.items()},
    }


def _verdict(line: Line, ratio: float) -> str:
    if line.required is None:
        return "measured"
    return "met" if (ratio >= line.required if line.means == FASTER else ratio <= line.required) else "missed"


def _rounded(x: float) -> float:
    return float(f"{x:.4g}")


def document(
    machine: Mapping[str, Any],
    seconds: float,
    rows: Sequence[Mapping[str, Any]],
) -> dict[str, Any]:
    """What is written: the machine, the day, how long all of it took, the lines."""
    return {
        "format": FORMAT,
        "date": datetime.now(UTC).date().isoformat(),
        "seconds": round(seconds),
        "machine": dict(machine),
        "lines": list(rows),
    }


def machine() -> dict[str, Any]:
    """The kind of machine and of software, nothing that tells one such machine from another; and its other work."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory_GB": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9, 1),
        "system": f"{platform.system()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "numpy": version("numpy"),
        "python-flint": version("python-flint"),
        "load": round(os.getloadavg()[0], 1),
    }


def _processor() -> str:
    """The model, where the system tells it."""
    path = Path("/proc/cpuinfo")
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    models = [text.partition(":")[2].strip() for text in lines if text.startswith("model name")]
    return models[0] if models else platform.processor()


def show(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print the table."""
    table = Table("measured", "baseline", "ratio", "required", "verdict")
    for bench in rows:
        required = "-" if bench["required"] is None else f"{bench['bound']} {bench['required']:g}"
        ratio = f"{bench['ratio']:.3g} {bench['means']}"
        table.add_row(bench["measured"], bench["baseline"], ratio, required, bench["verdict"])
    console = Console()
    if not console.is_terminal:
        console.width = MAX_WIDTH
    print_table(console, table)
