"""Plausible faults of the array versions of frequency oracles: what replaces a function of their modules."""

from collections.abc import Callable
from typing import Any

import numpy as np

from dp_refimpl.fast.frequency import count_sketch_reports, hadamard, local_hashing
from dp_refimpl.fast.frequency.grr import keep_or_uniform as KEEP
from dp_refimpl.fast.frequency.hadamard import hadamard_signs as SIGNS
from dp_refimpl.fast.frequency.hadamard import sign_sums as SUMS
from dp_refimpl.fast.frequency.hadamard import walsh_hadamard_rows as TRANSFORM
from dp_refimpl.fast.frequency.hash_arrays import advance as ADVANCE
from dp_refimpl.fast.frequency.hash_arrays import forward_differences as DIFFERENCES
from dp_refimpl.fast.frequency.label_arrays import cell_sums as CELLS
from dp_refimpl.fast.frequency.label_arrays import draw_label_hashes as DRAW
from dp_refimpl.fast.frequency.label_arrays import label_rows as ROWS
from dp_refimpl.fast.frequency.label_arrays import label_table as TABLE
from dp_refimpl.fast.frequency.rappor import unary_bits as BITS
from dp_refimpl.fast.frequency.report_arrays import column_sums as COLUMNS
from dp_refimpl.frequency.count_sketch import server_constant as CONSTANT
from dp_refimpl.frequency.parameters import affine_estimate as ESTIMATE

KEPT, ROTATE = hadamard._kept, local_hashing._rotate
EACH, BY_ROW = count_sketch_reports._add_each, count_sketch_reports._add_by_row
Fault = tuple[str, Callable[..., Any]]
"""(the function that is replaced, what replaces it)."""


def one_coin(held: Any, d: int, p: Any, q: Any, coins: Any) -> Any:
    """Every bit of a report that is not held has the same coin."""
    bits = np.repeat(coins.bernoulli(q, (len(held), 1)), d, axis=1)
    bits[np.arange(len(held))[:, None], held] = coins.bernoulli(p, held.shape)
    return bits


def first_not_flipped(held: Any, d: int, p: Any, q: Any, coins: Any) -> Any:
    bits = BITS(held, d, p, q, coins)
    bits[:, 0] = held[:, 0] == 0
    return bits


DENSE: dict[str, Fault] = {
    "p and q swapped": ("unary_bits", lambda held, d, p, q, coins: BITS(held, d, q, p, coins)),
    "1 is always kept": ("unary_bits", lambda held, d, p, q, coins: BITS(held, d, p * 0 + 1, q, coins)),
    "q is 1 - p": ("unary_bits", lambda held, d, p, q, coins: BITS(held, d, p, p / (p + 1), coins)),
    "the next position": ("unary_bits", lambda held, d, p, q, coins: BITS((held + 1) % d, d, p, q, coins)),
    "one coin for all bits": ("unary_bits", one_coin),
    "the first bit is not flipped": ("unary_bits", first_not_flipped),
    "the first user's item for all": (
        "unary_bits",
        lambda held, d, p, q, coins: BITS(np.repeat(held[:1], len(held), axis=0), d, p, q, coins),
    ),
}


def same_function(family: Any, users: int, coins: Any) -> Any:
    hashes = DRAW(family, users, coins)
    rows = np.repeat(hashes.hashes.coefficients[:1], users, axis=0)
    return type(hashes)(type(hashes.hashes)(rows, hashes.hashes.prime), hashes.labels)


def coefficients_swapped(family: Any, users: int, coins: Any) -> Any:
    hashes = DRAW(family, users, coins)
    return type(hashes)(type(hashes.hashes)(hashes.hashes.coefficients[:, ::-1], hashes.hashes.prime), hashes.labels)


def without_offset(family: Any, users: int, coins: Any) -> Any:
    hashes = DRAW(family, users, coins)
    rows = hashes.hashes.coefficients * np.array([0, 1])
    return type(hashes)(type(hashes.hashes)(rows, hashes.hashes.prime), hashes.labels)


LABELS: dict[str, Fault] = {
    "kept with p": ("keep_or_uniform", lambda own, g, keep, coins: KEEP(own, g, (keep * (g - 1) + 1) / g, coins)),
    "not perturbed": ("keep_or_uniform", lambda own, g, keep, coins: own),
    "uniform": ("keep_or_uniform", lambda own, g, keep, coins: KEEP(own, g, keep * 0, coins)),
    "never the last label": ("keep_or_uniform", lambda own, g, keep, coins: KEEP(own, g - 1, keep, coins)),
    "labels from 1": ("keep_or_uniform", lambda own, g, keep, coins: (KEEP(own, g, keep, coins) + 1) % g),
    "the first user's label for all": (
        "keep_or_uniform",
        lambda own, g, keep, coins: KEEP(np.full_like(own, own[0]), g, keep, coins),
    ),
}
HASHED: dict[str, Fault] = LABELS | {
    "one function for all": ("draw_label_hashes", same_function),
    "b is 0": ("draw_label_hashes", without_offset),
    "places of the domain": ("_places", lambda s: np.arange(len(s.domain.items))),
}
WITHOUT_ZERO: dict[str, Fault] = HASHED | {"a and b swapped": ("draw_label_hashes", coefficients_swapped)}
"""Where a is not 0 the ranges of a and b differ."""
ROWS_OF_TABLE: dict[str, Fault] = {
    "the function of the next row": ("label_table", lambda h, items: np.roll(TABLE(h, items), 1, axis=0)),
    "the label of the next item": ("label_table", lambda h, items: np.roll(TABLE(h, items), 1, axis=1)),
    "always the first function": ("label_table", lambda h, items: np.repeat(TABLE(h, items)[:1], len(h), axis=0)),
    "labels counted from 1": (
        "label_table",
        lambda h, items: (TABLE(h, items) + 1) % h[0].labels,
    ),
}
LISTED = LABELS | ROWS_OF_TABLE
CLIENTS = DENSE | ROWS_OF_TABLE


def without_high_bits(i: Any, j: Any) -> Any:
    return 1 - 2 * (i & j & 1)


COORDINATES: dict[str, Fault] = {
    "zeros in common": ("hadamard_signs", lambda i, j: SIGNS(~i & 3, ~j & 3)),
    "ones that differ": ("hadamard_signs", lambda i, j: SIGNS(i ^ j, i ^ j)),
    "the lowest bit only": ("hadamard_signs", without_high_bits),
    "the sign swapped": ("hadamard_signs", lambda i, j: -SIGNS(i, j)),
    "flipped where it should be kept": ("_kept", lambda signs, p, coins: -KEPT(signs, p, coins)),
    "never flipped": ("_kept", lambda signs, p, coins: signs),
    "one coin for all users": (
        "_kept",
        lambda signs, p, coins: signs * (2 * int(coins.bernoulli(p, 1)[0]) - 1),
    ),
}
SIGNED = COORDINATES | ROWS_OF_TABLE

# --- servers ----------------------------------------------------------------------------------------------------------


def estimate(change: Callable[[Any, Any, Any, Any], Any]) -> Fault:
    """Another affine estimate of count, users, offset, slope."""
    return "affine_estimate", lambda count, users, offset, slope: ESTIMATE(*change(count, users, offset, slope))


AFFINE: dict[str, Fault] = {
    "no offset": estimate(lambda c, n, q, s: (c, n, q * 0, s)),
    "divided by p": estimate(lambda c, n, q, s: (c, n, q, s + q)),
    "one report too many": estimate(lambda c, n, q, s: (c, n + 1, q, s)),
    "what does not support": estimate(lambda c, n, q, s: (n - c, n, q, s)),
}
BIT_SERVER: dict[str, Fault] = AFFINE | {
    "sums of bytes": ("column_sums", lambda bits, width: bits.sum(axis=0, dtype=np.uint8).astype(np.int64)),
    "columns reversed": ("column_sums", lambda bits, width: COLUMNS(bits, width)[::-1]),
    "rows summed": ("column_sums", lambda bits, width: COLUMNS(bits.T, len(bits)).sum()),
}


def not_reduced(table: Any, prime: int, sums: Any, wrapped: Any) -> None:
    table[:-1] += table[1:]


def late(table: Any, prime: int, sums: Any, wrapped: Any) -> None:
    ADVANCE(table, prime, sums, wrapped)
    ADVANCE(table, prime, sums, wrapped)


def shifted_only(words: Any, bits: int, room: Any) -> None:
    words >>= np.uint32(bits)


SUPPORT: dict[str, Fault] = AFFINE | {
    "not reduced modulo P": ("advance", not_reduced),
    "every other item": ("advance", late),
    "the function is constant": ("advance", lambda table, prime, sums, wrapped: None),
    "starts at item 1": ("forward_differences", lambda v, p: DIFFERENCES(v[:, ::-1], p)),
    "b forgotten": ("forward_differences", lambda v, p: DIFFERENCES(v - v[:, :1], p)),
    "words shifted, not rotated": ("_rotate", shifted_only),
    "rotated by one bit less": (
        "_rotate",
        lambda words, bits, room: ROTATE(words, bits - 1, room) if bits > 1 else None,
    ),
}
LISTED_SUPPORT: dict[str, Fault] = AFFINE | {
    "the function of the next row": ("label_rows", lambda h, items: iter(list(ROWS(h, items))[::-1])),
    "the label of the next item": ("label_rows", lambda h, items: (np.roll(r, 1) for r in ROWS(h, items))),
    "the first function for all": ("label_rows", lambda h, items: (next(ROWS(h, items)) for _ in h)),
}
CELL_FAULTS: dict[str, Fault] = {
    "the first row only": ("cell_sums", lambda t, h, items: CELLS(t[:1], h[:1], items)),
    "the function of another row": ("cell_sums", lambda t, h, items: CELLS(t[::-1], h, items)),
    "the label of the next item": ("cell_sums", lambda t, h, items: np.roll(CELLS(t, h, items), 1)),
    "the average of the rows": ("cell_sums", lambda t, h, items: CELLS(t, h, items) // len(h)),
    "c of another budget": ("server_constant", lambda x: CONSTANT(x * x)),
    "c is 1": ("server_constant", lambda x: x * 0 + 1),
    "c/2 is c": ("server_constant", lambda x: 2 * CONSTANT(x)),
}
SKETCH_SERVER: dict[str, Fault] = CELL_FAULTS | {
    "a few reports in the row of another": (
        "_add_each",
        lambda chunk, rows, ones: EACH(chunk, (rows + 1) % len(ones), ones),
    ),
    "a few reports are forgotten": ("_add_each", lambda chunk, rows, ones: None),
    "many reports in the row of another": (
        "_add_by_row",
        lambda chunk, rows, counts, ones: BY_ROW(chunk, rows, counts, ones[::-1]),
    ),
    "the first of a row only": ("column_sums", lambda bits, m, own, packed: COLUMNS(bits, m, own[:1], packed)),
    "reports in the order of arrival": (
        "column_sums",
        lambda bits, m, own, packed: COLUMNS(bits, m, np.arange(len(own)), packed),
    ),
    "sums of bytes": (
        "column_sums",
        lambda bits, m, own, packed: COLUMNS(bits, m, own, packed).astype(np.uint8).astype(np.int64),
    ),
    "columns reversed": ("column_sums", lambda bits, m, own, packed: COLUMNS(bits, m, own, packed)[::-1]),
}
RESPONSE_SERVER: dict[str, Fault] = {
    "c of another budget": ("server_constant", lambda x: CONSTANT(x * x)),
    "c is 1": ("server_constant", lambda x: x * 0 + 1),
    "not transformed": ("walsh_hadamard_rows", lambda v: v),
    "transformed twice": ("walsh_hadamard_rows", lambda v: TRANSFORM(TRANSFORM(v))),
    "the signs swapped": ("sign_sums", lambda cells, signs, size: -SUMS(cells, signs, size)),
    "signs that are 1 only": ("sign_sums", lambda cells, signs, size: np.bincount(cells[signs == 1], minlength=size)),
    "reports, not signs": ("sign_sums", lambda cells, signs, size: np.bincount(cells, minlength=size)),
}
HCMS_SERVER = CELL_FAULTS | RESPONSE_SERVER
