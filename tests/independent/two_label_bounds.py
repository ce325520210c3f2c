"""The kernel's bounds of data sets of two labels beside exact fractions, at few bits and in narrow windows: what is not
enclosed."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from random import Random

from dp_kernel.amplification import two_labels
from dp_kernel.cards.blanket import Hint, Shuffled
from dp_kernel.numbers import tails
from independent import brute_force_shuffle as plain
from independent.shuffle_bounds import BITS, CHANCES, full, holds

F = Fraction


def wrong_chances() -> Iterator[str]:
    """Chances of the sum of two binomial numbers."""
    random = Random(14)
    for _ in range(250):
        bits, width = random.choice(BITS), random.choice((1, 1, 2))
        chosen = [(random.choice((0, 1, 3, 30, 45)), random.choice(CHANCES)) for _ in "12"]
        one, two = (tails.binomial(n, p, *tails.around(n, p, width), bits) for n, p in chosen)
        both = two_labels.Both(one, two, bits)
        exact = plain.sum_of_binomials(*chosen)
        for y in range(-2, len(exact) + 3):
            chance = exact[y] if 0 <= y < len(exact) else F(0)
            if not holds(both.at(y), chance, 2 * bits):
                yield f"P[{chosen} = {y}], {bits} bits"
            if not holds(both.below(y), sum(exact[: max(0, y)], F(0)), 2 * bits):
                yield f"P[{chosen} < {y}], {bits} bits"


@cache
def exactly(s: Shuffled, ones: int) -> Fraction:
    """What the number of messages at x0 shows where so many others hold another value."""
    other = (s.labels - 1) * s.q
    law = plain.sum_of_binomials((s.users - 1 - ones, other), (ones, 1 - s.q), (s.extra, 1 - F(1, s.labels)))
    gain, loss = 1 - other - s.a * s.q, other - s.a * (1 - s.q)
    pairs = zip([*law, F(0)], [F(0), *law], strict=True)
    return sum((max(F(0), gain * here + loss * before) for here, before in pairs), F(0))


def crowds(seed: int, number: int, labels: tuple[int, ...] = (2,)) -> Iterator[tuple[Random, Shuffled]]:
    random = Random(seed)
    for _ in range(number):
        e, a = (F(random.randint(low, 25), 3) for low in (4, 3))
        users, extra = random.choice((1, 2, 3, 8, 20)), random.choice((0, 0, 0, 1, 5))
        k = random.choice(labels)
        yield random, Shuffled(k, users, extra, 1 / (e + k - 1), random.choice((F(1), a, a)))


def wrong_ones() -> Iterator[str]:
    """One data set, from both sides, wherever outcomes are divided."""
    for random, s in crowds(15, 150, (2, 2, 3, 9)):
        ones = random.randrange(s.users)
        exact, hint = exactly(s, ones), Hint(random.choice((1, 1, 2, 9)), random.choice((8, 9, 12, 16)))
        low, high = two_labels.with_ones(s, ones, hint)
        if not low <= exact <= high:
            yield f"{s}, {ones} ones, {hint}: {float(low)}, {float(exact)}, {float(high)}"
        low, high = two_labels.with_ones(s, ones, full(0))
        if not low <= exact <= high <= low + F(1, 10**12):
            yield f"{s}, {ones} ones: hardly enclosed"
        last, at = two_labels.Both.last, random.randint(-1, s.users + s.extra)
        two_labels.Both.last = lambda self, up, down, at=at: at  # type: ignore[method-assign, misc]
        try:
            low, high = two_labels.with_ones(s, ones, full(0))
        finally:
            two_labels.Both.last = last  # type: ignore[method-assign]
        if not low <= exact <= high:
            yield f"{s}, {ones} ones, divided at {at}: {float(low)}, {float(exact)}, {float(high)}"


def wrong_blocks() -> Iterator[str]:
    """All data sets, in blocks; of a block what is left of its data sets."""
    for random, s in crowds(16, 80):
        of_all = [exactly(s, ones) for ones in range(s.users)]
        knots = sorted({0, *random.sample(range(s.users), random.randint(0, s.users))})
        if two_labels.of_two_labels(s, full(0)._replace(knots=tuple(knots))) < max(of_all):
            yield f"{s}, blocks {knots}"
        bound = two_labels.of_two_labels(s, full(0)._replace(knots=tuple(range(s.users))))
        if not max(of_all) <= bound <= max(of_all) + F(1, 10**12):
            yield f"{s}, one by one: {float(bound)}, not {float(max(of_all))}"
        first = random.randrange(s.users)
        end = random.randint(first + 1, s.users)
        if two_labels.of_block(s, first, end, full(0)) < max(of_all[first:end]):
            yield f"{s}, {first} to {end - 1} ones"


TWO_LABELS = {"chances": wrong_chances, "ones": wrong_ones, "blocks": wrong_blocks}
