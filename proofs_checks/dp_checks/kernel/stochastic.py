"""Judgement "stochastic": a term is a law, for every size and budget."""

from collections.abc import Iterator, Mapping
from typing import Any

from dp_checks.kernel import interval
from dp_checks.kernel.cards import counting
from dp_checks.kernel.laws import NODES, shape
from dp_checks.kernel.polynomial import Bound, Ratio, is_nonnegative, lift
from dp_checks.kernel.rejected import require
from dp_checks.kernel.sizes import variables
from dp_checks.kernel.terms import evaluate, require_defined


def require_law(law: Any, ranges: Mapping[str, Bound]) -> None:
    """Raise `Rejected` unless the term is a law for every size and budget, and e^eps is larger than 1."""
    shape(law["term"])
    values = variables(law)
    require_families(law, values, ranges)
    require_defined(law["power"], values, ranges)
    require_stochastic(law["term"], values, ranges)
    require(is_nonnegative(lift(evaluate(law["power"], values)) - 1, ranges), "e^eps is not shown to exceed 1")


def require_stochastic(term: Any, values: Mapping[str, Any], ranges: Mapping[str, Bound]) -> None:
    """Rows: entries >= 0 that sum to 1. Other constructors make laws of laws; subsets have a card, arcs a rule."""
    match term:
        case ["row", kinds]:
            for kind, cells in kinds.items():
                number = {"any": values["K"], "pad": values["K"], "other": values["K"] - (kind == "sen")}
                total = lift(0)
                for name, tree in cells.items():
                    require_defined(tree, values, ranges)
                    entry = lift(evaluate(tree, values))
                    require(is_nonnegative(entry, ranges), f"{kind}, {name}: an entry is not shown to be >= 0")
                    total = total + entry * number.get(name, 1)
                require(total == 1, f"the row of {kind} does not sum to 1")
        case ["copies", number, of]:
            natural(number, values, ranges, 0)
            require_stochastic(of, values, ranges)
        case ["mix", _, labels, of]:
            inner = natural(labels, values, ranges, 1)
            require_stochastic(of, {**values, "K": inner, "N": lift(0), "m": lift(1)}, ranges)
        case ["dummies", kind, of]:
            name = "K" if kind == "sen" else "N"
            require_stochastic(of, {**values, name: values[name] + values["m"]}, ranges)
        case ["subset", *table]:
            counting.require_law(table, values, ranges)
        case ["hashed", _, arcs]:
            interval.require_density(arcs, values, ranges)
        case _:
            for part in term[1:]:
                if isinstance(part, list):
                    require_stochastic(part, values, ranges)


def natural(tree: Any, values: Mapping[str, Any], ranges: Mapping[str, Bound], least: int) -> Ratio:
    """An integer, or the name of a size, that is not smaller than `least` anywhere."""
    whole = type(tree) is int or (isinstance(tree, str) and tree in ranges and ranges[tree].whole)
    require(whole, "a number that is no integer")
    found = lift(evaluate(tree, values))
    require(is_nonnegative(found - least, ranges), f"a number that may be less than {least}")
    return found


def require_families(law: Any, values: Mapping[str, Any], ranges: Mapping[str, Bound]) -> None:
    """Every `mix` has a family that exists: any two items share one of b labels with the same chance c, 1/b <= c <= 1
    (all functions, mixed with constant ones)."""
    for family, labels in _mixes(law["term"]):
        require(family in law.get("families", {}), "a family about which nothing is assumed")
        tree = law["families"][family]
        require_defined(tree, values, ranges)
        chance, number = lift(evaluate(tree, values)), natural(labels, values, ranges, 1)
        for gap in (1 - chance, chance - 1 / number):
            require(is_nonnegative(gap, ranges), "no family has such collisions")


def _mixes(term: Any) -> Iterator[tuple[str, Any]]:
    if term[0] == "mix":
        yield term[1], term[2]
    for part in term[1:]:
        if isinstance(part, list) and part[0] in NODES:
            yield from _mixes(part)
