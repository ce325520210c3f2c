"""Statements and counterexamples about errors of mechanisms in words: totals, orders, limits, costs, equal laws."""

from collections.abc import Mapping
from typing import Any

from flint import arb, fmpq

from dp_checks.check.formulas import SHORT, SIGNS, quantities_at, value_at
from dp_checks.pages import additive
from dp_checks.pages.domains import domain, symbols
from dp_checks.pages.notation import display, displayed, inline, latex, table
from dp_checks.pages.subjects import Words, about, followed
from dp_checks.registry import Key, keyed
from dp_kernel.judgements import relations as kernel
from dp_spec.vocabulary.error_statements import (
    NEAR,
    Bounded,
    Cost,
    Formula,
    Limit,
    SameLaw,
    Total,
    closed_form,
)
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.scalar import Ordering, compare
from dp_spec.vocabulary.statement import Mse
from dp_spec.vocabulary.term import Term, read, term

Data = Mapping[str, Any]
Symbols = Mapping[str, str]
About = Formula | Bounded | Limit
"""Statements about errors and quantities by name, in the variables of a domain."""
EVIDENCE: Mapping[str, str] = {
    "unbounded family": "Parameters of data sets with one free natural number $L$, along which the left side is "
    "positive and at least a positive number times $L$ times the right one, while everything a constant may depend on "
    "stays fixed: no constant bounds the quotient.",
    "limit": "For every $R>0$ a constant $C$ that bounds $h\\,(R\\,|\\mathrm{term}-\\mathrm{limit}|-1)$ for all "
    "integers $h$ that grow (where it tends to infinity, $h\\,(R-\\mathrm{term})$), by positivity. It is refuted by "
    "an $R$ and a family with one free natural number $L$ along which these numbers grow like $L$.",
    "continuum": "A point of a whole interval is sent, and no number of bits tells all of its points apart.",
}
"""Kinds of evidence of this family: what each shows."""


TINY = fmpq(1, 10**30)


def _formula(statement: Formula) -> list[str]:
    own = symbols(statement.domain)
    listed = [rf"{latex(a, own)} {SIGNS[op]} {latex(b, own)}" for op, a, b in statement.relations]
    return [*_named(statement), f"All of these hold{_domain(statement)}:", "", *displayed(listed)]


def _bounded(statement: Bounded) -> list[str]:
    own = symbols(statement.domain)
    listed = [rf"{latex(a, own)} \le C\, {_factor(b, own)}" for a, b in statement.relations]
    each = "There is" if len(statement.relations) == 1 else "For each of these there is"
    return [
        *_named(statement),
        f"{_moving(statement, own)}{each} a constant $C>0$, {_free(statement, own)}{_domain(statement)}:",
        "",
        *displayed(listed),
    ]


def _moving(statement: Bounded, own: Symbols) -> str:
    return f"As {', '.join(_name(name, own) for name in statement.grows)} grows: " if statement.grows else ""


def _free(statement: Bounded, own: Symbols) -> str:
    fixed = ", ".join(_name(name, own) for name in statement.fixed)
    return f"which may depend on {fixed} alone" if fixed else "one number for everything"


def _limit(statement: Limit) -> list[str]:
    own = symbols(statement.domain)
    fixed = ", at fixed values of all other variables" if len(statement.domain.variables) > 1 else ""
    return [
        *_named(statement),
        f"As {_name(statement.grows, own)} grows{fixed}{_domain(statement)}:",
        "",
        *display(_tends(statement, own)),
    ]


def _tends(statement: Limit, own: Symbols, around: str = "") -> str:
    value = r"\infty" if statement.value is None else latex(statement.value, own)
    return rf"{around}{latex(statement.term, own)} \to {value}{around}"


def _cost(statement: Cost) -> list[str]:
    most = inline(statement.most)
    return [f"There are at most {most} reports: $\\log_2$ of this number, rounded up, is enough bits for one.", ""]


def _same_law(statement: SameLaw) -> list[str]:
    names = f"`{statement.law.mechanism}` and `{statement.other.mechanism}`"
    return [f"{names} have the same budget and the same law of the report.", ""]


def brief(statement: object) -> str | None:
    """A statement about named errors or quantities in one line; None for other statements."""
    if not isinstance(statement, About) or not (statement.values or statement.quantities):
        return None
    own = symbols(statement.domain)
    values = [
        f"{_name(name)}: {_error(value.error)}, $e^\\epsilon$ by {inline(value.root, own)}"
        + (f", at {_put(value.at, own)}" if value.at else "")
        for name, value in statement.values.items()
    ]
    values += [
        f"{_name(name)}: {additive.quantity(q)}" + (f", for {additive.put(q.at, own)}" if q.at else "")
        for name, q in (statement.quantities or {}).items()
    ]
    return f"{_asserted(statement, own)}{_domain(statement)} ({'; '.join(values)}{_spent(statement, own)})"


def _asserted(statement: About, own: Symbols) -> str:
    match statement:
        case Formula():
            return ", ".join(rf"${latex(a, own)} {SIGNS[op]} {latex(b, own)}$" for op, a, b in statement.relations)
        case Bounded():
            bounds = ", ".join(rf"${latex(a, own)} \le C\, {_factor(b, own)}$" for a, b in statement.relations)
            each = " each" if len(statement.relations) > 1 else ""
            return f"{_moving(statement, own)}{bounds} for a constant $C>0${each}, {_free(statement, own)}"
    return f"{_tends(statement, own, '$')} as {_name(statement.grows, own)} grows"


def one_line(statement: object, data: Data) -> str | None:
    """The counterexample in one line; None for other statements."""
    own = symbols(statement.domain) if isinstance(statement, About) else {}
    match statement:
        case Formula():
            op, left, right = statement.relations[data["relation"]]
            sides = " against ".join(f"${_number(side, statement, data)}$" for side in (left, right))
            where = _point(data["values"], own) or "these numbers"
            asserted = f"${latex(left, own)} {SIGNS[op]} {latex(right, own)}$"
            if len(asserted) > SHORT:
                asserted = f"relation {data['relation'] + 1} (${SIGNS[op]}$)"
            return f"{where}: {asserted} fails, {sides}"
        case Bounded():
            at = {name: term_of(x) for name, x in data["family"].items()}
            family = ", ".join(f"${latex(term_of(name), own)}={latex(x)}$" for name, x in at.items())
            more, less = (f"${latex(side, own)}$" for side in statement.relations[data["relation"]])
            factor = latex(term_of(data["constant"]))
            if not any("L" in [*term_of(x).variables()] for x in data["family"].values()):
                return f"at {family}: {less} is $0$ and {more} is not"
            return f"along {family}: {more} is at least ${factor}\\cdot L$ times {less}"
        case Limit():
            grows, near = _name(statement.grows, own), data["family"][NEAR]
            along = ", ".join(
                f"${latex(term_of(name), own)}={latex(term_of(x))}$"
                for name, x in data["family"].items()
                if name != NEAR
            )
            if statement.value is None:
                return f"as {grows} grows, it stays below ${near}$, along {along}"
            value = f"{inline(statement.value, own)}, along {along}"
            return f"as {grows} grows, it stays more than $1/{near}$ away from {value}"
        case Cost():
            return "every point of an interval is a possible report"
    return None


def lines(statement: object, data: Data) -> list[str] | None:
    """The counterexample as Markdown lines; None for other statements."""
    line = one_line(statement, data)
    return None if line is None else [f"{line[0].upper()}{line[1:]}.", ""]


def term_of(value: Any) -> Term:
    """A value of a certificate: a name or a number."""
    return read(value) if isinstance(value, str | list) else term(value)


def _number(side: Term, statement: Formula, data: Data) -> str:
    with precision(kernel.BITS):
        point = {name: fmpq(*map(int, x.split("/"))) for name, x in data["values"].items()}
        whole = {name: int(x.p) if x.q == 1 else x for name, x in point.items()}
        values = {name: value_at(value, whole) for name, value in statement.values.items()}
        values |= quantities_at(statement, statement.json(), whole)
        return _decimal(side.evaluate({**whole, **values}))


def _decimal(number: Any) -> str:
    """An exact number, or six correct digits of a ball; a ball within 10^-30 of 0 has none."""
    if isinstance(number, int | fmpq):
        return str(number)
    tiny = compare(number.abs_upper(), arb(TINY)) is Ordering.LESS
    return r"0\pm10^{-30}" if tiny else str(number.str(6, radius=False))


def _point(values: Mapping[str, str], own: Symbols) -> str:
    return ", ".join(f"${latex(Term(name), own)}={x}$" for name, x in values.items())


def _named(statement: About) -> list[str]:
    """The named errors and quantities of a statement."""
    own = symbols(statement.domain)
    return [*_errors(statement, own), *additive.quantities(statement.quantities, own)]


def _errors(statement: About, own: Symbols) -> list[str]:
    if not statement.values:
        return []
    rows = [
        [_name(name), _error(value.error), inline(value.root, own), _put(value.at, own)]
        for name, value in statement.values.items()
    ]
    return [f"Exact errors{_spent(statement, own)}:", "", *table(["", "error", "root of $e^\\epsilon$", "at"], rows)]


def _spent(statement: About, own: Symbols) -> str:
    budget = None if isinstance(statement, Limit) else statement.budget
    return "" if budget is None else f", all with $e^\\epsilon$ = {inline(budget, own)}"


def _factor(t: Term, own: Symbols) -> str:
    return rf"\left({latex(t, own)}\right)" if t.head in ("add", "sub") else latex(t, own)


def _domain(statement: About) -> str:
    about = ", wherever some data set has these sizes and frequencies"
    return domain(statement.domain) + (about if statement.of_data else "")


def _name(name: str, own: Symbols | None = None) -> str:
    return f"${latex(Term(name), own)}$"


def _error(error: Mse | Total) -> str:
    if isinstance(error, Mse):
        item = "sensitive" if error.item == "sensitive" else "non-sensitive"
        return f"MSE of a {item} item of `{error.law.mechanism}` ({inline(closed_form(error))})"
    if error.sensitive is None:
        return f"sum over $X_{{\\rm non}}$ of the MSE of `{error.law.mechanism}`"
    if error.nonsensitive is None and error.law.r is not None:
        return f"sum over $X_{{\\rm sen}}$ of the MSE of `{error.law.mechanism}`"
    return f"sum over $X$ of the MSE of `{error.law.mechanism}`"


def _put(at: Mapping[str, Term], own: Symbols) -> str:
    return ", ".join(f"${latex(Term(name))}={latex(value, own)}$" for name, value in at.items()) or "–"


FORMAL: dict[Key, Words] = {
    **keyed({Formula: _formula, Bounded: _bounded, Limit: _limit}),
    **followed({Cost: _cost, SameLaw: _same_law}, about),
}
"""What statements of this family say."""
