"""Pictures of enclosures: certified ends, in floats only to be drawn."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import cycle, pairwise
from math import log
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from dp_studies.comparisons.amplification.query import about

LOWER, UPPER = "#0072b2", "#d55e00"
OTHERS = ("#009e73", "#cc79a7", "#56b4e9", "#e69f00")
"""Of further curves in a picture."""
FEW = 12
"""So many points are marks and no line."""
BETWEEN, MARKED = 8, 40
"""Points of a line between two knots, and knots up to which each has a mark."""
VARIED = ("users", "labels", "epsilon0", "dummies", "epsilon", "delta")


def profile(knots: Sequence[Mapping[str, Any]], title: str) -> Figure:
    """delta over epsilon: an exact privacy profile, with a mark where the slope in e^epsilon changes."""
    figure = Figure(figsize=(6.4, 4.0), layout="constrained")
    axes = figure.subplots()
    marks = [(Fraction(knot["e"]), Fraction(knot["delta"])) for knot in knots]
    shares = [Fraction(i, BETWEEN) for i in range(BETWEEN)]
    line = [(a + s * (c - a), d + s * (f - d)) for (a, d), (c, f) in pairwise(marks) for s in shares]
    points = [(_log(e), float(d)) for e, d in (*line, marks[-1]) if d > 0]
    axes.plot(*zip(*points, strict=True), color=UPPER, linewidth=1)
    if len(marks) <= MARKED:
        at = [(_log(e), float(d)) for e, d in marks if d > 0]
        axes.plot(*zip(*at, strict=True), color=UPPER, linestyle="", marker=".")
    axes.set_yscale("log")
    axes.set_xlabel("epsilon")
    axes.set_ylabel("delta, exact, worst of all data sets")
    axes.set_title(title, fontsize=10)
    axes.grid(linewidth=0.3)
    return figure


def _log(x: Fraction) -> float:
    return log(x.numerator) - log(x.denominator)


def answers(document: Mapping[str, Any]) -> Figure:
    """The privacy profile of one setting, or the answers over what varies: lower and upper ends as two lines with the
    region between them filled."""
    rows = document["curve"] or [row for row in document["rows"] if "refused" not in row]
    name = (
        "epsilon" if document["curve"] else next((x for x in VARIED if len({str(row[x]) for row in rows}) > 1), "users")
    )
    figure = Figure(figsize=(6.4, 4.0), layout="constrained")
    axes = figure.subplots()
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        others = [f"{x} {_text(row[x])}" for x in VARIED if x != name and len({str(r[x]) for r in rows}) > 1]
        groups.setdefault(", ".join(others), []).append(row)
    for (label, group), color in zip(groups.items(), cycle((UPPER, *OTHERS))):
        _between(axes, name, sorted(group, key=lambda row: _float(row[name])), label, color)
    first = rows[0]
    axes.set_yscale("log")
    if not document["curve"] and name in ("users", "labels", "dummies", "delta"):
        axes.set_xscale("log")
    axes.set_xlabel({"labels": "k", "users": "n"}.get(name, name))
    axes.set_ylabel(f"certified {first['asked']}")
    fixed = [f"{x} {_text(first[x])}" for x in VARIED if x != name and first[x] and len({str(r[x]) for r in rows}) == 1]
    axes.set_title(f"shuffled {first['mechanism']}: {', '.join(fixed)}", fontsize=10)
    axes.grid(linewidth=0.3)
    axes.legend(frameon=False)
    return figure


def _between(axes: Axes, name: str, group: Sequence[Mapping[str, Any]], label: str, color: str) -> None:
    """The two ends of a group: of many points lines, dashed over full so that both are seen where they coincide; of a
    few points marks, as nothing is known between them."""
    points = [row for row in group if float(row["upper"]["value"]) > 0]
    x = [_float(row[name]) for row in points]
    low, high = ([float(row[side]["value"]) for row in points] for side in ("lower", "upper"))
    more = f" ({label})" if label else ""
    upper: dict[str, Any] = {"color": color, "label": f"upper: every data set{more}"}
    lower: dict[str, Any] = {"color": LOWER if color == UPPER else color, "label": f"lower: a named data set{more}"}
    if len(points) > FEW:
        axes.fill_between(x, low, high, color=color, alpha=0.15, linewidth=0)
        axes.plot(x, high, linewidth=2, **upper)
        axes.plot(x, low, linewidth=1, linestyle=(0, (4, 4)), **lower)
    else:
        axes.vlines(x, low, high, color=color, linewidth=1)
        axes.plot(x, high, linestyle="", marker="v", markersize=6, **upper)
        axes.plot(x, low, linestyle="", marker="^", markersize=9, markerfacecolor="none", **lower)


def _float(text: Any) -> float:
    return about(text) if isinstance(text, str) else float(text)


def _text(value: Any) -> str:
    return f"{_float(value):.4g}" if isinstance(value, str) and "/" in value else str(value)
