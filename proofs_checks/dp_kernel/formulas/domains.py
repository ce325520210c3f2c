"""Domains `for all x in D`, at points and symbolically, and proof steps for relations on them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from dp_kernel.formulas.terms import Interval, evaluate
from dp_kernel.meter import pay, require
from dp_kernel.numbers.polynomial import (
    ONE,
    Bound,
    Ratio,
    bound_of,
    is_nonnegative,
    lift,
    substituted,
    variable,
    variables_of,
)


@dataclass(frozen=True)
class Region:
    """Where relations are to be shown: the values of names, the ranges of the variables in them, what is >= 0; or on a
    box: the intervals that hold the values of names, and the precision of enclosures."""

    values: Mapping[str, Any]
    ranges: Mapping[str, Bound]
    constraints: Sequence[Ratio] = ()
    bits: int = 0

    def value(self, tree: Any) -> Any:
        """The value of a tree, shown to be defined everywhere, or an enclosure of it."""
        pay(1)
        if self.bits:
            return evaluate(tree, self.values, self.bits)
        return lift(evaluate(tree, self.values, ranges=self.ranges))

    def shows(self, low: Any, high: Any) -> bool:
        """Whether low <= high is seen everywhere."""
        gap = self.value(["sub", high, low])
        return Interval.of(gap).low >= 0 if self.bits else is_nonnegative(gap, self.ranges)


def region(domain: Any) -> Region:
    """The whole domain; 0 < x <= 1 is a range where x > 0 and the constraint 1 - x >= 0 are stated."""
    ranges, specs = {}, domain["variables"]
    for name, spec in specs.items():
        pay(1 + len(domain["constraints"]))
        from_zero = spec["strict"] and spec["min"] == 0 and not (spec["integer"] or spec["unit"])
        closed = from_zero and ["sub", 1, name] in domain["constraints"]
        strict = spec["unit"] or (spec["strict"] and not closed)
        ranges[name] = Bound(Fraction(spec["min"]), strict, spec["unit"] or closed, spec["integer"])
    free = Region({name: variable(name) for name in specs}, ranges)
    return replace(free, constraints=tuple(free.value(tree) for tree in domain["constraints"]))


def require_inside(domain: Any, at: Region) -> None:
    """Raise `Rejected` unless the region's values of the variables lie in the domain."""
    for name, spec in domain["variables"].items():
        x, unit = lift(at.values[name]), spec["unit"]
        above = is_nonnegative(x - (0 if unit else spec["min"]), at.ranges, strictly=unit or spec["strict"])
        below = not unit or is_nonnegative(1 - x, at.ranges, strictly=True)
        require(above and below, f"{name} lies outside the domain")
        if spec["integer"]:
            require_integer(x, at)
    for tree in domain["constraints"]:
        require(at.shows(0, tree), f"the constraint {tree} is violated")


def prove(op: str, left: Ratio | int, right: Ratio | int, place: Region, step: Any) -> None:
    """Raise `Rejected` unless the step shows left op right everywhere in the region.

    An identity; or scale * (right - left) = sum of multiplier * constraint + sum of multiplier * square + rest, with
    scale > 0, multipliers >= 0 and rest >= 0. `ends` [x, high]: the rest is affine in x, 0 <= x <= high is stated, and
    it is >= 0 at both ends.
    """
    require(op in ("eq", "le", "lt") and step.keys() <= {"scale", "multipliers", "squares", "ends"}, "unknown step")
    rest = lift(right) - left
    if op == "eq":
        require(rest == 0 and not step, "not an identity, which needs no multipliers")
        return
    scale = place.value(step.get("scale", 1))
    require(is_nonnegative(scale, place.ranges, strictly=True), "the scale is not shown to be positive")
    rest *= scale
    parts = [(tree, place.constraints[int(i)]) for i, tree in step.get("multipliers", {}).items()]
    parts += [(tree, place.value(root) ** 2) for tree, root in step.get("squares", [])]
    for tree, nonnegative in parts:
        multiplier = place.value(tree)
        require(is_nonnegative(multiplier, place.ranges), "a multiplier is not shown to be >= 0")
        rest -= multiplier * nonnegative
    rests = [rest]
    if "ends" in step:
        name, high = step["ends"][0], place.value(step["ends"][1])
        require(name in place.ranges and place.ranges[name].low >= 0, "from 0 on")
        require(any(c == high - variable(name) for c in place.constraints), "the end is not stated")
        require(name not in variables_of(high), "the end is none")
        affine(rest, name)
        rests = [substituted(rest, {name: end}) for end in (0, high)]
    require(all(is_nonnegative(x, place.ranges, strictly=op == "lt") for x in rests), "positivity is not shown")


def affine(value: Ratio, name: str) -> None:
    """Raise `Rejected` (ValueError: a power or a number of subsets depends on it) unless the value is affine in the
    variable."""
    at_0, at_1 = (substituted(value, {name: end}) for end in (0, 1))
    require(value == at_0 + (at_1 - at_0) * variable(name), f"not affine in {name}")


def require_integer(value: Ratio, place: Region) -> None:
    """Raise `Rejected` unless the value is built from integers by + and *."""
    whole = value.den == ONE and all(bound_of(name, place.ranges).whole for name in variables_of(value))
    require(whole, "a size or a number of holders is not an integer")
