"""Vectorized Wheel and suWheel (source 002, 4.3.1), exact: a point is an integer, and integers alone decide.

Reports are points z0 = j / grid. Each has exactly the probability Q(z0 | v) / grid: the density is constant between
neighboring points of the grid, which contains the ends of all arcs. So a report is the real-valued z0 of Algorithm 1
rounded down to the grid, from which z1 and all that the server counts can still be read off.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dp_refimpl.coins import as_fraction
from dp_refimpl.fast.array_coins import ArrayCoins, Indices
from dp_refimpl.fast.frequency.hash_arrays import PolynomialHashes
from dp_refimpl.fast.frequency.item_arrays import BLANK, set_rows
from dp_refimpl.frequency.suwheel import SuWheel
from dp_refimpl.frequency.wheel import ArcMechanism, Wheel
from dp_spec.vocabulary.exceptions import DomainError, NotStochasticError
from dp_spec.vocabulary.scalar import S

FINEST = 2**63
FINE = 2**53


@dataclass(frozen=True)
class PointReports:
    """Reports (z0, z1) of n users: z0 = points / grid, and the positions of the invertible data, one user per row.

    `BLANK` = -1 fills the rows of `invertible` up, at the end.
    """

    points: Indices
    grid: int
    invertible: Indices


@dataclass(frozen=True)
class _Circle:
    """The circle in units that arcs and hash values are multiples of (j is j * step); P[C_v] = l * top / bottom."""

    units: int
    step: int
    arc: int
    top: int
    bottom: int


def sample_wheel(
    mechanism: Wheel[S], sets: Indices, hashes: PolynomialHashes, coins: ArrayCoins, refinement: int | None = None
) -> PointReports:
    """Reports of n users from their sets, shape (n, m), and their hash functions; `invertible` has no columns.

    All arcs begin and end at multiples of 1 / (D G), where D is the denominator of p. `refinement` points divide each
    of these units (default: as many as make a grid of 2^53 points or more).

    Raises `DomainError` for rows the mechanism does not accept and for a budget that is irrational or whose fractions
    do not fit into 63 bits, `NotStochasticError` where (8) is no density (only for more than m items).
    """
    rows, _, points, grid = _thrown(mechanism, sets, hashes, coins, refinement)
    return PointReports(points, grid, rows[:, :0])


def sample_suwheel(
    mechanism: SuWheel[S], sets: Indices, hashes: PolynomialHashes, coins: ArrayCoins, refinement: int | None = None
) -> PointReports:
    """Reports of n users, as `sample_wheel`, with the non-sensitive items of every set whose arcs z0 avoids."""
    rows, avoided, points, grid = _thrown(mechanism, sets, hashes, coins, refinement)
    blank = len(mechanism.domain.items)
    invertible = np.where(avoided & (rows >= len(mechanism.domain.sensitive)), rows, blank)
    invertible.sort(axis=1)
    return PointReports(points, grid, np.where(invertible == blank, BLANK, invertible))


def _thrown(
    mechanism: ArcMechanism[S], sets: Indices, hashes: PolynomialHashes, coins: ArrayCoins, refinement: int | None
) -> tuple[Indices, NDArray[np.bool_], Indices, int]:
    """The sets in domain order, whether z0 avoids the arc of each item, z0 on the grid, and the grid."""
    rows, circle = set_rows(sets, mechanism), _circle(mechanism, hashes.prime)
    hashes.require_fit(len(rows), mechanism.domain)
    if refinement is None:
        refinement = max(1, -(-FINE // circle.units))
    if isinstance(refinement, bool) or not isinstance(refinement, int) or not 1 <= refinement <= FINEST // circle.units:
        raise DomainError("refinement", refinement, f"an integer in 1..{FINEST // circle.units}")
    starts = hashes.values(rows) * circle.step
    units = _drawn_units(np.sort(starts, axis=1), circle, coins)
    avoided = (units[:, None] - starts) % circle.units >= circle.arc
    points = units * refinement + coins.below(refinement, len(rows))
    return rows, avoided, points, circle.units * refinement


def _circle(mechanism: ArcMechanism[S], prime: int) -> _Circle:
    """The coarsest units: 1 / G and p are multiples of one unit. Raises `DomainError` where 63 bits do not suffice."""
    p, height = as_fraction(mechanism.p), as_fraction(mechanism.p_true / mechanism.p)
    circle = _Circle(p.denominator * prime, p.denominator, p.numerator * prime, height.numerator, height.denominator)
    if max(circle.top, circle.bottom) * circle.units >= FINEST:
        raise DomainError("budget", mechanism.budget, f"e^epsilon a fraction a/b with less digits (for G = {prime})")
    return circle


def _drawn_units(starts: Indices, circle: _Circle, coins: ArrayCoins) -> Indices:
    """z0 rounded down to units, for arcs that start at the given units, increasing in every row.

    An arc adds to C_v what lies before the next start, and after it comes what it leaves of the gap: arcs of one
    length cannot reach beyond each other. First C_v or the rest of the circle is drawn, then a unit there.
    """
    users, held = starts.shape
    if not held:
        return coins.below(circle.units, users)
    gaps = np.diff(starts, append=starts[:, :1] + circle.units)
    covered = np.minimum(gaps, circle.arc)
    measure: Indices = covered.sum(axis=1)
    weights: Indices = measure * circle.top
    if (weights > circle.bottom * circle.units).any():
        covers, most = Fraction(int(measure.max()), circle.units), Fraction(circle.bottom, circle.top)
        raise NotStochasticError("sets", covers, f"coverage l <= Omega / e^eps = {most}")
    inside = coins.below(circle.bottom * circle.units, users) < weights
    index = coins.below(np.where(inside, measure, circle.units - measure), users)
    lengths = np.where(inside[:, None], covered, gaps - covered)
    begins = np.where(inside[:, None], starts, starts + circle.arc)
    ends = np.cumsum(lengths, axis=1)
    segment = (index[:, None] >= ends).sum(axis=1)
    at = np.arange(users), segment
    units: Indices = (begins[at] + index - (ends - lengths)[at]) % circle.units
    return units
