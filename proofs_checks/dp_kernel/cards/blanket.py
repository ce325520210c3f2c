"""Card *blanket*. Shuffled randomized response, with dummies: delta(eps) is at most, and for a named data set at least,
the expected positive part of a linear form of multinomial counts.

**Premises.** n users send R(x) on k labels: x itself with probability p, every other label with q <= p, (k - 1) q + p =
1; `extra` messages are uniform; all are shuffled. Neighbors differ in what one user holds, x0 or x1; a = e^eps >= 1.

**Proof.** `docs/cards/blanket.txt`, SHA-256 851039dcc204c82bda5545e93e37e1a102cdad51c184f778602bf0ec9e7f22bf.

**Source.** Balle, Bell, Gascon, Nissim 2019 (privacy blanket), made exact; the last two reductions are ours.
**Refuter.** `tests/kernel/test_blanket.py` enumerates.
"""

from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import NamedTuple

from dp_kernel.formulas.terms import Interval
from dp_kernel.meter import applied, pay, price, require
from dp_kernel.numbers.tails import Line, around, binomial, half_tails

MAX_WIDTH = 64


class Shuffled(NamedTuple):
    """n reports of randomized response on k labels, each wrong one with chance q, and extra uniform messages; a."""

    labels: int
    users: int
    extra: int
    q: Fraction
    a: Fraction

    @property
    def gains(self) -> tuple[Fraction, Fraction, Fraction]:
        """R(y) - a R'(y) at x0, at x1, elsewhere."""
        p = 1 - (self.labels - 1) * self.q
        return p - self.a * self.q, self.q - self.a * p, (1 - self.a) * self.q


class Hint(NamedTuple):
    """Windows of so many standard deviations, bits of numbers, and where blocks begin."""

    width: int
    bits: int
    knots: tuple[int, ...] = (0,)


def require_premises(s: Shuffled, hint: Hint) -> None:
    """Raise `Rejected` unless the card speaks of these numbers."""
    applied("blanket")
    require(s.labels >= 2 and s.users >= 1 and s.extra >= 0 and s.a >= 1, "two labels, a user, eps >= 0")
    require(0 <= s.q * s.labels <= 1, "no randomized response: own and other chances")
    require(1 <= hint.width <= MAX_WIDTH and 8 <= hint.bits <= 1024, "another window")
    require(hint.knots[:1] == (0,) and all(x < y for x, y in pairwise(hint.knots)), "knots begin at 0 and increase")


def above(s: Shuffled, hint: Hint) -> Fraction:
    """An upper bound of delta for every data set: of all messages at once, or by blocks of numbers of uniform ones."""
    require_premises(s, hint)
    k, n, q, (g0, g1, _) = s.labels, s.users, s.q, s.gains
    if g0 <= 0:
        return Fraction(0)
    if not s.extra and hint.knots == (0,):
        require(q > 0, "nothing hides a report")
        return positive_part(n, q, (g0 / q, g1 / q, Fraction(0)), hint).high / n
    ends = around(n - 1, k * q, hint.width)
    law = binomial(n - 1, k * q, *ends, hint.bits)
    starts = sorted({ends[0], *(x for x in hint.knots if ends[0] < x <= ends[1])})
    delta = Fraction(law.left)
    for start, end in pairwise([*starts, ends[1] + 1]):
        total = s.extra + start + 1
        bound = positive_part(total, Fraction(1, k), s.gains, hint).high * k / total
        mass = sum(law.at(b)[1] for b in range(start, end)) + (law.right if end > ends[1] else 0)
        delta += mass * min(Fraction(1), bound)
    return delta / (1 << hint.bits)


def third(s: Shuffled, hint: Hint) -> Fraction:
    """A lower bound of delta where all other users hold a third value, and no messages are added."""
    require_premises(s, hint)
    require(s.labels >= 3 and s.q > 0 and not s.extra, "a third value, wrong reports, and users' messages alone")
    q, (g0, g1, _) = s.q, s.gains
    if g0 <= 0:
        return Fraction(0)
    return positive_part(s.users, q, (g0 / q, g1 / q, (1 - s.a - g0 - g1) / (1 - 2 * q)), hint).low / s.users


def positive_part(n: int, pair: Fraction, gains: tuple[Fraction, Fraction, Fraction], hint: Hint) -> Interval:
    """Bounds of E[(g0 N0 + g1 N1 + g2 N2)_+], N multinomial: n draws with chances pair, pair and the rest; g0 > 0 >= g2
    >= g1."""
    scale, bits = lcm(*(g.denominator for g in gains)), hint.bits
    g0, g1, g2 = (int(g * scale) for g in gains)
    require(g0 > 0 >= g2 >= g1 and 0 < 2 * pair <= 1, "one gain and two losses")
    low, high = around(n, 2 * pair, hint.width)
    least = max(1, low)  # no gain at m = 0
    law = binomial(n, 2 * pair, low, high, bits)
    tails = half_tails(Line(-g2 * n, g2 - g1, g0 - g1), high, least, hint.width, bits)
    pay((high - least + 1) * 6 * price(2 * bits, bits + scale.bit_length()))
    totals = [0, 0]
    for m, (tail, point) in zip(range(high, least - 1, -1), tails, strict=True):
        loss = g2 * (n - m)
        twice, once = m * (g0 + g1) + 2 * loss, m * g0 + loss
        for end, mass in enumerate(law.at(m)):
            gain = twice * tail[(twice >= 0) == end] + once * point[(once >= 0) == end]
            totals[end] += mass * max(0, gain)
    lower, most = (Fraction(x, 2 * scale << 2 * bits) for x in totals)
    return Interval(lower, most + Fraction(g0 * n * (law.left + law.right), 2 * scale << bits))
