"""How many of one user's messages support each item: of all that are listed, in plain fractions."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import NamedTuple

from independent import message_outcomes as listed
from independent.message_outcomes import Law, gathered


class Case(NamedTuple):
    """Items, labels, e^epsilon_l, dummies of a user."""

    model: str
    items: int
    labels: int
    w: Fraction
    dummies: int

    @property
    def p(self) -> Fraction:
        return self.w / (self.w + self.labels - 1)


ROOTS = (Fraction(2), Fraction(3, 2), Fraction(5))


def cases(model: str) -> Iterator[Case]:
    """Small ones."""
    for (items, labels), m in product(((2, 2), (2, 3), (3, 2)), (0, 1, 2)):
        if model == "shared" or m * items < 5:
            yield from (Case(model, items, labels, w, m) for w in ROOTS)


@cache
def law(case: Case, x: int) -> Law:
    """Of a user who holds x."""
    sent = {"shared": listed.shared, "fresh": listed.fresh}[case.model]
    bundles, items = sent(case.w, case.items, case.labels, case.dummies, x), range(case.items)
    return gathered((tuple(sum(h[v] == y for h, y in bundle) for v in items), p) for bundle, p in bundles.items())


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
