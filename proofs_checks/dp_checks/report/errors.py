"""Statements and counterexamples about errors of mechanisms in words: totals, orders, costs, equal laws."""

from collections.abc import Mapping
from typing import Any

from flint import ctx, fmpq

from dp_checks.check.errors import BITS, value_at
from dp_checks.report.notation import VIEWS, display, indefinite, inline, latex, table
from dp_checks.report.ranges import domain
from dp_spec.vocabulary.error_statements import Cost, Errors, Order, SameLaw, Total, closed_form
from dp_spec.vocabulary.statement import Formula, Mse
from dp_spec.vocabulary.term import Term, read, term

Data = Mapping[str, Any]
SIGNS: Mapping[str, str] = {"eq": "=", "le": r"\le", "lt": "<"}
EVIDENCE: Mapping[str, str] = {
    "unbounded family": "Parameters with one free number $L$, along which the larger side is at least a constant times "
    "$L$ times the other: no constant bounds the quotient.",
    "equal tables": "Both laws apply the same table in the same way, and see the same of it; the kernel compares the "
    "entries as rational functions.",
    "continuum": "A point of a whole interval is sent, and no number of bits tells all of its points apart.",
}
"""Kinds of evidence of this family: what each shows."""


def formal(statement: object) -> list[str] | None:
    """What a statement of this family says; None for other statements."""
    match statement:
        case Errors():
            rows = [
                [_name(name), _error(value.error), inline(value.root), _put(value.at)]
                for name, value in statement.values.items()
            ]
            spent = "" if statement.budget is None else f", all with $e^\\epsilon$ = {inline(statement.budget)}"
            listed = [rf"{latex(a)} {SIGNS[op]} {latex(b)}" for op, a, b in statement.relations]
            shown = r" \\ ".join(listed)
            return [
                f"Exact errors{spent}:",
                "",
                *table(["", "error", "root of $e^\\epsilon$", "at"], rows),
                f"All of these hold{domain(statement.domain)}:",
                "",
                *display(rf"\begin{{gathered}} {shown} \end{{gathered}}"),
            ]
        case Order():
            theta = "" if statement.bound == "upper" else ", and at least $c > 0$ times it,"
            put = f" (at {_put(statement.at)})" if statement.at else ""
            return [
                f"The {_error(statement.error)}{put} is at most a constant times the following{theta} for "
                f"$0<\\epsilon\\le1$, one constant for everything{domain(statement.domain)}:",
                "",
                *display(latex(statement.entry)),
            ]
        case Cost():
            how = "a point of $[0,1)$, sent as it is" if statement.output == "real" else "symbols"
            symbols, entry = (
                indefinite([f"{inline(k)} times one of {inline(v)}" for v, k in counts])
                for counts in (statement.symbols, statement.entry)
            )
            return [
                f"A report of `{statement.law.mechanism}` is {how}: {symbols}. The number of bits, each symbol in "
                f"whole bits, is at most a constant times the sum of $k\\log_2 v$ over {entry}"
                f"{domain(statement.domain)}.",
                "",
            ]
        case SameLaw():
            of = "one item" if statement.of == "item" else f"the report ({VIEWS[statement.view]})"
            without = ", if $X_{\\rm non}$ is empty" if statement.without_others else ""
            return [
                f"`{statement.left.mechanism}` and `{statement.right.mechanism}` have the same law of {of}{without}.",
                "",
            ]
    return None


def brief(statement: object) -> str | None:
    """A statement about errors in one line; None for other statements."""
    if not isinstance(statement, Errors):
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
        case Errors():
            op, left, right = statement.relations[data["relation"]]
            sides = " against ".join(f"${_number(side, statement, data)}$" for side in (left, right))
            where = _point(data["values"]) or "these numbers"
            return f"{where}: ${latex(left)} {SIGNS[op]} {latex(right)}$ fails, {sides}"
        case Order():
            family = ", ".join(f"${latex(term_of(name))}={latex(term_of(x))}$" for name, x in data["family"].items())
            larger, smaller = ("error", "entry") if data["side"] == "upper" else ("entry", "error")
            return f"along {family}: the {larger} is at least ${data['constant']}\\,L$ times the {smaller}"
        case Cost():
            return "every point of an interval is a possible report"
        case Formula() if data["values"] == {}:
            op, left, right = statement.relations[data["relation"]]
            with ctx.workprec(BITS):
                sides = " against ".join(f"${_decimal(side.evaluate({}))}$" for side in (left, right))
            return f"relation {data['relation'] + 1} between numbers fails: {sides} (asserted: ${SIGNS[op]}$)"
    return None


def lines(statement: object, data: Data) -> list[str] | None:
    """The counterexample as Markdown lines; None for other statements."""
    found = one_line(statement, data)
    return None if found is None else [f"{found[0].upper()}{found[1:]}.", ""]


def term_of(value: Any) -> Term:
    """A value of a certificate: a name or a number."""
    return read(value) if isinstance(value, str | list) else term(value)


def _number(side: Term, statement: Errors, data: Data) -> str:
    with ctx.workprec(BITS):
        point = {name: fmpq(*map(int, x.split("/"))) for name, x in data["values"].items()}
        whole = {name: int(x.p) if x.q == 1 else x for name, x in point.items()}
        values = {name: value_at(value, whole) for name, value in statement.values.items()}
        return _decimal(side.evaluate({**whole, **values}))


def _decimal(number: Any) -> str:
    """An exact number, or six correct digits of a ball."""
    if isinstance(number, int | fmpq):
        return str(number)
    return str(number.str(6, radius=False))


def _point(values: Mapping[str, str]) -> str:
    return ", ".join(f"${latex(Term(name))}={x}$" for name, x in values.items())


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
