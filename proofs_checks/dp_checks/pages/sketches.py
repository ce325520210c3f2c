"""Statements and counterexamples about laws with a published choice (hash functions, rows, coordinates), in words."""

from collections.abc import Mapping
from typing import Any

from dp_checks.check.public_choices import choices
from dp_checks.pages.domains import constraint
from dp_checks.pages.estimators import MOMENTS, estimated, moment, ratio, smallest
from dp_checks.pages.notation import display, exact, indefinite, latex
from dp_checks.pages.subjects import Words, followed
from dp_checks.registry import Key
from dp_spec.frequency import count_sketch, hadamard
from dp_spec.vocabulary.error_statements import Mean, SharedVariance, Variance
from dp_spec.vocabulary.law import SEPARATING, Law
from dp_spec.vocabulary.statement import Mse, Ratio, Smallest, Statement, Unbiased
from dp_spec.vocabulary.term import Term, var

Data = Mapping[str, Any]
SYMBOLS = {
    "t": r"e^{\epsilon/2}",
    "kappa1": r"\kappa_1",
    "kappa2": r"\kappa_2",
    "squared": r"\textstyle\sum_{y\ne x}f_y^2",
    "rho": r"\rho",
}
"""b is the number of columns, m is 1 (one record), or a number of records."""
MECHANISMS = {
    "count_sketch-cms": "the client of LDP-CMS",
    "count_sketch-plain": "a row of the sketch of the true items, where a record adds 1 to its item's column",
    "count_sketch-records": "the client of LDP-CMS on every one of $m$ records",
    "count_sketch-uploaded": r"the client of LDP-CMS, whose report is uploaded with chance $\rho$",
    "local_hashing-olh": "local hashing to $b$ labels",
    "hadamard-response": "Hadamard response",
    "hadamard-hcms": "the client of the Hadamard count-mean sketch",
}
COUNTED: Mapping[str, tuple[str, Term | None]] = {
    "count_sketch": ("a $+1$ in its cell", count_sketch.C),
    "count_sketch-plain": ("a $1$ in its cell", None),
    "hadamard": ("the sign of its column", hadamard.C),
    "local_hashing": ("whose function maps it to their label", None),
}
"""Which reports count, and the server's constant, by the module of the mechanism, or its name."""
DRAWN = {
    "pairwise": "rows are independent, the values of a function at any two items independent and uniform",
    "threewise": "rows are independent, the values of a function at any three items independent and uniform",
    "distinct": "different functions, drawn without replacement from all functions",
}
EVIDENCE: Mapping[str, str] = {
    "law of total variance": "The variance for fixed functions, averaged over the draw of the functions, plus the "
    "variance of the mean for fixed functions, which is affine in the shares $\\kappa(x,y)$ of the rows under which "
    "two items collide: these are means of independent indicators, uncorrelated for different $y$. The kernel derives "
    "mean and variance for fixed functions from the law's term, puts the moments of $\\kappa$ into them and compares "
    "rational functions.",
}
"""Kinds of evidence of this family: what each shows."""


def estimate(statement: Unbiased) -> str:
    """The estimator as LaTeX."""
    return rf"\hat f_x = {formula(estimated(statement.estimator), {'count': 'F_x', 'invertible': 'T'})}"


def _estimate(statement: Unbiased) -> list[str]:
    name = statement.law.mechanism
    counts, constant = COUNTED.get(name) or COUNTED[name.split("-")[0]]
    sent = "" if statement.estimator.per_invertible is None else ", $T$ the number of reports that are uploaded"
    said = "" if constant is None else f" and $c_\\epsilon = {latex(constant, SYMBOLS)}$"
    return [
        f"With $F_x$ the number of reports that count for $x$ ({counts}{sent}){said}, the estimator",
        "",
        *display(estimate(statement)),
    ]


def _unbiased(statement: Unbiased) -> list[str]:
    return [*_estimate(statement), "is unbiased for every data set.", ""]


def _moment(statement: Mse) -> list[str]:
    assert statement.formula is not None
    lead = f"has for every data set of $n$ records the {MOMENTS[statement.type][0]}"
    return [*_estimate(statement), lead, "", *moment(statement, formula(statement.formula)), *_said(statement)]


def _said(statement: Mse) -> list[str]:
    """What the symbols of a formula mean."""
    assert statement.formula is not None
    if isinstance(statement, SharedVariance):
        return [f"All records use the same ${formula(statement.rows)}$ functions: {DRAWN[statement.independence]}.", ""]
    if {"kappa1", "kappa2"} & {*statement.formula.variables()}:
        return [
            r"where $\kappa_j=\frac1n\sum_y\kappa(x,y)^j$ over the records $y\ne x$, $\kappa(x,y)$ the share of the "
            "rows under which $x$ and $y$ collide.",
            "",
        ]
    return []


def _about(statement: Any) -> list[str]:
    law: Law = statement.law
    words = [MECHANISMS.get(law.mechanism, f"law `{law.mechanism}`"), *_columns(law), _functions(statement)]
    where = [constraint(c) for c in statement.where if c != 1 - var("m")]
    words += [f"where {indefinite(where)}"] if where else []
    words += [f"for every $0<{latex(var(name), SYMBOLS)}<1$" for name in law.parameters]
    return [f"*{'; '.join(words)}; every $\\epsilon>0$.*", ""]


def _columns(law: Law) -> list[str]:
    if law.mechanism == "hadamard-response":
        return []
    name = "labels" if law.mechanism == "local_hashing-olh" else "columns"
    return [f"$b\\ge{law.integers['b']}$ {name}" if "b" in law.integers else "one column"]


def _functions(statement: Any) -> str:
    premise = statement.law.families.get(choices(statement.law)[0])
    if isinstance(statement, SharedVariance):
        return "functions as said"
    if premise is None:
        return "any fixed, public functions"
    if premise == SEPARATING:
        return "public functions of which one separates two items"
    return f"functions under which any two items collide with chance ${formula(premise)}$"


def one_line(statement: Statement, data: Data) -> str | None:
    """A refutation in one line; None for other statements."""
    law = getattr(statement, "law", None)
    if not isinstance(law, Law) or law.unit != "sketches":
        return None
    pairwise = isinstance(statement, SharedVariance) and statement.independence == "pairwise"
    at = f"{_instance(law, data['instance'])}, {AFFINE if pairwise else _listed(law, data)}"
    if isinstance(statement, Ratio) and "probability" in data:
        q = data["other_probability"]
        return (
            f"{at}: the report {_report(data['output'][0])} has probability {exact(data['probability'])} from records "
            f"{_items(data['s'])}, {exact(q)} from {_items(data['other'])}"
        )
    numbers = f"{exact(data['exact'])}, not {exact(data['stated'])}"
    if isinstance(statement, Smallest):
        return f"{at}: the smallest constant is {numbers}"
    users = ", ".join(str(s[0]) for s in data["users"])
    symbols = {"unbiased": "expected estimate", "mean": "mean", "mse": "mean squared error"}
    return f"{at}, records {users}: the {symbols.get(statement.type, 'variance')} for item {data['item']} is {numbers}"


AFFINE = "functions $ay+c$ modulo $b$, $a$ and $c$ uniform"


def lines(statement: Statement, data: Data) -> list[str] | None:
    """A refutation as Markdown lines; None for other statements."""
    line = one_line(statement, data)
    return None if line is None else [f"With {line}.", ""]


def _instance(law: Law, at: Data) -> str:
    names = [name for name in ("K", *law.integers, law.base, *law.parameters) if name in at]
    return ", ".join(f"${latex(var(name), SYMBOLS)}={at[name]}$" for name in names)


def _listed(law: Law, data: Data) -> str:
    """The functions, as the lists of the items' columns."""
    rows = data.get("hashes", {}).get(choices(law)[0])
    if rows is None:
        return "all functions"
    chances = {p for p, _ in rows}
    return f"functions {', '.join(str(tuple(labels)) for _, labels in rows)}" + (
        "" if len(chances) == 1 else f" with chances {', '.join(p for p, _ in rows)}"
    )


def _report(y: Any) -> str:
    return str(y).replace("[", "(").replace("]", ")")


def _items(s: Any) -> str:
    return ", ".join(map(str, s))


def formula(checked: Term, more: Mapping[str, str] | None = None) -> str:
    """A checked formula as LaTeX, with the server's constant written c."""
    return latex(_named(checked), {**SYMBOLS, "c": r"c_\epsilon", **(more or {})})


def _named(formula: Term) -> Term:
    """The formula with the server's constants written c."""
    if formula in (count_sketch.C, hadamard.C):
        return var("c")
    return Term(formula.head, tuple(map(_named, formula.arguments))) if formula.arguments else formula


_WORDS: dict[type, Words] = {
    Ratio: ratio(formula),
    Smallest: smallest(formula),
    Unbiased: _unbiased,
    **dict.fromkeys((Mean, Mse, SharedVariance, Variance), _moment),
}
FORMAL: dict[Key, Words] = dict(followed(_WORDS, _about, unit="sketches"))
"""What statements of this family say."""
