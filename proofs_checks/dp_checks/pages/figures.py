"""Figures of the documentation: numbers are exact until they are drawn, files are the same bytes every time."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from flint import arb, fmpq
from matplotlib import rc_context
from matplotlib.figure import Figure

from dp_checks.ledger import Entry
from dp_checks.pages import examples, mechanisms
from dp_checks.pages.arc_mechanisms import density_picture
from dp_checks.runtime.drawing import content, laid_out
from dp_checks.runtime.outputs import write_file
from dp_checks.verdict import VERDICTS
from dp_spec.vocabulary.claim import Claim
from dp_spec.vocabulary.law import Law
from dp_spec.vocabulary.real import Real
from dp_spec.vocabulary.statement import Mse, Smallest
from dp_spec.vocabulary.term import Term

COLORS = {
    "proved": "#2e8b57",
    "verified": "#4a9fb5",
    "conditional": "#d19a2a",
    "refuted": "#c0504d",
    "ill_posed": "#9b6bb3",
    "unchecked": "#909090",
}
LINES = ("#3b7dd8", "#d1702a", "#2e8b57", "#9b6bb3")
STRIPES = ("", "//", "--", "xx")
HATCHES = dict(zip(VERDICTS, ("", "//", "||", "xx", "--", "++"), strict=True))
INK = "#222222"
"""Of letters and axes on a white page; the style sheet turns pictures to the colors of a dark one."""
E_EPS, K, N, SIZES = 4, 3, 9, range(1, 7)
CONSTANTS = {
    "suGRR": "002.thm1.sugrr.tight@multiset.corrected",
    "suGRR-Sample": "002.thm1.sugrrsample.tight.corrected",
    "suRAP": "002.thm4.surap.tight@joint.corrected",
    "suRAP-Sample": "002.thm4.surapsample.tight@joint.corrected",
}
ERRORS = {
    "suGRR-Sample, sensitive": "002.thm3.eq17.sens@fixed-data",
    "suGRR-Sample, non-sensitive": "002.thm3.eq17.non@fixed-data",
    "suRAP-Sample, sensitive": "002.thm6.eq22.sens@fixed-data",
    "suRAP-Sample, non-sensitive": "002.thm6.eq22.non@fixed-data",
}


def figures(claims: tuple[Claim, ...], ledger: Mapping[str, Entry]) -> dict[str, bytes]:
    """SVG files by name."""
    pictures: dict[str, bytes] = {}
    pictures |= drawing("verdicts-by-kind", verdicts_by_kind, ledger)
    pictures |= drawing("smallest-constants", smallest_constants, claims)
    pictures |= drawing("sampling-errors", sampling_errors, claims)
    for subject in mechanisms.subjects(claims):
        if examples.has_picture(subject.record.example):
            pictures |= drawing(f"law-{subject.slug}", law_picture, subject.record.example)
    return pictures


def drawing(name: str, draw: Callable[..., Figure], *arguments: object) -> dict[str, bytes]:
    """The SVG file of a figure, by its name."""
    return {f"{name}.svg": _drawn(draw, *arguments)}


def write(pictures: Mapping[str, bytes], folder: Path) -> None:
    """Write the files; others in the folder go."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.iterdir():
        if path.name not in pictures:
            path.unlink()
    for name, data in pictures.items():
        if not (folder / name).is_file() or (folder / name).read_bytes() != data:
            write_file(folder / name, data)


def law_picture(expression: str) -> Figure:
    """The exact example of a mechanism: densities, or for every report a bar for each input; hatches beside colors."""
    target, law = examples.made(expression), examples.law_of(expression)
    if law is None:
        return density_picture(target)
    thick = 0.8 / len(law.inputs)
    figure = Figure(figsize=(4.4, 0.17 * len(law.inputs) * len(law.chances) + 1.4), layout="constrained")
    axes = figure.subplots()
    for i, name in enumerate(law.inputs):
        places = [y + (i + 0.5) * thick - 0.4 for y in range(len(law.chances))]
        look: dict[str, Any] = {
            "color": LINES[i % len(LINES)],
            "hatch": STRIPES[i % len(STRIPES)],
            "edgecolor": "white",
        }
        widths = [float(Real.lift(chances[i]).decimal(9)) for chances in law.chances.values()]
        axes.barh(places, widths, thick, label=name, linewidth=0.6, **look)
    axes.set_yticks(range(len(law.chances)), list(law.chances), fontsize=10)
    axes.invert_yaxis()
    axes.set_xlabel("probability of the report")
    figure.legend(title="input", loc="outside upper center", ncols=min(5, len(law.inputs)), frameon=False, fontsize=10)
    return figure


def verdicts_by_kind(ledger: Mapping[str, Entry]) -> Figure:
    """Rows by kind, stacked by verdict; hatches as well as colors."""
    rows = [e for e in ledger.values() if "row" not in e.data]
    counts = Counter((str(e.data["kind"]), e.verdict) for e in rows)
    totals = Counter(str(e.data["kind"]) for e in rows)
    kinds = sorted(totals, key=lambda k: (totals[k], k))
    figure = Figure(figsize=(7.2, 0.34 * len(kinds) + 1.1), layout="constrained")
    axes = figure.subplots()
    left = [0] * len(kinds)
    for verdict in VERDICTS:
        widths = [counts[kind, verdict] for kind in kinds]
        look: dict[str, Any] = {"color": COLORS[verdict], "hatch": HATCHES[verdict], "edgecolor": "white"}
        axes.barh(kinds, widths, left=left, label=verdict.replace("_", "-"), linewidth=0.6, **look)
        left = [a + b for a, b in zip(left, widths, strict=True)]
    axes.set_xlabel("rows")
    axes.legend(frameon=False, ncols=3, loc="lower right")
    return figure


def smallest_constants(claims: tuple[Claim, ...]) -> Figure:
    """Smallest constants in the joint reading, from the terms of the claims, where their domains reach."""
    figure = Figure(figsize=(7.2, 3.8), layout="constrained")
    axes = figure.subplots()
    for (name, claim), color, marker in zip(CONSTANTS.items(), LINES, "osD^", strict=True):
        statement = _formal(claims, claim)
        assert isinstance(statement, Smallest)
        sizes = [m for m in SIZES if all(w.evaluate({"m": m, "K": K, "N": N}) >= 0 for w in statement.where)]
        values = [_at(statement.constant, statement.law, m) for m in sizes]
        axes.plot(sizes, values, label=name, color=color, marker=marker, markersize=5)
    axes.axhline(E_EPS, linestyle=":", color="gray")
    axes.annotate("promised", (SIZES[-1], E_EPS), textcoords="offset points", xytext=(0, 4), ha="right")
    _label(axes, "smallest constant", "set size m")
    return figure


def sampling_errors(claims: tuple[Claim, ...]) -> Figure:
    """Printed and corrected mean squared errors of the sampling versions as the set size grows."""
    figure = Figure(figsize=(7.2, 5.4), layout="constrained")
    for axes, (title, claim) in zip(figure.subplots(2, 2).flat, ERRORS.items(), strict=True):
        for name, label, style in ((claim, "printed", "--"), (f"{claim}.corrected", "corrected", "-")):
            statement = _formal(claims, name)
            assert isinstance(statement, Mse)
            assert statement.formula is not None
            values = [_at(statement.formula, statement.law, m, n=1, f=fmpq(1, 2)) for m in SIZES]
            color = COLORS["refuted" if label == "printed" else "proved"]
            axes.plot(list(SIZES), values, style, label=label, color=color, marker="o", markersize=4)
        axes.set_title(title, fontsize=10)
        _label(axes, "MSE", "m")
    return figure


def _at(formula: Term, law: Law, m: int, **more: int | fmpq) -> float:
    """The formula's value at the set size m, rounded only here."""
    root = arb(E_EPS).root(int(law.power.evaluate({"m": m})))
    return float(formula.evaluate({law.base: root, "m": m, "K": K, "N": N, **more}))


def _formal(claims: Sequence[Claim], name: str) -> object:
    return next(formal for claim in claims for i, formal in claim.formals() if i == name)


def _label(axes: Any, y: str, x: str) -> None:
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.set_xticks(list(SIZES))
    axes.legend(frameon=False, fontsize=9)


def _drawn(draw: Callable[..., Figure], *arguments: object) -> bytes:
    names = ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color", "axes.titlecolor")
    look: Any = {
        "svg.hashsalt": "dp-refimpl",
        "svg.fonttype": "none",  # letters are text, not drawings of letters
        "axes.spines.top": False,
        "axes.spines.right": False,
        **dict.fromkeys(names, INK),
    }
    with rc_context(look):
        return content(laid_out(draw(*arguments)), "svg", transparent=True)
