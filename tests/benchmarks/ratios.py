"""Ratios measured in one run: printed as a table and written as JSON, so that a claim about speed has its figures."""

import json
import os
from collections.abc import Mapping
from pathlib import Path

from rich.console import Console
from rich.table import Table

FOLDER = Path(os.environ.get("DP_REFIMPL_BENCHMARKS", ".benchmarks"))


def report(name: str, ours: float, baselines: Mapping[str, float], unit: str, **facts: object) -> dict[str, float]:
    """How many times slower each baseline is than ours; also printed, and written to .benchmarks/NAME.json."""
    ratios = {baseline: seconds / ours for baseline, seconds in baselines.items()}
    table = Table(title=f"{name} ({', '.join(f'{k}={v}' for k, v in facts.items())})", title_justify="left")
    for column in ("", f"{unit}", "ratio"):
        table.add_column(column, justify="left" if not column else "right")
    table.add_row("dp-refimpl", f"{ours:.3g} s", "1")
    for baseline, seconds in baselines.items():
        table.add_row(baseline, f"{seconds:.3g} s", f"{ratios[baseline]:.1f}")
    Console(width=110).print(table)
    FOLDER.mkdir(parents=True, exist_ok=True)
    figures = {"ours": ours, "baselines": dict(baselines), "ratios": ratios, "unit": unit, **facts}
    (FOLDER / f"{name}.json").write_text(json.dumps(figures, indent=2, default=str) + "\n", encoding="utf-8")
    return ratios
