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
    known: dict[tuple[str, int, Held], tuple[Any, Distribution]] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )
    """Laws that were enumerated in this world, by what is listed, the term's place in memory and the held set; each
    beside its term, which so keeps its place."""

    @property
    def items(self) -> range:
        return range(self.k + self.n)

    def number(self, tree: Any) -> Fraction:
        if isinstance(tree, int | Fraction):
            return Fraction(tree)
        sizes = {"m": Fraction(self.m), "K": Fraction(self.k), "N": Fraction(self.n)}
        return value(tree, {**self.values, **sizes})

    def natural(self, tree: Any, least: int) -> int:
        number = self.number(tree)
        if number.denominator != 1 or number < least:
            raise MeaninglessError(f"{number} is no number of copies or labels")
        return int(number)


def value(tree: Any, values: Mapping[str, Fraction]) -> Fraction:
    """The value of an expression."""
    return Fraction(_number(tree, values))


def _number(tree: Any, values: Mapping[str, Fraction]) -> int | Fraction:
    """The same: integers that are written there stay integers, which are quicker."""
    if isinstance(tree, str):
        if tree not in values:
            raise MeaninglessError(f"unknown name {tree}")
        return _whole(values[tree])
    if not isinstance(tree, list | tuple):
        return _whole(Fraction(tree))
    if tree[0] == "sum":
        low, high = (_number(end, values) for end in tree[2:4])
        if low.denominator != 1 or high.denominator != 1 or min(low, high) < 0:
            raise MeaninglessError("a sum over no natural numbers")
        if high > 10**4:
            raise UndecidedError("a sum of too many terms")
        indices = range(int(low), int(high) + 1)
        return sum(_number(tree[4], {**values, tree[1]: Fraction(x)}) for x in indices)
    return _applied(tree[0], [_number(argument, values) for argument in tree[1:]])


def _whole(x: Fraction) -> int | Fraction:
    return x.numerator if x.denominator == 1 else x


def _applied(name: str, a: list[int | Fraction]) -> int | Fraction:
    match name:
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
            return a[0].numerator // a[0].denominator
        case "div":
            if a[1] == 0:
                raise MeaninglessError("division by 0")
            return _whole(Fraction(a[0]) / a[1])
        case "pow":
            base, exponent = map(Fraction, a)
            if exponent.denominator != 1:
                raise UndecidedError("a root")
            if base == 0 and exponent < 0:
                raise MeaninglessError("division by 0")
            if abs(exponent) * max(base.numerator.bit_length(), base.denominator.bit_length()) > 10**5:
                raise UndecidedError("a number of too many digits")
            return _whole(Fraction(base ** int(exponent)))
        case "binom":
            if max(a) > 10**4:
                raise UndecidedError("a number of too many digits")
            return comb(int(a[0]), int(a[1])) if a[1] >= 0 and a[0] >= 0 else 0
        case "exptrunc":
            return sum((Fraction(a[1]) ** j / factorial(j) for j in range(int(a[0]) + 1)), Fraction(0))
    raise UndecidedError(f"no value of {name}")


def names(tree: Any) -> set[str]:
    """Every text in a term."""
    if isinstance(tree, str):
        return {tree}
    parts = list(tree.values()) if isinstance(tree, dict) else tree if isinstance(tree, list) else []
    return set().union(*map(names, parts)) if parts else set()
