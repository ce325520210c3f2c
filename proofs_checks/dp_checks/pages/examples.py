"""The exact example of a mechanism on its page: the Python that makes it, its law as a table.

The instance is the expression that the mechanism's record has; laws are enumerated from the program.
"""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

from flint import fmpq

import dp_refimpl
from dp_checks.pages import arc_mechanisms
from dp_checks.pages.exhibits import MATRIX, SHUFFLED
from dp_checks.pages.notation import exact, items, table
from dp_refimpl.enumeration import exact_channel
from dp_refimpl.frequency.hash_families import LabelFunction
from dp_refimpl.frequency.histogram import SHE
from dp_refimpl.frequency.suwheel import SuWheel
from dp_refimpl.frequency.wheel import Wheel
from dp_refimpl.matrix.base import Mechanism as MatrixMechanism
from dp_refimpl.matrix.mechanism import coefficients
from dp_refimpl.shuffle.dummies import Constant
from dp_refimpl.shuffle.protocol_parts import Multiset, Randomizer
from dp_spec.vocabulary.items import Report
from dp_spec.vocabulary.real import Real

DIGITS = 6
"""Of numbers that are not rational."""
_RATIONAL = re.compile(r"-?\d+(/\d+)?")
MOST = 64
"""Rows of a table, and bars of a picture, that a page shows."""
_OTHERS: Mapping[str, Any] = {
    "fmpq": fmpq,
    "Fraction": Fraction,
    "Constant": Constant,
    "coefficients": coefficients,
} | {record.name: record.program for record in (*MATRIX, *SHUFFLED)}
"""What examples name beside what `dp_refimpl` exports."""
_MODULES: Mapping[str, str] = {"fmpq": "flint", "Fraction": "fractions"}
_NAME = re.compile(r"\b[A-Za-z_]\w*")


class ExactLaw(NamedTuple):
    """A small law: the inputs, and the probability of every report from each of them, both as a page writes them."""

    inputs: tuple[str, ...]
    chances: Mapping[str, Sequence[Any]]


@cache
def made(expression: str) -> Any:
    """The instance of an example."""
    return eval(expression, {name: _named(name) for name in _names(expression)})


def code(expression: str) -> list[str]:
    """Three lines of Python (imports apart) that make the example and print its law or what can be printed of it."""
    target = made(expression)
    if isinstance(target, Wheel | SuWheel):
        chosen = [f"h = HashFunction({target.domain.items}, ({', '.join(map(_quotient, arc_mechanisms.HASH))}))"]
        held = f"frozenset({list(target.domain.items[: target.m])})"
        chosen += [f"print(output_law(lambda coins: mechanism.randomize({held}, h, coins), mechanism.one))"]
    elif isinstance(target, SHE):
        chosen = ["print(mechanism.prob((fmpq(1, 2), fmpq(1, 2)), 0))"]
    elif isinstance(target, MatrixMechanism):
        chosen = ["print(coefficients(mechanism))  # the covariance of the estimates, in units of 2 / epsilon^2"]
    elif isinstance(target, Randomizer):
        chosen = [f"print(mechanism.bundle_law({target.domain.items[0]}))"]
    else:
        chosen = ["print(exact_channel(mechanism).rows)"]
    lines = [f"mechanism = {expression}", *chosen]
    by_module: dict[str, list[str]] = {}
    for name in _names("\n".join(line.partition("#")[0] for line in lines)):
        by_module.setdefault(_module(name), []).append(name)
    imports = [f"from {module} import {', '.join(sorted(names))}" for module, names in sorted(by_module.items())]
    return [*imports, "", *lines]


def _quotient(number: str) -> str:
    return f"fmpq({number.replace('/', ', ')})"


def _names(text: str) -> list[str]:
    """The names of a text that have to be imported, each once."""
    return [name for name in dict.fromkeys(_NAME.findall(text)) if name in _OTHERS or name in dp_refimpl.__all__]


def _named(name: str) -> Any:
    return _OTHERS[name] if name in _OTHERS else getattr(dp_refimpl, name)


def _module(name: str) -> str:
    if name in dp_refimpl.__all__:
        return "dp_refimpl"
    return _MODULES.get(name) or str(_OTHERS[name].__module__)


@cache
def law_of(expression: str) -> ExactLaw | None:
    """The law of the example; None where it is no table of finitely many reports."""
    target = made(expression)
    if isinstance(target, Wheel | SuWheel | SHE | MatrixMechanism):
        return None
    if isinstance(target, Randomizer):
        return _law({x: {_messages(y): p for y, p in target.bundle_law(x).items()} for x in target.inputs})
    channel = exact_channel(target)
    return _law({x: {written(y): p for y, p in row.items()} for x, row in channel.rows.items()})


def _law(rows: Mapping[Any, Mapping[str, Any]]) -> ExactLaw:
    reports = sorted({y for row in rows.values() for y in row}, key=lambda y: (len(y), y))
    return ExactLaw(tuple(map(written, rows)), {y: tuple(row.get(y, 0) for row in rows.values()) for y in reports})


def example(expression: str) -> list[str]:
    """The Python, and the table of the law, or of a part of one that is infinite."""
    lines = ["## Exact example", "", "```python", *code(expression), "```", ""]
    target, law = made(expression), law_of(expression)
    if isinstance(target, Wheel | SuWheel):
        return [*lines, *arc_mechanisms.densities(target)]
    if isinstance(target, SHE):
        return [*lines, *_cells(target)]
    if law is None:
        return lines
    rows = [[report, *(number(p) for p in chances)] for report, chances in law.chances.items()]
    lead = "The probability of every report; columns are the inputs; enumerated from the program."
    lead += "" if all(r"\tfrac" in p or p in ("$0$", "$1$") for row in rows for p in row[1:]) else f" {DIGITS} digits."
    if len(rows) > MOST:
        lead = f"{lead} The first {MOST} of {len(rows)} reports."
    return [*lines, lead, "", *table(["report", *law.inputs], rows[:MOST], "l" + "c" * len(law.inputs))]


def _cells(target: SHE[Any]) -> list[str]:
    """Some midpoints of cells of SHE, one cell per unit, of two bits."""
    midpoints = [fmpq(j, 2) for j in range(-3, 7, 2)]
    rows = [[exact(y), *(number(target.prob((y, midpoints[1]), x)) for x in (0, 1))] for y in midpoints]
    lead = f"One cell per unit: the reports $(y, {midpoints[1]})$, of infinitely many; columns are the inputs."
    return [lead, "", *table(["$y$", "$0$", "$1$"], rows, "lcc")]


def number(value: Any) -> str:
    """A number as a page has it: exactly, if it is rational."""
    text = Real.lift(value).exact()
    return exact(text) if _RATIONAL.fullmatch(text) else f"${Real.lift(value).decimal(DIGITS)}$"


def has_picture(expression: str) -> bool:
    """Whether the example has a picture: a density, or a table that is not too large for bars."""
    law = law_of(expression)
    return isinstance(made(expression), Wheel | SuWheel) or (
        law is not None and len(law.chances) * len(law.inputs) <= MOST
    )


def written(report: Any) -> str:
    """A report or an input: bits, a set, a function by its labels, or what it is made of."""
    if isinstance(report, Report):
        invertible = f", $I$ = {items(sorted(report.invertible, key=str))}" if report.invertible else ""
        return f"{written(report.protected)}{invertible}"
    if report is None:
        return r"$\bot$"
    if isinstance(report, frozenset):
        return items(sorted(report, key=str))
    return f"${_part(report)}$"


def _part(part: Any) -> str:
    if isinstance(part, LabelFunction):
        return _part(part.values)
    if isinstance(part, tuple) and not hasattr(part, "_fields"):
        return f"({', '.join(map(_part, part))})"
    return r"\_" if part is None else str(part)


def _messages(bundle: Multiset) -> str:
    """A multiset of messages."""
    sent = [_part(message) for message, times in bundle for _ in range(times)]
    return r"$[\," + ", ".join(sorted(sent)) + r"\,]$"
