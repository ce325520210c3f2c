"""How many of one user's messages support each item: of all that are listed, in plain fractions."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any, NamedTuple

from independent import message_outcomes as listed
from independent.message_outcomes import Law, gathered


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


@cache
def law(case: Case, x: int) -> Law:
    """Of a user who holds x."""
    messages, items = _messages(case, x), range(case.items)
    return gathered((tuple(sum(_supports(y, v) for y in sent) for v in items), p) for sent, p in messages.items())


def _supports(message: Any, v: int) -> bool:
    """A label, or one beside a function."""
    return bool(message[0][v] == message[1] if isinstance(message, tuple) else message == v)


def _messages(case: Case, x: int) -> Law:
    match case.model:
        case "grr":
            return listed.plain(listed.response(case.w, case.labels, x), case.labels, case.dummies)
        case "plain":
            return listed.plain({x: listed.ONE}, case.labels, case.dummies)
        case "aue":
            return listed.one_hot(case.items, case.chance, x)
    sent = {"shared": listed.shared, "fresh": listed.fresh}[case.model]
    return sent(case.w, case.items, case.labels, case.dummies, x)


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
