"""Card *blanket*. Shuffled randomized response, with dummies: delta(eps) is at most, and for a named data set at least,
the expected positive part of a linear form of multinomial counts.

**Premises.** n users send R(x) on k labels: x itself with probability p, every other label with q <= p, (k - 1) q + p =
1; `extra` messages are uniform; all are shuffled. Neighbors differ in what one user holds, x0 or x1; a = e^eps >= 1.

**Proof.** `docs/cards/blanket.txt`, SHA-256 db5d5b2ad9b44cc830853203c4cad5b096377ca341503969889b4254a49417b5.

**Source.** Balle, Bell, Gascon, Nissim 2019 (privacy blanket), made exact; the last two reductions are ours.
**Refuter.** `tests/kernel/test_blanket.py` enumerates.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import chain, pairwise, repeat
from math import lcm
from typing import NamedTuple

from dp_kernel.meter import applied, paid, pay, price, require
from dp_kernel.shuffle.tails import (
    Line,
    Pair,
    Window,
    added,
    around,
    binomial,
    half_tails,
    shortfalls,
    times,
)

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
    """Windows of so many standard deviations, bits of numbers, knots of broken lines and blocks, a threshold."""

    width: int
    bits: int
    knots: tuple[int, ...] = (0,)
    line: Line = Line(0, 0, 1)


def require_premises(s: Shuffled, hint: Hint) -> None:
    """Raise `Rejected` unless the card speaks of these numbers."""
    applied("blanket")
    require(s.labels >= 2 and s.users >= 1 and s.extra >= 0 and s.a >= 1, "two labels, a user, eps >= 0")
    require(0 <= s.q * s.labels <= 1, "no randomized response: own and other chances")
    require(1 <= hint.width <= MAX_WIDTH and 8 <= hint.bits <= 1024, "another window")
    require(hint.knots[:1] == (0,) and all(x < y for x, y in pairwise(hint.knots)), "knots begin at 0 and increase")


def above(s: Shuffled, hint: Hint) -> Fraction:
    """An upper bound of delta for every data set."""
    require_premises(s, hint)
    k, n, q = s.labels, s.users, s.q
    if s.gains[0] <= 0:
        return Fraction(0)
    if not s.extra:
        require(q > 0, "nothing hides a report")
        g0, g1, g2 = s.gains
        return positive_part(n, q, (k - 2) * q, (g0 / q, g1 / q, g2 / q), hint) / n
    blanket = k * q
    ends = around(n - 1, blanket, hint.width)
    law = binomial(n - 1, blanket, *ends, hint.bits)
    starts = sorted({ends[0], *(x for x in hint.knots if ends[0] < x <= ends[1])})
    found = Fraction(law.left)
    for start, end in pairwise([*starts, ends[1] + 1]):
        total = s.extra + start + 1
        bound = positive_part(total, Fraction(1, k), Fraction(k - 2, k), s.gains, hint) * k / total
        mass = sum(law.at(b)[1] for b in range(start, end)) + (law.right if end > ends[1] else 0)
        found += mass * min(Fraction(1), bound)
    return found / (1 << hint.bits)


def positive_part(
    n: int, pair: Fraction, third: Fraction, gains: tuple[Fraction, Fraction, Fraction], hint: Hint
) -> Fraction:
    """At least E[(g0 N0 + g1 N1 + g2 N2)_+], N multinomial: n draws with chances pair, pair, third and the rest; g0 > 0
    >= g1, g2."""
    scale = lcm(*(g.denominator for g in gains))
    g0, g1, g2 = (int(g * scale) for g in gains)
    require(g0 > 0 >= max(g1, g2) and 0 < 2 * pair <= 1, "one gain and two losses")
    bits, width = hint.bits, hint.width
    low, high = around(n, 2 * pair, width)
    least = max(1, low)  # no gain at m = 0
    law = binomial(n, 2 * pair, low, high, bits)
    share = third / (1 - 2 * pair) if 2 * pair < 1 else Fraction(0)
    require(0 <= share <= 1, "chances of more than 1")
    # K = constant + slope m: all that are left, or as many as a knot
    lines = [(g2 * n, -g2)] if share == 1 else [(g2 * c, 0) for c in (hint.knots if share else (0,))]
    walks = [_twice(g0, g1, *line, high, least, hint) for line in lines]
    gaps, unit = _gaps(hint.knots[: len(lines)], bits)
    knots = hint.knots[1 : len(lines)]
    falls = shortfalls(n - high, share, knots, high - least + 1, width, bits) if knots else repeat(())
    pay((high - least + 1) * len(lines) * 6 * price(2 * bits, bits + scale.bit_length()))
    found = 0
    for m in range(high, least - 1, -1):
        at = [next(walk) for walk in walks]
        found += law.at(m)[1] * ((at[-1] * unit << bits) + _bent(at, gaps, unit, next(falls)))
    outside = Fraction(g0 * n * (law.left + law.right), 2 * scale << bits)
    return Fraction(found, 2 * scale * unit << 3 * bits) + outside


def _gaps(knots: tuple[int, ...], bits: int) -> tuple[list[int], int]:
    """The distances of knots, and a common multiple of them."""
    gaps, unit = [y - x for x, y in pairwise(knots)], 1
    for gap in paid(gaps, *knots[-1:]):
        unit = lcm(unit, gap)
        require(unit.bit_length() <= bits, "knots with a large common multiple of their distances")
    return gaps, unit


def _bent(at: list[int], gaps: list[int], unit: int, falls: Sequence[tuple[Pair, Pair]]) -> int:
    """The mean of a broken line with these values at its knots, above the last one, times `unit`."""
    slopes = [*((x - y) * (unit // gap) for (x, y), gap in zip(pairwise(at), gaps, strict=True)), 0]
    bends = zip(pairwise(slopes), falls, strict=True)
    return sum((c := before - after) * fall[c >= 0] for (before, after), (_, fall) in bends)


def _twice(g0: int, g1: int, constant: int, slope: int, most: int, least: int, hint: Hint) -> Iterator[int]:
    """At least twice E[(g0 h + g1 (m - h) + K)_+], h ~ Bin(m, 1/2), K = constant + slope m, for m = most .. least."""
    tails = half_tails(Line(-constant, -g1 - slope, g0 - g1), most, least, hint.width, hint.bits)
    for m, (tail, point) in zip(range(most, least - 1, -1), tails, strict=True):
        loss = constant + slope * m
        twice, once = m * (g0 + g1) + 2 * loss, m * g0 + loss
        yield max(0, twice * tail[twice >= 0] + once * point[once >= 0])


def below(s: Shuffled, hint: Hint) -> Fraction:
    """A lower bound of delta where all other users hold a third value: of the event N0 >= t(m), m = N0 + N1."""
    require_premises(s, hint)
    require(s.labels >= 3, "a third value")
    gains = [*s.gains[:2], (1 - s.a) - sum(s.gains[:2])]  # one row less a times the other: what is left of 1 - a
    scale = lcm(*(g.denominator for g in gains))
    g0, g1, g2 = (int(g * scale) for g in gains)
    law = summed([(s.users - 1, 2 * s.q), (s.extra, Fraction(2, s.labels))], hint)
    most, least = law.low + len(law.terms), max(1, law.low + 1)
    found = 0
    tails = half_tails(hint.line, most, least, hint.width, hint.bits)
    for m, (tail, point) in zip(range(most, least - 1, -1), tails, strict=True):
        gain = g0 * (tail[0] + point[0]) + times(g1, tail)[0]
        known, beside = law.at(m - 1), law.at(m)
        pay(6 * price(2 * hint.bits, scale.bit_length()))
        shown = times(gain, known)[0] + times(g2, (0, beside[1] * (2 * tail[1] + point[1]) + 1 >> 1))[0]
        found += max(0, shown)
    return Fraction(found, scale << 2 * hint.bits)


def below_with_ones(s: Shuffled, ones: int, hint: Hint) -> Fraction:
    """A lower bound where so many others hold x1, the rest x0: of all numbers of messages at x0."""
    require_premises(s, hint)
    require(0 <= ones < s.users, "no more than the other users")
    other, gain = (s.labels - 1) * s.q, s.gains[0]
    loss = 1 - s.a - gain
    scale = lcm(gain.denominator, loss.denominator)
    up, down = int(gain * scale), int(-loss * scale)
    if up <= 0:
        return Fraction(0)
    elsewhere = [(s.users - 1 - ones, other), (ones, 1 - s.q), (s.extra, 1 - Fraction(1, s.labels))]
    law = summed(elsewhere, hint)
    pay(len(law.terms) * 2 * price(hint.bits, scale.bit_length()))
    pairs = pairwise(chain([(0, law.left)], law.terms))
    return Fraction(sum(max(0, up * here - down * before) for (_, before), (here, _) in pairs), scale << hint.bits)


def summed(laws: list[tuple[int, Fraction]], hint: Hint) -> Window:
    """The law of the sum of independent binomial numbers."""
    windows = [binomial(n, p, *around(n, p, hint.width), hint.bits) for n, p in laws if n]
    found = windows[0] if windows else binomial(0, Fraction(0), 0, 0, hint.bits)
    for window in windows[1:]:
        found = added(found, window, hint.bits)
    return found
