"""Statements and counterexamples about errors of mechanisms in words: totals, orders, costs, equal laws."""

from collections.abc import Mapping
from typing import Any

from flint import arb, ctx, fmpq

from dp_checks.check.formulas import SHORT, SIGNS, value_at
from dp_checks.kernel import formulas as kernel
from dp_checks.pages.about import Words, about, followed
from dp_checks.pages.notation import display, inline, latex, table
from dp_checks.pages.ranges import domain
from dp_checks.registry import Key, keyed
from dp_spec.vocabulary.error_statements import Bounded, Cost, Formula, SameLaw, Total, closed_form
from dp_spec.vocabulary.scalar import Ordering, compare
from dp_spec.vocabulary.statement import Mse
from dp_spec.vocabulary.term import Term, read, term

Data = Mapping[str, Any]
EVIDENCE: Mapping[str, str] = {
    "unbounded family": "Parameters of data sets with one free natural number $L$, along which the left side is "
    "positive and at least a positive number times $L$ times the right one, while everything a constant may depend on "
    "stays fixed: no constant bounds the quotient.",
    "continuum": "A point of a whole interval is sent, and no number of bits tells all of its points apart.",
}
"""Kinds of evidence of this family: what each shows."""


TINY = fmpq(1, 10**30)


def _formula(statement: Formula) -> list[str]:
    listed = [rf"{latex(a)} {SIGNS[op]} {latex(b)}" for op, a, b in statement.relations]
    shown = r" \\ ".join(listed)
    return [
        *_errors(statement),
        f"All of these hold{_domain(statement)}:",
        "",
        *display(rf"\begin{{gathered}} {shown} \end{{gathered}}"),
    ]


def _bounded(statement: Bounded) -> list[str]:
    shown = r" \\ ".join(rf"{latex(a)} \le C\, {_factor(b)}" for a, b in statement.relations)
    fixed = ", ".join(_name(name) for name in statement.fixed)
    free = f"which may depend on {fixed} alone" if fixed else "one number for everything"
    moving = f"As {', '.join(_name(name) for name in statement.grows)} grows: " if statement.grows else ""
    each = "There is" if len(statement.relations) == 1 else "For each of these there is"
    return [
        *_errors(statement),
        f"{moving}{each} a constant $C>0$, {free}{_domain(statement)}:",
        "",
        *display(rf"\begin{{gathered}} {shown} \end{{gathered}}"),
    ]


def _cost(statement: Cost) -> list[str]:
    most = inline(statement.most)
    return [f"There are at most {most} reports: $\\log_2$ of this number, rounded up, is enough bits for one.", ""]


def _same_law(statement: SameLaw) -> list[str]:
    names = f"`{statement.law.mechanism}` and `{statement.other.mechanism}`"
    return [f"{names} have the same budget and the same law of the report.", ""]


def brief(statement: object) -> str | None:
    """A statement about errors in one line; None for other statements."""
    if not isinstance(statement, Formula) or not statement.values:
        return None
    relations = ", ".join(rf"${latex(a)} {SIGNS[op]} {latex(b)}$" for op, a, b in statement.relations)
    values = "; ".join(
        f"{_name(name)}: {_error(value.error)}, $e^\\epsilon$ by {inline(value.root)}"
        + (f", at {_put(value.at)}" if value.at else "")
        for name, value in statement.values.items()
    )
    return f"{relations}{domain(statement.domain)} ({values})"


def one_line(statement: object, data: Data) -> str | None:
    """The counterexample in one line; None for other statements."""
    match statement:
        case Formula():
            op, left, right = statement.relations[data["relation"]]
            sides = " against ".join(f"${_number(side, statement, data)}$" for side in (left, right))
            where = _point(data["values"]) or "these numbers"
            asserted = f"${latex(left)} {SIGNS[op]} {latex(right)}$"
            if len(asserted) > SHORT:
                asserted = f"relation {data['relation'] + 1} (${SIGNS[op]}$)"
            return f"{where}: {asserted} fails, {sides}"
        case Bounded():
            family = ", ".join(f"${latex(term_of(name))}={latex(term_of(x))}$" for name, x in data["family"].items())
            more, less = (f"${latex(side)}$" for side in statement.relations[data["relation"]])
            factor = latex(term_of(data["constant"]))
            if "L" not in data["family"].values():
                return f"at {family}: {less} is $0$ and {more} is not"
            return f"along {family}: {more} is at least ${factor}\\cdot L$ times {less}"
        case Cost():
            return "every point of an interval is a possible report"
    return None


def lines(statement: object, data: Data) -> list[str] | None:
    """The counterexample as Markdown lines; None for other statements."""
    found = one_line(statement, data)
    return None if found is None else [f"{found[0].upper()}{found[1:]}.", ""]


def term_of(value: Any) -> Term:
    """A value of a certificate: a name or a number."""
    return read(value) if isinstance(value, str | list) else term(value)


def _number(side: Term, statement: Formula, data: Data) -> str:
    with ctx.workprec(kernel.BITS):
        point = {name: fmpq(*map(int, x.split("/"))) for name, x in data["values"].items()}
        whole = {name: int(x.p) if x.q == 1 else x for name, x in point.items()}
        values = {name: value_at(value, whole) for name, value in statement.values.items()}
        return _decimal(side.evaluate({**whole, **values}))


def _decimal(number: Any) -> str:
    """An exact number, or six correct digits of a ball; a ball within 10^-30 of 0 has none."""
    if isinstance(number, int | fmpq):
        return str(number)
    tiny = compare(number.abs_upper(), arb(TINY)) is Ordering.LESS
    return r"0\pm10^{-30}" if tiny else str(number.str(6, radius=False))


def _point(values: Mapping[str, str]) -> str:
    return ", ".join(f"${latex(Term(name))}={x}$" for name, x in values.items())


def _errors(statement: Formula | Bounded) -> list[str]:
    """The named errors of a statement."""
    if not statement.values:
        return []
    rows = [
        [_name(name), _error(value.error), inline(value.root), _put(value.at)]
        for name, value in statement.values.items()
    ]
    spent = "" if statement.budget is None else f", all with $e^\\epsilon$ = {inline(statement.budget)}"
    return [f"Exact errors{spent}:", "", *table(["", "error", "root of $e^\\epsilon$", "at"], rows)]


def _factor(t: Term) -> str:
    return rf"\left({latex(t)}\right)" if t.head in ("add", "sub") else latex(t)


def _domain(statement: Formula | Bounded) -> str:
    about = ", wherever some data set has these sizes and frequencies"
    return domain(statement.domain) + (about if statement.of_data else "")


def _name(name: str) -> str:
    return f"${latex(Term(name))}$"


def _error(error: Mse | Total) -> str:
    if isinstance(error, Mse):
        item = "sensitive" if error.item == "sensitive" else "non-sensitive"
        return f"MSE of a {item} item of `{error.law.mechanism}` ({inline(closed_form(error))})"
    if error.sensitive is None:
        return f"sum over $X_{{\\rm non}}$ of the MSE of `{error.law.mechanism}`"
    if error.nonsensitive is None and error.law.r is not None:
        return f"sum over $X_{{\\rm sen}}$ of the MSE of `{error.law.mechanism}`"
    return f"sum over $X$ of the MSE of `{error.law.mechanism}`"


def _put(at: Mapping[str, Term]) -> str:
    return ", ".join(f"${latex(Term(name))}={latex(value)}$" for name, value in at.items()) or "–"


FORMAL: dict[Key, Words] = {
    **keyed({Formula: _formula, Bounded: _bounded}),
    **followed({Cost: _cost, SameLaw: _same_law}, about),
}
"""What statements of this family say."""
