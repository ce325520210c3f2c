"""One user's messages in the shuffle model, by listing all outcomes in plain fractions: how many support each item."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import NamedTuple

from independent.brute_force import collected

Law = dict[tuple[int, ...], Fraction]
"""The numbers of messages that support the items, with their chances."""


class Case(NamedTuple):
    """Items, labels, e^epsilon_l, dummies of a user; `chance` of a further message of every item (AUE)."""

    model: str
    items: int
    labels: int
    w: Fraction
    dummies: int
    chance: Fraction = Fraction(1, 3)

    @property
    def p(self) -> Fraction:
        return self.w / (self.w + self.labels - 1)

    @property
    def q(self) -> Fraction:
        return 1 / (self.w + self.labels - 1)


ROOTS = (Fraction(2), Fraction(3, 2), Fraction(5))


def cases(model: str, dummies: Sequence[int] = (0, 1, 2)) -> Iterator[Case]:
    """Small ones; without hashing the items are the labels."""
    hashed = model in ("shared", "fresh")
    for items, labels in ((2, 2), (2, 3), (3, 2)) if hashed else ((2, 2), (3, 3), (4, 4)):
        for m in dummies:
            if model != "fresh" or m * items < 5:
                yield from (Case(model, items, labels, w, m) for w in ROOTS)


def functions(case: Case) -> list[tuple[int, ...]]:
    return list(product(range(case.labels), repeat=case.items))


@cache
def law(case: Case, x: int) -> Law:
    """Of a user who holds x."""
    found = collected((numbers, chance) for chance, numbers in _outcomes(case, x))
    assert sum(found.values()) == 1
    return found


def _report(case: Case, own: int, y: int) -> Fraction:
    if case.model in ("plain", "aue"):
        return Fraction(own == y)
    return case.p if own == y else case.q


def _outcomes(case: Case, x: int) -> Iterator[tuple[Fraction, tuple[int, ...]]]:
    labels, m, items = range(case.labels), case.dummies, range(case.items)
    uniform = Fraction(1, case.labels)
    match case.model:
        case "grr" | "plain":
            for y, *others in product(labels, repeat=1 + m):
                sent = [y, *others]
                yield _report(case, x, y) * uniform**m, tuple(sent.count(v) for v in items)
        case "shared":
            share = Fraction(1, len(functions(case)))
            for h, (y, *others) in product(functions(case), product(labels, repeat=1 + m)):
                chance = share * _report(case, h[x], y) * uniform**m
                yield chance, tuple([y, *others].count(h[v]) for v in items)
        case "fresh":
            share = Fraction(1, len(functions(case)))
            for messages in product(product(functions(case), labels), repeat=1 + m):
                (h, y), *_ = messages
                chance = (share ** (1 + m)) * _report(case, h[x], y) * uniform**m
                yield chance, tuple(sum(g[v] == z for g, z in messages) for v in items)
        case "aue":
            for bits in product((0, 1), repeat=case.items):
                chance = Fraction(1)
                for bit in bits:
                    chance *= case.chance if bit else 1 - case.chance
                yield chance, tuple(bit + (v == x) for v, bit in enumerate(bits))


def moments(case: Case, users: Sequence[int], v: int) -> tuple[Fraction, Fraction]:
    """Mean and variance of the number of messages that support v."""
    mean = variance = Fraction(0)
    for x in users:
        own = law(case, x)
        first = sum((p * c[v] for c, p in own.items()), Fraction(0))
        mean += first
        variance += sum((p * (c[v] - first) ** 2 for c, p in own.items()), Fraction(0))
    return mean, variance


def data_sets(case: Case) -> Iterator[tuple[int, ...]]:
    """Of one and of two users."""
    for n in (1, 2):
        yield from product(range(case.items), repeat=n)
