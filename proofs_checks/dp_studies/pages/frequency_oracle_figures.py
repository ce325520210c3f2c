"""Maps of the page on frequency oracles: the best one over epsilon and the number of items, by bits per report."""

from functools import cache

from flint import fmpq
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from dp_spec.vocabulary.budget import Budget
from dp_studies.comparisons.frequency_oracles.candidates import NAMES, Place, Setting
from dp_studies.comparisons.frequency_oracles.crossings import PREFERRED
from dp_studies.comparisons.frequency_oracles.plot import COLORS, PALETTE
from dp_studies.comparisons.frequency_oracles.ranking import best

EPSILONS = ("1/10", "1/5", "2/5", "7/10", "1", "3/2", "2", "3", "4", "5", "6", "8", "10")
ITEMS = tuple(2**i for i in range(1, 15))
WITHOUT_SUBSETS = tuple(name for name in PREFERRED if name != "SubsetSelection")
PANELS: tuple[tuple[str, int | None, tuple[str, ...]], ...] = (
    ("reports of any length", None, PREFERRED),
    ("of any length, without subset selection, f = 0", None, WITHOUT_SUBSETS),
    ("at most 24 bits", 24, PREFERRED),
    ("at most 16 bits", 16, PREFERRED),
)
"""Title, bits, mechanisms; f = 1/d, the average over all items, unless it is said."""


@cache
def winners(panel: int) -> list[list[tuple[str, ...]]]:
    """The best mechanisms, a line for every number of items and a column for every epsilon."""
    title, bits, names = PANELS[panel]
    places = [Place(Budget(epsilon)) for epsilon in EPSILONS]
    frequency = fmpq(0) if "f = 0" in title else None
    return [
        [best(Setting(d, fmpq(1, d) if frequency is None else frequency, bits), place, names) for place in places]
        for d in ITEMS
    ]


def maps() -> Figure:
    """A map for each limit; "=" where several are equal (the first is drawn), white where no report is short enough."""
    figure = Figure(figsize=(9, 7.4), layout="constrained")
    order, shown = list(NAMES), set[str]()
    for panel, axes in enumerate(figure.subplots(2, 2, sharex=True, sharey=True).flat):
        grid = winners(panel)
        cells = [[order.index(found[0]) if found else -1 for found in line] for line in grid]
        shown |= {found[0] for line in grid for found in line if found}
        colors = ListedColormap(["white", *PALETTE])
        axes.pcolormesh(cells, cmap=colors, vmin=-1, vmax=len(order) - 1, edgecolors="gray", linewidth=0.4)
        for y, line in enumerate(grid):
            for x, found in enumerate(line):
                if len(found) > 1:
                    axes.text(x + 0.5, y + 0.5, "=", ha="center", va="center", fontsize=8, color="black")
        axes.set_xticks([i + 0.5 for i in range(len(EPSILONS))], [_decimal(e) for e in EPSILONS], fontsize=8)
        axes.set_yticks([i + 0.5 for i in range(len(ITEMS))], [str(d) for d in ITEMS], fontsize=8)
        axes.set_title(PANELS[panel][0], fontsize=10)
    for axes in figure.axes[2:]:
        axes.set_xlabel(r"$\epsilon$")
    for axes in figure.axes[::2]:
        axes.set_ylabel("items d")
    handles = [Patch(facecolor=COLORS[name], edgecolor="gray", label=name) for name in order if name in shown]
    figure.legend(handles=handles, loc="outside lower center", ncols=6, frameon=False, fontsize=9)
    return figure


def _decimal(epsilon: str) -> str:
    top, _, bottom = epsilon.partition("/")
    return f"{int(top) / int(bottom or 1):g}"
