"""Pictures of the errors of frequency oracles: exact until they are drawn."""

from collections.abc import Mapping
from typing import Any

from flint import fmpq
from matplotlib.figure import Figure

from dp_spec.vocabulary.budget import Budget, epsilon_ball
from dp_spec.vocabulary.precision import precision
from dp_studies.comparisons.frequency_oracles.candidates import NAMES, Setting, ranking

POINTS = 64
PALETTE = ("#0072b2", "#d55e00", "#999999", "#009e73", "#e69f00", "#56b4e9", "#cc79a7", "#f0e442", "#332288", "#661100")
COLORS = dict(zip(NAMES, PALETTE, strict=True))
DASHES: Mapping[str, Any] = {
    "BLH": "--",
    "HadamardResponse": ":",
    "OLH-nearest": ":",
    "OLH": "--",
    "SubsetSelection": "-.",
}
"""Mechanisms whose errors may be those of others."""


def errors(setting: Setting, between: tuple[str, str], comparison: Mapping[str, Any]) -> Figure:
    """n times the variance over epsilon, and a line where the best mechanism of the document changes."""
    curves: dict[str, list[tuple[float, float]]] = {}
    for epsilon in _places(between):
        for row in ranking(setting, Budget(f"{epsilon}"), tuple(comparison["mechanisms"])):
            curves.setdefault(row.curve.name, []).append((double(epsilon), float(row.error)))
    figure = Figure(figsize=(7.2, 4.8), layout="constrained")
    axes = figure.subplots()
    for name in (name for name in NAMES if name in curves):
        axes.plot(*zip(*curves[name], strict=True), label=name, color=COLORS[name], linestyle=DASHES.get(name, "-"))
    for piece in comparison["over_epsilon"]["pieces"] or ():
        if piece["until"] is not None:
            axes.axvline(float(piece["until"]), color="gray", linewidth=0.6)
    axes.set_yscale("log")
    axes.set_xlabel("epsilon")
    axes.set_ylabel("n times the variance")
    limit = "" if setting.bits is None else f", at most {setting.bits} bits"
    axes.set_title(f"d = {setting.d}, f = {setting.f}{limit}", fontsize=10)
    figure.legend(loc="outside right upper", frameon=False)
    return figure


def double(number: fmpq) -> float:
    """For drawing."""
    return int(number.p) / int(number.q)


def _places(between: tuple[str, str]) -> list[fmpq]:
    """Rational numbers from one epsilon to the other, in equal steps."""
    low, high = (_near(text) for text in between)
    return [low + (high - low) * i / (POINTS - 1) for i in range(POINTS)]


def _near(text: str) -> fmpq:
    """A short rational number next to an epsilon."""
    with precision(64):
        return fmpq(round(float(epsilon_ball(text)) * 2**16), 2**16)
