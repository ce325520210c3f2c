"""The laws of squared errors: a range's error is a linear form of the noise, the mean over all ranges a quadratic one.

The error P_j of the sum of the leaves 1..j (`noise`) is z_0 j / N plus z_x / 2 times the tent of every node x, which
is 0 at the node's ends, 1 in its middle, and linear between. So the error of a range is a form with the factors
length / N and (tent at its last leaf - tent before its first one) / 2, which are 0 but for two nodes of a height.

The mean of the squared errors of all N (N + 1) / 2 ranges is 2 / N times the sum of (P_j - mean of P)^2 over j = 0..N:
the quadratic form with the matrix Q = 2 / N (G - s s^T / (N + 1)), s the sums over j of the functions that the z are
multiplied by, G the sums of their products. The product with a tent of half width w is summed, where the other function
is linear on the tent, as its value in the middle times w; of a tent with itself it is (2 w^2 + 1) / (3 w).

For independent z of mean 0, variance v and fourth cumulant k the form has the mean v tr Q and the variance
k sum Q_xx^2 + 2 v^2 sum Q_xy^2.

The square of the relative standard error of a simulated mean is (2 + (k / v^2) r) / runs, r = sum f^4 / (sum f^2)^2
over the factors f of the noise in the range's error. Floats propose the smallest and the largest r, fractions decide.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property

import numpy as np
from flint import arb, fmpq

from dp_refimpl.fast.array_coins import Indices
from dp_refimpl.fast.matrix.range_arrays import range_ends
from dp_refimpl.matrix.parameters import tree_height
from dp_studies.reproduce.s001.settings import Range


def factors(size: int, first: Indices, last: Indices) -> list[Indices]:
    """N times the factors of the noise in the errors of ranges: of the total, then of two nodes of every height."""
    height, before = tree_height(size), first - 1
    levels = [last - before]
    for t in range(1, height + 1):
        low, high = before >> t, (last - 1) >> t
        for node, counted in ((low, True), (high, high > low)):
            levels.append(np.where(counted, (_tent(last, node, t) - _tent(before, node, t)) << (height - t), 0))
    return levels


def _tent(j: Indices, node: Indices, t: int) -> Indices:
    """2^(t - 1) times the tent of a node of height t at j."""
    heights: Indices = np.maximum(np.minimum(j - (node << t), ((node + 1) << t) - j), 0)
    return heights


@dataclass(frozen=True)
class RangeForm:
    """The error of a range, as a linear form of the noise."""

    size: int
    asked: Range

    @cached_property
    def factors(self) -> tuple[fmpq, ...]:
        """The factors of the noise that are not 0."""
        first, last = (np.array([end], np.int64) for end in (self.asked.first, self.asked.last))
        numerators = [int(f[0]) for f in factors(self.size, first, last)]
        return tuple([fmpq(f, self.size) for f in numerators if f])

    def power_sum(self, exponent: int) -> fmpq:
        """The sum of such powers of the factors."""
        return sum((f**exponent for f in self.factors), fmpq(0))

    @property
    def concentration(self) -> fmpq:
        """sum f^4 / (sum f^2)^2: 1 for a single factor, small for many equal ones."""
        return self.power_sum(4) / self.power_sum(2) ** 2

    def relative_variance(self, excess: arb | fmpq) -> arb | fmpq:
        """Var D^2 / (E D^2)^2 = 2 + (k / v^2) sum f^4 / (sum f^2)^2, D the error."""
        return 2 + excess * self.concentration


@dataclass(frozen=True)
class AverageForm:
    """The mean squared error over all ranges: tr Q, the sum of Q_xx^2, and the sum of Q_xy^2 over all x, y."""

    trace: fmpq
    diagonal: fmpq
    squares: fmpq

    def relative_variance(self, excess: arb | fmpq) -> arb | fmpq:
        """Variance / mean^2."""
        return (2 * self.squares + excess * self.diagonal) / self.trace**2


@cache
def average_form(size: int) -> AverageForm:
    """Of N = 2^h. Raises `DomainError` for other sizes."""
    tree_height(size)
    widths = [_half_width(size, x) for x in range(1, size)]
    sums = [fmpq(size + 1, 2), *(fmpq(w, 2) for w in widths)]
    own = [fmpq((size + 1) * (2 * size + 1), 6 * size), *(fmpq(2 * w * w + 1, 12 * w) for w in widths)]
    lengths = sum((s * s for s in sums), fmpq(0))
    squares, product = (
        sum((g * g for g in own), fmpq(0)),
        sum((g * s * s for g, s in zip(own, sums, strict=True)), fmpq(0)),
    )
    for x, y, value in _above(size):
        squares += 2 * (value * sums[y]) ** 2
        product += 2 * value * sums[y] * sums[x] * sums[y]
    diagonal = [fmpq(2, size) * (g - s * s / (size + 1)) for g, s in zip(own, sums, strict=True)]
    return AverageForm(
        sum(diagonal, fmpq(0)),
        sum((q * q for q in diagonal), fmpq(0)),
        fmpq(4, size**2) * (squares - 2 * product / (size + 1) + lengths**2 / (size + 1) ** 2),
    )


def _above(size: int) -> Iterator[tuple[int, int, fmpq]]:
    """(x, y, value of the function of x in the middle of the node y) for all y and x above it, the total included."""
    for y in range(1, size):
        middle, x = _middle(size, y), y // 2
        yield 0, y, fmpq(middle, size)
        while x:
            w = _half_width(size, x)
            yield x, y, fmpq(w - abs(middle - _middle(size, x)), 2 * w)
            x //= 2


def _half_width(size: int, x: int) -> int:
    return size >> x.bit_length()


def _middle(size: int, x: int) -> int:
    depth = x.bit_length() - 1
    return (2 * (x - (1 << depth)) + 1) * _half_width(size, x)


# --- relative standard errors of all ranges ---------------------------------------------------------------------------

_NEAR = 1e-9
"""Floats of r closer than this are compared as fractions; they are off by less."""


@dataclass(frozen=True)
class Extreme:
    """A smallest or largest r, and the ranges that have it."""

    ratio: Fraction
    ranges: tuple[tuple[int, int], ...]


@cache
def extremes(size: int) -> tuple[Extreme, Extreme]:
    """The smallest and the largest r of all ranges of 2^h values, h <= 12. Raises `DomainError` for other sizes."""
    first, last = range_ends(size)
    squares, fourths = np.zeros_like(first), np.zeros_like(first)
    for factor in factors(size, first, last):
        square = factor * factor
        squares += square
        fourths += square * square
    about = fourths / squares.astype(np.float64) ** 2
    ends = []
    for end, sign in ((about.min(), 1), (about.max(), -1)):
        near = np.flatnonzero(np.abs(about - end) < _NEAR)
        exact = {int(i): Fraction(int(fourths[i]), int(squares[i]) ** 2) for i in near}
        ratio = sign * min(sign * r for r in exact.values())
        ends.append(Extreme(ratio, tuple([(int(first[i]), int(last[i])) for i, r in exact.items() if r == ratio])))
    return ends[0], ends[1]
