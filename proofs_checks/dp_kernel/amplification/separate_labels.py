"""Card *separate_labels*. Shuffled randomized response where all others hold a third value: delta(eps) is at least the
chance, less a times the other chance, of events that look at the numbers of messages at three labels.

**Premises.** Those of the card *blanket*; at least four labels, and no uniform messages beside those of users.

**Proof.** `docs/cards/separate_labels.txt`, SHA-256 7e4efbec67bed5a5422aedd600c15a92f950b54ea99ae22e60095ca35eac163d.

**Source.** Written for `dp-refimpl amplify`. **Refuter.** `tests/kernel/test_tails.py` compares with exact fractions.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import lcm

from dp_kernel.amplification.broken_lines import shortfalls
from dp_kernel.amplification.third_values import times
from dp_kernel.cards.blanket import Hint, Shuffled, require_premises
from dp_kernel.meter import applied, paid, pay, price, require
from dp_kernel.numbers.tails import Line, Pair, around, binomial, ceil, half_tails


def separate_labels(s: Shuffled, hint: Hint) -> Fraction:
    """A lower bound where all other users hold a third value and nothing is added: of events N0 >= t(m), one for all
    numbers of messages at the third value from a knot to the next."""
    require_premises(s, hint)
    applied("separate_labels")
    require(s.labels >= 4 and not s.extra, "four labels, and users' messages alone")
    n, q, p, bits, one = s.users, s.q, 1 - (s.labels - 1) * s.q, hint.bits, 1 << hint.bits
    gains = [g / w for g, w in zip((*s.gains, s.gains[2]), (q, q, p, q), strict=True)]
    scale = lcm(*(g.denominator for g in gains))
    g0, g1, g2, g3 = (int(g * scale) for g in gains)
    low, high = around(n, 2 * q, hint.width)
    least, law, share = max(1, low), binomial(n, 2 * q, low, high, bits), p / (1 - 2 * q)
    lines = [Line(-g3 * n - (g2 - g3) * c, g3 - g1, g0 - g1) for c in paid(_middles(hint.knots))]
    walks = [half_tails(line, high, least, hint.width, bits) for line in lines]
    falls = shortfalls(n - high, share, hint.knots[1:], high - least + 1, hint.width, bits)
    pay((high - least + 1) * len(lines) * 12 * price(2 * bits, scale.bit_length() + n.bit_length()))
    total = 0
    for m in range(high, least - 1, -1):
        constant, parts = g3 * n + (g1 - g3) * m, _parts(hint.knots, next(falls), share * (n - m) * one, one)
        for walk, (start, end) in zip(walks, pairwise(parts), strict=True):
            tail, point = next(walk)
            held = max(0, end[1][0] - start[1][1])
            gain = times(2 * constant + (g0 - g1) * m, tail)[0] + times(constant + (g0 - g1) * m, point)[0]
            chance = max(0, end[0][0] - start[0][1]) if gain > 0 else end[0][1] - start[0][0]
            bound = gain * chance + (g2 - g3) * held * (2 * tail[0] + point[0])
            total += law.at(m)[0] * max(0, bound)
    return Fraction(total, 2 * scale * n << 3 * bits)


def _middles(knots: tuple[int, ...]) -> list[int]:
    """The numbers of messages at the third value that thresholds are made for."""
    return [*((x + y) // 2 for x, y in pairwise(knots)), knots[-1]]


def _parts(
    knots: tuple[int, ...], falls: Sequence[tuple[Pair, Pair]], mean: Fraction, one: int
) -> list[tuple[Pair, Pair]]:
    """P[N2 < c] and E[N2; N2 < c] for the knots c, and for none."""
    parts: list[tuple[Pair, Pair]] = [((0, 0), (0, 0))]
    for c, (reached, (short, more)) in zip(knots[1:], falls, strict=True):
        parts.append((reached, (c * reached[0] - more, c * reached[1] - short)))
    return [*parts, ((one, one), (int(mean), ceil(mean.numerator, mean.denominator)))]
