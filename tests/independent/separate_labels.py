"""The kernel's lower bounds where labels are not merged, beside exact fractions: what is not below its event, or, with
a threshold for every number of third messages, not what the data set shows."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import comb
from random import Random

from dp_kernel import Rejected
from dp_kernel.amplification import separate_labels as separate
from dp_kernel.cards.blanket import Hint, Shuffled
from independent import brute_force_shuffle as plain

F = Fraction


def counts(s: Shuffled) -> Iterator[tuple[int, int, int, Fraction, Fraction]]:
    """N0, N1, N2, their chance where one user holds x0 and all others x2, and e^eps times that where he holds x1."""
    k, n, q = s.labels, s.users, s.q
    p = 1 - (k - 1) * q
    rows = [(p, q, q, (k - 3) * q), (q, p, q, (k - 3) * q)]
    rest = (q, q, p, (k - 3) * q)
    for x in range(n + 1):
        for y in range(n + 1 - x):
            for z in range(n + 1 - x - y):
                held = (x, y, z, n - x - y - z)
                chances = [F(0), F(0)]
                for i, number in enumerate(held):
                    if number:
                        others = [h - (i == j) for j, h in enumerate(held)]
                        ways, left = 1, n - 1
                        for h in others:
                            ways, left = ways * comb(left, h), left - h
                        chance = F(ways)
                        for h, c in zip(others, rest, strict=True):
                            chance *= c**h
                        for row in (0, 1):
                            chances[row] += chance * rows[row][i]
                yield x, y, z, chances[0], s.a * chances[1]


@cache
def shown(s: Shuffled, knots: tuple[int, ...]) -> Fraction:
    """What the events show that the hint's knots stand for, from each m and block what is positive."""
    p = 1 - (s.labels - 1) * s.q
    gains = [g / w for g, w in zip((*s.gains, s.gains[2]), (s.q, s.q, p, s.q), strict=True)]
    middles = [*((x + y) // 2 for x, y in pairwise(knots)), knots[-1]]
    parts: dict[tuple[int, int], Fraction] = {}
    for x, y, z, one, two in counts(s):
        block = sum(c <= z for c in knots) - 1
        c, m = middles[block], x + y
        # where N0 = x gains, with c messages at the third value
        if m and gains[3] * (s.users - m - c) + gains[2] * c + gains[0] * x + gains[1] * y > 0:
            parts[m, block] = parts.get((m, block), F(0)) + one - two
    return sum((max(F(0), part) for part in parts.values()), F(0))


NEAR = [
    (Shuffled(5, 16, 0, F(1, 7), F(4, 3)), (0, 11, 14)),
    (Shuffled(4, 16, 0, F(1, 32), F(9)), (0, 12)),
    (Shuffled(30, 16, 0, F(1, 36), F(6)), (0, 15, 16)),
    (Shuffled(200, 12, 0, F(3, 994), F(20, 3)), (0, 2)),
]
"""Where hardly more than a digit is lost."""


def cases() -> Iterator[tuple[Shuffled, tuple[int, ...]]]:
    yield from NEAR
    random = Random(13)
    for _ in range(140):
        labels, users = random.choice((4, 5, 9)), random.choice((1, 2, 3, 5, 8, 12))
        e, a = F(random.randint(4, 40), 3), F(random.randint(3, 12), 3)
        s = Shuffled(labels, users, 0, 1 / (e + labels - 1), a)
        if s.gains[0] > 0:
            yield s, (0, *sorted(random.sample(range(1, users + 3), random.randint(1, min(3, users)))))


def wrong_apart() -> Iterator[str]:
    found_some = 0
    for s, knots in cases():
        exact = shown(s, knots)
        for width, bits in ((1, 8), (2, 14), (9, 8), (9, 9), (9, 10), (9, 12), (40, 60)):
            upper = bound(s, Hint(width, bits, knots))
            if upper > exact:
                yield f"{s}, {knots}, {width}, {bits} bits: {float(upper)} > {float(exact)}"
            if bits == 60 and upper and upper < exact - F(1, 2**30):
                yield f"{s}, {knots}: hardly shown"
            found_some += upper > 0
    if found_some < 200:
        yield "few bounds"


def wrong_thirds() -> Iterator[str]:
    """With a threshold for every number of third messages."""
    for i, (s, _) in enumerate(cases()):
        whole = bound(s, Hint(40, 60, tuple(range(s.users + 1))))
        if i % 3 or s.users > 5 or not whole:
            continue
        most = sum((max(F(0), one - two) for *_, one, two in counts(s)), F(0))
        if not most - F(1, 2**30) < whole <= most:
            yield f"{s}: {float(whole)} for {float(most)}"
        if s.users <= 2 and most != plain.shown(plain.response(s.labels, s.q), 0, 1, [2] * (s.users - 1), s.a):
            yield f"{s}: these are no such reports"


def wrong_others() -> Iterator[str]:
    """With added messages labels are not kept apart."""
    for users, e, a in ((2, F(9), F(2)), (9, F(30), F(3)), (9, F(30), F(1))):
        s = Shuffled(5, users, 0, 1 / (e + 4), a)
        noisy = s._replace(users=2, extra=2)
        noise = [plain.uniform(5)] * 2
        if bound(noisy, Hint(9, 40, (0, 1, 2))) > plain.shown(plain.response(5, s.q), 0, 1, [2], a, *noise):
            yield f"{noisy}"


def bound(s: Shuffled, hint: Hint) -> Fraction:
    """0 where there is none."""
    try:
        return separate.separate_labels(s, hint)
    except Rejected:
        return F(0)


APART = {"apart": wrong_apart, "thirds": wrong_thirds, "others": wrong_others}
