"""Worlds in which statements are judged, and the values of expressions in them: plain fractions, and nothing imported
from the project.

A world has items 0..k-1 (sensitive) and k..k+n-1, numbers for the names of a law, the order in which items are
processed, and the families' chances of collisions (a family of maps that has them is made up).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb, factorial
from typing import Any

Distribution = dict[Any, Fraction]
Held = frozenset[int]


class MeaninglessError(Exception):
    """No law, or no number, is stated: nothing about it is true."""


class UndecidedError(Exception):
    """This brute force cannot tell."""


@dataclass(frozen=True)
class World:
    """Sizes, numbers of names, order of processing, collision chances of the families."""

    m: int
    k: int
    n: int
    values: Mapping[str, Fraction]
    order: tuple[int, ...] = ()
    families: Mapping[str, Any] = field(default_factory=dict)
    listed: Mapping[str, Any] = field(default_factory=dict)
    """Families that are not made up: maps of all items, each with its chance."""

    @property
    def items(self) -> range:
        return range(self.k + self.n)

    def number(self, tree: Any) -> Fraction:
        sizes = {"m": Fraction(self.m), "K": Fraction(self.k), "N": Fraction(self.n)}
        return value(tree, {**self.values, **sizes})

    def natural(self, tree: Any, least: int) -> int:
        number = self.number(tree)
        if number.denominator != 1 or number < least:
            raise MeaninglessError(f"{number} is no number of copies or labels")
        return int(number)


def value(tree: Any, values: Mapping[str, Fraction]) -> Fraction:
    """The value of an expression."""
    if isinstance(tree, str):
        if tree not in values:
            raise MeaninglessError(f"unknown name {tree}")
        return values[tree]
    if isinstance(tree, int | Fraction):
        return Fraction(tree)
    if tree[0] == "sum":
        low, high = (value(end, values) for end in tree[2:4])
        if low.denominator != 1 or high.denominator != 1 or min(low, high) < 0:
            raise MeaninglessError("a sum over no natural numbers")
        if high > 10**4:
            raise UndecidedError("a sum of too many terms")
        indices = range(int(low), int(high) + 1)
        return sum((value(tree[4], {**values, tree[1]: Fraction(x)}) for x in indices), Fraction(0))
    a = [value(argument, values) for argument in tree[1:]]
    match tree[0]:
        case "add":
            return a[0] + a[1]
        case "sub":
            return a[0] - a[1]
        case "mul":
            return a[0] * a[1]
        case "neg":
            return -a[0]
        case "min":
            return min(a)
        case "floor":
            return Fraction(a[0].numerator // a[0].denominator)
        case "div":
            if a[1] == 0:
                raise MeaninglessError("division by 0")
            return a[0] / a[1]
        case "pow":
            if a[1].denominator != 1:
                raise UndecidedError("a root")
            if a[0] == 0 and a[1] < 0:
                raise MeaninglessError("division by 0")
            if abs(a[1]) * max(a[0].numerator.bit_length(), a[0].denominator.bit_length()) > 10**5:
                raise UndecidedError("a number of too many digits")
            return Fraction(a[0] ** int(a[1]))
        case "binom":
            if max(a) > 10**4:
                raise UndecidedError("a number of too many digits")
            return Fraction(comb(int(a[0]), int(a[1]))) if a[1] >= 0 and a[0] >= 0 else Fraction(0)
        case "exptrunc":
            return sum((a[1] ** j / factorial(j) for j in range(int(a[0]) + 1)), Fraction(0))
    raise UndecidedError(f"no value of {tree[0]}")


def names(tree: Any) -> set[str]:
    """Every text in a term."""
    if isinstance(tree, str):
        return {tree}
    parts = list(tree.values()) if isinstance(tree, dict) else tree if isinstance(tree, list) else []
    return set().union(*map(names, parts)) if parts else set()
