"""Statements and counterexamples about laws on subsets (PrivSet), and negations, in words."""

from collections.abc import Mapping
from typing import Any

from dp_checks.pages.notation import display, exact, latex
from dp_checks.pages.subjects import Words, followed
from dp_checks.registry import Key
from dp_spec.frequency.privset import D_PADDED, D_PLAIN, held, other
from dp_spec.vocabulary.law import Law
from dp_spec.vocabulary.statement import (
    Chance,
    Mse,
    Not,
    Ratio,
    Smallest,
    Statement,
    Unbiased,
)
from dp_spec.vocabulary.term import Term, var

Data = Mapping[str, Any]
EVIDENCE: Mapping[str, str] = {
    "card counting": "Of the $k$-subsets of $D$ outputs, so many miss a set of $m$, so many have a given element: "
    "binomial coefficients, by the card *counting*. For all sizes the kernel compares the statement's formulas with "
    "these numbers, reduced to one of them by Pascal's rule and absorption.",
}
"""Kinds of evidence of this family: what each shows."""


def _chance(statement: Chance) -> list[str]:
    which, name = ("a held item", "P_k") if statement.event == "held" else ("an item that is not held", "Q_k")
    lead = f"For every set {which} is in the report with probability"
    return [lead, "", *display(f"{name} = {latex(statement.probability)}")]


def _smallest(statement: Smallest) -> list[str]:
    lead = r"The smallest constant $C$ with $\Pr[o\mid s]\le C\,\Pr[o\mid s']$ for all $s$, $s'$ and $o$ is"
    return [lead, "", *display(f"C = {latex(statement.constant)}")]


def _ratio(statement: Ratio) -> list[str]:
    return [r"$\Pr[o\mid s]\le e^\epsilon\,\Pr[o\mid s']$ for all $s$, $s'$ and all reports $o$.", ""]


def _unbiased(statement: Unbiased) -> list[str]:
    estimate = (var("count") / var("n") - statement.estimator.offset) / statement.estimator.slope
    lines = display(rf"\hat f_x = {_named(estimate).latex({'count': 'F_x'})}")
    if not isinstance(statement, Mse):
        return ["Unbiased for every data set:", "", *lines]
    assert statement.formula is not None
    error = display(rf"\mathrm{{MSE}}[\hat f_x] = {latex(_named(statement.formula))}")
    return ["The estimator", "", *lines, "has the mean squared error", "", *error]


def one_line(statement: Statement, data: Data) -> str | None:
    """A refutation in one line; None for other statements."""
    match statement:
        case Not():
            return "a proof of what it denies"
    law = getattr(statement, "law", None)
    if isinstance(law, Law) and law.unit == "subsets" and "stated" in data:
        return f"{_at(data['instance'])}: {exact(data['exact'])}, not {exact(data['stated'])}"
    return f"{_at(data['instance'])}: a larger ratio" if isinstance(law, Law) and law.unit == "subsets" else None


def lines(statement: Statement, data: Data) -> list[str] | None:
    """A refutation as Markdown lines; None for other statements."""
    line = one_line(statement, data)
    if line is None:
        return None
    return [f"{line[0].upper()}{line[1:]}." if not line.startswith("$") else f"At {line}.", ""]


def _at(values: Data) -> str:
    at = ", ".join(f"${name}$ = {exact(value)}" for name, value in values.items())
    return at.replace("$w$", r"$e^\epsilon$").replace("$t$", r"$e^{\epsilon/2m}$")


def _named(formula: Term) -> Term:
    """The formula with the chances of its law written P_k and Q_k."""
    for outputs in (D_PLAIN, D_PADDED):
        for name, chance in (("P_k", held(outputs)), ("Q_k", other(outputs))):
            if formula == chance:
                return var(name)
    return Term(formula.head, tuple(map(_named, formula.arguments))) if formula.arguments else formula


def _about(statement: Any) -> list[str]:
    law: Law = statement.law
    reading = (
        "PrivSet, `padded`: $D=K+m$, sets of at most $m$ items completed to $m$ by the first dummies"
        if law.brought
        else "PrivSet, `plain`: $D=K$, all sets of exactly $m<K$ items"
    )
    _, size, hit, miss = law.term[-1] if law.brought else law.term
    table = rf"$\Pr[o\mid s] = {latex(hit)}$ if $o\cap s\ne\emptyset$, else ${latex(miss)}$ ($K$ for $D$)"
    every = rf"every $1\le {latex(size)}\le D-m$ and every $\epsilon>0$"
    return [f"*{reading}; {every}; {table}.*", ""]


_WORDS: dict[type, Words] = {Chance: _chance, Mse: _unbiased, Ratio: _ratio, Smallest: _smallest, Unbiased: _unbiased}
FORMAL: dict[Key, Words] = dict(followed(_WORDS, _about, unit="subsets"))
"""What statements of this family say."""
