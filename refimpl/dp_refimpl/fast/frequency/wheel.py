"""Vectorized Wheel and suWheel (source 002, 4.3.1), exact: a point is an integer, and integers alone decide.

Reports are points z0 = j / grid. Each has exactly the probability Q(z0 | v) / grid: the density is constant between
neighboring points of the grid, which contains the ends of all arcs. So a report is the real-valued z0 of Algorithm 1
rounded down to the grid, from which z1 and all that the server counts can still be read off.

The server (Algorithm 2) needs no n x d array: line 5 asks whether the hash value j = h(x) G is one of the consecutive
values bottom..top (modulo G) that z0 allows, which depend on the report only. top - h(x) is again a polynomial in x;
its values at x = 0, 1, 2, ... come from its differences by additions modulo G, for a block of users at once.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dp_refimpl.coins import as_fraction
from dp_refimpl.fast.array_coins import ArrayCoins, Indices
from dp_refimpl.fast.frequency.hash_arrays import PolynomialHashes, Residues, advance, forward_differences
from dp_refimpl.fast.frequency.item_arrays import BLANK, set_rows
from dp_refimpl.frequency.parameters import affine_estimate
from dp_refimpl.frequency.suwheel import SuWheel
from dp_refimpl.frequency.wheel import ArcMechanism, Wheel
from dp_refimpl.requirements import require_integer
from dp_spec.vocabulary.exceptions import DomainError, NotStochasticError
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.scalar import S

FINEST = 2**63
FINE = 2**53
BLOCK = 8192
"""Users handled at once: k coefficients take about 12 k bytes each, so that a block fits into a processor's cache."""


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
    require_integer("refinement", refinement, 1, FINEST // circle.units)
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


def estimate_wheel(
    mechanism: Wheel[S], reports: PointReports, hashes: PolynomialHashes, block: int = BLOCK
) -> dict[Item, S]:
    """Estimated frequencies of all items: `Wheel.estimate` on arrays. Raises as `hit_counts`."""
    return _estimates(mechanism, hit_counts(mechanism, reports, hashes, len(mechanism.domain.items), block), reports)


def estimate_suwheel(
    mechanism: SuWheel[S], reports: PointReports, hashes: PolynomialHashes, block: int = BLOCK
) -> dict[Item, S]:
    """Estimated frequencies of all items: `SuWheel.estimate` on arrays. Raises as `hit_counts`, `invertible_counts`."""
    domain, users, zero = mechanism.domain, len(reports.points), mechanism.p * 0
    hits = hit_counts(mechanism, reports, hashes, len(domain.sensitive), block)
    sent = invertible_counts(mechanism, reports)
    return _estimates(mechanism, hits, reports) | {
        x: affine_estimate(int(count), users, zero, mechanism.r)
        for x, count in zip(domain.nonsensitive, sent, strict=True)
    }


def hit_counts(
    mechanism: ArcMechanism[S], reports: PointReports, hashes: PolynomialHashes, items: int, block: int = BLOCK
) -> Indices:
    """F_x of Algorithm 2, line 5, for the first `items` items of the domain.

    Raises `DomainError` for reports that are not points 0 <= j < grid with a grid that the ends of all arcs lie on, for
    a number of hash functions other than that of the reports, and for `items` or `block` out of range.
    """
    hashes.require_fit(len(reports.points), mechanism.domain)
    for name, number, most in (("items", items, len(mechanism.domain.items)), ("block", block, 2**31)):
        require_integer(name, number, 1, most)
    require_points(reports)
    step, cut = divmod(reports.grid, hashes.prime)
    arc = as_fraction(mechanism.p) * reports.grid
    if cut or arc.denominator != 1:
        raise DomainError("grid", reports.grid, f"a multiple of G = {hashes.prime} and of 1 / p = {1 / mechanism.p}")
    points = reports.points.astype(np.int64)
    top = points // step
    allowed = top - (points - int(arc)) // step
    counts = np.zeros(items, np.int64)
    for start in range(0, len(top), block):
        part = slice(start, start + block)
        table = _differences(hashes.part(part), top[part])
        _count(table, allowed[part].astype(np.uint32), hashes.prime, counts)
    return counts


def invertible_counts(mechanism: SuWheel[S], reports: PointReports) -> Indices:
    """How many users sent each of the non-sensitive items (line 15).

    Raises `DomainError` unless every row of `invertible` holds positions of different non-sensitive items and blanks.
    """
    sent, (low, high) = reports.invertible, (len(mechanism.domain.sensitive), len(mechanism.domain.items))
    if not isinstance(sent, np.ndarray) or not np.issubdtype(sent.dtype, np.integer) or sent.ndim != 2:
        raise DomainError("invertible", sent, "an integer array of 2 dimensions")
    if len(sent) != len(reports.points):
        raise DomainError("invertible", len(sent), f"{len(reports.points)} rows, one for each user")
    is_item = sent != BLANK
    if (is_item & ((sent < low) | (sent >= high))).any():
        raise DomainError(
            "invertible", (int(sent.min()), int(sent.max())), f"{BLANK} or positions in {low}..{high - 1}"
        )
    rows = np.sort(sent, axis=1)
    if ((rows[:, 1:] == rows[:, :-1]) & (rows[:, 1:] != BLANK)).any():
        raise DomainError("invertible", "an item repeated in a row", "rows of different items")
    return np.bincount(sent[is_item] - low, minlength=high - low).astype(np.int64)


def require_points(reports: PointReports) -> None:
    """Raise `DomainError` unless the reports are at least one integer in 0..grid-1."""
    points, grid = reports.points, reports.grid
    require_integer("grid", grid, 1, 2**63)
    if not isinstance(points, np.ndarray) or not np.issubdtype(points.dtype, np.signedinteger) or points.ndim != 1:
        raise DomainError("points", points, "a vector of signed integers")
    if not len(points) or int(points.min()) < 0 or int(points.max()) >= grid:
        raise DomainError("points", points, f"at least one point, integers in 0..{grid - 1}")


def _differences(hashes: PolynomialHashes, top: Indices) -> Residues:
    """The forward differences of x -> top - h(x) modulo G at x = 0: a row for each order, a column for each user."""
    users, order = hashes.coefficients.shape
    positions = np.broadcast_to(np.arange(order), (users, order))
    return forward_differences(top[:, None] - hashes.values(positions), hashes.prime)


def _count(table: Residues, allowed: Residues, prime: int, counts: Indices) -> None:
    """Add to the counts of items 0, 1, ... how many users' values are below `allowed`; the table moves on in place."""
    sums, wrapped, below = np.empty_like(table[1:]), np.empty_like(table[1:]), np.empty(len(allowed), np.bool_)
    for item in range(len(counts)):
        np.less(table[0], allowed, out=below)
        counts[item] += np.count_nonzero(below)
        advance(table, prime, sums, wrapped)


def _estimates(mechanism: ArcMechanism[S], hits: Indices, reports: PointReports) -> dict[Item, S]:
    """Line 9 for the first items of the domain."""
    slope = mechanism.p_true - mechanism.p_false
    return {
        x: affine_estimate(int(count), len(reports.points), mechanism.p_false, slope)
        for x, count in zip(mechanism.domain.items, hits, strict=False)
    }
