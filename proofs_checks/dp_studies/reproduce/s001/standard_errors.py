"""How precise a simulated mean squared error is: the relative standard errors of all ranges, exactly.

The square of one is (2 + (k / v^2) r) / runs, r = sum f^4 / (sum f^2)^2 over the factors f of the noise in the range's
error. Floats propose the smallest and the largest r, fractions decide.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np

from dp_refimpl.fast.matrix.range_arrays import range_ends
from dp_studies.reproduce.s001.error_laws import factors

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
    found = []
    for end, sign in ((about.min(), 1), (about.max(), -1)):
        near = np.flatnonzero(np.abs(about - end) < _NEAR)
        exact = {int(i): Fraction(int(fourths[i]), int(squares[i]) ** 2) for i in near}
        ratio = sign * min(sign * r for r in exact.values())
        found.append(Extreme(ratio, tuple([(int(first[i]), int(last[i])) for i, r in exact.items() if r == ratio])))
    return found[0], found[1]
