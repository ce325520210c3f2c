"""Quantified domains: ranges of variables and constraints, symbolically and at points."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import islice, product
from typing import Any

from dp_checks.kernel.exact import rational
from dp_checks.kernel.polynomial import Bound, Ratio, lift, variable
from dp_checks.kernel.rejected import Rejected, require
from dp_checks.kernel.terms import evaluate, symbols

STEPS = (Fraction(0), Fraction(1), Fraction(2), Fraction(1, 2), Fraction(5))
"""How far above its bound a variable is tried when a point of a domain is looked for."""


def bounds_of(domain: Any) -> dict[str, Bound]:
    """The range of every variable of a domain."""
    return {
        name: Bound(Fraction(spec["min"]), spec["strict"], spec["unit"], spec.get("closed", False))
        for name, spec in domain["variables"].items()
    }


def symbolic(domain: Any) -> dict[str, Ratio]:
    """Every variable as itself."""
    return {name: variable(name) for name in domain["variables"]}


def constraints_of(domain: Any) -> list[Ratio]:
    """The domain's constraints (each >= 0), those of its named lemmas included."""
    values = symbolic(domain)
    found = [lift(evaluate(tree, values)) for tree in domain["constraints"]]
    for lemma in domain["lemmas"]:
        found += _lemma(lemma, domain, values)
    return found


def point(domain: Any, values: Mapping[str, Any]) -> dict[str, Fraction]:
    """The point with the given coordinates, shown to lie in the domain."""
    require(set(values) == set(domain["variables"]), "a witness gives every variable a value")
    at = {name: rational(value) for name, value in values.items()}
    for name, x in at.items():
        require(inside(domain, name, x), f"{name} = {x} lies outside the domain")
    for tree in domain["constraints"]:
        require(evaluate(tree, at) >= 0, f"the witness violates the constraint {tree}")
    require(not domain["lemmas"], "a witness needs a domain without lemmas")
    return at


def require_inhabited(domain: Any) -> None:
    """Raise `Rejected` unless the domain has a point: looked for among small ones (a tied variable takes its lemma's
    value).
    """
    tied = {lemma["w"]: lemma for lemma in domain["lemmas"]}
    free = [name for name in domain["variables"] if name not in tied]
    steps = [(Fraction(1, 2), Fraction(1, 3)) if domain["variables"][n]["unit"] else STEPS for n in free]
    for offsets in islice(product(*steps), 100_000):
        at = {
            name: x if domain["variables"][name]["unit"] else domain["variables"][name]["min"] + x
            for name, x in zip(free, offsets, strict=True)
        }
        at |= {w: (1 + at[lemma["v"]]) ** int(at[lemma["m"]]) for w, lemma in tied.items()}
        if all(inside(domain, name, x) for name, x in at.items()) and all(
            _holds_at(tree, at) for tree in domain["constraints"]
        ):
            return
    raise Rejected("no point of the domain was found: a statement about nothing")


def free_of(domain: Any, names: set[str]) -> bool:
    """Whether the constraints leave some variables free, so that one of them may grow while the others stay."""
    return not any(symbols(tree) & names for tree in domain["constraints"])


def inside(domain: Any, name: str, x: Fraction) -> bool:
    """Whether a value lies in the range of a variable."""
    bound = bounds_of(domain)[name]
    within = 0 < x < 1 if bound.unit else x > bound.low if bound.strict else x >= bound.low
    return within and (not domain["variables"][name]["integer"] or x.denominator == 1)


def speaks_of_data(domain: Any) -> bool:
    """Whether sizes are integers >= 1 and frequencies are not negative, wherever the domain names them."""
    ranges = domain["variables"]
    sizes = [ranges[name] for name in ("m", "K", "n") if name in ranges]
    others = [ranges[name] for name in ("N", "f", "g") if name in ranges]
    return all(r["integer"] and r["min"] >= 1 for r in sizes) and all(r["min"] >= 0 and not r["unit"] for r in others)


def is_possible(at: Mapping[str, Fraction]) -> bool:
    """Whether a data set has these sizes and frequencies."""
    n = at.get("n", Fraction(1))
    whole = all((n * at[name]).denominator == 1 for name in ("f", "g") if name in at)
    limits = [at.get("f", Fraction(0)) <= 1]
    if "g" in at:
        limits += [at["g"] <= at[name] for name in ("m", "N") if name in at]
        limits += [at["m"] - at["g"] <= at["K"]] if {"m", "K"} <= at.keys() else []
    return whole and all(limits)


def _holds_at(tree: Any, at: Mapping[str, Fraction]) -> bool:
    try:
        return bool(evaluate(tree, at) >= 0)
    except ZeroDivisionError:
        return False


def _lemma(lemma: Any, domain: Any, values: Mapping[str, Ratio]) -> list[Ratio]:
    """Bernoulli's inequality for w = (1 + v)^m, v >= 0, m >= 1 an integer, from above and (applied to 1 / (1 + v))
    from below.
    """
    require(
        lemma["name"] == "bernoulli" and len({lemma[key] for key in ("v", "m", "w")}) == 3, "three variables are tied"
    )
    v_range, m_range = (domain["variables"][lemma[key]] for key in ("v", "m"))
    require(v_range["min"] >= 0 or v_range["unit"], "Bernoulli's inequality: v >= 0")
    require(m_range["integer"] and m_range["min"] >= 1, "Bernoulli's inequality: m >= 1 is an integer")
    v, m, w = (values[lemma[key]] for key in ("v", "m", "w"))
    return [w - 1 - m * v, w * m * v - (w - 1) * (1 + v)]
