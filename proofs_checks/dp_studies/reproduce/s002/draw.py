"""Pictures of a reproduction of source 002: exact curves, simulated points with their intervals."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from dp_studies.reproduce.pictures import GRAY, Document, Drawing, Mark, fraction, legend
from dp_studies.reproduce.s002.settings import figure

LOOKS = {
    "SuGRR": ("#D55E00", "o"),
    "SuGRRSample": ("#E69F00", "s"),
    "SuRAP": ("#0072B2", "D"),
    "SuRAPSample": ("#56B4E9", "^"),
    "SuWheel": ("#009E73", "v"),
}
"""Colors that color-blind readers can tell apart, and markers for those who print in black."""

TITLES = {
    "paper": "budget as in the paper",
    "marginal": "equal certified constant e^ε, reading marginal",
    "marginal-nonempty": "equal certified constant e^ε, reading marginal, empty protected data not compared",
    "joint": "equal certified constant e^ε, reading joint",
    "deniability": "equal certified constant e^ε, reading deniability",
    "samenon": "equal certified constant e^ε, reading samenon",
}
_HEIGHT = {1: 3.3, 2: 3.3, 3: 4.0, 4: 4.0}


def drawings(document: Document) -> Iterator[Drawing]:
    """A picture for every figure and calibration, with the points that it needs."""
    for picture in document["figures"]:
        curves = [curve for panel in picture["panels"] for curve in panel["curves"]]
        keys = {place["point"] for curve in curves for place in curve["places"]}
        points = {key: point for key, point in document["points"].items() if key in keys}
        yield Drawing(f"figure{picture['number']}-{picture['calibration']}", _drawn, (picture, points))


def _drawn(picture: Mapping[str, Any], points: Mapping[str, Any]) -> Figure:
    number, panels = picture["number"], picture["panels"]
    # where d varies, sum and mean over X are two different curves; elsewhere they differ by the constant d
    views = [(panel, value) for panel in panels for value in (("sum", "mean") if len(panels) == 1 else ("sum",))]
    rows = -(-len(views) // 2)
    drawn = Figure(figsize=(9.6, _HEIGHT[number] * rows + 1.0), layout="constrained")
    grid = drawn.subplots(rows, 2, squeeze=False)
    for axes, (panel, value) in zip(grid.flat, views, strict=True):
        _panel(axes, panel, value, points, picture["calibration"] == "paper")
        axes.set_title(_title(panel, number))
        axes.set_xlabel(figure(number).label)
        axes.set_ylabel(f"MSE, {value} over X")
        _horizontal(axes, picture["axis"], panel)
    title = f"Source 002, Figure {number}: {TITLES[picture['calibration']]}"
    drawn.suptitle("\n".join([title, *_absent(panels)]), fontsize=10)
    legend(drawn, _legend(picture, bool(points)))
    return drawn


def _panel(axes: Axes, panel: Mapping[str, Any], value: str, points: Mapping[str, Any], printed: bool) -> None:
    for curve in panel["curves"]:
        color, marker = LOOKS[curve["mechanism"]]
        there = [place for place in curve["places"] if place["exact"] is not None]
        if not there:
            continue
        across = [fraction(place["x"]) for place in there]
        axes.plot(across, [float(place["exact"][value]) for place in there], color=color, linewidth=1.3, zorder=2)
        if printed and there[0]["printed"] is not None:
            other = [float(place["printed"][value]) for place in there]
            axes.plot(across, other, ":", color=color, linewidth=1.1, zorder=1)
        for place in there:
            if place["point"] in points:
                _point(axes, fraction(place["x"]), points[place["point"]], value, color, marker)
    axes.set_yscale("log")


def _point(axes: Axes, x: float, point: Mapping[str, Any], value: str, color: str, marker: str) -> None:
    """The mean of the runs and the interval of its expectation (to the top of the axes where that has no upper end)."""
    scale = 1 if value == "sum" else 1 / point["setting"]["d"]
    low, high = (None if end is None else float(end) * scale for end in point["interval"]["sum"])
    mean = float(point["simulated"][value])
    assert low is not None
    axes.vlines(x, low, mean if high is None else high, color=color, linewidth=0.8, alpha=0.75, zorder=3)
    mark = Mark(color, marker)
    if high is None:
        mark.arrow(axes, (x, mean))
    mark.draw(axes, (x, mean), all(point["inside"].values()), 4)


def _horizontal(axes: Axes, axis: str, panel: Mapping[str, Any]) -> None:
    ticks = [place["x"] for place in panel["curves"][0]["places"]]
    if axis == "proportion":
        axes.set_xticks([fraction(x) for x in ticks], ticks, fontsize=7)
        return
    axes.set_xscale("log", base=10 if axis == "epsilon" else 2)
    labels = ["0.1", "0.2", "0.5", "1", "2", "5", "10"] if axis == "epsilon" else ticks
    axes.set_xticks([float(x) for x in labels], labels)
    axes.minorticks_off()


def _title(panel: Mapping[str, Any], number: int) -> str:
    first = panel["curves"][0]["places"][0]
    fixed = [name for name in ("n", "d", "K", "m") if not _varies(panel, name)]
    parts = [f"{name} = {first[name]}" for name in fixed]
    return f"{panel['title']}: {', '.join(parts)}" + ("" if number == 1 else f", ε = {first['epsilon']}")


def _varies(panel: Mapping[str, Any], name: str) -> bool:
    return len({place[name] for place in panel["curves"][0]["places"]}) > 1


def _legend(picture: Mapping[str, Any], simulated: bool) -> list[Line2D]:
    curves = [curve for panel in picture["panels"] for curve in panel["curves"]]
    drawn = {curve["mechanism"] for curve in curves if any(place["exact"] for place in curve["places"])}
    handles = []
    for curve in picture["panels"][0]["curves"]:
        color, marker = LOOKS[curve["mechanism"]]
        if curve["mechanism"] in drawn:
            handles.append(Line2D([], [], color=color, marker=marker, markersize=4, label=curve["mechanism"]))
    handles.append(Line2D([], [], color=GRAY, linewidth=1.3, label="exact"))
    if picture["calibration"] == "paper":
        handles.append(Line2D([], [], color=GRAY, linestyle=":", label="formula as printed (refuted)"))
    if simulated:
        label = "mean of the runs, interval of its expectation (arrow: no upper end)"
        handles.append(Line2D([], [], color=GRAY, marker="|", linestyle="none", markersize=8, label=label))
    return handles


def _absent(panels: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Which mechanisms are not in the picture, or only in a part of it, by reason."""
    titles_of: dict[str, dict[str, None]] = {}
    for curve in (curve for panel in panels for curve in panel["curves"]):
        for reason in {place["absent"] for place in curve["places"]} - {None}:
            titles_of.setdefault(reason, {})[curve["mechanism"]] = None
    for reason, titles in sorted(titles_of.items()):
        yield f"not shown where {reason}: {', '.join(titles)}"
