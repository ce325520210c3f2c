"""Statements and counterexamples about shuffled reports in words."""

from collections.abc import Mapping
from decimal import ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import Any

from dp_checks.certificate import json_value
from dp_checks.pages.domains import domain
from dp_checks.pages.notation import exact, inline, latex
from dp_checks.pages.subjects import Words
from dp_checks.registry import Key, keyed
from dp_kernel.shuffle import divergences as kernel
from dp_spec.vocabulary.law import Law
from dp_spec.vocabulary.shuffle_statements import Divergence
from dp_spec.vocabulary.term import Term, term

Data = Mapping[str, Any]
RULES = ("blanket", "all data sets", "blanket, all data sets")
"""Rules, and those of several points, as evidence names them."""
EVIDENCE: Mapping[str, str] = {
    "data sets": "Two neighboring data sets at a point of the domain: the kernel bounds $\\delta(\\epsilon)$ of them "
    "from below (enumerating all multisets of messages, or by enclosed binomial laws) and finds it larger than stated. "
    "Rules: `all data sets` enumeration; `third` all other users hold a third value.",
    **dict.fromkeys(
        (f"divergence ({rules})" for rules in RULES),
        "Points of the domain, with windows, precisions and blocks for each: the kernel bounds $\\delta(\\epsilon)$ of "
        "every pair of neighboring data sets from above. Rules: `blanket` the card of this name and enclosed binomial "
        "laws; `all data sets` enumeration of all of them.",
    ),
}
"""Kinds of evidence of this family: what each shows."""
MECHANISMS = {
    "grr-sample": "randomized response on $K$ labels",
    "local_hashing-olh": "local hashing to $b$ labels, with {family}",
    "messages-plain": "their items as they are, $K$ of them",
    "messages-grr": "randomized response on $K$ labels and $c$ uniform dummies each",
    "messages-shared": "randomized response to $b$ labels and ${dummies}$ uniform dummies each, with one function; "
    "{family}",
    "messages-fresh": "randomized response to $b$ labels and $c$ uniform dummies each, every message with a function "
    "of its own; {family}",
    "messages-aue": r"their items and, for each of $K$ items, one more message with chance $\rho$",
}
SIGNS = {"le": r"\le ", "lt": "<", "eq": "="}
WRITTEN: Mapping[str, str] = {
    "w": "E",
    "x": "E",
    "e": "a",
    "eps": r"\epsilon",
    "delta": r"\delta",
    "total": "N",
    "lam": r"\lambda",
}
"""How names are written here: E is e^epsilon_0 of the randomizer."""
_SHOWN = Context(prec=6, rounding=ROUND_FLOOR)


def _divergence(statement: Divergence) -> list[str]:
    users, single = latex(statement.users, WRITTEN), statement.users == term(1)
    words = "A user sends" if single else f"${users}$ users send"
    words += f" {_sent(statement.law, statement)}{_dummies(statement.dummies)}"
    setting = ", ".join(f"{WRITTEN.get(name, name)}={latex(t, WRITTEN)}" for name, t in statement.at.items())
    words += f" (${setting}$)" if setting else ""
    bound = latex(statement.delta, WRITTEN)
    if statement.than is not None:
        bound = r"\delta'(\epsilon)"
        words += f"; $\\delta'$ is that of {_sent(statement.than.law, statement)}{_dummies(statement.than.dummies)}"
    largest = "the largest " if statement.relation == "eq" else ""
    return [
        f"*{words}; all messages are shuffled. $E=e^{{\\epsilon_0}}$ is the budget of the randomizer.*",
        "",
        f"For every two data sets that differ in what one user holds, {largest}"
        f"$\\delta(\\epsilon){SIGNS[statement.relation]}{bound}$ at $e^\\epsilon={latex(statement.e_eps, WRITTEN)}$"
        f"{domain(statement.domain, WRITTEN)}, where $\\delta(\\epsilon)$ is the sum of the positive parts of "
        "$P[M(D)=t]-e^\\epsilon P[M(D')=t]$ over all multisets $t$ of messages.",
        "",
    ]


def _sent(law: Law | None, statement: Divergence) -> str:
    if law is None:
        return "the reports of any randomizer whose ratios are at most $x$"
    family = "functions drawn from all" if statement.functions else "any family of functions"
    if law.families:
        family = (
            f"functions under which two items share a label with chance {inline(next(iter(law.families.values())))}"
        )
    dummies = next((name for name in law.integers if name != "b"), "c")
    return MECHANISMS.get(law.mechanism, f"reports of the law `{law.mechanism}`").format(family=family, dummies=dummies)


def _dummies(number: Term) -> str:
    return "" if number == term(0) else f", beside ${latex(number, WRITTEN)}$ uniform messages"


def one_line(statement: object, data: Data) -> str | None:
    """The counterexample in one line; None for other statements."""
    if not isinstance(statement, Divergence):
        return None
    at = ", ".join(f"${WRITTEN.get(name, name)}$ = {exact(x)}" for name, x in data["values"].items())
    body = json_value(statement.json())
    point = kernel.point(body, data["values"])
    a, delta = kernel.ends(body, point)
    lead = f"{at or 'there'}: {_data_sets(data)}"
    if statement.than is not None or (data["by"] == "all data sets" and not data["data"]):
        return lead
    largest = kernel.enclosed(body, point, a, data)
    if data["by"] == "blanket":
        return f"{lead}, $\\delta(\\epsilon)$ is at most {_decimal(largest.high)}, less than {_decimal(delta.low)}"
    return f"{lead}; $\\delta(\\epsilon)$ is at least {_decimal(largest.low)}, more than {_decimal(delta.high)}"


def _data_sets(data: Data) -> str:
    """Which data sets are meant."""
    listed = data["data"]
    match data["by"]:
        case "third":
            return "one user holds 0 or 1, all others hold 2" + (f" ({listed[0]} labels)" if listed else "")
        case "all data sets" if listed:
            others = f", the others hold {', '.join(map(str, listed[2:]))}" if listed[2:] else ""
            return f"one user holds {listed[0]} or {listed[1]}{others}"
    return "for all data sets"


def lines(statement: object, data: Data) -> list[str] | None:
    """The counterexample as Markdown lines; None for other statements."""
    line = one_line(statement, data)
    return None if line is None else [f"At {line}.", ""]


def _decimal(x: Fraction) -> Decimal:
    """Six digits, rounded down."""
    return _SHOWN.divide(Decimal(x.numerator), Decimal(x.denominator))


_WORDS: Mapping[type, Words] = {Divergence: _divergence}
FORMAL: dict[Key, Words] = keyed(_WORDS)
"""What statements of this family say."""
