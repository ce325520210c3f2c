"""The page on published bounds of shuffled reports: how far above the truth each is, over users and budgets.

Certified ends take minutes and are committed; what the literature says beside them is computed with the page.
`python -m dp_studies.pages.published_bounds` writes docs/data/enclosures.json, from the root of the checkout.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from math import log10
from pathlib import Path
from statistics import median
from typing import Any

from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle
from numpy import array

from dp_checks.pages.figures import drawing
from dp_checks.pages.notation import picture, table
from dp_checks.runtime.outputs import write_file
from dp_checks.runtime.parallel import Workers
from dp_studies.comparisons.amplification.command import OUT
from dp_studies.comparisons.amplification.grid import Question, answers
from dp_studies.comparisons.amplification.published_bounds import BOUNDS, beside
from dp_studies.comparisons.amplification.query import Mechanism, Setting

COMMITTED = Path("docs") / "data" / "enclosures.json"
NAME = "published-bounds"
FORMAT = "dp-refimpl enclosures 1"
USERS = tuple(10**i for i in range(2, 9))
BUDGETS = ("1/4", "1/2", "1", "2", "4", "6")
DELTA, DIGITS, WORK = "1/1000000", 6, 10**8
LABELS: Mapping[Mechanism, int] = {"krr": 16, "olh": 16, "ldp": 2}
TITLES: Mapping[Mechanism, str] = {
    "krr": "Randomized response on 16 labels",
    "olh": "Local hashing to 16 labels",
    "ldp": "Every randomizer",
}
MOST = 10
"""Times the upper end from which on a bound has the last color."""
SCALE = ScalarMappable(Normalize(0, log10(MOST)), "viridis_r")
TICKS = (1, 2, 5, 10)
OUTSIDE, BELOW = "///", "xxx"
MARKS = {OUTSIDE: "outside its conditions", BELOW: "less than a data set shows", "": "nothing below epsilon0"}
Points = Mapping[Mechanism, Sequence[Mapping[str, Any]]]


def settings(mechanism: Mechanism) -> Iterator[Setting]:
    """The points of a map."""
    return (Setting(mechanism, n, budget, LABELS[mechanism]) for budget in BUDGETS for n in USERS)


def enclosures(by: Workers, out: Path = OUT) -> dict[str, Any]:
    """What is committed: both ends of epsilon at all points."""
    by_mechanism: dict[str, Any] = {}
    for mechanism in LABELS:
        listed = [Question("epsilon", setting, None, DELTA, DIGITS, WORK) for setting in settings(mechanism)]
        rows = {row["key"]: row for row in answers(listed, out, by)}
        by_mechanism[mechanism] = [
            [q.setting.users, q.setting.epsilon0, *(rows[q.key][side]["value"] for side in ("lower", "upper"))]
            for q in listed
        ]
    return {"format": FORMAT, "delta": DELTA, "labels": dict(LABELS), "points": by_mechanism}


def committed(root: Path) -> Mapping[str, Any]:
    """The certified ends, of the checkout at `root`."""
    document: Mapping[str, Any] = json.loads((root / COMMITTED).read_text(encoding="utf-8"))
    return document


def points(ends: Mapping[str, Any]) -> Points:
    """The ends, and what every row of the literature says beside them."""
    by_mechanism: dict[Mechanism, Any] = {}
    for mechanism in LABELS:
        listed = ends["points"][mechanism]
        rows = []
        for users, budget, lower, upper in listed:
            row = {"delta": ends["delta"], "lower": {"value": lower}, "upper": {"value": upper}}
            setting = Setting(mechanism, users, budget, ends["labels"][mechanism])
            said = {bound["row"]: bound for bound in beside(row, setting, DIGITS)}
            rows.append({"users": users, "epsilon0": budget, "lower": lower, "upper": upper, "bounds": said})
        by_mechanism[mechanism] = rows
    return by_mechanism


def figures(panels: Points) -> dict[str, bytes]:
    """A picture for each mechanism."""
    drawn = (drawing(f"{NAME}-{mechanism}", maps, rows) for mechanism, rows in panels.items())
    return {name: content for files in drawn for name, content in files.items()}


def maps(rows: Sequence[Mapping[str, Any]]) -> Figure:
    """A map for each row of the literature: how many times the upper end it is, by users and budget."""
    names = list(rows[0]["bounds"])
    high = -(-len(names) // 3)
    figure = Figure(figsize=(9, 2.5 * high + 0.8), layout="constrained")
    panels = list(figure.subplots(high, 3, sharex=True, sharey=True, squeeze=False).flat)
    for name, axes in zip(names, panels, strict=False):
        _map(axes, rows, name)
    for axes in panels[len(names) :]:
        axes.set_visible(False)
    scale = figure.colorbar(SCALE, ax=panels, ticks=[log10(x) for x in TICKS], shrink=0.6, aspect=30)
    scale.ax.set_yticklabels(map(str, TICKS))
    scale.set_label("times the certified upper end")
    handles = [Patch(facecolor="white", edgecolor="gray", hatch=mark, label=said) for mark, said in MARKS.items()]
    figure.legend(handles=handles, loc="outside lower center", ncols=3, frameon=False, fontsize=9)
    return figure


def _map(axes: Axes, rows: Sequence[Mapping[str, Any]], name: str) -> None:
    """One map: a cell for every point."""
    for row in rows:
        bound, x, y = row["bounds"][name], USERS.index(row["users"]), BUDGETS.index(row["epsilon0"])
        color: Any = "white" if bound["times"] is None else SCALE.to_rgba(array(log10(float(bound["times"]))))
        mark = BELOW if bound["below"] else "" if bound["stated"] or bound["times"] is None else OUTSIDE
        axes.add_patch(Rectangle((x, y), 1, 1, facecolor=color, edgecolor="gray", linewidth=0.4, hatch=mark))
    axes.set_xlim(0, len(USERS))
    axes.set_ylim(0, len(BUDGETS))
    axes.set_xticks([i + 0.5 for i in range(len(USERS))], [f"$10^{len(str(n)) - 1}$" for n in USERS], fontsize=7)
    axes.set_yticks([i + 0.5 for i in range(len(BUDGETS))], BUDGETS, fontsize=7)
    axes.set_title(name.removeprefix("lit."), fontsize=8)
    axes.set_xlabel("n", fontsize=8)
    axes.set_ylabel(r"$\epsilon_0$", fontsize=8)


def pages(panels: Points) -> dict[str, str]:
    """The page, by its path."""
    return {f"{NAME}.md": "\n".join(_page(panels)).rstrip() + "\n"}


def _page(panels: Points) -> Iterator[str]:
    yield from ["# Published bounds of shuffled reports", "", *LEAD]
    for mechanism, rows in panels.items():
        names = list(rows[0]["bounds"])
        yield from [f"## {TITLES[mechanism]}", ""]
        yield from picture(f"{NAME}-{mechanism}", ALT.format(title=TITLES[mechanism].lower()))
        yield from table(HEAD, [_line(rows, name) for name in sorted(names, key=lambda name: _typical(rows, name))])
    yield from REPEAT


def _times(rows: Sequence[Mapping[str, Any]], name: str) -> list[float]:
    """How many times the upper end a bound is, where it says something and its preconditions hold."""
    bounds = (row["bounds"][name] for row in rows)
    return [float(bound["times"]) for bound in bounds if bound["stated"] and bound["times"] is not None]


def _typical(rows: Sequence[Mapping[str, Any]], name: str) -> float:
    return median(_times(rows, name) or [float("inf")])


def _line(rows: Sequence[Mapping[str, Any]], name: str) -> list[str]:
    times, below = _times(rows, name), sum(row["bounds"][name]["below"] for row in rows)
    best = sum(name == _best(row) for row in rows)
    figures = [f"{x:.3g}" for x in (min(times), median(times), max(times))] if times else ["–"] * 3
    own = name in BOUNDS["ldp"]
    return [name, "every randomizer" if own else "this mechanism", str(len(times)), *figures, str(best), str(below)]


def _best(row: Mapping[str, Any]) -> str | None:
    """The smallest bound at a point that is not too small."""
    said = row["bounds"].items()
    sound = [(float(bound["epsilon"]), name) for name, bound in said if bound["stated"] and not bound["below"]]
    return min(sound, default=(0.0, None))[1]


HEAD = ["Row", "Of", "Points", "Least", "Median", "Most", "Smallest at", "Wrong at"]
LEAD = [
    "Every cell is a number of users n and a budget $\\epsilon_0$ at $\\delta=10^{-6}$. Its color is the epsilon of a "
    "published bound, divided by the certified upper end of epsilon: 1 is the truth, as far as it is known, for every "
    "data set. A white cell says nothing below $\\epsilon_0$. A hatched cell lies outside the conditions under which "
    "the bound is published; a crossed one is below the certified lower end: a data set is known which has more, and "
    "the bound is wrong there.",
    "",
    "The numbers of the literature are computed as their authors' code does, in balls. Verdicts are not made of this "
    "map: they are on [the page of the claims](specification/amplification-bounds.md), with certificates.",
    "",
]
ALT = (
    "Maps of published bounds for {title}, one for each row of the literature: the ratio to the certified upper end by "
    "number of users and budget; the table has their medians."
)
REPEAT = [
    "*Points*: where the bound says something under its own conditions; least, median and largest ratio are of these. "
    "*Smallest at*: points where no other sound row says less.",
    "",
    "## Repeat it",
    "",
    "```console",
    "$ dp-refimpl amplify --labels 16 --users 10000 --epsilon0 1 --delta 1e-6 --published",
    "```",
    "",
    "prints one cell of all maps. `make reproduce-write` computes all certified ends again.",
]


if __name__ == "__main__":
    write_file(COMMITTED, json.dumps(enclosures(Workers(2)), indent=0) + "\n")
