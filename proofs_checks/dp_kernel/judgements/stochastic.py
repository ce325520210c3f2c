"""Judgement "stochastic": a term is a law, for every size and budget."""

from typing import Any

from dp_kernel.cards import counting
from dp_kernel.formulas.domains import Region
from dp_kernel.judgements import arcs
from dp_kernel.laws.grammar import SEPARATING, nodes, shape
from dp_kernel.laws.sizes import region_of
from dp_kernel.meter import require
from dp_kernel.numbers.polynomial import Ratio, is_nonnegative, lift


def require_law(law: Any) -> None:
    """Raise `Rejected` unless the term is a law for every size and budget, and e^eps is larger than 1.

    Rows: entries >= 0 that sum to 1. Other constructors make laws of laws; subsets have a card, arcs a rule. A `mix`
    is of any family, or of one that exists: any two items share one of b labels with the same chance c, 1/b <= c <= 1
    (all functions, mixed with constant ones).
    """
    require(shape(law["term"]) not in ("bit", "arcs"), "a part of a law")
    families = law.get("families", {})
    outside = region_of(law)
    ranges = outside.ranges
    require(is_nonnegative(outside.value(law["power"]) - 1, ranges), "e^eps is not shown to exceed 1")
    chosen = [node[1] for node, _ in nodes(law["term"], outside.values) if node[0] == "mix"]
    own = len(set(chosen)) == len(chosen) and families.keys() <= set(chosen)
    require(own, "every choice has a family of its own")
    for node, at in nodes(law["term"], outside.values):
        place = Region(at, ranges)
        match node:
            case ["row", kinds]:
                for kind, cells in kinds.items():
                    labels = {"any": at["K"], "pad": at["K"], "other": at["K"] - (kind == "sen")}
                    total = lift(0)
                    for name, tree in cells.items():
                        entry = place.value(tree)
                        require(is_nonnegative(entry, ranges), f"{kind}, {name}: an entry is not shown to be >= 0")
                        total = total + entry * labels.get(name, 1)
                    require(total == 1, f"the row of {kind} does not sum to 1")
            case ["copies", number, _]:
                natural(number, place, 0)
            case ["thinned", chance, _]:
                for gap in (place.value(chance), 1 - place.value(chance)):
                    require(is_nonnegative(gap, ranges), "no chance")
            case ["mix", family, number, _]:
                into = natural(number, place, 1)
                if families.get(family) == SEPARATING:
                    require(is_nonnegative(into - 2, ranges), "one label separates nothing")
                elif family in families:
                    shared = outside.value(families[family])
                    for gap in (1 - shared, shared - 1 / into):
                        require(is_nonnegative(gap, ranges), "no family has such collisions")
            case ["subset", *table]:
                counting.require_law(table, place)
            case ["hashed", _, interval]:
                arcs.require_density(interval, place)


def natural(tree: Any, place: Region, least: int) -> Ratio:
    """An integer, or the name of a size, that is not smaller than `least` anywhere."""
    whole = type(tree) is int or (isinstance(tree, str) and tree in place.ranges and place.ranges[tree].whole)
    require(whole, "a number that is no integer")
    number: Ratio = place.value(tree)
    require(is_nonnegative(number - least, place.ranges), f"a number that may be less than {least}")
    return number
