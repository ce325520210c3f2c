"""Statements and counterexamples about laws on arcs (Wheel, suWheel) in words."""

from collections.abc import Mapping
from typing import Any

from dp_checks.pages.notation import exact, folded, fraction, inline, items, latex, table
from dp_checks.pages.subjects import Words, about, followed
from dp_checks.registry import Key
from dp_spec.vocabulary.error_statements import Variance
from dp_spec.vocabulary.law import Law
from dp_spec.vocabulary.statement import Chance, Mse, Ratio, Statement, Unbiased
from dp_spec.vocabulary.term import var

Data = Mapping[str, Any]

EVENTS: Mapping[tuple[str, str], str] = {
    ("sensitive", "held"): r"the point lies in the arc of an item $x\in s$",
    ("sensitive", "other"): r"the point lies in the arc of an item $x\notin s$",
    ("nonsensitive", "held"): r"a non-sensitive item $x\in s$ is emitted",
    ("nonsensitive", "other"): r"a non-sensitive item $x\notin s$ is emitted",
}


def _chance(statement: Chance) -> list[str]:
    chance = inline(folded(statement.probability, statement.law))
    return [f"The probability that {EVENTS[statement.item, statement.event]} is {chance}.", ""]


def one_line(statement: Statement, data: Data) -> str | None:
    """A counterexample of this family in one line; None for other statements."""
    law = getattr(statement, "law", None)
    if not isinstance(law, Law) or law.unit != "arcs":
        return None
    where = f"{_instance(law, data['instance'])}{_hashing(data)}"
    match statement:
        case Ratio():
            marginal = statement.relation == "marginal"
            (_, hits), kept = (data["output"], []) if marginal else data["output"]
            event = f"a point in the arcs of {items(hits)} alone" if hits else "a point outside all arcs"
            event += f" with $I$ = {items(kept)}" if law.r and not marginal else ""
            return (
                f"{where}: {event} has probability {exact(data['probability'])} from $s$ = {items(data['s'])}, "
                f"{exact(data['other_probability'])} from $s'$ = {items(data['other'])}"
            )
        case Chance():
            about = f"$s$ = {items(data['s'])}, item ${data['item']}$"
            return f"{where}, {about}: the probability is {exact(data['exact'])}, not {exact(data['stated'])}"
        case Mse() | Unbiased():
            return (
                f"{where}, {_users(data)}, item ${data['item']}$: {_measured(statement)} is {exact(data['exact'])}, "
                f"{_compared(statement)} {exact(data['stated'])}"
            )
    return None


def lines(statement: Statement, data: Data) -> list[str] | None:
    """A counterexample of this family as Markdown lines, its hash functions included; None for other statements."""
    text = one_line(statement, data)
    if text is None:
        return None
    functions = data.get("hashes", [])
    block = [f"{text}.", ""]
    if len(functions) > 1:
        header = ["hash values of the items", "probability"]
        rows = [["$" + ",\\ ".join(fraction(v) for v in values) + "$", exact(weight)] for values, weight in functions]
        more = len(rows) - SHOWN
        block += table(header, rows[:SHOWN], "lc")
        block += [f"and {more} further functions.", ""] if more > 0 else []
    return block


SHOWN = 8
"""So many hash functions of a family are printed; the certificate has all."""


def _instance(law: Law, at: Data) -> str:
    sizes = [f"$m={at['m']}$", f"$K={at['K']}$", *([f"$N={at['N']}$"] if law.r is not None else [])]
    return ", ".join([*sizes, f"${latex(var(law.base))}={fraction(at[law.base])}$"])


def _hashing(data: Data) -> str:
    functions = data.get("hashes", [])
    if len(functions) == 1:
        values = functions[0][0]
        return ", hash values $" + ",\\ ".join(fraction(v) for v in values) + "$"
    return f", one of {len(functions)} hash functions" if functions else ""


def _users(data: Data) -> str:
    if "population" in data:
        held = " or ".join(f"{items(s)} with probability {exact(p)}" for s, p in data["population"])
        return f"$n={data['instance']['n']}$, users hold {held}"
    return "one user with " + " and one with ".join(items(s) for s in data["users"])


def _measured(statement: Unbiased) -> str:
    if isinstance(statement, Variance):
        return "the variance"
    return "the MSE" if isinstance(statement, Mse) else "the expected estimate"


def _compared(statement: Unbiased) -> str:
    return "not" if isinstance(statement, Mse) else "$f_x$ is"


FORMAL: dict[Key, Words] = {
    **followed({Chance: _chance}, about, unit="arcs"),
}
"""What statements of this family say."""
