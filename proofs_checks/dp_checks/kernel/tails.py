"""Binomial laws, and expectations under them, enclosed by integers: no float, no logarithm, no Stirling.

Numbers are integers scaled by 2^bits, in pairs (low, high), every step rounded outwards. What lies outside a window is
bounded by a geometric series and added. Windows, precisions and knots are untrusted: bad ones make a bound loose, not
wrong.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import isqrt
from typing import NamedTuple

from dp_checks.kernel.work import price, remembered, require, spend

Pair = tuple[int, int]
MAX_BITS = 1024


class Window(NamedTuple):
    """Bounds of P[X = low + i] for the i-th pair, and an upper bound of the mass outside, scaled by 2^bits."""

    low: int
    terms: list[Pair]
    left: int
    right: int

    def at(self, j: int) -> Pair:
        """Bounds of P[X = j]."""
        i = j - self.low
        return (0, self.left) if i < 0 else self.terms[i] if i < len(self.terms) else (0, self.right)


def ceil(x: int, y: int) -> int:
    """x / y, rounded up."""
    return -(-x // y)


def times(c: int, x: Pair) -> Pair:
    """A number times a pair."""
    return (c * x[0], c * x[1]) if c >= 0 else (c * x[1], c * x[0])


def around(n: int, p: Fraction, width: int) -> tuple[int, int]:
    """The ends of a window: so many standard deviations around the mean of Bin(n, p)."""
    u, d = p.numerator, p.denominator
    half = width * (isqrt(n * u * (d - u) // d**2) + 2)
    return max(0, n * u // d - half), min(n, n * u // d + half)


@remembered
def binomial(n: int, p: Fraction, low: int, high: int, bits: int) -> Window:
    """The law Bin(n, p) on low..high.

    Ratios of neighboring terms are exact, and fall from term to term; all terms add up to 1.
    """
    require(0 <= low <= high <= n and 0 <= p <= 1 and 0 < bits <= MAX_BITS, "not a window of a binomial law")
    u, v, one = p.numerator, p.denominator - p.numerator, 1 << bits
    mode = max(low, min((n + 1) * u // (u + v), high))
    spend((high - low + 1) * 6 * price(bits, max(u, v).bit_length() + n.bit_length()))
    above, below = [(one, one)], [(one, one)]
    for j in range(mode, high):
        num, den = (n - j) * u, (j + 1) * v
        above.append((above[-1][0] * num // den, ceil(above[-1][1] * num, den)))
    for j in range(mode, low, -1):
        num, den = j * v, (n - j + 1) * u
        below.append((below[-1][0] * num // den, ceil(below[-1][1] * num, den)))
    right = _series(above[-1][1], (n - high) * u, (high + 1) * v)
    left = _series(below[-1][1], low * v, (n - low + 1) * u)
    weights = below[:0:-1] + above
    least, most = sum(x for x, _ in weights), sum(y for _, y in weights) + left + right
    terms = [(x * one // most, ceil(y * one, least)) for x, y in weights]
    return Window(low, terms, ceil(left * one, least), ceil(right * one, least))


def _series(last: int, num: int, den: int) -> int:
    """At least last (r + r^2 + ...) for the ratio r = num / den of the terms that follow."""
    if not num:
        return 0
    require(num < den, "the terms do not fall beyond the window")
    return ceil(last * num, den - num)


def added(first: Window, second: Window, bits: int) -> Window:
    """The law of the sum of two independent numbers: one product of long integers for all products of terms. What lies
    outside of a window may add to every term."""
    size = (2 * bits + 64) // 8
    count = len(first.terms) + len(second.terms) - 1
    spend(count * size * (isqrt(count * size) + 1024) >> 10)
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


class Line(NamedTuple):
    """t(m) = floor((constant + slope m) / step) + 1, the smallest integer h with step h > constant + slope m; with
    0 <= slope <= step it falls by 0 or 1 if m does."""

    constant: int
    slope: int
    step: int

    def at(self, m: int) -> int:
        return (self.constant + self.slope * m) // self.step + 1


def half_tails(line: Line, most: int, least: int, width: int, bits: int) -> Iterator[tuple[Pair, Pair]]:
    """For m = most, most - 1 .. least >= 1: P[Bin(m - 1, 1/2) >= t(m)] and P[Bin(m - 1, 1/2) = t(m) - 1].

    The first pair from a window, the others by Pascal's rule.
    """
    require(0 <= line.slope <= line.step != 0 and 1 <= least <= most, "not a line whose thresholds fall")
    spend((most - least + 1) * 4 * price(bits, most.bit_length()))
    half, one, t = Fraction(1, 2), 1 << bits, line.at(most)
    require(t >= 1, "a threshold below 1")
    window = binomial(most - 1, half, *around(most - 1, half, width), bits)
    require(t > window.low, "a threshold far below the mean")
    above = window.terms[t - window.low :]
    tail = sum(x for x, _ in above), min(one, sum(y for _, y in above) + window.right)
    tail, point = (tail, window.at(t - 1)) if t <= most else ((0, 0), (0, 0))
    for m in range(most, least - 1, -1):
        yield tail, point
        if m == least:
            return
        n, new = m - 1, line.at(m - 1)
        moved = max(0, 2 * (n - t + 1))
        beside = point[0] * moved // n, -(-point[1] * moved // n)  # P[Bin(n - 1, 1/2) = t - 1]
        if new == t:
            tail, point = (max(0, tail[0] - (beside[1] + 1 >> 1)), tail[1] - (beside[0] >> 1)), beside
        else:
            require(new == t - 1 >= 1, "a threshold below 1")
            tail = tail[0] + (beside[0] >> 1), tail[1] + (beside[1] + 1 >> 1)
            point = point[0] * 2 * (t - 1) // n, -(-point[1] * 2 * (t - 1) // n)
        t = new


def shortfalls(n: int, p: Fraction, c: int, steps: int, width: int, bits: int) -> Iterator[Pair]:
    """E[(c - C)_+] for C ~ Bin(n, p), Bin(n + 1, p) ...: so many steps, c >= 1, 0 < p < 1."""
    require(c >= 1 and 0 < p < 1, "a shortfall below a positive number")
    low, high = around(n, p, width)
    window = binomial(n, p, low, high, bits)
    num, den = p.numerator, p.denominator
    chance = window.at(c - 1) if c <= n + 1 else (0, 0)
    inside = [(c - low - i, pair) for i, pair in enumerate(window.terms) if low + i < c]
    spend(len(window.terms) * 2 * price(bits, c.bit_length()) + steps * 6 * price(bits, den.bit_length()))
    missed = window.left + (window.right if c > high else 0)
    reached = sum(x for _, (x, _) in inside), sum(y for _, (_, y) in inside) + missed
    short = sum(k * x for k, (x, _) in inside), sum(k * y for k, (_, y) in inside) + c * missed
    for size in range(n, n + steps):
        yield short
        short = max(0, short[0] + -reached[1] * num // den), short[1] - reached[0] * num // den
        reached = max(0, reached[0] + -chance[1] * num // den), reached[1] - chance[0] * num // den
        if size + 2 == c:  # c - 1 = size + 1 enters the support
            spend(price(c * den.bit_length(), c * den.bit_length()))
            chance = (num ** (c - 1) << bits) // den ** (c - 1), ceil(num ** (c - 1) << bits, den ** (c - 1))
        elif size + 2 > c:
            up, down = (size + 1) * (den - num), (size + 2 - c) * den
            chance = chance[0] * up // down, -(-chance[1] * up // down)
