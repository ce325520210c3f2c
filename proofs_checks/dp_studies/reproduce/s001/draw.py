"""Pictures of a reproduction of source 001: exact errors, simulated ones with their intervals."""

from collections.abc import Iterator
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from dp_studies.reproduce.pictures import GRAY, Document, Drawing, Mark, Points, legend

BLUE, ORANGE = "#0072B2", "#D55E00"
_NOISES = {"laplace": "Laplace", "discrete": "discrete Laplace"}


def drawings(document: Document) -> Iterator[Drawing]:
    """Both figures, by noise and budget."""
    for number, table, function in ((4, "table1", _ranges), (5, "table2", _sizes)):
        by_noise: dict[tuple[str, str], list[Document]] = {}
        for point in document[table].values():
            by_noise.setdefault((point["noise"], point["epsilon"]), []).append(point)
        for (kind, epsilon), points in by_noise.items():
            title = f"Source 001, Figure {number}: {_NOISES[kind]} noise, ε = {epsilon}"
            # a budget may be a fraction
            name = f"figure{number}-{kind}-{epsilon.replace('/', '_')}"
            yield Drawing(name, function, (points, title, document["runs"]))


def _ranges(points: Points, title: str, runs: int) -> Figure:
    """Figure 4, ranges in the order of their exact errors."""
    by_error = sorted(points, key=lambda p: (float(p["error"]["exact"]), p["number"]))
    drawn = Figure(figsize=(9.6, 4.4), layout="constrained")
    axes = drawn.subplots()
    across = range(1, len(by_error) + 1)
    exact = [float(p["error"]["exact"]) for p in by_error]
    off = [e * float(p["relative_standard_error"]) for e, p in zip(exact, by_error, strict=True)]
    axes.plot(across, exact, color=ORANGE, linewidth=1.3, zorder=2)
    low, high = ([e + way * s for e, s in zip(exact, off, strict=True)] for way in (-1, 1))
    axes.fill_between(across, low, high, color=ORANGE, alpha=0.18, linewidth=0, zorder=0)
    for x, point in zip(across, by_error, strict=True):
        _point(axes, x, point)
    axes.set_yscale("log")
    axes.set_xlabel(f"{len(by_error)} random ranges of N = {by_error[0]['size']}, in the order of their exact errors")
    axes.set_ylabel("mean squared error")
    drawn.suptitle(title, fontsize=10)
    _legend(
        drawn,
        runs,
        Line2D([], [], color=ORANGE, label="exact (Algorithm 3)"),
        Line2D([], [], color=ORANGE, alpha=0.3, linewidth=6, label=f"one standard error of {runs} releases"),
    )
    return drawn


def _sizes(points: Points, title: str, runs: int) -> Figure:
    """Figure 5, and the ratio to the exact average."""
    by_size = sorted(points, key=lambda p: int(p["size"]))
    drawn = Figure(figsize=(9.6, 4.4), layout="constrained")
    left, right = drawn.subplots(1, 2)
    across = [p["size"] for p in by_size]
    exact = [float(p["error"]["exact"]) for p in by_size]
    approximate = [float(p["approximate"]["value"]) for p in by_size]
    for axes, units in ((left, [1.0] * len(by_size)), (right, exact)):
        axes.plot(across, [y / u for y, u in zip(exact, units, strict=True)], color=ORANGE, linewidth=1.3, zorder=2)
        axes.plot(across, [y / u for y, u in zip(approximate, units, strict=True)], ":", color=GRAY, zorder=2)
        for point, unit in zip(by_size, units, strict=True):
            _point(axes, point["size"], point, unit)
        axes.set_xscale("log", base=2)
        axes.set_xticks(across, [str(n) for n in across])
        axes.minorticks_off()
        axes.set_yscale("log")
        axes.set_xlabel("N")
    left.set_ylabel("mean squared error, average over all ranges")
    right.set_ylabel("ratio to the exact average (16)")
    drawn.suptitle(title, fontsize=10)
    _legend(
        drawn,
        runs,
        Line2D([], [], color=ORANGE, label="exact (16)"),
        Line2D([], [], color=GRAY, linestyle=":", label="approximation (17)"),
    )
    return drawn


def _point(axes: Axes, x: float, point: Document, unit: float = 1.0) -> None:
    """A simulated mean and the interval of its expectation; large and empty where the exact value is outside."""
    error = point["error"]
    mean, mark = float(error["simulated"]) / unit, Mark(BLUE, sizes=(3.5, 9))
    if not mean:  # has no place on a log axis
        return
    low, high = (None if end is None else float(end) / unit for end in error["interval"])
    if low is not None:
        axes.vlines(x, low, mean if high is None else high, color=BLUE, linewidth=0.8, alpha=0.6, zorder=1)
    if high is None:
        mark.arrow(axes, (x, mean))
    mark.draw(axes, (x, mean), error["inside"], 3)


def _legend(drawn: Figure, runs: int, *handles: Line2D) -> None:
    looks: Any = {"color": BLUE, "linestyle": "none"}
    simulated = [
        Line2D([], [], marker="o", markersize=3.5, label=f"simulated, {runs} releases", **looks),
        Line2D([], [], marker="|", markersize=8, label="interval of its expectation (arrow: no upper end)", **looks),
    ]
    legend(drawn, [*handles, *simulated])
