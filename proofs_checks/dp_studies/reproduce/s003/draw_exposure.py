"""Pictures of single releases of source 003: a map of the losses by attribute, and a network with its noisy tables."""

from collections.abc import Iterator, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from dp_studies.reproduce.pictures import GRAY, Document, Points, legend

_EXACT, _NOISY, _DERIVED = "#999999", "#0072B2", "#E69F00"


def loss_map(data: str, columns: Points, names: Sequence[str], losses: Sequence[Points]) -> Figure:
    """A row for every release, a column for every binary attribute: all stages together, in multiples of epsilon."""
    values = [[sum(float(lost) for lost in one.values()) for one in row] for row in losses]
    drawn = Figure(figsize=(9.6, 1.9 + 0.32 * len(names)), layout="constrained")
    axes = drawn.subplots()
    mesh = axes.pcolormesh(values, cmap="viridis_r", vmin=0, edgecolors="white", linewidth=0.3)
    starts = [sum(column["bits"] for column in columns[:place]) for place in range(len(columns))]
    for start in starts[1:]:
        axes.axvline(start, color="black", linewidth=0.8)
    middles = [start + column["bits"] / 2 for start, column in zip(starts, columns, strict=True)]
    axes.set_xticks(middles, [column["name"] for column in columns], rotation=45, ha="right")
    axes.set_yticks([row + 0.5 for row in range(len(names))], names, fontsize=8)
    axes.tick_params(length=0)
    axes.invert_yaxis()
    drawn.colorbar(mesh, ax=axes, label="multiples of ε", pad=0.01)
    drawn.suptitle(f"Source 003: {data}, lost at most if one bit changes in one record", fontsize=10)
    return drawn


def has_tables(one: Document) -> bool:
    """Whether the noisy tables of a release are kept."""
    return any(pair["exact"] for pairs in one["networks"] for pair in pairs)


def network_with_tables(words: str, columns: Points, clusters: Sequence[Points]) -> Figure:
    """A row for every cluster: its graph, and the conditional chances of its noisy tables beside the exact ones."""
    names = list(_names(columns))
    noisy = [[pair for pair in pairs if pair["exact"]] for pairs in clusters]
    width = max(map(len, noisy))
    drawn = Figure(figsize=(max(9.6, 3.2 + 2.4 * width), 2.3 * len(clusters) + 0.7), layout="constrained")
    grid = drawn.subplots(len(clusters), 1 + width, squeeze=False, width_ratios=[1.5, *[1.0] * width])
    drawn.suptitle(f"Source 003, a network with its noisy tables: {words}", fontsize=10)
    for row, pairs, tables in zip(grid, clusters, noisy, strict=True):
        _graph(row[0], pairs, names)
        for axes in row[1:]:
            axes.set_axis_off()
        for axes, pair in zip(row[1:], tables, strict=False):
            axes.set_axis_on()
            _conditionals(axes, pair, names)
    handles = [
        Patch(color=_EXACT, label="exact"),
        Patch(color=_NOISY, label="with a noisy table of its own"),
        Patch(color=_DERIVED, label="law derived from the first noisy table"),
    ]
    legend(drawn, handles)
    return drawn


def _names(columns: Points) -> Iterator[str]:
    """Of the binary attributes: that of their attribute, with the place of the bit if there are several."""
    for column in columns:
        for bit in range(column["bits"]):
            yield column["name"] if column["bits"] == 1 else f"{column['name']}.{bit + 1}"


def _graph(axes: Axes, pairs: Points, names: Sequence[str]) -> None:
    """Attributes in the order of their choice, arrows from parents."""
    places = {pair["attribute"]: place for place, pair in enumerate(pairs)}
    axes.set_axis_off()
    axes.set_xlim(-0.6, max(len(pairs), 4) - 0.4)
    axes.set_ylim(-1.2, 1.2)
    for pair in pairs:
        x = places[pair["attribute"]]
        for parent in pair["parents"]:
            bend = 0.0 if x - places[parent] == 1 else 0.45 * (-1) ** places[parent]
            looks: Any = {"arrowstyle": "->", "color": GRAY, "connectionstyle": f"arc3,rad={bend}", "shrinkB": 11}
            axes.annotate("", (x, 0), (places[parent], 0), arrowprops={**looks, "shrinkA": 11})
    for pair in pairs:
        color = _NOISY if pair["exact"] else _DERIVED
        looks = {"boxstyle": "circle,pad=0.35", "facecolor": color, "edgecolor": "none"}
        place = (places[pair["attribute"]], 0)
        axes.annotate(names[pair["attribute"]], place, ha="center", va="center", fontsize=8, color="white", bbox=looks)


def _conditionals(axes: Axes, pair: Any, names: Sequence[str]) -> None:
    """Chances of the value 1 for every combination of the parents' values: exact, and of the noisy table."""
    half = len(pair["exact"]) // 2
    exact, noisy = (_chances(cells, half) for cells in (pair["exact"], map(float, pair["noisy"])))
    for shift, chances, color in ((-0.2, exact, _EXACT), (0.2, noisy, _NOISY)):
        axes.bar([place + shift for place in range(half)], chances, 0.4, color=color)
    parents = ", ".join(names[parent] for parent in pair["parents"])
    axes.set_title(f"Pr*({names[pair['attribute']]} = 1{f' | {parents}' if parents else ''})", fontsize=9)
    digits = len(pair["parents"])
    axes.set_xticks(range(half), [f"{place:0{digits}b}" if digits else "" for place in range(half)], fontsize=7)
    axes.set_ylim(0, 1)


def _chances(cells: Any, half: int) -> list[float]:
    """Of the second half of the cells in each pair of cells, negative ones being 0; 1/2 where nothing is left."""
    zero, one = (list(part) for part in _halves([max(float(cell), 0.0) for cell in cells], half))
    return [b / (a + b) if a + b else 0.5 for a, b in zip(zero, one, strict=True)]


def _halves(cells: list[float], half: int) -> tuple[list[float], list[float]]:
    """The first axis of a table is the attribute itself."""
    return cells[:half], cells[half:]
