"""Sums over the items that messages support, for affine functions of users with a function each, in floats.

A message (a, b, y) supports x where ((a x + b) mod P) mod h = y: where a x + b is one of y, y + h, ... below P. Divided
by h modulo P these are an arc of consecutive residues, so that x is supported where c x, c = a / h, is on an arc. All
messages with the same c, or with -c, are done at once, in time O(P) with a table of P residues. So n messages and d
items take O(n log n + P min(n, P)) instead of O(n d), and memory O(n + P).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from flint import fmpz
from numpy.typing import NDArray

from dp_refimpl.fast.array_coins import Indices
from dp_refimpl.fast.frequency.label_arrays import LabelHashes
from dp_refimpl.fast.frequency.report_arrays import require_vector
from dp_refimpl.requirements import require_integer
from dp_spec.vocabulary.exceptions import DomainError

Floats = NDArray[np.float64]
MAX_TABLE = 1 << 22
"""The largest prime for which there are tables."""
SORTED = 64
"""What a message costs that has to be sorted, in entries of a table, about."""


class _Arcs(NamedTuple):
    """The messages with one c: residues where arcs begin or end, 0 among them, increasing; of each message which of
    them its arc begins at and ends before, and whether it passes P - 1."""

    slope: int
    points: Indices
    start: NDArray[np.uint32]
    end: NDArray[np.uint32]
    wraps: NDArray[np.bool_]


class _Powers(NamedTuple):
    """r^0, r^1 .. for a primitive root r modulo P, and for each of 1 .. P - 1 which power it is."""

    residues: Indices
    exponents: Indices


@dataclass(frozen=True, eq=False)
class AffineSums:
    """Messages of users with a function each: labels `sent`, shape (n, messages each), and how many `items` there are.

    Items are the positions 0..items - 1. Raises `DomainError` for other arrays, and for more items than the prime.
    """

    hashes: LabelHashes
    sent: Indices
    items: int

    def __post_init__(self) -> None:
        require_integer("items", self.items, 1)
        if not isinstance(self.hashes, LabelHashes) or self.items > self.hashes.hashes.prime:
            raise DomainError("hashes", self.hashes, "label functions of so many items")
        if not isinstance(self.sent, np.ndarray) or self.sent.ndim != 2 or len(self.sent) != len(self.hashes):
            raise DomainError("sent", self.sent, f"a matrix with {len(self.hashes)} rows")
        require_vector("sent", self.sent.reshape(-1), self.sent.size, self.hashes.labels)

    @property
    def quick(self) -> bool:
        """Whether this is less work than all messages times all items, of which a step is longer, in bounded memory."""
        prime, messages = self.hashes.hashes.prime, self.sent.size
        entries = min(messages, prime // 2 + 1) * prime + SORTED * messages
        return prime <= MAX_TABLE and entries <= 2 * messages * self.items

    def support(self) -> Indices:
        """How many messages support each item, shape (items,)."""
        return np.rint(self.added(np.zeros(self.items), np.ones_like)).astype(np.int64)

    def added(self, f: Floats, weigh: Callable[[Floats], Floats]) -> Floats:
        """For every item the sum of the weights of the messages that support it, shape (items,).

        `weigh` is called with the sums of f over the items that messages support, some messages at a time, each of them
        once, and returns their weights. Raises `DomainError` unless f has the shape (items,).
        """
        if not isinstance(f, np.ndarray) or f.shape != (self.items,):
            raise DomainError("f", f, f"an array of {self.items} numbers")
        prime = self.hashes.hashes.prime
        powers, span = _powers(prime), prime - 1
        table = np.zeros(prime)  # of the residues c x
        table[: self.items] = f
        twice = np.tile(table[powers.residues], 2)
        sums, first, everywhere = np.zeros(span), 0.0, 0.0  # of the powers; of 0; of all items
        for arcs in self._groups:
            if not arcs.slope:  # constant functions
                supports = (arcs.start == 0) | arcs.wraps & (arcs.end > 0)
                everywhere += float(weigh(np.where(supports, f.sum(), 0.0))[supports].sum())
                continue
            turn = int(powers.exponents[arcs.slope - 1])  # r^j is at the residue r^(j + turn)
            table[0] = f[0]
            np.take(twice[span - turn :], powers.exponents, out=table[1:], mode="clip")
            before = np.concatenate([[0.0], np.cumsum(np.add.reduceat(table, arcs.points))])
            weights = weigh(np.maximum(before[arcs.end] - before[arcs.start] + arcs.wraps * before[-1], 0.0))
            changes = np.bincount(arcs.start, weights, len(arcs.points)) - np.bincount(
                arcs.end, weights, len(arcs.points)
            )
            changes[0] += weights[arcs.wraps].sum()
            spread = np.repeat(np.cumsum(changes), np.diff(arcs.points, append=prime))
            first += float(spread[0])
            np.take(spread, powers.residues, out=table[1:], mode="clip")
            sums[: span - turn] += table[1 + turn :]
            sums[span - turn :] += table[1 : 1 + turn]
        table[0], table[powers.residues] = first, sums
        return table[: self.items] + everywhere

    @cached_property
    def _groups(self) -> tuple[_Arcs, ...]:
        """All messages; those of -c with those of c: x is supported by -c where c x is on the mirrored arc."""
        prime, h = self.hashes.hashes.prime, self.hashes.labels
        inverse = pow(h, -1, prime) if h % prime else 1
        b, a = self.hashes.hashes.coefficients.T.astype(np.int64)
        slope = np.repeat((a * inverse % prime).astype(np.uint32), self.sent.shape[1])
        start = ((self.sent - b[:, None]) % prime * inverse % prime).reshape(-1)
        length = ((prime - 1 - self.sent) // h + 1).reshape(-1)
        mirrored = slope > prime // 2
        slope[mirrored] = prime - slope[mirrored]
        start[mirrored] = (1 - start[mirrored] - length[mirrored]) % prime
        order = np.argsort(slope, kind="stable")
        start, end = start[order], (start + length)[order]
        slopes, firsts = np.unique(slope[order], return_index=True)
        lasts = [*firsts[1:].tolist(), len(order)]
        return tuple(
            [_arcs(int(c), start[i:j], end[i:j], prime) for c, i, j in zip(slopes, firsts, lasts, strict=True)]
        )


def _arcs(slope: int, start: Indices, end: Indices, prime: int) -> _Arcs:
    ends = end % prime
    points, places = np.unique(np.concatenate([[0], start, ends]), return_inverse=True)
    begins, stops = np.split(places[1:].astype(np.uint32), 2)
    return _Arcs(slope, points, begins, stops, end >= prime)


@lru_cache(4)
def _powers(prime: int) -> _Powers:
    divisors = [int(q) for q, _ in fmpz(prime - 1).factor()]
    root = next(g for g in range(1, prime) if all(pow(g, (prime - 1) // q, prime) != 1 for q in divisors))
    residues, size = np.ones(prime - 1, np.int64), 1
    while size < prime - 1:
        more = residues[size : 2 * size]
        more[:] = residues[: len(more)] * pow(root, size, prime) % prime
        size += len(more)
    exponents = np.empty(prime - 1, np.int64)
    exponents[residues - 1] = np.arange(prime - 1)
    return _Powers(residues, exponents)
