"""Vectorized Hadamard response and Hadamard count-mean sketch: one sign per user, and servers that add integers until
the end. The laws are the programs'."""

from dataclasses import dataclass

import numpy as np

from dp_refimpl.fast.array_coins import ArrayCoins, Indices
from dp_refimpl.fast.frequency.item_arrays import item_rows
from dp_refimpl.fast.frequency.label_arrays import cell_sums, label_table
from dp_refimpl.fast.frequency.report_arrays import require_signs, require_vector
from dp_refimpl.frequency.count_sketch import server_constant
from dp_refimpl.frequency.hadamard import HCMS, HadamardResponse, is_power_of_two
from dp_refimpl.requirements import require_integer
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.scalar import S


@dataclass(frozen=True, eq=False)
class CoordinateReports:
    """Reports of n users: coordinates in 0..D-1 and signs 1 and -1, both of shape (n,)."""

    coordinates: Indices
    signs: Indices


@dataclass(frozen=True, eq=False)
class SignReports:
    """Reports of n users to a sketch: signs 1 and -1, rows in 0..k-1, coordinates in 0..m-1, all of shape (n,)."""

    signs: Indices
    rows: Indices
    coordinates: Indices


def sample_hadamard_response(mechanism: HadamardResponse[S], items: Indices, coins: ArrayCoins) -> CoordinateReports:
    """Reports of n users from their items, shape (n,). Raises `DomainError` for bad positions."""
    columns = mechanism.first + item_rows(items, mechanism)
    coordinates = coins.below(mechanism.size, len(columns))
    return CoordinateReports(coordinates, _kept(hadamard_signs(coordinates, columns), mechanism.p, coins))


def sample_hcms(mechanism: HCMS[S], items: Indices, coins: ArrayCoins) -> SignReports:
    """Reports of n users from their items, shape (n,). Raises `DomainError` for bad positions."""
    held = item_rows(items, mechanism)
    rows = coins.below(mechanism.k, len(held))
    coordinates = coins.below(mechanism.m, len(held))
    columns = label_table(mechanism.functions, mechanism.domain.items)[rows, held].astype(np.int64)
    return SignReports(_kept(hadamard_signs(coordinates, columns), mechanism.p, coins), rows, coordinates)


def hadamard_signs(i: Indices, j: Indices) -> Indices:
    """The entries H[i, j] for i, j >= 0: -1 where they have an odd number of ones in common in binary."""
    common = i & j
    for shift in (32, 16, 8, 4, 2, 1):
        common = common ^ (common >> shift)
    return 1 - 2 * (common & 1)


def _kept(signs: Indices, chance: S, coins: ArrayCoins) -> Indices:
    return signs * (2 * coins.bernoulli(chance, signs.shape).astype(np.int64) - 1)


def estimate_hadamard_response(mechanism: HadamardResponse[S], reports: CoordinateReports) -> dict[Item, S]:
    """Estimated frequencies of all items: `HadamardResponse.estimate` on arrays.

    Raises `DomainError` for reports that are not coordinates below D and signs, without any, and at epsilon = 0.
    """
    if not isinstance(reports, CoordinateReports):
        raise DomainError("reports", reports, "CoordinateReports")
    c, users, size = server_constant(mechanism.budget.exp()), np.size(reports.signs), mechanism.size
    signs = require_signs("signs", reports.signs, users)
    coordinates = require_vector("coordinates", reports.coordinates, users, size)
    spectrum = walsh_hadamard_rows(sign_sums(coordinates, signs, size)[None, :])[0]
    items = mechanism.domain.items
    return {x: c * int(spectrum[mechanism.first + j]) / users for j, x in enumerate(items)}


def hcms_totals(reports: SignReports, k: int, m: int) -> Indices:
    """The sums of the signs in the k x m cells of rows and coordinates.

    Raises `DomainError` unless k and m are integers >= 1, and for reports that are not signs, rows below k and
    coordinates below m, one each for every user, at least one.
    """
    if not isinstance(reports, SignReports):
        raise DomainError("reports", reports, "SignReports")
    require_integer("k", k, 1)
    require_integer("m", m, 1)
    users = np.size(reports.signs)
    signs = require_signs("signs", reports.signs, users)
    rows = require_vector("rows", reports.rows, users, k)
    coordinates = require_vector("coordinates", reports.coordinates, users, m)
    return sign_sums(rows * m + coordinates, signs, k * m).reshape(k, m)


def estimate_hcms(mechanism: HCMS[S], reports: SignReports) -> dict[Item, S]:
    """Estimated frequency of every item, f'(d) / n: `server_hcms` and `aggregate` on arrays.

    With C the sum over the rows of an item's transformed cells f'(d) is (m c C - n) / (m - 1). Raises `DomainError` as
    `hcms_totals`, for one column, and at epsilon = 0.
    """
    c, m = server_constant(mechanism.budget.exp()), mechanism.m
    if m == 1:
        raise DomainError("m", m, "m >= 2: for one column m / (m - 1) is not defined")
    spectrum, n = walsh_hadamard_rows(hcms_totals(reports, mechanism.k, m)), len(reports.signs)
    items = mechanism.domain.items
    sums = cell_sums(spectrum, mechanism.functions, items)
    return {x: (m * c * int(total) - n) / ((m - 1) * n) for x, total in zip(items, sums, strict=True)}


def walsh_hadamard_rows(values: Indices) -> Indices:
    """H v for every row v of D integers, exactly as long as their sums are below 2^63.

    Raises `DomainError` unless this is an integer matrix whose D is a power of two.
    """
    if not isinstance(values, np.ndarray) or not np.issubdtype(values.dtype, np.signedinteger) or values.ndim != 2:
        raise DomainError("values", values, "a matrix of signed integers")
    rows, size = values.shape
    if not is_power_of_two(size):
        raise DomainError("values", values.shape, "rows of a power of two of values")
    transform = values.astype(np.int64)
    for step in (1 << i for i in range(size.bit_length() - 1)):
        pairs = transform.reshape(rows, size // (2 * step), 2, step)
        transform = np.stack([pairs[:, :, 0] + pairs[:, :, 1], pairs[:, :, 0] - pairs[:, :, 1]], axis=2)
    return transform.reshape(rows, size)


def sign_sums(cells: Indices, signs: Indices, size: int) -> Indices:
    """The sums of the signs in the cells 0..size-1, counted as integers."""
    everywhere = np.bincount(cells, minlength=size)
    return 2 * np.bincount(cells[signs == 1], minlength=size) - everywhere
