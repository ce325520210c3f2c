"""Binomial laws, and expectations under them, enclosed by integers: no float, no logarithm, no Stirling.

Numbers are integers scaled by 2^bits, in pairs (low, high), every step rounded outwards. What lies outside a window is
bounded by a geometric series and added. Windows and precisions are untrusted: bad ones make a bound loose, not wrong.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import isqrt
from typing import NamedTuple

from dp_kernel.meter import pay, price, remembered, require

Pair = tuple[int, int]
MAX_BITS = 1024


class Window(NamedTuple):
    """Bounds of P[X = low + i] for the i-th pair, and an upper bound of the mass outside, scaled by 2^bits."""

    low: int
    terms: Sequence[Pair]
    left: int
    right: int

    def at(self, j: int) -> Pair:
        """Bounds of P[X = j]."""
        i = j - self.low
        return (0, self.left) if i < 0 else self.terms[i] if i < len(self.terms) else (0, self.right)


def ceil(x: int, y: int) -> int:
    """x / y, rounded up."""
    return -(-x // y)


def around(n: int, p: Fraction, width: int) -> tuple[int, int]:
    """The ends of a window: so many standard deviations around the mean of Bin(n, p)."""
    u, d = p.numerator, p.denominator
    half = width * (isqrt(n * u * (d - u) // d**2) + 2)
    return max(0, n * u // d - half), min(n, n * u // d + half)


@remembered
def binomial(n: int, p: Fraction, low: int, high: int, bits: int) -> Window:
    """The law Bin(n, p) on low..high: multiples of the chances on both sides of the mode, divided by the sum of all;
    below by the largest sum, above by the smallest."""
    require(0 <= low <= high <= n and 0 <= p <= 1 and 0 < bits <= MAX_BITS, "not a window of a binomial law")
    u, v, one = p.numerator, p.denominator - p.numerator, 1 << bits
    mode = max(low, min((n + 1) * u // (u + v), high))
    pay((high - low + 2) * 4 * price(bits + 1, p.denominator.bit_length() + n.bit_length()))
    above, right = _multiples(n, u, v, mode, high, one)
    below, left = _multiples(n, v, u, n - mode, n - low, one)
    multiples = [*below[:0:-1], *above]
    least, most = sum(x for x, _ in multiples), sum(y for _, y in multiples) + left + right
    terms = [(x * one // most, ceil(y * one, least)) for x, y in multiples]
    return Window(low, terms, ceil(left * one, least), ceil(right * one, least))


def _multiples(n: int, u: int, v: int, mode: int, end: int, one: int) -> tuple[list[Pair], int]:
    """Multiples of P[X = j] for mode <= j <= end, X ~ Bin(n, u / (u + v)), `one` at the mode, and a bound of the sum of
    all that follow. Ratios of neighboring terms are exact, and fall from term to term."""
    multiples = [(one, one)]
    for j in range(mode, end):
        (x, y), num, den = multiples[-1], (n - j) * u, (j + 1) * v
        multiples.append((x * num // den, ceil(y * num, den)))
    num, den = (n - end) * u, (end + 1) * v
    require(num < den or not num, "the terms do not fall beyond the window")
    return multiples, ceil(multiples[-1][1] * num, den - num) if num else 0


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
    pay((most - least + 1) * 4 * price(bits, most.bit_length()))
    half, one, t = Fraction(1, 2), 1 << bits, line.at(most)
    require(t >= 1, "a threshold below 1")
    window = binomial(most - 1, half, *around(most - 1, half, width), bits)
    require(t > window.low, "a threshold far below the mean")
    beyond = window.terms[t - window.low :]
    tail = sum(x for x, _ in beyond), min(one, sum(y for _, y in beyond) + window.right)
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
