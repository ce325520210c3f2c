"""Card *broken_lines*. Shuffled randomized response without dummies: delta(eps) is at most the mean of a broken line in
the number of messages at other labels than x0 and x1.

**Premises.** Those of the card *blanket*; at least three labels, and no uniform messages beside those of users.

**Proof.** `docs/cards/broken_lines.txt`, SHA-256 f925d81503a77ed8c560908f5e02fba7ce4911885edec7b4ba21daad544afd67.

**Source.** Written for `dp-refimpl amplify`. **Refuter.** `tests/kernel/test_tails.py` compares with exact fractions.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import isqrt, lcm

from dp_kernel.cards.blanket import Hint, Shuffled, require_premises
from dp_kernel.meter import applied, paid, pay, price, require
from dp_kernel.numbers.tails import Line, Pair, Window, around, binomial, ceil, half_tails

Sums = tuple[Pair, Pair]
MOVED = 3
"""Standard deviations that a mean may move until shortfalls are computed anew: what little is known of a knot outside
of the window grows."""


def broken_line(s: Shuffled, hint: Hint) -> Fraction:
    """An upper bound of delta for every data set: knots are numbers of messages at other labels."""
    require_premises(s, hint)
    applied("broken_lines")
    require(s.labels >= 3 and s.q > 0 and not s.extra, "a third label, wrong reports, and users' messages alone")
    require(len(hint.knots) > 1, "a line that is not broken")
    if s.gains[0] <= 0:
        return Fraction(0)
    return mean_of_line(s.users, s.q, (s.labels - 2) * s.q, tuple(g / s.q for g in s.gains), hint) / s.users


def mean_of_line(n: int, pair: Fraction, third: Fraction, gains: tuple[Fraction, ...], hint: Hint) -> Fraction:
    """At least E[(g0 N0 + g1 N1 + g2 N2)_+], N multinomial: n draws with chances pair, pair, third and the rest; g0 > 0
    >= g2 >= g1."""
    scale = lcm(*(g.denominator for g in gains))
    g0, g1, g2 = (int(g * scale) for g in gains)
    require(g0 > 0 >= g2 >= g1 and 0 < 2 * pair < 1, "one gain and two losses")
    bits, width, share = hint.bits, hint.width, third / (1 - 2 * pair)
    require(0 < share < 1, "chances of more than 1")
    low, high = around(n, 2 * pair, width)
    least = max(1, low)  # no gain at m = 0
    law = binomial(n, 2 * pair, low, high, bits)
    walks = [_twice(g0, g1, g2 * c, high, least, hint) for c in paid(hint.knots)]
    gaps, unit = _gaps(hint.knots, bits)
    falls = shortfalls(n - high, share, hint.knots[1:], high - least + 1, width, bits)
    pay((high - least + 1) * len(hint.knots) * 6 * price(2 * bits, bits + scale.bit_length()))
    total = 0
    for m in range(high, least - 1, -1):
        at = [next(walk) for walk in walks]
        total += law.at(m)[1] * ((at[-1] * unit << bits) + _bent(at, gaps, unit, next(falls)))
    outside = Fraction(g0 * n * (law.left + law.right), 2 * scale << bits)
    return Fraction(total, 2 * scale * unit << 3 * bits) + outside


def _gaps(knots: tuple[int, ...], bits: int) -> tuple[list[int], int]:
    """The distances of knots, and a common multiple of them."""
    gaps, unit = [y - x for x, y in pairwise(knots)], 1
    for gap in paid(gaps, *knots[-1:]):
        unit = lcm(unit, gap)
        require(unit.bit_length() <= bits, "knots with a large common multiple of their distances")
    return gaps, unit


def _bent(at: list[int], gaps: list[int], unit: int, falls: Sequence[Sums]) -> int:
    """The mean of a broken line with these values at its knots, above the last one, times `unit`."""
    slopes = [*((x - y) * (unit // gap) for (x, y), gap in zip(pairwise(at), gaps, strict=True)), 0]
    bends = zip(pairwise(slopes), falls, strict=True)
    return sum((c := before - after) * fall[c >= 0] for (before, after), (_, fall) in bends)


def _twice(g0: int, g1: int, loss: int, most: int, least: int, hint: Hint) -> Iterator[int]:
    """At least twice E[(g0 h + g1 (m - h) + loss)_+], h ~ Bin(m, 1/2), for m = most .. least."""
    tails = half_tails(Line(-loss, -g1, g0 - g1), most, least, hint.width, hint.bits)
    for m, (tail, point) in zip(range(most, least - 1, -1), tails, strict=True):
        twice, once = m * (g0 + g1) + 2 * loss, m * g0 + loss
        yield max(0, twice * tail[twice >= 0] + once * point[once >= 0])


def shortfalls(
    n: int, p: Fraction, knots: Sequence[int], steps: int, width: int, bits: int
) -> Iterator[tuple[Sums, ...]]:
    """P[C < c] and E[(c - C)_+] for increasing knots c >= 1, of which there are some, for C ~ Bin(n, p), Bin(n + 1, p)
    ...: so many steps, 0 < p < 1."""
    require(len(knots) > 0 and all(c >= 1 for c in knots) and 0 < p < 1, "a shortfall below a positive number")
    every = max(1, int(MOVED * isqrt(int((n + steps // 2) * p * (1 - p))) / p))
    for size in range(n, n + steps, every):
        window = binomial(size, p, *around(size, p, width), bits)
        yield from zip(
            *(
                _falling(range(size, min(size + every, n + steps)), p, c, bits, window.at(c - 1), sums)
                for c, sums in zip(knots, _sums(window, knots, bits), strict=True)
            ),
            strict=True,
        )


def _sums(window: Window, knots: Sequence[int], bits: int) -> Iterator[Sums]:
    """P[C < c] and E[(c - C)_+] for increasing c: what is to be added at c is what is reached."""
    low, end = window.low, window.low + len(window.terms)
    reached, short, at = (0, window.left), (0, low * window.left), low
    pay((end - low) * 2 * price(bits, end.bit_length()))
    for c in knots:
        for j in range(at, min(c, end)):
            x, y = window.terms[j - low]
            reached = reached[0] + x, reached[1] + y
            short = short[0] + reached[0], short[1] + reached[1]
        at, over = max(at, min(c, end)), max(0, c - end)
        most = reached[1] + window.right if over else reached[1]
        few = min(0, c - low) * window.left
        yield (reached[0], most), (short[0] + over * reached[0], short[1] + over * most + few)


def _falling(sizes: range, p: Fraction, c: int, bits: int, chance: Pair, sums: Sums) -> Iterator[Sums]:
    """P[C < c] and E[(c - C)_+] for C ~ Bin(n, p), n of consecutive sizes, from them and P[C = c - 1] for the first."""
    num, den = p.numerator, p.denominator
    reached, short = sums
    pay(len(sizes) * 6 * price(bits, den.bit_length()))
    for size in sizes:
        yield reached, short
        short = max(0, short[0] + -reached[1] * num // den), short[1] - reached[0] * num // den
        reached = max(0, reached[0] + -chance[1] * num // den), reached[1] - chance[0] * num // den
        if size + 2 == c:  # c - 1 = size + 1 enters the support
            chance = _power(num, den, c - 1, bits)
        elif size + 2 > c:
            up, down = (size + 1) * (den - num), (size + 2 - c) * den
            chance = chance[0] * up // down, -(-chance[1] * up // down)


def _power(num: int, den: int, n: int, bits: int) -> Pair:
    """(num / den)^n, by squaring."""
    low = high = one = 1 << bits
    pay(n.bit_length() * 4 * price(2 * bits, den.bit_length()))
    for digit in f"{n:b}":
        low, high = low * low // one, ceil(high * high, one)
        if digit == "1":
            low, high = low * num // den, ceil(high * num, den)
    return low, high
