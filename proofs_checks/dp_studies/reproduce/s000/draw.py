"""Pictures of a reproduction of source 000: exact errors of the best settings, simulated ones, and measured times."""

from collections.abc import Iterator, Mapping
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from dp_studies.reproduce.pictures import GRAY, Document, Drawing, Mark, Points, fraction, legend
from dp_studies.reproduce.s000.settings import ALGORITHMS

COLORS: Mapping[str, str] = dict(zip(ALGORITHMS, ("#0072B2", "#56B4E9", "#009E73", "#D55E00"), strict=True))
MARKERS: Mapping[str, str] = dict(zip(ALGORITHMS, "os^D", strict=True))
LINES: Mapping[str, Any] = dict(zip(ALGORITHMS, ("-", "--", "-", "-"), strict=True))
"""The errors of MURS and HP-SDP are the same before POP: both are seen."""
TITLES = {"printed": "published parameters", "certified": "certified parameters"}
FIGURES = {"ipums": 3, "kosarak": 4}

_SHOWN = 4
"""The axis ends at so many times the largest simulated error, and at a part of the smallest: some settings of OD-HP
are far beyond."""


def drawings(document: Document) -> Iterator[Drawing]:
    """Figures 3 and 4, and 5 if the document has times."""
    for name, data in document["data"].items():
        points = [point for point in document["points"].values() if point["data"] == name]
        yield Drawing(f"error-{name}", _errors, (document, name, data, points))
    if "times" in document:
        yield Drawing("times", _times, (document["times"], document["epsilon"]))


def _errors(document: Document, name: str, data: Mapping[str, Any], points: Points) -> Figure:
    """Figure 3 or 4: a panel for every calibration."""
    calibrations = [c for c in TITLES if any(point["calibration"] == c for point in points)]
    drawn = Figure(figsize=(9.6, 5.2), layout="constrained")
    panels = drawn.subplots(1, len(calibrations), sharey=True, squeeze=False)[0]
    for axes, calibration in zip(panels, calibrations, strict=True):
        panel = sorted((p for p in points if p["calibration"] == calibration), key=_epsilon)
        _panel(axes, panel)
        axes.set_title(TITLES[calibration])
    errors = [float(one["error"]["simulated"]) for point in points for one in point["simulated"].values()]
    if errors:  # the panels share their axis
        panels[0].set_ylim(min(errors) / _SHOWN, _SHOWN * max(errors))
    panels[0].set_ylabel("mean squared error, average over all items")
    number = f"Figure {FIGURES[name]}: " if name in FIGURES else ""
    words = f"{data['users']} users, {data['items']} items, δ = {document['delta']}"
    drawn.suptitle(f"Source 000, {number}{name}, {words}", fontsize=10)
    legend(drawn, _handles(document["runs"]))
    return drawn


def _epsilon(point: Mapping[str, Any]) -> float:
    return fraction(str(point["epsilon"]))


def _panel(axes: Axes, points: Points) -> None:
    across = [_epsilon(point) for point in points]
    every = [[float(s["error"]) for s in p["settings"] if s["algorithm"] == "OD-HP"] for p in points]
    if all(every):
        look: Any = {"color": COLORS["OD-HP"], "alpha": 0.13, "linewidth": 0, "zorder": 0}
        axes.fill_between(across, [min(errors) for errors in every], [max(errors) for errors in every], **look)
    for name in ALGORITHMS:
        here = [(x, p["simulated"][name]) for x, p in zip(across, points, strict=True) if name in p["simulated"]]
        exact = [float(one["error"]["exact"]) for _, one in here]
        axes.plot([x for x, _ in here], exact, LINES[name], color=COLORS[name], linewidth=1.4, zorder=2)
        for x, one in here:
            _point(axes, x, name, one)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xticks(across, [str(point["epsilon"]) for point in points])
    axes.minorticks_off()
    axes.set_xlabel("ε")


def _point(axes: Axes, x: float, name: str, one: Mapping[str, Any]) -> None:
    """A simulated error with its interval; large and empty where the exact value is outside. POP and EM."""
    error, color = one["error"], COLORS[name]
    mean = float(error["simulated"])
    low, high = (None if end is None else float(end) for end in error["interval"])
    axes.vlines(x, mean / 10 if low is None else low, 10 * mean if high is None else high, color=color, linewidth=0.9)
    Mark(color, MARKERS[name]).draw(axes, (x, mean), error["inside"], 3)
    if name == "HP-SDP":
        axes.plot([x], [float(one["pop"]["after"])], "v", color=color, markersize=5, zorder=3)
    if name == "OD-HP":
        for state, marker in (("before", "+"), ("after", "x")):
            axes.plot([x], [float(one["em"][state])], marker, color=color, markersize=5, zorder=3)


def _handles(runs: int) -> list[Line2D | Patch]:
    handles: list[Line2D | Patch] = [
        Line2D([], [], color=COLORS[name], linestyle=LINES[name], marker=MARKERS[name], markersize=4, label=name)
        for name in ALGORITHMS
    ]
    handles[-1].set_label("OD-HP, best setting")
    handles[2].set_label("mixDUMP, best setting")
    handles.append(Patch(color=COLORS["OD-HP"], alpha=0.2, linewidth=0, label="OD-HP, all settings"))
    marks: Any = {"linestyle": "none", "markersize": 5}
    handles.append(Line2D([], [], color=GRAY, marker="|", label=f"interval, {runs} runs", **marks))
    handles.append(Line2D([], [], color=COLORS["HP-SDP"], marker="v", label="HP-SDP with POP", **marks))
    handles.append(Line2D([], [], color=COLORS["OD-HP"], marker="+", label="OD-HP, all messages drawn", **marks))
    handles.append(Line2D([], [], color=COLORS["OD-HP"], marker="x", label="the same with EM", **marks))
    return handles


def _times(rows: Points, epsilon: str) -> Figure:
    """Figure 5: seconds in proportion to all users."""
    names = list(dict.fromkeys(row["data"] for row in rows))
    drawn = Figure(figsize=(9.6, 3.6), layout="constrained")
    for axes, name in zip(drawn.subplots(1, len(names), squeeze=False)[0], names, strict=True):
        bars = [row for row in rows if row["data"] == name]
        axes.bar(
            [row["algorithm"] for row in bars],
            [row["all"] for row in bars],
            color=[COLORS[row["algorithm"]] for row in bars],
        )
        axes.set_yscale("log")
        axes.set_title(name)
        axes.set_ylabel("seconds")
        for number, row in enumerate(bars):
            axes.annotate(
                f"{row['all']:.2g} s\n({row['users_timed']:,} timed)",
                (number, row["all"]),
                ha="center",
                va="bottom",
                fontsize=7,
            )
        axes.margins(y=0.25)
    title = "Source 000, Figure 5: users and server, ε = {}, in proportion to all users; wall time of this program"
    drawn.suptitle(title.format(epsilon), fontsize=10)
    return drawn
