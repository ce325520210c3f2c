"""Pictures of the page on strategies: average errors of all ranges over N, and the best branching factors."""

from functools import cache

from matplotlib.figure import Figure

from dp_refimpl.matrix.parameters import Neighbors
from dp_refimpl.matrix.tree import Tree
from dp_refimpl.matrix.workload_totals import Workload, queries
from dp_studies.comparisons.strategies.candidates import Candidate, Setting, candidates
from dp_studies.comparisons.strategies.ranking import Ranked, ranking

LARGEST = 20
CURVES: tuple[tuple[str, str, str], ...] = (
    ("Identity", "#999999", "-"),
    ("Tree (b=2, noroot)", "#e69f00", "-"),
    ("Tree (b=16, noroot)", "#e69f00", "--"),
    ("Boost (b=2, root)", "#0072b2", "-"),
    ("Boost (b=2, noroot)", "#0072b2", "--"),
    ("Boost (b=16, noroot)", "#332288", "-."),
    ("Privelet", "#d55e00", ":"),
    ("HaarOrthonormal", "#009e73", "-"),
    ("HaarAveraged", "#cc79a7", "-"),
)
"""Label, color, line."""
BEST: tuple[tuple[str, Neighbors, Workload, str, str], ...] = (
    ("Boost", Neighbors.ADD_REMOVE, Workload.RANGES, "#0072b2", "o"),
    ("Boost", Neighbors.REPLACE, Workload.RANGES, "#d55e00", "^"),
    ("Boost", Neighbors.ADD_REMOVE, Workload.PREFIX, "#009e73", "s"),
    ("Tree", Neighbors.ADD_REMOVE, Workload.RANGES, "#e69f00", "D"),
)
"""Family, neighbors, workload; color, marker."""


@cache
def ranked(
    height: int, neighbors: Neighbors = Neighbors.ADD_REMOVE, workload: Workload = Workload.RANGES
) -> tuple[Ranked, ...]:
    """All strategies on N = 2^height counts, trees padded to branching factors up to 64, at epsilon = 1."""
    setting = Setting(2**height, workload, neighbors, pad=True)
    return ranking(setting, 1, candidates(setting)[0], seek=False)


def average(row: Ranked, height: int) -> float:
    """The average error of a range at epsilon = 1, rounded only to be drawn."""
    return float(row.unit * row.coefficients.total * 2 / queries(Workload.RANGES, 2**height))


def best_branching(family: str, height: int, neighbors: Neighbors, workload: Workload) -> int:
    """Of the first tree of a family."""
    trees = (row.candidate.mechanism for row in ranked(height, neighbors, workload) if row.candidate.name == family)
    return next(tree.branching for tree in trees if isinstance(tree, Tree))


def errors() -> Figure:
    """Two pictures: errors over N, and best branching factors."""
    figure = Figure(figsize=(9, 4.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    heights = range(1, LARGEST + 1)
    for label, color, line in CURVES:
        points = [(2**h, average(row, h)) for h in heights for row in ranked(h) if _is(row.candidate, label)]
        left.plot(*zip(*points, strict=True), label=label, color=color, linestyle=line)
    left.set_xscale("log", base=2)
    left.set_yscale("log")
    left.set_xlabel("N")
    left.set_ylabel("average squared error of a range")
    left.set_ylim(1, 10**6)
    left.legend(frameon=False, fontsize=8)
    for family, neighbors, workload, color, marker in BEST:
        places = [best_branching(family, h, neighbors, workload) for h in heights]
        name = f"{family}, {workload.value}, {neighbors.value}"
        right.plot([2**h for h in heights], places, label=name, color=color, marker=marker, markersize=4, linewidth=0.6)
    right.set_xscale("log", base=2)
    right.set_xlabel("N")
    right.set_ylabel("best branching factor")
    right.legend(frameon=False, fontsize=8)
    return figure


def _is(candidate: Candidate, label: str) -> bool:
    return candidate.label == label
