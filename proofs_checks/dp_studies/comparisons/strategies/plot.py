"""Pictures of the errors of strategies: exact until they are drawn."""

from collections.abc import Mapping
from decimal import Decimal
from math import isfinite
from typing import Any

from matplotlib.figure import Figure

from dp_spec.vocabulary.exceptions import DomainError

SHOWN = 30
AVERAGE, WORST = "#0072b2", "#d55e00"


def errors(comparison: Mapping[str, Any]) -> Figure:
    """A line for each of the first strategies of a document: a point for the average over the queries, a diamond for
    the worst one.

    Raises `DomainError` for errors that are too large or too small to be drawn.
    """
    rows = comparison["strategies"][:SHOWN]
    figure = Figure(figsize=(7.2, 0.24 * len(rows) + 1.4), layout="constrained")
    axes = figure.subplots()
    for name, color, marker, fill in (("average", AVERAGE, "o", "full"), ("worst", WORST, "D", "none")):
        places = [(_float(row["error"][name]), i) for i, row in enumerate(rows) if row["error"][name] is not None]
        if places:
            look: dict[str, Any] = {"color": color, "marker": marker, "fillstyle": fill}
            axes.plot(*zip(*places, strict=True), linestyle="", label=f"{name} query", **look)
    axes.set_yticks(range(len(rows)), [row["strategy"] for row in rows])
    axes.invert_yaxis()
    if all(float(row["error"]["average"]) > 0 for row in rows):
        axes.set_xscale("log")
    axes.grid(axis="x", linewidth=0.3)
    axes.set_xlabel("expected squared error")
    size, epsilon = f"N = {comparison['n']}", f"epsilon {comparison['epsilon']}"
    title = [size, comparison["workload"], epsilon, comparison["neighbors"], comparison["noise"]]
    axes.set_title(", ".join(title), fontsize=10)
    figure.legend(loc="outside lower center", ncols=2, frameon=False)
    return figure


def _float(text: str) -> float:
    number = float(text)
    if not isfinite(number) or (number == 0) != (Decimal(text) == 0):
        raise DomainError("--plot", text, "a picture of errors that a float can hold")
    return number
