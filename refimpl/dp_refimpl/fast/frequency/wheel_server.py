"""The server of Wheel and suWheel (source 002, Algorithm 2) for many users and items, without an n x d array.

Exact: line 5 asks whether the hash value j = h(x) G is one of the consecutive values bottom..top (modulo G) that z0
allows, which depend on the report only. top - h(x) is again a polynomial in x; its values at x = 0, 1, 2, ... come from
its differences by additions modulo G, for a block of users at once.
"""

import numpy as np

from dp_refimpl.coins import as_fraction
from dp_refimpl.fast.array_coins import Indices
from dp_refimpl.fast.frequency.hash_arrays import PolynomialHashes, Residues, advance, forward_differences
from dp_refimpl.fast.frequency.item_arrays import BLANK
from dp_refimpl.fast.frequency.wheel import PointReports
from dp_refimpl.frequency.parameters import affine_estimate
from dp_refimpl.frequency.suwheel import SuWheel
from dp_refimpl.frequency.wheel import ArcMechanism, Wheel
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.scalar import S

BLOCK = 8192
"""Users handled at once: k coefficients take about 12 k bytes each, so that a block fits into a processor's cache."""


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
        if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= most:
            raise DomainError(name, number, f"an integer in 1..{most}")
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
    shown = sent != BLANK
    if (shown & ((sent < low) | (sent >= high))).any():
        raise DomainError(
            "invertible", (int(sent.min()), int(sent.max())), f"{BLANK} or positions in {low}..{high - 1}"
        )
    rows = np.sort(sent, axis=1)
    if ((rows[:, 1:] == rows[:, :-1]) & (rows[:, 1:] != BLANK)).any():
        raise DomainError("invertible", "an item repeated in a row", "rows of different items")
    return np.bincount(sent[shown] - low, minlength=high - low).astype(np.int64)


def require_points(reports: PointReports) -> None:
    """Raise `DomainError` unless the reports are at least one integer in 0..grid-1."""
    points, grid = reports.points, reports.grid
    if isinstance(grid, bool) or not isinstance(grid, int) or not 1 <= grid <= 2**63:
        raise DomainError("grid", grid, "an integer in 1..2^63")
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
