"""Pictures of a reproduction of source 003: distances, misclassification, attackers, costs of a search, what is spent
by stage; those of single releases are in `draw_exposure`."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from dp_studies.reproduce.pictures import GRAY, Document, Drawing, Points, fraction, legend
from dp_studies.reproduce.s003.draw_exposure import has_tables, loss_map, network_with_tables
from dp_studies.reproduce.s003.study import certified, common, label, printed

COLORS = (
    *("#0072B2", "#56B4E9", "#009E73", "#D55E00", "#E69F00", "#CC79A7"),
    *("#999933", "#882255", "#332288", "#000000", "#AA4499", "#DDCC77"),
)
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*", "<", ">", "p", "h")
_STAGES = {"matrix": "#0072B2", "networks": "#E69F00", "joints": "#009E73"}


def drawings(document: Document) -> Iterator[Drawing]:
    """Figure 5 of every table, as printed and at equal certified epsilon; losses by attribute, and a small network;
    Figures 4 and 6; the stages."""
    yield Drawing("attackers", _attackers, (document,))
    if crowds := document.get("crowds"):
        yield Drawing("crowds", _crowds, (crowds, document["bound"]))
    for data in document["data"]:
        points = [point for point in document["points"].values() if point["data"] == data]
        private = [point for point in points if point["epsilon"] is not None]
        constant = [point for point in points if point["epsilon"] is None]
        for name, some in (("printed", printed(private)), ("certified", certified(private))):
            if some:
                yield Drawing(f"distances-{data}-{name}", _distances, (data, name, some, constant))
            if some and some[0].get("errors"):
                about = document["data"][data]
                yield Drawing(f"errors-{data}-{name}", _errors, (data, name, some, constant, about))
        yield from _exposed(data, document)
    yield Drawing("searches", _searches, (document["searches"], document.get("times", [])))
    yield Drawing("spending", _spending, (document["spending"],))


def _exposed(data: str, document: Document) -> Iterator[Drawing]:
    """What single releases of a table expose."""
    points, about = document["points"], document["data"][data]
    exposures = [one for one in document.get("exposed", ()) if points[one["point"]]["data"] == data]
    if not exposures:
        return
    names = [
        f"{label(points[one['point']], common(points.values()))}, {points[one['point']]['calibration']}"
        for one in exposures
    ]
    yield Drawing(f"losses-{data}", loss_map, (data, about["columns"], names, [one["losses"] for one in exposures]))
    first = next(filter(has_tables, exposures), None)
    if first:
        words = f"{data}, {names[exposures.index(first)]}, ε = {points[first['point']]['epsilon']}"
        yield Drawing(f"network-{data}", network_with_tables, (words, about["columns"], first["networks"]))


# --- Figure 5 ---------------------------------------------------------------------------------------------------------

_THICK = 2.5
_WORDS = {"printed": "methods as printed", "certified": "equal certified ε"}


def _distances(data: str, name: str, points: Points, constant: Points) -> Figure:
    """A panel for every kind of marginals, a line for every method."""
    panels = {way: f"{way}-way marginals" for way in points[0]["distances"]}
    drawn = Figure(figsize=(9.6, 7.4), layout="constrained")
    drawn.suptitle(f"Source 003, Figure 5 (a)-(d): {data}, {_WORDS[name]}", fontsize=10)
    _panels(drawn, points, constant, "distances", panels)
    drawn.axes[0].set_ylabel("average distance (13)")
    legend(drawn, _handles(points, constant))
    return drawn


def _errors(data: str, name: str, points: Points, constant: Points, about: Document) -> Figure:
    """A panel for every test set, beside the rates of the original table and of the majority."""
    panels = {"synthetic": "tested on other synthetic rows", "original": "tested on the original table"}
    drawn = Figure(figsize=(9.6, 4.6), layout="constrained")
    drawn.suptitle(f"Source 003, Figure 5 (e)-(f): {data}, {_WORDS[name]}", fontsize=10)
    _panels(drawn, points, constant, "errors", panels)
    for axes, test in zip(drawn.axes, panels, strict=True):
        axes.axhline(float(about["baseline"][test]["simulated"]), color=GRAY, linestyle="-.", zorder=1)
        axes.axhline(float(about["majority"]), color=GRAY, linestyle="--", zorder=1)
        axes.set_ylim(0, max(axes.get_ylim()[1], 1.1 * float(about["majority"])))
    drawn.axes[0].set_ylabel("misclassification rate")
    looks: Any = {"color": GRAY}
    lines = [
        Line2D([], [], linestyle="-.", label="trained on the original table", **looks),
        Line2D([], [], linestyle="--", label="the more frequent label", **looks),
    ]
    legend(drawn, [*_handles(points, constant), *lines])
    return drawn


def _panels(drawn: Figure, points: Points, constant: Points, what: str, panels: Mapping[str, str]) -> None:
    """A panel for every kind of means, a line for every method."""
    grid = drawn.subplots(-(-len(panels) // 2), 2, squeeze=False, sharex=True)
    for axes, (kind, words) in zip(grid.flat, panels.items(), strict=False):
        axes.set_title(words)
        for number, some in enumerate(_lines(points).values()):
            _line(axes, some, [point[what][kind] for point in some], number)
        for point in constant:
            axes.axhline(float(point[what][kind]["simulated"]), color=GRAY, linestyle=":", zorder=1)
        axes.set_xscale("log")
        epsilons = list(dict.fromkeys(point["epsilon"] for point in points))
        axes.set_xticks([fraction(epsilon) for epsilon in epsilons], epsilons)
        axes.minorticks_off()
        axes.set_ylim(0, 1.1 * max(float(point[what][kind]["simulated"]) for point in points))
    for axes in grid[-1]:
        axes.set_xlabel("ε")


def _handles(points: Points, constant: Points) -> list[Line2D]:
    handles = [_handle(key, number) for number, key in enumerate(_lines(points))]
    none = [Line2D([], [], color=GRAY, linestyle=":", label="NoPrivacy")] if constant else []
    looks: Any = {"color": GRAY, "marker": "|", "linestyle": "none"}
    ends = [
        Line2D([], [], label="interval of the expectation (cut at the edge)", **looks),
        Line2D([], [], markeredgewidth=_THICK, label="interval of the median", **looks),
    ]
    return [*handles, *none, *ends]


def _lines(points: Points) -> Mapping[str, Points]:
    """The points by method and settings."""
    by_name: dict[str, list[Document]] = {}
    for point in points:
        # PrivBayes (theta) chooses its degree at every epsilon
        name = point["method"] if "theta" in point["method"] else label(point, common(points))
        by_name.setdefault(name, []).append(point)
    return by_name


def _line(axes: Axes, points: Points, errors: Points, number: int) -> None:
    color, marker = _look(number)
    across = [fraction(point["epsilon"]) * (1 + 0.012 * (number % 7 - 3)) for point in points]
    axes.plot(across, [float(one["simulated"]) for one in errors], color=color, marker=marker, markersize=4, zorder=3)
    for x, one in zip(across, errors, strict=True):
        low, high = (float(end) for end in one["interval"])
        axes.vlines(x, low, high, color=color, linewidth=0.7, alpha=0.3, zorder=2)
        if None not in one["median"]:
            low, high = (float(end) for end in one["median"])
            axes.vlines(x, low, high, color=color, linewidth=_THICK, alpha=0.6, zorder=2)


def _look(number: int) -> tuple[str, str]:
    return COLORS[number % len(COLORS)], MARKERS[number % len(MARKERS)]


def _handle(words: str, number: int) -> Line2D:
    color, marker = _look(number)
    return Line2D([], [], color=color, marker=marker, markersize=4, label=words)


# --- Figure 4 ---------------------------------------------------------------------------------------------------------


def _attackers(document: Document) -> Figure:
    """A panel for each attacker: means and largest values against the number of records."""
    drawn = Figure(figsize=(9.6, 4.4), layout="constrained")
    attacks, panels = document["attackers"], drawn.subplots(1, 2, sharey=True)
    methods = list(dict.fromkeys(one["method"] for one in attacks))
    epsilon, records = attacks[0]["epsilon"], sorted({one["n"] for one in attacks})
    drawn.suptitle(f"Source 003, Figure 4: two binary attributes, ε = {epsilon}, exact", fontsize=10)
    for axes, attacker in zip(panels, ("informed", "matching"), strict=True):
        axes.set_title(f"{attacker} attacker")
        for number, method in enumerate(methods):
            color, marker = _look(number)
            for kind, style in (("mean", "-"), ("largest", ":")):
                values = [float(one[attacker][kind]) for one in attacks if one["method"] == method]
                axes.plot(records, values, style, color=color, marker=marker, markersize=4)
        axes.set_xticks(records)
        axes.set_xlabel("records")
    for one in document["program"]:
        low, high = (float(end) for end in one["matching"]["interval"])
        panels[1].vlines(one["n"] + 0.05, low, high, color=GRAY, linewidth=0.7)
        panels[1].plot([one["n"] + 0.05], [float(one["matching"]["simulated"])], "x", color=GRAY)
    panels[0].axhline(float(document["bound"]), color="black", linewidth=1.0)
    panels[0].set_ylabel("chance to be right")
    handles = [_handle(method, number) for number, method in enumerate(methods)]
    looks: Any = {"color": GRAY}
    notes = [
        Line2D([], [], label="mean over all tables", **looks),
        Line2D([], [], linestyle=":", label="largest", **looks),
        Line2D([], [], color="black", label="most at ε"),
        Line2D([], [], marker="x", linestyle="none", label="program, one table, with its interval", **looks),
    ]
    legend(drawn, [*handles, *notes])
    return drawn


_CROWDS = {"copied": "the other attribute copied", "adult": "size of Adult, then random records"}


def _crowds(crowds: Points, bound: str) -> Figure:
    """A row for each table, a panel for each attacker: mean chances against the number of records."""
    rows, attackers = list(dict.fromkeys(one["table"] for one in crowds)), ("matching", "differencing")
    methods, records = list(dict.fromkeys(one["method"] for one in crowds)), sorted({one["n"] for one in crowds})
    drawn = Figure(figsize=(9.6, 6.6), layout="constrained")
    grid = drawn.subplots(len(rows), 2, squeeze=False, sharex=True, sharey=True)
    epsilon = crowds[0]["epsilon"]
    drawn.suptitle(f"Source 003, Figure 4: two binary attributes, ε = {epsilon}, simulated", fontsize=10)
    for table, panels in zip(rows, grid, strict=True):
        for attacker, axes in zip(attackers, panels, strict=True):
            axes.set_title(f"{attacker} attacker: {_CROWDS[table]}")
            for number, method in enumerate(methods):
                some = [one for one in crowds if (one["table"], one["method"]) == (table, method)]
                _chances(axes, [one["n"] for one in some], [one[attacker] for one in some], number)
            axes.set_xscale("log")
            axes.set_xticks(records, [f"{n:,}" for n in records])
            axes.minorticks_off()
            axes.set_ylim(0.3, 1.03)
        panels[0].set_ylabel("chance to be right")
        panels[1].axhline(float(bound), color="black", linewidth=1.0)
    for axes in grid[-1]:
        axes.set_xlabel("records")
    ends = Line2D([], [], color=GRAY, marker="|", linestyle="none", label="interval of the expectation")
    most = Line2D([], [], color="black", label="most at ε")
    legend(drawn, [*(_handle(method, number) for number, method in enumerate(methods)), ends, most])
    return drawn


def _chances(axes: Axes, records: Sequence[int], means: Points, number: int) -> None:
    color, marker = _look(number)
    across = [n * (1 + 0.02 * (number - 1.5)) for n in records]
    axes.plot(across, [float(one["simulated"]) for one in means], color=color, marker=marker, markersize=4)
    for x, one in zip(across, means, strict=True):
        low, high = (float(end) for end in one["interval"])
        axes.vlines(x, low, high, color=color, linewidth=0.7, alpha=0.5)


# --- Figure 6 ---------------------------------------------------------------------------------------------------------


def _searches(searches: Points, times: Points) -> Figure:
    """A column for every table: counts f and g, and seconds if they were measured, against l."""
    data = list(dict.fromkeys(one["data"] for one in searches))
    drawn = Figure(figsize=(9.6, 6.4 if times else 3.8), layout="constrained")
    grid = drawn.subplots(2 if times else 1, len(data), squeeze=False, sharex="col", sharey="row")
    drawn.suptitle("Source 003, Figure 6: the search for networks against the in-degree l", fontsize=10)
    for place, name in enumerate(data):
        counted = [one for one in searches if one["data"] == name]
        grid[0][place].set_title(f"{counted[0]['d']} binary attributes (size of {name})")
        _counts(grid[0][place], counted)
        if times:
            _times(grid[1][place], [one for one in times if one["data"] == name])
        grid[-1][place].set_xlabel("l")
        grid[-1][place].set_xticks([one["degree"] for one in counted])
    grid[0][0].set_ylabel("candidate pairs f, cells g")
    if times:
        grid[1][0].set_ylabel("seconds")
    methods = dict.fromkeys((one["method"], one["k"]) for one in searches)
    handles = [_handle(f"{method}, k = {k}", number) for number, (method, k) in enumerate(methods)]
    notes = [Line2D([], [], color=GRAY, linestyle=":", label="cells g")]
    if times:
        looks: Any = {"color": GRAY, "marker": "o", "linestyle": "none", "markerfacecolor": "none"}
        notes.append(Line2D([], [], label="predicted, not run", **looks))
    legend(drawn, [*handles, *notes])
    return drawn


def _counts(axes: Axes, searches: Points) -> None:
    for number, some in enumerate(_by_method(searches)):
        color, marker = _look(number)
        across = [one["degree"] for one in some]
        axes.plot(across, [one["candidates"] for one in some], color=color, marker=marker, markersize=4)
        axes.plot(across, [one["cells"] for one in some], ":", color=color)
    axes.set_yscale("log")


def _times(axes: Axes, times: Points) -> None:
    for number, some in enumerate(_by_method(times)):
        color, marker = _look(number)
        axes.plot([one["degree"] for one in some], [one["seconds"] for one in some], color=color, zorder=2)
        for one in some:
            face = "white" if one["predicted"] else color
            looks: Any = {"color": color, "markerfacecolor": face, "markersize": 5}
            axes.plot([one["degree"]], [one["seconds"]], marker, zorder=3, **looks)
    axes.set_yscale("log")


def _by_method(rows: Points) -> Sequence[Points]:
    names = dict.fromkeys(one["method"] for one in rows)
    return [[one for one in rows if one["method"] == name] for name in names]


# --- what is spent ----------------------------------------------------------------------------------------------------


def _spending(accounts: Points) -> Figure:
    """Two bars for every number of attributes and clusters: nominal and certified, by stage."""
    drawn = Figure(figsize=(9.6, 4.6), layout="constrained")
    axes = drawn.subplots()
    for place, account in enumerate(accounts):
        for shift, kind in ((-0.2, "nominal"), (0.2, "certified")):
            bottom = 0.0
            for stage in account["stages"]:
                height = fraction(stage[kind])
                looks: Any = {"color": _STAGES[stage["stage"]], "alpha": 0.45 if kind == "nominal" else 1.0}
                axes.bar([place + shift], [height], 0.36, bottom, **looks)
                bottom += height
            axes.annotate(f"{bottom:.3g}", (place + shift, bottom), ha="center", va="bottom", fontsize=7)
    words = [f"{one['method']}\nd = {one['d']}, k = {one['k']}" for one in accounts]
    axes.set_xticks(range(len(accounts)), words, fontsize=7, rotation=45, ha="right")
    axes.set_ylabel("multiples of ε")
    drawn.suptitle(
        "Source 003: what the transcript spends by stage, fixed weights, one record replaced; left nominal, right "
        "certified",
        fontsize=10,
    )
    legend(drawn, [Patch(color=color, label=stage) for stage, color in _STAGES.items()])
    return drawn
