"""Maps of the best choice over epsilon and another number: several are equal at "=" (the first is drawn)."""

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch

EPSILONS = ("1/10", "1/5", "2/5", "7/10", "1", "3/2", "2", "3", "4", "5", "6", "8", "10")
Winners = Sequence[Sequence[tuple[str, ...]]]
"""The best choices, a line for every number and a column for every epsilon; none: the cell is white."""


def maps(
    height: float, label: str, numbers: Sequence[int], colors: Mapping[str, str], panels: Mapping[str, Winners]
) -> Figure:
    """Four maps by title, of so many inches in all, with the numbers on their vertical axis."""
    figure = Figure(figsize=(9, height), layout="constrained")
    for axes, (title, grid) in zip(figure.subplots(2, 2, sharex=True, sharey=True).flat, panels.items(), strict=True):
        _map(axes, grid, colors)
        axes.set_xticks([i + 0.5 for i in range(len(EPSILONS))], [_decimal(e) for e in EPSILONS], fontsize=8)
        axes.set_yticks([i + 0.5 for i in range(len(numbers))], [str(number) for number in numbers], fontsize=8)
        axes.set_title(title, fontsize=10)
    for axes in figure.axes[2:]:
        axes.set_xlabel(r"$\epsilon$")
    for axes in figure.axes[::2]:
        axes.set_ylabel(label)
    names = {name for grid in panels.values() for line in grid for winners in line for name in winners[:1]}
    handles = [Patch(facecolor=colors[name], edgecolor="gray", label=name) for name in colors if name in names]
    figure.legend(handles=handles, loc="outside lower center", ncols=6, frameon=False, fontsize=9)
    return figure


def _map(axes: Axes, grid: Winners, colors: Mapping[str, str]) -> None:
    order = list(colors)
    cells = [[order.index(winners[0]) if winners else -1 for winners in line] for line in grid]
    looks: dict[str, Any] = {"vmin": -1, "vmax": len(order) - 1, "edgecolors": "gray", "linewidth": 0.4}
    axes.pcolormesh(cells, cmap=ListedColormap(["white", *colors.values()]), **looks)
    for y, line in enumerate(grid):
        for x, winners in enumerate(line):
            if len(winners) > 1:
                axes.text(x + 0.5, y + 0.5, "=", ha="center", va="center", fontsize=8, color="black")


def _decimal(epsilon: str) -> str:
    top, _, bottom = epsilon.partition("/")
    return f"{int(top) / int(bottom or 1):g}"
