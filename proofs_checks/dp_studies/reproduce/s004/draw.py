"""Pictures of a reproduction of source 004: exact lines, simulated points with their intervals."""

from collections.abc import Iterator, Mapping
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from dp_studies.reproduce.pictures import GRAY, Document, Drawing, Points, legend

COLORS = ("#D55E00", "#E69F00", "#0072B2", "#009E73", "#CC79A7", "#56B4E9")
MARKERS = ("o", "s", "^", "D", "v", "P")
_STEP = 0.16
"""Between points of one rank, so that their intervals can be told apart."""
_SHOWN = 30
"""Intervals are cut where they go beyond so many times the values, or a part of them as small."""
_LEAST = 0.1
"""Below this the axis of rank deviations is linear, as there are zeros."""


def drawings(document: Document) -> Iterator[Drawing]:
    """Costs of every data set, and three pictures of it for each reading."""
    for data in document["data"]:
        yield Drawing(f"cost-{data}", _cost, (document, data))
        for reading in dict.fromkeys(point["functions"] for point in document["points"].values()):
            points = [p for p in document["points"].values() if (p["data"], p["functions"]) == (data, reading)]
            yield Drawing(f"rank-{data}-{reading}", _ranks, (document["vocabulary"], points))
            yield Drawing(f"deviation-{data}-{reading}", _deviations, (points,))
            yield Drawing(f"variance-{data}-{reading}", _variances, (points,))


def _panels(points: Points, title: str, label: str, shared: bool = True) -> tuple[Figure, list[tuple[Axes, Points]]]:
    """A panel for every budget: its axes, and its points by setting."""
    budgets = list(dict.fromkeys(p["epsilon"] for p in points))
    rows = -(-len(budgets) // 2)
    drawn = Figure(figsize=(9.6, 3.3 * rows + 1.0), layout="constrained")
    grid = drawn.subplots(rows, 2, squeeze=False, sharey=shared)
    first = points[0]
    functions = "drawn anew in every repetition" if first["functions"] == "random" else "the same in all repetitions"
    drawn.suptitle(f"Source 004, {title}: {first['data']} data, functions {functions}", fontsize=10)
    for axes in grid.flat[len(budgets) :]:
        axes.set_visible(False)
    panels: list[tuple[Axes, Points]] = []
    for number, (axes, epsilon) in enumerate(zip(grid.flat, budgets, strict=False)):
        axes.set_title(f"ε = {epsilon}")
        axes.set_xlabel("true rank")
        last = len(first["words"])
        axes.set_xticks([1, *range(5, last + 1, 5)])
        if number % 2 == 0:
            axes.set_ylabel(label)
        panels.append((axes, [p for p in points if p["epsilon"] == epsilon]))
    return drawn, panels


def _settings(points: Points) -> Iterator[tuple[Mapping[str, Any], str, str, float]]:
    """The points of a panel with color, marker and shift."""
    for number, point in enumerate(points):
        shift = (number - (len(points) - 1) / 2) * _STEP
        yield point, COLORS[number % len(COLORS)], MARKERS[number % len(MARKERS)], shift


def _handles(points: Points) -> list[Line2D]:
    first = [point for point in points if point["epsilon"] == points[0]["epsilon"]]
    return [
        Line2D([], [], color=color, marker=marker, markersize=4, label=f"k = {point['k']}, m = {point['m']}")
        for point, color, marker, _ in _settings(first)
    ]


def _note(label: str, **looks: Any) -> Line2D:
    return Line2D([], [], **{"color": GRAY, **looks, "label": label})


_INTERVAL = {"marker": "|", "linestyle": "none", "markersize": 8}
_POINT = {"marker": "o", "linestyle": "none", "markersize": 4}


def _ranks(vocabulary: int, points: Points) -> Figure:
    drawn, panels = _panels(points, "rank deviation", "rank deviation")
    for axes, panel in panels:
        axes.axhline(1, color="black", linewidth=1.0, zorder=1)
        for point, color, marker, shift in _settings(panel):
            across = [word["position"] for word in point["words"]]
            ranks = [word["rank"]["ordinal"] for word in point["words"]]
            means = [float(one["simulated"]) for one in ranks]
            axes.plot(across, means, color=color, marker=marker, markersize=3.5, linewidth=0.9, zorder=3)
            for x, one in zip(across, ranks, strict=True):
                low, high = (float(end) for end in one["interval"])
                axes.vlines(x + shift, low, high, color=color, linewidth=0.7, alpha=0.45, zorder=2)
        axes.set_yscale("symlog", linthresh=_LEAST)
        axes.set_ylim(0, vocabulary)
        axes.set_yticks([0, 0.1, 1, 10, 100, 1000], ["0", "0.1", "1", "10", "100", "1000"])
        axes.minorticks_off()
    handles = [*_handles(points), _note("1", color="black"), _note("interval of the expectation", **_INTERVAL)]
    legend(drawn, handles)
    return drawn


def _deviations(points: Points) -> Figure:
    drawn, panels = _panels(points, "expected deviation", "expected deviation")
    for axes, panel in panels:
        for point, color, marker, shift in _settings(panel):
            across = [word["position"] for word in point["words"]]
            most = [float(word["absfirst"]["exact"][1]) for word in point["words"]]
            axes.plot(across, most, color=color, linewidth=1.0, zorder=2)
            _points(axes, point, "absfirst", color, marker, shift)
            first = [float(word["meanfirst"]["simulated"]) for word in point["words"] if "meanfirst" in word]
            looks: Any = {"markerfacecolor": "none", "markersize": 3.5, "linestyle": "none", "markeredgewidth": 0.6}
            axes.plot([x + shift for x in across[: len(first)]], first, marker, color=color, zorder=3, **looks)
        exact = [float(word["absfirst"]["exact"][1]) for point in points for word in point["words"]]
        axes.set_yscale("log")
        axes.set_ylim(min(exact) / (_SHOWN if _simulated(points) else 2), max(exact) * 4)
    notes = [
        _note("mean of |ec − ac| / ac, upper end for its expectation", **_POINT),
        _note("|mean of ec − ac| / ac (some are smaller)", **_POINT, markerfacecolor="none"),
    ]
    bound = _note("exact bound, the root of E D / ac²")
    legend(drawn, [*_handles(points), bound, *(notes if _simulated(points) else [])])
    return drawn


def _variances(points: Points) -> Figure:
    drawn, panels = _panels(points, "variance", "variance D", shared=False)
    for axes, panel in panels:
        for point, color, marker, shift in _settings(panel):
            across = [word["position"] for word in point["words"]]
            axes.plot(across, [float(w["variance"]["exact"]) for w in point["words"]], color=color, linewidth=1.0)
            _points(axes, point, "variance", color, marker, shift)
        exact = [float(word["variance"]["exact"]) for point in panel for word in point["words"]]
        axes.set_yscale("log")
        axes.set_ylim(min(exact) / 4, max(exact) * 10)
    notes = [_note("simulated D, interval of E D (cut at the edge)", **_POINT)]
    legend(drawn, [*_handles(points), _note("exact E D"), *(notes if _simulated(points) else [])])
    return drawn


def _simulated(points: Points) -> bool:
    return "simulated" in points[0]["words"][0]["variance"]


def _points(axes: Axes, point: Mapping[str, Any], name: str, color: str, marker: str, shift: float) -> None:
    """Simulated values and intervals, if there are any; large where the exact value is outside."""
    for word in point["words"]:
        estimate, x = word[name], word["position"] + shift
        if "simulated" not in estimate:
            continue
        mean = float(estimate["simulated"])
        low, high = (None if end is None else float(end) for end in estimate["interval"])
        # lower ends near 0 would be lines across the whole of a log scale
        bottom = low if low is not None and low > mean / _SHOWN else mean
        axes.vlines(x, bottom, mean * _SHOWN if high is None else high, color=color, linewidth=0.7, alpha=0.45)
        axes.plot([x], [mean], marker, color=color, markersize=3 if estimate["inside"] else 8, zorder=4)


def _cost(document: Document, data: str) -> Figure:
    budgets = list(document["costs"][0]["error"][data])
    columns = (
        ("counters", "memory: m k counters"),
        ("operations", "time: operations"),
        ("bits", "bits per report"),
    )
    drawn = Figure(figsize=(9.6, 2.3 * len(budgets) + 1.0), layout="constrained")
    grid = drawn.subplots(len(budgets), len(columns), squeeze=False, sharey="row", sharex="col")
    drawn.suptitle(
        f"Source 004, error and costs: {data} data, {document['records']:,} records, exact, functions random",
        fontsize=10,
    )
    ms = list(dict.fromkeys(cost["m"] for cost in document["costs"]))
    ends = [m for m in ms if any(cost["simulated"] for cost in document["costs"] if cost["m"] == m)]
    for number, (row, epsilon) in enumerate(zip(grid, budgets, strict=True)):
        (best,) = ((b["k"], b["m"]) for b in document["best"] if (b["data"], b["epsilon"]) == (data, epsilon))
        for axes, (name, label) in zip(row, columns, strict=True):
            for m in ms:
                listed = [cost for cost in document["costs"] if cost["m"] == m]
                color = COLORS[ends.index(m) % len(COLORS)] if m in ends else "#BBBBBB"
                values = [float(cost["error"][data][epsilon]) for cost in listed]
                across = [cost[name] for cost in listed]
                axes.plot(across, values, color=color, linewidth=1.2 if m in ends else 0.7, zorder=2)
                for x, y, cost in zip(across, values, listed, strict=True):
                    if cost["simulated"]:
                        marker = MARKERS[[c["k"] for c in listed if c["simulated"]].index(cost["k"]) % len(MARKERS)]
                        axes.plot([x], [y], marker, color=color, markersize=5, zorder=3)
                    if (cost["k"], cost["m"]) == best:
                        axes.plot([x], [y], "*", color="black", markersize=11, markerfacecolor="none", zorder=4)
            axes.set_xscale("log")
            axes.set_yscale("log")
            if number == len(budgets) - 1:
                axes.set_xlabel(label)
        row[0].set_ylabel(f"error, ε = {epsilon}")
    ks = list(dict.fromkeys(cost["k"] for cost in document["costs"] if cost["simulated"]))
    handles = [
        *(Line2D([], [], color=COLORS[i % len(COLORS)], label=f"m = {m}, all k") for i, m in enumerate(ends)),
        *([_note("other m", color="#BBBBBB")] if len(ms) > len(ends) else []),
        *(_note(f"k = {k}", marker=MARKERS[i % len(MARKERS)], linestyle="none") for i, k in enumerate(ks)),
        _note("smallest error² × operations", marker="*", markersize=11, markerfacecolor="none", linestyle="none"),
    ]
    legend(drawn, handles)
    return drawn
