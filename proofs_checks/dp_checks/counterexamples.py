"""Counterexamples as Python: three lines that show by programs, formulas or the kernel that a statement fails.

The shortest way that there is: a mechanism of `dp_refimpl` at the sizes of the counterexample, the two sides of a
relation at its point, the chances of a report for two inputs; else the kernel is asked again.
"""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from fractions import Fraction
from typing import Any

from flint import fmpq

from dp_checks.pages.domains import symbols
from dp_checks.pages.notation import SYMBOLS, latex
from dp_checks.replay import tuples
from dp_checks.runtime.tex import formula
from dp_refimpl.mechanisms import RECORDS
from dp_spec.vocabulary.error_statements import Formula, Mean
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.law import Law
from dp_spec.vocabulary.statement import All, Mse, Ratio, Smallest, Statement, Unbiased
from dp_spec.vocabulary.term import term

Data = Mapping[str, Any]
SIGNS = {"eq": "==", "le": "<=", "lt": "<"}
MOMENTS: Mapping[type[Statement], str] = {
    Unbiased: "{estimate}",
    Mean: "{estimate}",
    Mse: "({estimate} - {f}) ** 2",
}
"""What is summed, with its chances, of one user's report."""


SIZES: Mapping[str, str] = {"m": "items of a user", "K": "sensitive items", "N": "other items", "n": "users"}
"""The sizes of the instances of laws."""


def names(statement: Statement, data: Data) -> Iterator[str]:
    """What the names of the numbers of a counterexample mean, as text: roots of e^epsilon, frequencies, sizes."""
    if isinstance(statement, All) and "part" in data:
        yield from names(statement.parts[data["part"]], data["evidence"])
        return
    law = getattr(statement, "law", None)
    if isinstance(law, Law) and law.base in (at := data.get("instance", {})):
        share = r"\epsilon" if law.power == term(1) else rf"\frac\epsilon{{{latex(law.power)}}}"
        yield f"{law.base} = {formula(rf'e^{{{share}}}')}"
        yield from (f"{name} {SIZES[name]}" for name in at if name in SIZES)
    if isinstance(statement, Formula):
        own = symbols(statement.domain)
        meanings = {name: formula(SYMBOLS[name]) for name in data["values"] if name in SYMBOLS and name not in own}
        yield from (f"{name} = {meaning}" for name, meaning in meanings.items() if len(meaning) > 1)


def python_lines(claim: str, statement: Statement, data: Data) -> list[str]:
    """Three lines of Python that replay the counterexample `data` of a claim that fails."""
    for way in (_relation, _smallest, _moment, _chances):
        if lines := way(claim, statement, data):
            return lines
    return [
        "from dp_checks.replay import counterexample",
        "from dp_kernel.certificate.check import check",
        f'check(*counterexample("{claim}"))  # silent: the statement fails there; else Rejected',
    ]


def _relation(claim: str, statement: Statement, data: Data) -> list[str] | None:
    """The two sides of a relation at the point."""
    path = f'all_statements()["{claim}"]'
    if isinstance(statement, All) and "part" in data:
        path += f".parts[{data['part']}]"
        statement, data = statement.parts[data["part"]], data["evidence"]
    if not isinstance(statement, Formula) or "family" in data:
        return None
    op, left, right = statement.relations[data["relation"]]
    try:
        point = {name: _read(value) for name, value in data["values"].items()}
        sides = [left.evaluate(point), right.evaluate(point)]
    except (DomainError, TypeError, ValueError, ZeroDivisionError):  # errors of mechanisms, and other quantities
        return None
    if not all(isinstance(side, int | fmpq) for side in sides):
        return None
    at = ", ".join(f'"{name}": {_shown(value)}' for name, value in point.items())
    return [
        "from dp_checks.certify import all_statements" + "; from flint import fmpq" * ("fmpq" in at),
        f"_, left, right = {path}.relations[{data['relation']}]; at = {{{at}}}",
        f'print(left.evaluate(at), "{SIGNS[op]}", right.evaluate(at))  # false: {sides[0]} and {sides[1]}',
    ]


def _smallest(claim: str, statement: Statement, data: Data) -> list[str] | None:
    """The smallest constant of the mechanism."""
    made = _mechanism(statement, data)
    if made is None or not isinstance(statement, Smallest) or statement.cases or statement.counted == "nonempty":
        return None
    name, mechanism = made
    relation = "" if statement.relation == "ldp" else f', mechanism.domain, "{statement.relation}"'
    return [
        f"from dp_refimpl import {name}, exact_channel, smallest_constant",
        f"mechanism = {mechanism}",
        f"print(smallest_constant(exact_channel(mechanism){relation}))  # {data['exact']}, stated: {data['stated']}",
    ]


def _moment(claim: str, statement: Statement, data: Data) -> list[str] | None:
    """The expectation, variance or error of the estimate of one user's report."""
    made, users = _mechanism(statement, data), data.get("users", ())
    if made is None or not isinstance(statement, Unbiased) or len(users) != 1 or type(statement) not in MOMENTS:
        return None
    (name, mechanism), x = made, data["item"]
    value = MOMENTS[type(statement)].format(estimate=f"mechanism.estimate([y])[{x}]", f=int(x in users[0]))
    row = f"exact_channel(mechanism).rows[frozenset({users[0]})]"
    return [
        f"from dp_refimpl import {name}, exact_channel",
        f"mechanism = {mechanism}",
        f"print(sum(p * {value} for y, p in {row}.items()))  # {data['exact']}, stated: {data['stated']}",
    ]


def _chances(claim: str, statement: Statement, data: Data) -> list[str] | None:
    """The chances of what is seen of a report, for the two inputs."""
    if not isinstance(statement, Ratio) or not {"s", "other", "output", "probability"} <= data.keys():
        return None
    p, q = data["probability"], data["other_probability"]
    return [
        "from dp_checks.replay import chances",
        f'law, other = chances("{claim}")  # by what is seen of a report',
        f"print(law[{tuples(data['output'])}], other.get({tuples(data['output'])}, 0))  # {p} and {q}",
    ]


def _mechanism(statement: Statement, data: Data) -> tuple[str, str] | None:
    """The class of `dp_refimpl` and how it is made at the instance; None where it takes more than its sizes."""
    law, at = getattr(statement, "law", None), data.get("instance", {})
    if not isinstance(law, Law) or law.unit not in ("items", "bits") or law.base not in at:
        return None
    if law.parameters or law.integers or "order" in at:
        return None
    record = next((record for record in RECORDS.values() if law.mechanism in record.laws), None)
    if record is None:
        return None
    names = {field.name for field in fields(record.program)}
    k, n, m = at["K"], at["N"], at["m"]
    words = [f"sensitive={[*range(k)]}", f"nonsensitive={[*range(k, k + n)]}"] if n else [f"d={k}"]
    words += [f"m={m}"] * ("m" in names)
    words.append(f'epsilon="{law.power.evaluate({"m": m})}*ln({at[law.base]})"')
    view = getattr(statement, "view", None)
    words += [f'view="{view}"'] * ("view" in names)
    return record.name, f"{record.name}({', '.join(words)})"


def _read(text: str) -> Any:
    """A rational number of a certificate; an integer, which can be an exponent, where it is one."""
    number = Fraction(text)
    return number.numerator if number.denominator == 1 else fmpq(number.numerator, number.denominator)


def _shown(number: Any) -> str:
    return str(number) if isinstance(number, int) else f"fmpq({number.p}, {number.q})"
