"""Card *third_values*. Shuffled randomized response with dummies where all other users hold a third value: delta(eps)
is at least the chance, less a times the other chance, of an event that looks at the numbers of messages at two labels.

**Premises.** Those of the card *blanket*; at least three labels.

**Proof.** `docs/cards/third_values.txt`, SHA-256 f08c7c40efdfeccec5d4c745f8426dc3524571da3626f6445e9c22cc1d23a526.

**Source.** Written for `dp-refimpl amplify`. **Refuter.** `tests/kernel/test_tails.py` compares with exact fractions.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import isqrt, lcm

from dp_kernel.cards.blanket import Hint, Shuffled, require_premises
from dp_kernel.meter import applied, pay, price, require
from dp_kernel.numbers.tails import Line, Pair, Window, around, binomial, half_tails

LINE_BITS = 200
"""How long the numbers of a threshold are."""


def beside_messages(s: Shuffled, hint: Hint) -> Fraction:
    """A lower bound of delta where all other users hold a third value: of the event N0 >= t(m), m = N0 + N1."""
    require_premises(s, hint)
    applied("third_values")
    require(s.labels >= 3, "a third value")
    gains = [*s.gains[:2], (1 - s.a) - sum(s.gains[:2])]  # one row less a times the other: what is left of 1 - a
    scale = lcm(*(g.denominator for g in gains))
    g0, g1, g2 = (int(g * scale) for g in gains)
    law = summed([(s.users - 1, 2 * s.q), (s.extra, Fraction(2, s.labels))], hint)
    most, least = law.low + len(law.terms), max(1, law.low + 1)
    total = 0
    tails = half_tails(threshold(s), most, least, hint.width, hint.bits)
    for m, (tail, point) in zip(range(most, least - 1, -1), tails, strict=True):
        gain = g0 * (tail[0] + point[0]) + times(g1, tail)[0]
        fewer, beside = law.at(m - 1), law.at(m)
        pay(6 * price(2 * hint.bits, scale.bit_length()))
        bound = times(gain, fewer)[0] + times(g2, (0, beside[1] * (2 * tail[1] + point[1]) + 1 >> 1))[0]
        total += max(0, bound)
    return Fraction(total, scale << 2 * hint.bits)


def threshold(s: Shuffled) -> Line:
    """The line of t(m): where one more report for x0 than for x1 is more likely, about. A bound holds with any line."""
    pay(30, s.a, s.q)
    gain, loss, _ = s.gains
    rest = (1 - s.a) - gain - loss
    laws = [(s.users - 1, 2 * s.q), (s.extra, Fraction(2, s.labels))]
    mean = sum((n * p for n, p in laws), Fraction(0))
    variance = sum((n * p * (1 - p) for n, p in laws), Fraction(0))
    # m P[m] / P[m - 1] of the others' messages at x0 or x1 is about mean + (1 - mean / variance) (m - mean)
    tilt = mean / variance if variance else Fraction(1)
    constant, slope = (-rest / 2 * x for x in (mean * tilt, 1 - tilt))
    numbers = (constant, slope - loss, gain - loss)
    scale = lcm(*(x.denominator for x in numbers))
    whole = [int(x * scale) for x in numbers]
    shift = max(0, max(abs(x).bit_length() for x in whole) - LINE_BITS)
    constant_, slope_, step = (x >> shift for x in whole)
    return Line(max(0, constant_), max(0, min(slope_, step)), max(1, step))


def summed(laws: list[tuple[int, Fraction]], hint: Hint) -> Window:
    """The law of the sum of independent binomial numbers."""
    windows = [binomial(n, p, *around(n, p, hint.width), hint.bits) for n, p in laws if n]
    law = windows[0] if windows else binomial(0, Fraction(0), 0, 0, hint.bits)
    for window in windows[1:]:
        law = added(law, window, hint.bits)
    return law


def added(first: Window, second: Window, bits: int) -> Window:
    """The law of the sum of two independent numbers: one product of long integers for all products of terms. What lies
    outside of a window may add to every term."""
    size = (2 * bits + 64) // 8
    count = len(first.terms) + len(second.terms) - 1
    pay(count * size * (isqrt(count * size) + 1024) >> 10)
    most = [max(y for _, y in law.terms) for law in (first, second)]
    require(count * most[0] * most[1] < 256**size, "a sum of products that does not fit")
    lows, highs = (_convolved([t[i] for t in first.terms], [t[i] for t in second.terms], size) for i in (0, 1))
    outside = first.left + first.right + second.left + second.right
    terms = [(x >> bits, (y >> bits) + 1 + outside) for x, y in zip(lows, highs, strict=True)]
    return Window(first.low + second.low, terms, outside, outside)


def _convolved(x: Sequence[int], y: Sequence[int], size: int) -> list[int]:
    """Sums of products x_i y_j by i + j, each below 256^size."""
    a, b = (int.from_bytes(b"".join(c.to_bytes(size, "little") for c in z), "little") for z in (x, y))
    count = len(x) + len(y) - 1
    raw = (a * b).to_bytes(size * (count + 1), "little")
    return [int.from_bytes(raw[size * i : size * (i + 1)], "little") for i in range(count)]


def times(c: int, x: Pair) -> Pair:
    """A number times a pair."""
    return (c * x[0], c * x[1]) if c >= 0 else (c * x[1], c * x[0])
