"""Figures of the page on the best use of the budget."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from dp_studies.comparisons.budget.equal_privacy import NAMES, Size, best, compared
from dp_studies.pages.budget import at_table4

READINGS = ("marginal", "joint", "deniability", "samenon")
D = 256
EPSILONS = ("1/10", "1/5", "2/5", "7/10", "1", "3/2", "2", "3", "4", "5", "6", "8", "10")
SETS = (1, 2, 4, 8, 16, 32, 64)
SENSITIVE = (8, 16, 32, 64, 96, 128, 192, 240, 256)
BITS = 48
PALETTE = (
    *("#0072b2", "#56b4e9", "#e69f00", "#f0e442", "#009e73", "#999999"),
    *("#7f3c8d", "#cc79a7", "#d55e00", "#332288", "#661100"),
)
COLORS = dict(zip(NAMES, PALETTE, strict=True))
MARKERS = dict(zip(NAMES, "osD^vP<>8pX", strict=True))


def by_set_size() -> Figure:
    """The best mechanism over epsilon and m, K = d / 4."""
    return _maps("set size m", SETS, lambda m: Size(1, m, D // 4, D - D // 4))


def by_sensitive_items() -> Figure:
    """The best mechanism over epsilon and K, m = 8."""
    return _maps("sensitive items K", SENSITIVE, lambda k: Size(1, 8, k, D - k))


def table4() -> Figure:
    """Sums of errors at the sizes of Table 4, epsilon = 1, by reading."""
    figure = Figure(figsize=(9, 7), layout="constrained")
    panels = figure.subplots(2, 2, sharey=True).flat
    for axes, reading in zip(panels, READINGS, strict=True):
        blocks = [block for block in at_table4() if block["reading"] == reading]
        for name in NAMES:
            points = [
                (i, float(block["mechanisms"][name]["error_sum"]))
                for i, block in enumerate(blocks)
                if "error_sum" in block["mechanisms"][name]
            ]
            if points:
                look: dict[str, Any] = {"color": COLORS[name], "marker": MARKERS[name], "linestyle": ""}
                axes.plot(*zip(*points, strict=True), label=name, markeredgecolor="gray", **look)
        axes.set_yscale("log")
        axes.set_xticks(range(len(blocks)), [block["data"] for block in blocks])
        axes.set_title(reading, fontsize=10)
    for axes in figure.axes[::2]:
        axes.set_ylabel("sum of MSE over X")
    shown = {
        label: handle for axes in figure.axes for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    figure.legend(shown.values(), shown, loc="outside lower center", ncols=6, frameon=False, fontsize=9)
    return figure


@cache
def winners(reading: str, sizes: tuple[Size, ...]) -> list[list[tuple[str, ...]]]:
    """The best mechanisms, a line for every size and a column for every epsilon."""
    return [[best(compared(reading, size, epsilon, BITS)) for epsilon in EPSILONS] for size in sizes]


def _maps(label: str, numbers: Sequence[int], size: Callable[[int], Size]) -> Figure:
    figure = Figure(figsize=(9, 6.4), layout="constrained")
    order = list(NAMES)
    shown: set[str] = set()
    for axes, reading in zip(figure.subplots(2, 2, sharex=True, sharey=True).flat, READINGS, strict=True):
        grid = winners(reading, tuple(size(number) for number in numbers))
        cells = [[order.index(found[0]) if found else -1 for found in line] for line in grid]
        shown |= {name for line in grid for found in line for name in found[:1]}
        axes.pcolormesh(
            cells,
            cmap=ListedColormap(["white", *PALETTE]),
            vmin=-1,
            vmax=len(order) - 1,
            edgecolors="gray",
            linewidth=0.4,
        )
        for y, line in enumerate(grid):
            for x, found in enumerate(line):
                if len(found) > 1:
                    axes.text(x + 0.5, y + 0.5, "=", ha="center", va="center", fontsize=8, color="black")
        axes.set_xticks([i + 0.5 for i in range(len(EPSILONS))], [_decimal(e) for e in EPSILONS], fontsize=8)
        axes.set_yticks([i + 0.5 for i in range(len(numbers))], [str(number) for number in numbers], fontsize=8)
        axes.set_title(reading, fontsize=10)
    for axes in figure.axes[2:]:
        axes.set_xlabel(r"$\epsilon$")
    for axes in figure.axes[::2]:
        axes.set_ylabel(label)
    handles = [Patch(facecolor=COLORS[name], edgecolor="gray", label=name) for name in order if name in shown]
    figure.legend(handles=handles, loc="outside lower center", ncols=6, frameon=False, fontsize=9)
    return figure


def _decimal(epsilon: str) -> str:
    top, _, bottom = epsilon.partition("/")
    return f"{int(top) / int(bottom or 1):g}"
