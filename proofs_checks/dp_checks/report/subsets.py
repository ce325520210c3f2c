"""Statements and counterexamples about laws on subsets (PrivSet) in words."""

from collections.abc import Mapping
from typing import Any

from dp_checks.report.notation import display, exact, indefinite, inline, latex, table
from dp_spec.frequency.privset import HELD, OTHER
from dp_spec.vocabulary.statement import Range, Statement
from dp_spec.vocabulary.subset_statements import (
    SubsetBest,
    SubsetBetter,
    SubsetConvex,
    SubsetErrorAbove,
    SubsetLaw,
    SubsetNoFormula,
    SubsetRatio,
    SubsetSameChoice,
    SubsetSmallest,
    SubsetTable,
    SubsetUnbiased,
)
from dp_spec.vocabulary.term import Term, read, var

Data = Mapping[str, Any]
READINGS: Mapping[str, str] = {
    "plain": "$D=d$, all sets of exactly $m<d$ items",
    "padded": "$D=d+m$, sets of at most $m\\le d$ items completed to $m$ by the first dummies",
}
EVIDENCE: Mapping[str, str] = {
    "counting lemma": "Of the $k$-subsets of $D$ outputs, so many miss a set of $m$, so many have a given element: "
    "binomial coefficients. The kernel counts again at all small sizes, and for all sizes compares the statement's "
    "formulas with the lemma's as rational functions of these numbers.",
    "two-probabilities lemma": "Every report has one of two probabilities, $e^\\epsilon$ apart, under every set; and "
    "some report meets one user's set and misses another's.",
    "same expression": "For $m=1$ both objectives are the same expression.",
    "formula": "An explicit formula where the statement denies one; the kernel shows that it is right by the first "
    "difference of the objective.",
    "first difference": "The objective at $k+1$ minus that at $k$ is a positive factor times a quadratic polynomial in "
    "$k$ that grows; its root, rounded up, is the smallest best $k$. Identities and positivity, for all $D$.",
    "Taylor-coefficients lemma": "The objective is a sum of products of functions of real $k$ whose derivatives are "
    "all at least 0; the kernel checks the decomposition as an identity.",
    "integer between two roots": "A positive multiple of the difference of the errors is a quadratic polynomial in $k$ "
    "with roots more than 1 apart: some integer lies between them. Identities and positivity, for all $d$.",
    "positive-limit lemma": "Even without noise from the budget, the items of a set compete for the $k$ places of a "
    "report: the error exceeds $m(m-1)$ for every $k$ and $\\epsilon$, by positivity in the numbers of subsets.",
}
"""Kinds of evidence of this family: what each shows."""

_SUM = r"n\sum_{x\in X}\mathrm{MSE}[\hat f_x]"


def formal(statement: object) -> list[str] | None:
    """What a statement of this family says; None for other statements."""
    lines = _formal(statement)
    return None if lines is None else [*lines, *_about(statement.table)]  # type: ignore[attr-defined]


def _formal(statement: object) -> list[str] | None:
    match statement:
        case SubsetLaw():
            hit, miss = (latex(entry) for entry in (statement.table.hit, statement.table.miss))
            law = rf"\Pr[o\mid s] = {hit}\ (o\cap s\ne\emptyset), \quad {miss}\ (o\cap s=\emptyset)"
            held = rf"P_k = {latex(statement.held)}, \quad Q_k = {latex(statement.other)}"
            return [
                "A probability law on the $k$-subsets $o$ of the $D$ outputs, for every user's set $s$; a held item is "
                "in $o$ with probability $P_k$, an item that is not held with $Q_k$:",
                "",
                *display(rf"\begin{{gathered}} {law} \\ {held} \end{{gathered}}"),
            ]
        case SubsetRatio():
            return [r"$\Pr[o\mid s]\le e^\epsilon\,\Pr[o\mid s']$ for all $s$, $s'$ and all reports $o$.", ""]
        case SubsetSmallest():
            lead = r"The smallest constant $C$ with $\Pr[o\mid s]\le C\,\Pr[o\mid s']$ for all $s$, $s'$ and $o$ is"
            return [lead, "", *display(f"C = {latex(statement.constant)}")]
        case SubsetUnbiased():
            estimate = (var("count") / var("n") - statement.estimator.offset) / statement.estimator.slope
            shown = _named(estimate).latex({"count": "F_x"})
            return ["Unbiased for every data set:", "", *display(rf"\hat f_x = {shown}")]
        case SubsetSameChoice():
            first, second = (inline(tree) for tree in statement.objectives)
            where = _where(statement.constraints)
            return [f"{where}Some $k$ minimises both {first} and {second} ($P=P_k$, $Q=Q_k$).", ""]
        case SubsetBest():
            root = _root(statement.radicand, statement.shift, statement.scale)
            return [
                f"For $m=1$ the smallest $k$ that minimises {inline(statement.objective)} is",
                "",
                *display(root),
                r"and $D/(1+e^\epsilon)$ rounded up or down, but at least 1.",
                "",
            ]
        case SubsetNoFormula():
            return [
                f"For no $m$ is the smallest $k$ that minimises {inline(statement.objective)} one formula of $D$ and "
                "$e^\\epsilon$ (arithmetic, a square root, rounding).",
                "",
            ]
        case SubsetConvex():
            return [f"{inline(statement.objective)} is strictly convex in $k$ ($P=P_k$, $Q=Q_k$).", ""]
        case SubsetBetter():
            where = _where(statement.constraints)
            return [f"{where}For some $k$ the exact ${_SUM}$ is smaller than {inline(statement.rival)}.", ""]
        case SubsetErrorAbove():
            above = [rf"${latex(c)}\ge0$" for c in statement.domain.constraints]
            least = [_least(name, spec) for name, spec in statement.domain.variables.items()]
            where = indefinite([*least, *above])
            return [f"For {where}, for every $k$ the exact ${_SUM}$ is larger than {inline(statement.bound)}.", ""]
    return None


def one_line(statement: Statement, data: Data) -> str | None:
    """A refutation in one line; None for other statements."""
    at = ", ".join(f"${name}$ = {exact(value)}" for name, value in data.get("instance", {}).items())
    at = at.replace("$w$", r"$e^\epsilon$").replace("$t$", r"$e^{\epsilon/2m}$")
    match statement:
        case SubsetSameChoice():
            first, second = (indefinite([f"${k}$" for k in listed]) for listed in data["best"])
            return f"{at}: the best $k$ is {first} for the one objective, {second} for the other"
        case SubsetBetter():
            listed = indefinite([exact(e) for e in data["errors"]])
            return f"{at}: for $k=1,\\dots$ the sum is {listed}, RAPPOR's is {exact(data['rival'])}"
        case SubsetNoFormula():
            return "for $m=1$ there is a formula"
        case SubsetLaw() | SubsetRatio() | SubsetSmallest() | SubsetUnbiased():
            return f"{at}: another law"
        case SubsetBest() | SubsetConvex() | SubsetErrorAbove():
            return f"{at}: false there"
    return None


def lines(statement: Statement, data: Data) -> list[str] | None:
    """A refutation with its exact numbers as Markdown lines; None for other statements."""
    told = one_line(statement, data)
    if told is None:
        return None
    body = [f"{told[0].upper()}{told[1:]}." if not told.startswith("$") else f"At {told}.", ""]
    match statement:
        case SubsetBetter():
            rows = [[f"${k}$", exact(e)] for k, e in enumerate(data["errors"], 1)]
            return [*body, *table(["$k$", f"${_SUM}$"], rows)]
        case SubsetNoFormula():
            radicand, shift, scale = (read(data[name]) for name in ("radicand", "shift", "scale"))
            return [*body, *display(_root(radicand, shift, scale))]
    return body


def _root(radicand: Term, shift: Term, scale: Term) -> str:
    top = rf"\sqrt{{{latex(radicand)}}} - ({latex(shift)})"
    return rf"k = \left\lceil \frac{{{top}}}{{{latex(scale)}}} \right\rceil"


def _named(formula: Term) -> Term:
    """The formula with the chances of its law written P_k and Q_k."""
    for name, chance in (("P_k", HELD), ("Q_k", OTHER)):
        if formula == chance:
            return var(name)
    return Term(formula.head, tuple(map(_named, formula.arguments))) if formula.arguments else formula


def _least(name: str, spec: Range) -> str:
    relation = ">" if spec.strict else r"\ge "
    return f"${latex(var(name))}{relation}{spec.min}$"


def _where(constraints: tuple[Term, ...]) -> str:
    listed = ["$m=1$" if c == 1 - var("m") else rf"${latex(c)}\ge0$" for c in constraints]
    return f"For {indefinite(listed)}: " if listed else ""


def _about(about: SubsetTable) -> list[str]:
    return [
        f"*PrivSet, `{about.reading}`: {READINGS[about.reading]}; every $1\\le k\\le D-m$ and every $\\epsilon>0$.*",
        "",
    ]
