"""The page on the best use of the budget: smallest constants by reading, and errors at equal certified privacy."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from matplotlib.figure import Figure

from dp_checks.ledger import Entry
from dp_checks.pages.domains import constraint
from dp_checks.pages.notation import badge, inline, picture, reference, table
from dp_spec.vocabulary.statement import All, Smallest, Unbounded
from dp_studies.comparisons.budget.command import documents
from dp_studies.comparisons.budget.constants import CLAIMS, READINGS, formal_of
from dp_studies.comparisons.budget.equal_privacy import NAMES, TABLE4, Size, best, compared
from dp_studies.pages.maps import EPSILONS, maps

LEAD = (
    "A mechanism is run with a nominal $\\epsilon$. What it spends depends on what is compared: the *smallest "
    "constant* $C$ of a reading of (11) is what it really promises there. Where $C<e^\\epsilon$ part of the budget is "
    "lost, and where $C>e^\\epsilon$, or nothing bounds the ratios, the promise is not kept. *Calibrated* to a reading "
    "a mechanism is run with the largest nominal $\\epsilon$ whose smallest constant is at most $e^\\epsilon$; "
    "compared like this, errors are errors at equal certified privacy."
)
CONSTANTS = (
    "Closed forms with their domains, from the claims; $e^{\\epsilon}$ is the nominal one. An existing mechanism takes "
    "every item for sensitive: $K$ stands for $d$, and $N=0$."
)
ERRORS = (
    "The sum over $X$ of the exact mean squared errors at the sizes of Table 4, every $f_x=m/d$, each mechanism "
    "calibrated to $\\epsilon=1$ in the reading of the row. All digits are right to one unit of the last; bold is the "
    "smallest sum of the row. “none”: no constant exists there; “–”: no claim gives one."
)
CAVEATS = (
    "Calibration to a reading promises this reading only: `deniability` compares sets that differ in one item, and "
    "says little about the rest of the set. suGRR is meant with a multiset as $y_0$, suRAP(-Sample) with the vector of "
    "the sensitive bits, and PrivSet with the $k$ that minimizes the sum. Wheel and suWheel have ideal hash functions "
    "in their errors, and any published ones in their constants."
)
MAPS = (
    "Which mechanism has the smallest sum, over the budget and the size of the sets, and over the budget and the "
    "number of sensitive items. Every cell is decided by rigorous balls; “=” marks cells where several sums "
    "are equal, or nearer than rounding shows (the first is drawn). `dp-refimpl budget` gives the numbers at any sizes."
)
SHORT = {"marginal-nonempty": "marginal, without empty reports"}


def page(ledger: Mapping[str, Entry]) -> list[str]:
    """The page. It says what the ledger and the exact comparison say, nothing else."""
    lines = ["# Best use of the budget", "", LEAD, "", "## Smallest constants", "", CONSTANTS, ""]
    lines += table(["Mechanism", "Reading", "Smallest constant", "Where", "Claim"], _constants(ledger))
    lines += ["## Errors at equal certified privacy", "", ERRORS, ""]
    header = ["Data", "Reading", *NAMES]
    lines += table(header, [_sums(block) for block in at_table4()], "ll" + "r" * len(NAMES))
    lines += [CAVEATS, "", *picture("budget-table4", _table4_alt())]
    lines += ["## Which mechanism is best", "", MAPS, ""]
    for name, fixed in (
        ("budget-by-m", "m against epsilon, at K = 64"),
        ("budget-by-k", "K against epsilon, at m = 8"),
    ):
        alt = f"Maps of the mechanism with the smallest sum of errors, one for each of four readings: {fixed}, d = 256."
        lines += picture(name, alt)
    return lines


@cache
def at_table4() -> tuple[dict[str, Any], ...]:
    """The comparisons at the sizes of Table 4, epsilon = 1, in every reading."""
    return tuple(documents(TABLE4, ("1",), READINGS))


def _constants(ledger: Mapping[str, Entry]) -> list[list[str]]:
    """A line for every claim that gives a constant, with the readings it is used for."""
    rows = []
    for mechanism, readings in CLAIMS.items():
        used: dict[str, list[str]] = {}
        for reading, claims in readings.items():
            for claim in claims:
                used.setdefault(claim, []).append(f"`{reading}`")
        for claim, names in used.items():
            name = mechanism if mechanism in NAMES else "SuGRR, $y_0$ a set"
            value, where = _value(claim)
            judged = f"{reference(claim, 'claim')} {badge(ledger[claim].verdict)}"
            rows.append([name, ", ".join(names), value, where, judged])
    return rows


def _value(claim: str) -> tuple[str, str]:
    formal = formal_of(claim)
    if isinstance(formal, All):
        formal = next(part for part in formal.parts if isinstance(part, Smallest))
        return inline(formal.constant), "$m<d$"
    assert isinstance(formal, Smallest | Unbounded)
    where = ", ".join(constraint(tree) for tree in formal.where)
    return (inline(formal.constant) if isinstance(formal, Smallest) else "none"), where


def _sums(block: Mapping[str, Any]) -> list[str]:
    cells = []
    for name in NAMES:
        row = block["mechanisms"][name]
        text = _short(row["error_sum"]) if "error_sum" in row else {"unbounded": "none"}.get(row["status"], "–")
        cells.append(f"**{text}**" if name in block["best"] else text)
    return [block["data"], SHORT.get(block["reading"], block["reading"]), *cells]


def _short(decimals: str) -> str:
    """The first four digits of a positive decimal, cut (not rounded): right to one unit of the last."""
    digits = [i for i, c in enumerate(decimals) if c in "123456789"]
    end, point = digits[0] + 4 + ("." in decimals[digits[0] : digits[0] + 4]), decimals.find(".")
    return decimals[: max(end, point)] if point >= 0 else decimals


def _table4_alt() -> str:
    best = [f"{b['data']}, {b['reading']}: {', '.join(b['best'])}" for b in at_table4()]
    return f"Sums of errors of all mechanisms at the sizes of Table 4 by reading; smallest: {'; '.join(best)}."


# --- figures ----------------------------------------------------------------------------------------------------------

MAPPED = ("marginal", "joint", "deniability", "samenon")
D = 256
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
    return _maps("set size m", SETS, [Size(1, m, D // 4, D - D // 4) for m in SETS])


def by_sensitive_items() -> Figure:
    """The best mechanism over epsilon and K, m = 8."""
    return _maps("sensitive items K", SENSITIVE, [Size(1, 8, k, D - k) for k in SENSITIVE])


def table4() -> Figure:
    """Sums of errors at the sizes of Table 4, epsilon = 1, by reading."""
    figure = Figure(figsize=(9, 7), layout="constrained")
    panels = figure.subplots(2, 2, sharey=True).flat
    for axes, reading in zip(panels, MAPPED, strict=True):
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
    lines = {
        label: handle for axes in figure.axes for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    figure.legend(lines.values(), lines, loc="outside lower center", ncols=6, frameon=False, fontsize=9)
    return figure


@cache
def winners(reading: str, sizes: tuple[Size, ...]) -> list[list[tuple[str, ...]]]:
    """The best mechanisms, a line for every size and a column for every epsilon."""
    return [[best(compared(reading, size, epsilon, BITS)) for epsilon in EPSILONS] for size in sizes]


def _maps(label: str, numbers: Sequence[int], sizes: Sequence[Size]) -> Figure:
    panels = {reading: winners(reading, tuple(sizes)) for reading in MAPPED}
    return maps(6.4, label, numbers, COLORS, panels)
