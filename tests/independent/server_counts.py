"""What the server counts in the reports of the programs, as exact laws."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from itertools import product
from math import prod
from typing import Any

from flint import fmpq

from dp_refimpl.coins import Coins
from dp_refimpl.enumeration import output_law
from dp_refimpl.frequency.hashing import HashFunction, RandomFunctions
from dp_refimpl.frequency.suwheel import SuWheel
from dp_spec.vocabulary.items import Report
from dp_studies.reproduce.s002.counts import DataSet
from independent.brute_force import collected
from independent.numbers import fraction

ONE = fmpq(1)
Vector = tuple[int, ...]
Vectors = dict[Vector, Fraction]
Protected = Callable[[Any, int], int]
"""How often an item is in a protected datum."""


def in_report(report: Report, protected: Protected, sensitive: int, d: int) -> Vector:
    return tuple(protected(report.protected, x) if x < sensitive else int(x in report.invertible) for x in range(d))


def multiset(y0: Any, x: int) -> int:
    return int(y0.count(x))


def item(y0: Any, x: int) -> int:
    return int(y0 == x)


def bit(y0: Any, x: int) -> int:
    return int(y0[x])


def one_user(program: Callable[[Coins], Vector]) -> Vectors:
    return {y: fraction(p) for y, p in output_law(program, ONE).items()}


def wheel_user(mechanism: SuWheel[fmpq], held: frozenset[Any], d: int) -> Vectors:
    """Over all functions from the items to the grid of multiples of p, all equally likely."""
    family = RandomFunctions(mechanism.domain.items, int(1 / fraction(mechanism.p)))
    return wheel_user_on(family, mechanism, held, d)


def wheel_user_on(family: RandomFunctions, mechanism: SuWheel[fmpq], held: frozenset[Any], d: int) -> Vectors:

    def program(h: HashFunction, coins: Coins) -> Vector:
        report = mechanism.randomize(held, h, coins)
        return in_report(report, lambda cell, x: int(mechanism.hit(x, h, cell)), len(mechanism.domain.sensitive), d)

    return collected(
        (y, p * fraction(weight))
        for h, weight in family.law().items()
        for y, p in one_user(partial(program, h)).items()
    )


def together(users: Sequence[Vectors]) -> Vectors:
    """The law of the sum of independent vectors."""
    rows = product(*(user.items() for user in users))
    return collected(
        (tuple(map(sum, zip(*(y for y, _ in row), strict=True))), prod((p for _, p in row), start=Fraction(1)))
        for row in rows
    )


def users(data: DataSet) -> list[frozenset[Any]]:
    return [frozenset(int(x) for x in row) for row in data.sets]


def user_counts(target: Any, held: frozenset[Any], protected: Protected, d: int, coins: Coins) -> Vector:
    return in_report(target.randomize(held, coins), protected, len(target.domain.sensitive), d)


def programs(target: Any, data: DataSet, protected: Protected) -> Vectors:
    """The law of the counts of all users' reports."""
    return together([one_user(partial(user_counts, target, s, protected, data.d)) for s in users(data)])
