"""The page on measured ratios, from what `make bench-write` measured: nothing in it is typed by hand."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter

from dp_checks.pages.figures import COLORS, LINES, drawing
from dp_checks.pages.notation import picture, table

COMMITTED = Path("docs") / "data" / "benchmarks.json"
BADGES = {"met": "[✓ met]{.verdict .proved}", "missed": "[✗ missed]{.verdict .refuted}", "measured": "measured"}
BARS: Mapping[str, Any] = {
    "met": {"color": COLORS["proved"]},
    "missed": {"color": COLORS["refuted"], "hatch": "//"},
    "measured": {"color": COLORS["unchecked"], "hatch": "||"},
}
UNITS: Mapping[str, Callable[[float], str]] = {
    "seconds": EngFormatter("s"),
    "bytes": EngFormatter("B"),
    "number": "{:,.10g}".format,
}
MACHINE = {
    "processor": "Processor",
    "cores": "Cores",
    "memory_GB": "Memory in GB",
    "system": "System",
    "python": "Python",
    "numpy": "numpy",
    "python-flint": "python-flint",
    "load": "Other processes that ran (load average before the run)",
}


def measured(tree: Path) -> Mapping[str, Any]:
    """The committed measurement."""
    document: Mapping[str, Any] = json.loads((tree / COMMITTED).read_text(encoding="utf-8"))
    return document


def pages(document: Mapping[str, Any]) -> dict[str, str]:
    """The page, by its path."""
    return {"benchmarks.md": "\n".join(_page(document)).rstrip() + "\n"}


def figures(document: Mapping[str, Any]) -> dict[str, bytes]:
    """Its pictures."""
    return drawing("benchmarks", ratios, document["lines"])


def ratios(lines: Sequence[Mapping[str, Any]]) -> Figure:
    """A bar from 1 to every ratio that is no 0, on a logarithmic axis; a mark where it is required to be."""
    bars = [line for line in lines if line["ratio"] > 0]
    figure = Figure(figsize=(8.4, 0.36 * len(bars) + 1.1), layout="constrained")
    axes = figure.subplots()
    for verdict, look in BARS.items():
        places = [i for i, line in enumerate(bars) if line["verdict"] == verdict]
        ends = [sorted((1.0, bars[i]["ratio"])) for i in places]
        widths = [high - low for low, high in ends]
        axes.barh(places, widths, 0.6, [low for low, _ in ends], label=verdict, edgecolor="white", **look)
    required = [(line["required"], i) for i, line in enumerate(bars) if line["required"] is not None]
    mark: dict[str, Any] = {"marker": "|", "markersize": 13, "markeredgewidth": 2.5, "color": LINES[1]}
    axes.plot(*zip(*required, strict=True), linestyle="", label="required", **mark)
    axes.axvline(1, color="gray", linewidth=0.8)
    axes.set_xscale("log")
    axes.set_xlabel("ratio")
    names = [f"{line['measured']}\n/ {line['baseline']}" for line in bars]
    axes.set_yticks(range(len(bars)), names, fontsize=7)
    axes.margins(y=0.01)
    axes.invert_yaxis()
    figure.legend(loc="outside upper center", ncols=4, frameon=False)
    return figure


def _page(document: Mapping[str, Any]) -> list[str]:
    lines = document["lines"]
    verdicts = [line["verdict"] for line in lines]
    said = f"{len(lines)} ratios, measured on {document['date']} in {document['seconds']} seconds: "
    said += f"{verdicts.count('met')} of {len(lines) - verdicts.count('measured')} requirements are met."
    head = ["Ours against the baseline", "Ratio", "Verdict"]
    page = ["# Measured ratios", "", *LEAD, said, "", *table(head, [_row(line) for line in lines])]
    page += picture("benchmarks", ALT)
    page += ["## The machine", ""]
    page += table(["", ""], [[word, str(document["machine"][name])] for name, word in MACHINE.items()])
    return [*page, *REPEAT]


def _row(line: Mapping[str, Any]) -> list[str]:
    unit = UNITS[line["unit"]]
    ours, theirs = (unit(_rounded(line[name])) for name in ("ours", "theirs"))
    compared = f"{line['measured']}: {ours}, against {line['baseline']}: {theirs}"
    required = "" if line["required"] is None else f" ({line['bound']} {line['required']:g})"
    return [compared, f"**{_rounded(line['ratio']):g}** {line['means']}{required}", BADGES[line["verdict"]]]


def _rounded(x: float) -> float:
    """To three digits."""
    return float(f"{x:.3g}")


LEAD = [
    "Absolute times say more about a machine than about a program. Every line below compares two figures that were "
    "taken in the same run on the same machine: ours, and that of a named baseline.",
    "",
    "- *Times as fast*: the baseline's time divided by ours. What is required is a least ratio.",
    "- *Times as long, as much, as many*: our time, memory or number divided by the baseline's. What is required is a "
    "largest ratio.",
    "",
    "What is required, in parentheses, was written into the benchmark before anything was measured. Lines without a "
    "requirement are for information.",
    "",
    "Audits run at error level $10^{-6}$, on four items, with $\\epsilon=1$. The optimal test is Wald's sequential "
    "test of the right law against the wrong one; it is told both and looks at the same reports after the same "
    "batches. Wald's bound is $\\ln 10^6$ divided by the Kullback–Leibler divergence of the two laws. Reports of "
    "sequential audits are medians over seeded runs.",
    "",
]
ALT = "Bar chart of the ratios on a logarithmic axis, with marks where they are required to be; the table has the same."
REPEAT = [
    "## Repeat it",
    "",
    "```console",
    "$ make bench                   # all lines, a quarter of an hour on two cores with nothing else to do",
    "$ make bench ARGS='-k audit'   # some of them",
    "$ make bench-write             # all, and docs/data/benchmarks.json, from which this page is made",
    "```",
    "",
    "The table is printed in the end, and written to `build/benchmarks/benchmarks.json` with the machine. The exit "
    "status is 1 if a requirement is missed. Each benchmark is described at the top of its file in `tests/benchmarks`. "
    "The first run also installs the package that is a baseline. "
    "Other work on the machine makes ratios of parallel runs smaller, and all of them noisier.",
]
