"""Quantified domains: ranges of variables and constraints, symbolically and at points."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from dp_checks.kernel.polynomial import Bound, Ratio, lift, variable
from dp_checks.kernel.rejected import require
from dp_checks.kernel.terms import evaluate

FREE = Bound(Fraction(0), False)


def bounds_of(domain: Any) -> dict[str, Bound]:
    """The range of every variable of a domain."""
    return {
        name: Bound(Fraction(spec.get("min", 0)), bool(spec.get("strict", False)), bool(spec.get("unit", False)))
        for name, spec in domain["variables"].items()
    }


def symbolic(domain: Any) -> dict[str, Ratio]:
    """Every variable as itself."""
    return {name: variable(name) for name in domain["variables"]}


def constraints_of(domain: Any) -> list[Ratio]:
    """The domain's constraints (each >= 0), those of its named lemmas included."""
    values = symbolic(domain)
    found = [lift(evaluate(tree, values)) for tree in domain.get("constraints", [])]
    for lemma in domain.get("lemmas", []):
        found += _lemma(lemma, values)
    return found


def point(domain: Any, values: Mapping[str, str]) -> dict[str, Fraction]:
    """The point with the given coordinates, shown to lie in the domain."""
    require(set(values) == set(domain["variables"]), "a witness gives every variable a value")
    at = {name: Fraction(value) for name, value in values.items()}
    for name, spec in domain["variables"].items():
        x, bound = at[name], bounds_of(domain)[name]
        inside = 0 < x < 1 if bound.unit else x > bound.low if bound.strict else x >= bound.low
        require(inside and (not spec.get("integer") or x.denominator == 1), f"{name} = {x} lies outside the domain")
    for tree in domain.get("constraints", []):
        require(evaluate(tree, at) >= 0, f"the witness violates the constraint {tree}")
    require(not domain.get("lemmas"), "a witness needs a domain without lemmas")
    return at


def _lemma(lemma: Any, values: Mapping[str, Ratio]) -> list[Ratio]:
    """Bernoulli's inequality for w = (1 + v)^m, v >= 0, m >= 1 an integer, from above and (applied to 1 / (1 + v)) from below."""
    require(lemma.get("name") == "bernoulli", f"unknown lemma {lemma.get('name')!r}")
    v, m, w = (values[lemma[key]] for key in ("v", "m", "w"))
    return [w - 1 - m * v, w * m * v - (w - 1) * (1 + v)]
