"""Binomial laws, and expectations under them, enclosed by integers: no float, no logarithm, no Stirling.

Numbers are integers scaled by 2^bits, in pairs (low, high), every step rounded outwards. What lies outside a window is
bounded by a geometric series and added. Windows, precisions and knots are untrusted: bad ones make a bound loose, not
wrong.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from math import isqrt
from typing import NamedTuple

from dp_kernel.meter import pay, price, remembered, require

Pair = tuple[int, int]
MAX_BITS = 1024


BLOCK, KEPT = 1024, 64
"""Terms of a block, and blocks that are kept."""
MOVED = 3
"""Standard deviations that a mean may move until shortfalls are computed anew: what little is known of a knot outside
of the window grows."""


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
    """The law Bin(n, p) on low..high; all terms add up to 1."""
    require(0 <= low <= high <= n and 0 <= p <= 1 and 0 < bits <= MAX_BITS, "not a window of a binomial law")
    u, v, one = p.numerator, p.denominator - p.numerator, 1 << bits
    mode = max(low, min((n + 1) * u // (u + v), high))
    above, below = _Side(n, u, v, mode, high, one), _Side(n, v, u, n - mode, n - low, one)
    least, most = above.least + below.least - one, above.most + below.most - one + above.rest + below.rest
    terms = _Ratios(above, below, least, most, one)
    return Window(low, terms, ceil(below.rest * one, least), ceil(above.rest * one, least))


class _Side:
    """Multiples of P[X = j] for mode <= j <= end, X ~ Bin(n, u / (u + v)), `one` at the mode; their sum, and a bound of
    all that follow. Ratios of neighboring terms are exact, and fall from term to term.

    The first one of each block is kept, others are computed where they are asked for: memory is bounded.
    """

    def __init__(self, n: int, u: int, v: int, mode: int, end: int, one: int) -> None:
        self.n, self.u, self.v, self.mode, self.end = n, u, v, mode, end
        self.units = 3 * price(one.bit_length(), max(u, v).bit_length() + n.bit_length())
        self.least, self.most, self.starts = 0, 0, [(one, one)]
        for number in range((end - mode) // BLOCK + 1):
            terms = _block(self, number)
            self.least += sum(x for x, _ in terms[:BLOCK])
            self.most += sum(y for _, y in terms[:BLOCK])
            self.starts += terms[BLOCK:]
        self.rest = _series(terms[-1][1], (n - end) * u, (end + 1) * v)


@lru_cache(KEPT)
def _block(side: _Side, number: int) -> list[Pair]:
    """The terms of a block, and the first one of the next."""
    first = side.mode + number * BLOCK
    last = min(first + BLOCK, side.end)
    pay((last - first + 1) * side.units)
    found = [side.starts[number]]
    for j in range(first, last):
        num, den = (side.n - j) * side.u, (j + 1) * side.v
        found.append((found[-1][0] * num // den, -(-found[-1][1] * num // den)))
    return found


class _Ratios(Sequence[Pair]):
    """The terms on both sides of the mode, divided by the sum of all."""

    def __init__(self, above: _Side, below: _Side, least: int, most: int, one: int) -> None:
        self.sides, self.sums = (above, below), (least, most, one)
        self.mode = below.end - below.mode

    def __len__(self) -> int:
        return self.mode + self.sides[0].end - self.sides[0].mode + 1

    def __getitem__(self, i: int) -> Pair:  # type: ignore[override]
        number, place = divmod(abs(i - self.mode), BLOCK)
        return _divided(self, self.sides[i < self.mode], number)[place]

    def __iter__(self) -> Iterator[Pair]:
        return (self[i] for i in range(len(self)))


@lru_cache(KEPT)
def _divided(terms: _Ratios, side: _Side, number: int) -> list[Pair]:
    """Bounds of the terms of a block: below by the largest sum, above by the smallest."""
    least, most, one = terms.sums
    return [(x * one // most, ceil(y * one, least)) for x, y in _block(side, number)]


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


def _total(pairs: Iterable[Pair]) -> Pair:
    """The sum of pairs, in one pass."""
    low = high = 0
    for x, y in pairs:
        low, high = low + x, high + y
    return low, high


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
    tail = _total(window.terms[i] for i in range(t - window.low, len(window.terms)))
    tail = tail[0], min(one, tail[1] + window.right)
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


def shortfalls(
    n: int, p: Fraction, knots: Sequence[int], steps: int, width: int, bits: int
) -> Iterator[tuple[tuple[Pair, Pair], ...]]:
    """P[C < c] and E[(c - C)_+] for increasing knots c >= 1, for C ~ Bin(n, p), Bin(n + 1, p) ...: so many steps,
    0 < p < 1."""
    require(all(c >= 1 for c in knots) and 0 < p < 1, "a shortfall below a positive number")
    every = max(1, int(MOVED * isqrt(int((n + steps // 2) * p * (1 - p))) / p))
    for size in range(n, n + steps, every):
        window = binomial(size, p, *around(size, p, width), bits)
        yield from zip(
            *(
                _falling(size, p, c, min(every, n + steps - size), bits, window.at(c - 1), *sums)
                for c, sums in zip(knots, _sums(window, knots, bits), strict=True)
            ),
            strict=True,
        )


def _sums(window: Window, knots: Sequence[int], bits: int) -> Iterator[tuple[Pair, Pair]]:
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


def _falling(
    n: int, p: Fraction, c: int, steps: int, bits: int, chance: Pair, reached: Pair, short: Pair
) -> Iterator[tuple[Pair, Pair]]:
    """P[C < c] and E[(c - C)_+], from them and P[C = c - 1] for C ~ Bin(n, p)."""
    num, den = p.numerator, p.denominator
    pay(steps * 6 * price(bits, den.bit_length()))
    for size in range(n, n + steps):
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
