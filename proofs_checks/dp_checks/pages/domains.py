"""How quantified domains are written: variables, ranges and constraints."""

from collections.abc import Container, Mapping
from math import gcd

from dp_checks.pages.notation import latex, named
from dp_spec.vocabulary.statement import Domain, Range
from dp_spec.vocabulary.term import Term, term, var

SIZES = frozenset({"d", "D", "k", "K", "m", "n", "N"})
"""Variables that are integers wherever they occur."""
REAL = ("h", "t", "w", "first", "second")
"""Roots of e^epsilon and moments, except where they are integers."""
SIGNS = {"le": r"\le ", "lt": "<", "ge": r"\ge "}
Affine = dict[Term, int]
"""Coefficients by variable, or by a subterm that is taken as it is; that of 1 is the constant."""
ONE = term(1)


def domain(about: Domain, written: Mapping[str, str] | None = None) -> str:
    """ ", for all ..."": variables, ranges and constraints of a formula; names may be written in a way of their own."""
    own = symbols(about) | dict(written or {})
    ranges = [_range(latex(var(name), own), bounds) for name, bounds in about.variables.items()]
    integers = SIZES | {name for name, bounds in about.variables.items() if bounds.integer}
    constraints = [constraint(c, integers, own) for c in about.constraints]
    return ", for all " + ", ".join([*ranges, *constraints]) if ranges or constraints else ""


def symbols(about: Domain) -> dict[str, str]:
    """How the variables of a domain are written that do not mean what they mean elsewhere: the height h of a tree, and
    delta where it is at most 1 (of a budget) and not a sensitivity."""
    own = {name: named(name) for name, bounds in about.variables.items() if bounds.integer and name in REAL}
    bounds = about.variables.get("delta")
    if bounds is not None and (bounds.unit or 1 - var("delta") in about.constraints):
        own["delta"] = named("delta")
    return own


def _range(symbol: str, bounds: Range) -> str:
    if bounds.unit:
        return f"$0<{symbol}<1$"
    kind = r"\text{ integer}" if bounds.integer else ""
    relation = ">" if bounds.strict else r"\ge "
    return f"${symbol}{relation}{bounds.min}{kind}$"


def constraint(needed: Term, integers: Container[str] = SIZES, own: Mapping[str, str] | None = None) -> str:
    """A constraint (needed >= 0) within a line, as people write it: "m < d" for K + N - m - 1 >= 0."""
    if needed == 1 - var("m"):  # no set is empty
        return "$m=1$"
    left, sign, right = relation(needed, integers)
    return f"${latex(left, own)}{SIGNS[sign]}{latex(right, own)}$"


def relation(needed: Term, integers: Container[str] = SIZES) -> tuple[Term, str, Term]:
    """Sides and sign (le, lt, ge) of a relation without minus signs that says that needed >= 0.

    Strict only between integers; d stands for K + N. What is not affine is moved from side to side as it is.
    """
    parts = _affine(needed)
    constant = parts.pop(ONE, 0)
    parts = {atom: number for atom, number in parts.items() if number}
    both = parts.get(var("K"), 0)
    if both and both == parts.get(var("N")):
        parts = {var("d"): both, **{a: number for a, number in parts.items() if a not in (var("K"), var("N"))}}
    common = gcd(constant, *parts.values()) or 1
    constant //= common
    more = {atom: number // common for atom, number in parts.items() if number > 0}
    less = {atom: -number // common for atom, number in parts.items() if number < 0}
    if not less:
        return _sum(more), "ge", term(-constant)
    if not more:
        return _sum(less), "le", term(constant)
    if constant == -1 and all(isinstance(atom.head, str) and atom.head in integers for atom in parts):
        return _sum(less), "lt", _sum(more)
    return _sum(less, -constant), "le", _sum(more, constant)


def _affine(t: Term) -> Affine:
    """The coefficients of a term; a product of two terms that vary counts as one variable."""
    match t.head:
        case int():
            return {ONE: t.head}
        case "add" | "sub":
            first, second = map(_affine, t.arguments)
            sign = 1 if t.head == "add" else -1
            return {a: first.get(a, 0) + sign * second.get(a, 0) for a in (*first, *second)}
        case "neg":
            return {a: -number for a, number in _affine(t.arguments[0]).items()}
        case "mul":
            first, second = sorted(map(_affine, t.arguments), key=lambda parts: set(parts) != {ONE})
            if set(first) == {ONE}:
                return {a: first[ONE] * number for a, number in second.items()}
    return {t: 1}


def _sum(parts: Affine, constant: int = 0) -> Term:
    """The sum of the parts, and of the constant if it is positive."""
    terms = [atom if number == 1 else number * atom for atom, number in parts.items()]
    terms += [term(constant)] if constant > 0 or not terms else []
    whole, *others = terms
    for other in others:
        whole = whole + other
    return whole
