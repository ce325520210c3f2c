"""Ratios, estimators and their moments in words, as laws of items, messages and sketches share them."""

from collections.abc import Callable, Mapping

from dp_checks.pages.notation import COMPARED, display, latex
from dp_checks.pages.subjects import Words
from dp_spec.vocabulary.law import Estimator
from dp_spec.vocabulary.statement import Mse
from dp_spec.vocabulary.term import Term, term, var

Writing = Callable[[Term], str]
"""How formulas are written in LaTeX."""
MOMENTS: Mapping[str, tuple[str, str]] = {
    "mean": ("mean", "E"),
    "mse": ("mean squared error", "MSE"),
    "shared": ("variance over the draw of the functions and the reports", "Var"),
    "variance": ("variance", "Var"),
}
"""A name and a symbol, by the type of the statement."""


def ratio(written: Writing = latex) -> Words:
    """That e^epsilon bounds the ratios that a reading compares."""
    return lambda statement: [
        f"{COMPARED[statement.relation]}, with $C = e^\\epsilon = {written(statement.law.e_eps)}$.",
        "",
    ]


def smallest(written: Writing = latex) -> Words:
    """What the smallest constant is that bounds them."""
    return lambda statement: [
        f"The smallest constant $C$ with {COMPARED[statement.relation]} is",
        "",
        *display(f"C = {written(statement.constant)}"),
    ]


def estimated(estimator: Estimator) -> Term:
    """The estimate, of the numbers `count` and `invertible` of n users."""
    counted: Term = var("count") / var("n")
    if estimator.offset != term(0):
        counted = counted - estimator.offset
    if estimator.per_invertible is not None:
        counted = counted - estimator.per_invertible * var("invertible") / var("n")
    return counted if estimator.slope == term(1) else counted / estimator.slope


def moment(statement: Mse, formula: str) -> list[str]:
    """What a moment of the estimate is, as a formula on a line of its own."""
    return display(rf"\mathrm{{{MOMENTS[statement.type][1]}}}[\hat f_x] = {formula}")
