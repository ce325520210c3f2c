"""Wheel and suWheel a second time: plain fractions on a grid of the circle, nothing imported from the project.

Items are 0..K-1 (sensitive) and K..d-1. `values` are the hash values of all items, w is e^eps. The circle is cut into
`grid` cells; the grid must contain the ends of all arcs, so that a cell [j, j + 1) / grid is inside or outside an arc.
"""

from fractions import Fraction
from math import lcm

Items = frozenset[int]
Values = tuple[Fraction, ...]
Law = dict[tuple[int, Items], Fraction]


def arc_length(m: int, w: Fraction) -> Fraction:
    return 1 / (2 * m - 1 + m * w)


def omega(m: int, w: Fraction) -> Fraction:
    return m * arc_length(m, w) * w + 1 - m * arc_length(m, w)


def p_true(m: int, w: Fraction) -> Fraction:
    return arc_length(m, w) * w / omega(m, w)


def in_arc(point: Fraction, start: Fraction, m: int, w: Fraction) -> bool:
    """The arc [start, start + p) of the circle."""
    return is_covered(point, start, arc_length(m, w))


def is_covered(point: Fraction, start: Fraction, p: Fraction) -> bool:
    """The same for an arc of length p."""
    return (point - start) % 1 < p


def coarsest_grid(values: Values, m: int, w: Fraction) -> int:
    return lcm(*(v.denominator for v in values), arc_length(m, w).denominator)


def law(s: Items, values: Values, sensitive: int, m: int, w: Fraction, grid: int) -> Law:
    """Of (j, z1): the cell that z0 lies in, and the items sent."""
    p, total = arc_length(m, w), omega(m, w)
    points = [Fraction(j, grid) for j in range(grid)]
    covered = [any(is_covered(z, values[x], p) for x in s) for z in points]
    length = Fraction(sum(covered), grid)
    inside = w / total
    outside = (total - length * w) / ((1 - length) * total) if length < 1 else inside
    masses: Law = {}
    for j, z in enumerate(points):
        sent = frozenset(x for x in s if x >= sensitive and not is_covered(z, values[x], p))
        masses[j, sent] = (inside if covered[j] else outside) / grid
    return masses
