"""The page on strategies: exact errors of the matrix mechanisms side by side, and the best branching factors."""

from fractions import Fraction
from functools import cache

from matplotlib.figure import Figure

from dp_checks.pages.notation import picture, table
from dp_refimpl.matrix.parameters import Neighbors
from dp_refimpl.matrix.tree import Tree
from dp_refimpl.matrix.workload_totals import Workload, queries
from dp_spec.vocabulary.real import Real
from dp_studies.comparisons.strategies.candidates import Candidate, Setting, candidates
from dp_studies.comparisons.strategies.command import document
from dp_studies.comparisons.strategies.ranking import By, Ranked, decimal, number_of_queries, ranking

LEAD = (
    "A strategy releases some linear queries on $N$ counts with Laplace noise of scale $\\Delta/\\epsilon$, where "
    "$\\Delta$ is its $L_1$ sensitivity, and answers all others from them. Answers are unbiased; their expected "
    "squared error $2(\\Delta/\\epsilon)^2\\,I^T\\Sigma I$ is the same for all data, so that strategies are compared "
    "exactly, at equal $\\epsilon$. Coefficients are rational; the order below is decided by exact numbers."
)
RANGE_TEXT = (
    "All $N(N+1)/2$ ranges, $\\epsilon=1$, no padding, both ways to define neighbors: `addremove` (one person more or "
    "less) and `replace` (one person moves to another count). The worst range is found by an exact search. A tree of "
    "height $h$ with its root has $h+1$ levels (`root`), and $h$ without it (`noroot`)."
)
CLOSED_TEXT = (
    "For strategies that treat the nodes of one height alike, $\\Sigma$ has the same eigenvectors whatever the "
    "weights: vectors that are constant on the children of one node, with sum 0. So the error of all ranges in all is "
    "a sum of $h+1$ terms, from the matrices $J_s$ with ones for leaves below one node of height $s$, $B=b^s$, $n=b^h$:"
)
CLOSED = "\\sum_{l\\le r} I^TJ_sI=\\frac{n\\,(B^3-2(n+1)B^2+(2n^2+6n+3)B+2n+2)}{12}"
CURVE_TEXT = (
    "Left, the average error of a range at $\\epsilon=1$; right, the branching factor with the smallest error. Trees "
    "that do not fit are filled up with zeros; branching factors up to 64 and all that fit are tried. Where the best "
    "one is $N$ itself, the counts alone are released."
)
ALT = (
    "Average squared errors of a range over N for identity, naive and consistent trees, Privelet and normalizations "
    "of the Haar transform; and the best branching factors over N."
)
SIZES = (16, 64, 256, 1024, 4096, 2**16, 2**20)
SHOWN = 1024
ASKED = ["```console", "$ dp-refimpl strategies --counts 1024 --workload ranges --epsilon 1", "```", ""]
DIGITS = 8


def page() -> list[str]:
    """The page. It says what the exact comparison says, nothing else."""
    lines = ["# Which strategy for range queries", "", LEAD, "", f"## N = {SHOWN}", "", RANGE_TEXT, ""]
    lines += table(["Strategy", "Δ", "average", "worst", "Δ", "average", "worst"], _rows(), "lrrrrrr")
    lines += [f"*The first three columns for `{Neighbors.ADD_REMOVE.value}`, the others for `replace`.*", ""]
    lines += ["## The best for N", "", *table(HEAD, [_best(n) for n in SIZES], "rlrrlr")]
    lines += ["## Over N", "", CURVE_TEXT, "", *picture("strategies", ALT)]
    return [*lines, "## In closed form", "", CLOSED_TEXT, "", "$$", CLOSED, "$$", "", *ASKED, JSON_TEXT, ""]


HEAD = ["N", "Best for all ranges", "average error", "Privelet, times", "Best for prefixes", "average error"]
JSON_TEXT = (
    "answers for any $N$ up to $2^{60}$, ranges, prefixes, counts or a file of queries, both kinds of neighbors, "
    "Laplace or discrete Laplace noise, with `--pad`, and with matrices of your own (`--strategy FILE`). `--json` has "
    "all coefficients as exact fractions; its schema is {py:data}`dp_studies.comparisons.strategies.command.SCHEMA`."
)


@cache
def _rows() -> list[list[str]]:
    comparisons = [document(Setting(SHOWN, neighbors=neighbors), "1") for neighbors in Neighbors]
    other = {row["strategy"]: row for row in comparisons[1]["strategies"]}
    return [[row["strategy"], *_cells(row), *_cells(other[row["strategy"]])] for row in comparisons[0]["strategies"]]


def _cells(row: dict[str, object]) -> list[str]:
    error, scale = row["error"], str(row["scale"])
    assert isinstance(error, dict)
    return [f"{float(Fraction(scale)):.6g}", *(f"{float(error[name]):.6g}" for name in ("average", "worst"))]


@cache
def _best(n: int) -> list[str]:
    said = [str(n)]
    for workload in (Workload.RANGES, Workload.PREFIX):
        setting = Setting(n, workload)
        rows = ranking(setting, 1, candidates(setting)[0], seek=False)
        said += [_first(rows), decimal(_key(rows[0]) / number_of_queries(setting), setting.noise, 1, DIGITS)]
        if workload is Workload.RANGES:
            privelet = next(row for row in rows if row.candidate.name == "Privelet")
            said.append(f"{float(_key(privelet) / _key(rows[0])):.5g}")
    return said


def _first(rows: tuple[Ranked, ...]) -> str:
    """All with the smallest error."""
    return " = ".join(row.candidate.label for row in rows if (_key(row) - _key(rows[0])).sign() == 0)


def _key(row: Ranked) -> Real:
    return row.key(By.TOTAL)


# --- figures ----------------------------------------------------------------------------------------------------------

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
