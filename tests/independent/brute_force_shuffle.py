"""Shuffled reports from scratch: laws of multisets message by message, and what bounds are made of, in plain fractions.

Nothing is imported from the project. What planted faults are compared with one after the other is computed once.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, permutations, product
from math import comb, factorial, lcm, prod
from typing import Any

from independent.brute_force import collected

Law = dict[Any, Fraction]
"""Messages and their chances."""
ZERO, ONE = Fraction(0), Fraction(1)


# --- what is sent -----------------------------------------------------------------------------------------------------


def response(labels: int, q: Fraction) -> list[Law]:
    """Randomized response: a law for every value, another label with chance q."""
    own = 1 - (labels - 1) * q
    return [{y: own if y == x else q for y in range(labels)} for x in range(labels)]


def uniform(labels: int) -> Law:
    return response(labels, Fraction(1, labels))[0]


def hashed(functions: Sequence[tuple[Fraction, Sequence[int]]], labels: int, q: Fraction) -> list[Law]:
    """A function, drawn by its chance, and randomized response on the label that it has for the value."""
    rows = response(labels, q)
    values = range(len(functions[0][1]))
    return [
        {(i, y): c * p for i, (c, image) in enumerate(functions) for y, p in rows[image[x]].items()} for x in values
    ]


def hashed_uniform(functions: Sequence[tuple[Fraction, Sequence[int]]], labels: int) -> Law:
    """A function, drawn by its chance, and any label."""
    return {(i, y): c / labels for i, (c, _) in enumerate(functions) for y in range(labels)}


def all_functions(values: int, labels: int) -> list[tuple[Fraction, tuple[int, ...]]]:
    return [(Fraction(1, labels**values), image) for image in product(range(labels), repeat=values)]


def ratio(rows: Sequence[Law]) -> Fraction:
    """The largest ratio of chances of one message: e^epsilon0."""
    return max(p / other[y] for row, other in permutations(rows, 2) for y, p in row.items() if p)


# --- what is seen -----------------------------------------------------------------------------------------------------


def multisets(senders: Sequence[Law]) -> Law:
    """The law of how often each message is sent."""
    place = {y: i for i, y in enumerate(dict.fromkeys(y for sender in senders for y in sender))}
    law: dict[tuple[int, ...], Fraction] = {(0,) * len(place): ONE}
    for sender in senders:
        law = collected(
            ((*counts[: place[y]], counts[place[y]] + 1, *counts[place[y] + 1 :]), p * c)
            for counts, p in law.items()
            for y, c in sender.items()
        )
    return {frozenset((y, counts[i]) for y, i in place.items() if counts[i]): p for counts, p in law.items()}


def divergence(first: Law, second: Law, a: Fraction) -> Fraction:
    """sum (P - a P')_+."""
    return sum((max(ZERO, p - a * second.get(y, ZERO)) for y, p in first.items()), ZERO)


def shown(rows: Sequence[Law], x0: int, x1: int, others: Iterable[int], a: Fraction, *dummies: Law) -> Fraction:
    """delta of two data sets: one user holds x0 or x1."""
    rest = [*(rows[x] for x in others), *dummies]
    return divergence(multisets([rows[x0], *rest]), multisets([rows[x1], *rest]), a)


def neighbors(values: int, users: int) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    for others in combinations_with_replacement(range(values), users - 1):
        for x0, x1 in permutations(range(values), 2):
            yield x0, x1, others


def largest(rows: Sequence[Law], users: int, a: Fraction, *dummies: Law) -> Fraction:
    """delta of the worst neighboring data sets."""
    data_sets = combinations_with_replacement(range(len(rows)), users)
    laws = {held: multisets([*(rows[x] for x in held), *dummies]) for held in data_sets}
    return max(
        divergence(laws[tuple(sorted((x0, *others)))], laws[tuple(sorted((x1, *others)))], a)
        for x0, x1, others in neighbors(len(rows), users)
    )


# --- what bounds are made of ------------------------------------------------------------------------------------------


@cache
def binomial(n: int, p: Fraction) -> tuple[Fraction, ...]:
    """P[Bin(n, p) = j], j = 0..n."""
    return tuple(comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(n + 1))


def summed(laws: Sequence[Sequence[Fraction]]) -> list[Fraction]:
    """The law of a sum of independent numbers."""
    total, whole = [1], 1
    for law in laws:
        unit = lcm(*(x.denominator for x in law))
        beside = [0] * (len(total) + len(law) - 1)
        for j, y in enumerate(law):
            share = int(y * unit)
            for i, x in enumerate(total):
                beside[i + j] += x * share
        total, whole = beside, whole * unit
    return [Fraction(x, whole) for x in total]


@cache
def sum_of_binomials(*numbers: tuple[int, Fraction]) -> tuple[Fraction, ...]:
    """The law of a sum of independent Bin(n, p)."""
    return tuple(summed([binomial(n, p) for n, p in numbers]))


def tail(n: int, t: int) -> Fraction:
    """P[Bin(n, 1/2) >= t]."""
    return Fraction(sum(comb(n, j) for j in range(max(t, 0), n + 1)), 2**n)


def point(n: int, t: int) -> Fraction:
    """P[Bin(n, 1/2) = t]."""
    return Fraction(comb(n, t) if 0 <= t <= n else 0, 2**n)


@cache
def shortfall(n: int, p: Fraction, c: int) -> Fraction:
    """E[(c - Bin(n, p))_+]."""
    return sum((max(0, c - j) * x for j, x in enumerate(binomial(n, p))), ZERO)


@cache
def positive_part(n: int, chances: tuple[Fraction, ...], gains: tuple[Fraction, ...]) -> Fraction:
    """E[(g0 N0 + g1 N1 + g2 N2)_+] for multinomial numbers: n draws with these three chances and the rest."""
    rest, gain = 1 - sum(chances, ZERO), ZERO
    for counts in product(range(n + 1), repeat=3):
        if (left := n - sum(counts)) < 0:
            continue
        ways = factorial(n) // prod(map(factorial, (*counts, left)))
        chance = prod((c**j for c, j in zip((*chances, rest), (*counts, left), strict=True)), start=ONE)
        gain += ways * chance * max(ZERO, sum((g * j for g, j in zip(gains, counts, strict=True)), ZERO))
    return gain
