"""Sentences without a law, printed as formulas, and what refutes them."""

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any

from dp_checks.pages.notation import display, latex, named
from dp_checks.pages.subjects import Words
from dp_checks.registry import Key, keyed
from dp_spec.frequency import arcs
from dp_spec.synthesis import grids, networks, noise, scores, tables
from dp_spec.vocabulary.arithmetic import Arithmetic, Tree, distance, larger, largest, x_log_x
from dp_spec.vocabulary.statement import Statement

Data = Mapping[str, Any]

INFIX: Mapping[str, str] = {"add": "+", "and": r"\land", "or": r"\lor", "in": r"\in", "eq": "=", "le": r"\le"}
NEGATED: Mapping[str, str] = {"le": ">", "eq": r"\ne", "in": r"\notin"}
QUANTIFIERS: Mapping[str, str] = {"all": r"\forall", "some": r"\exists"}
OVER: Mapping[str, str] = {"total": r"\sum", "product": r"\prod", "union": r"\bigcup"}
SHAPES: tuple[tuple[Callable[..., Tree], int, str], ...] = (
    (arcs.in_arc, 4, r"{0}\in\mathrm{{arc}}_{{{3}}}({1},{2})"),
    (grids.coefficient, 4, r"n\,\mathrm{{MIC}}_{{{3}}}({0})"),
    (scores.f_score, 3, r"n\,F_{{{2}}}({0})"),
    (scores.r_score, 3, r"2n^2\,R({0})"),
    (tables.association, 3, r"\chi^2({0})"),
    (grids.groups, 1, r"\mathrm{{groups}}({0})"),
    (noise.coefficients, 2, r"\mathrm{{MIC}}({0})|_{{{1}}}"),
    (noise.geometric, 4, r"\Pr_{{{3}}}[{0}\mid {1};\,{2}]"),
    (noise.joint, 2, r"\Pr({0}|_{{{1}}})"),
    (tables.pairs, 1, r"\mathrm{{pairs}}({0})"),
    (noise.ordered_pairs, 1, r"\mathrm{{ordered\ pairs}}({0})"),
    (noise.half, 1, r"\lfloor {0}/2\rfloor"),
    (noise.fraction, 1, r"\bigl(\frac{{{0}}}{{{0}+1}}\bigr)"),
    (partial(networks.network_chance, networks.EVERY_BUDGET), 3, r"\Pr\nolimits_t[\mathrm{{network}}\mid {0}]"),
    (partial(networks.network_chance, networks.rational("s")), 3, r"\Pr\nolimits_s[\mathrm{{network}}\mid {0}]"),
    (networks.information_power, 3, r"\exp(n\,I_{{{1},{2}}}({0}))"),
    (networks.parent_information, 3, r"n\,I_{{{1},{2}}}({0})"),
    (networks.entropy_power, 2, r"\exp(n\,H_{{{1}}}({0}))"),
    (networks.sensitivity_power, 1, r"B_{{{0}}}"),
    (networks.candidate_count, 2, r"f({0},{1})"),
    (networks.networks, 2, r"\mathrm{{networks}}_{{{0},{1}}}"),
    (networks.is_acyclic, 2, r"\mathrm{{acyclic}}({0})"),
    (networks.conditional, 4, r"\Pr\nolimits_{{{0}}}[{1}\mid{2}]({3})"),
    (networks.orders, 1, r"\mathrm{{orders}}({0})"),
    (networks.before, 3, r"{{{0}}}_{{<{1}}}"),
    (networks.parent_sets, 2, r"\mathrm{{sets}}_{{{1}}}({0})"),
    (tables.information, 5, r"n\,I_{{{1},{2}}}({0})"),
    (tables.sensitivity, 1, r"{0}\,\Delta_{{{0}}}"),
    (tables.entropy, 2, r"n\,H({0})"),
    (tables.cells, 2, r"{0}\times {1}"),
    (tables.columns, 2, r"{0}|_{{{1}}}"),
    (tables.column, 2, r"{0}|_{{{1}}}"),
    (distance, 2, r"\lvert {0}-{1}\rvert"),
    (larger, 2, r"\max({0},{1})"),
    (largest, 1, r"\max {0}"),
    (x_log_x, 1, r"{0}\log {0}"),
)
"""Words that are read off an expression, the larger ones first: with so many arguments, as LaTeX."""
FORMS: Mapping[str, str] = {
    "sub": "{0}-{1}",
    "mul": r"{0}\,{1}",
    "div": r"\frac{{{0}}}{{{1}}}",
    "pow": "{0}^{{{1}}}",
    "binom": r"\binom{{{0}}}{{{1}}}",
    "neg": "-{0}",
    "min": r"\min({0},{1})",
    "log": r"\log {0}",
    "number": "[{0}]",
    "only": "({0})",
    "size": r"\lvert {0}\rvert",
    "at": "{{{0}}}_{{{1}}}",
    "count": r"\#_{{{1}}}{0}",
    "joined": r"{0}\,{1}",
    "lists": "{{{0}}}^{{{1}}}",
    "multisets": r"\mathrm{{multisets}}_{{{1}}}({0})",
    "events": "2^{{{0}}}",
    "empty": r"{0}=\bot",
    "laplace": r"\mathrm{{loss}}({0},{1};\,{2})",
}
LOOSE = (
    "add",
    "sub",
    "neg",
    "and",
    "or",
    "eq",
    "le",
    "in",
    "all",
    "some",
    "not",
    "joined",
    "total",
    "product",
    "union",
)
"""What stands in parentheses within something else."""
TIGHT = ("mul", "pow", "log", "at", "count", "neg", "sub", "not", "and", "or", "lists", "joined")
"""Within these."""


def formula(of: Tree) -> str:
    """An expression or a sentence as LaTeX."""
    for pattern, holes, form in _patterns():
        operands = _matched(pattern, holes, of)
        if operands is not None:
            return form.format(*(_within("mul", part) for part in operands))
    match of:
        case str() | int():
            return named(of) if isinstance(of, str) else str(of)
        case ["all" | "some" as name, x, things, inner]:
            return rf"{QUANTIFIERS[name]}\,{named(x)}\in {formula(things)}:\ {formula(inner)}"
        case ["not", [relation, left, right]] if relation in NEGATED:
            return f"{formula(left)}{NEGATED[relation]} {formula(right)}"
        case ["not", inner]:
            return rf"\lnot {_within('not', inner)}"
        case ["or", ["not", premise], conclusion]:
            return rf"{_within('or', premise)}\ \Rightarrow\ {_within('or', conclusion)}"
        case ["from", int(low), int(high)] if high == low + 1:
            return f"({low})"
        case ["from", 0, high]:
            return rf"\{{0,\dots,{_less_one(high)}\}}"
        case ["from", low, high]:
            return rf"\{{{formula(low)},\dots,{_less_one(high)}\}}"
        case ["those", x, things, test]:
            return rf"\{{{named(x)}\in {formula(things)}:\ {formula(test)}\}}"
        case ["listed", x, things, inner]:
            return rf"\bigl({formula(inner)}\bigr)_{{{named(x)}\in {formula(things)}}}"
        case [name, x, things, inner] if name in OVER:
            return rf"{OVER[name]}_{{{named(x)}\in {formula(things)}}}{_within('mul', inner)}"
        case [name, left, right] if name in INFIX:
            return f"{_within(name, left)}{INFIX[name]} {_within(name, right)}"
        case [name, *arguments]:
            return FORMS[name].format(*(_within(name, x) for x in arguments))
    raise TypeError(f"no expression: {of!r}")


def _within(name: str, part: Tree) -> str:
    text = formula(part)
    if not isinstance(part, list) or any(_matched(pattern, holes, part) for pattern, holes, _ in _patterns()):
        return text
    return rf"({text})" if (part[0] in LOOSE and name in TIGHT) or name == part[0] == "pow" else text


def _less_one(high: Tree) -> str:
    if isinstance(high, int):
        return str(high - 1)
    return formula(high[1]) if isinstance(high, list) and high[0] == "add" and high[2] == 1 else f"{formula(high)}-1"


@cache
def _patterns() -> tuple[tuple[Tree, list[str], str], ...]:
    """What every word makes of holes, the holes, and the word's form."""
    listed = [(shape, [f"?{i}" for i in range(arity)], form) for shape, arity, form in SHAPES]
    return tuple((shape(*holes), holes, form) for shape, holes, form in listed)


def _matched(pattern: Tree, holes: list[str], of: Tree) -> list[Tree] | None:
    """The arguments with which a word makes this expression, or nothing."""
    parts: dict[str, Tree] = {}

    def same(pattern: Tree, part: Tree) -> bool:
        if pattern in holes:
            return bool(parts.setdefault(pattern, part) == part)
        if isinstance(pattern, list) and isinstance(part, list):
            return len(pattern) == len(part) and all(map(same, pattern, part))
        return bool(pattern == part)

    return [parts[hole] for hole in holes] if isinstance(of, list) and same(pattern, of) else None


def _formal(statement: Arithmetic) -> list[str]:
    bounds = []
    for name, x in statement.domain.variables.items():
        least = r"\in(0,1)" if x.unit else f"> {x.min}" if x.strict else rf"\ge {x.min}"
        bounds.append(f"${named(name)}{least}$" + (" (an integer)" if x.integer else ""))
    bounds += [rf"${latex(tree)}\ge 0$" for tree in statement.domain.constraints]
    prefix, inner = [], statement.sentence
    while inner[0] == "all":
        prefix.append(rf"${named(inner[1])}\in {formula(inner[2])}$")
        inner = inner[3]
    head = [f"For all {', '.join([*bounds, *prefix])}:", ""] if bounds or prefix else []
    return [*head, *display(formula(inner))]


def lines(statement: Statement, data: Data) -> list[str] | None:
    """What refutes a sentence, as Markdown lines."""
    said = one_line(statement, data)
    return None if said is None else [f"{said}.", ""]


def one_line(statement: Statement, data: Data) -> str | None:
    """The same in a line."""
    if not isinstance(statement, Arithmetic):
        return None
    case = {**data["instance"], **data["case"]}
    return "It fails at " + ", ".join(f"${named(name)}={_datum(x)}$" for name, x in case.items())


def _datum(x: Any) -> str:
    return rf"({','.join(map(_datum, x))})" if isinstance(x, list | tuple) else str(x)


FORMAL: dict[Key, Words] = keyed({Arithmetic: _formal})
