"""EM in floats for many messages and items: each step reads the messages in blocks; memory does not grow with n d.

Messages with the same function are one row: F_y, the sum of f over the items with label y, gives the chance of each of
the row's messages, and one gather gives every item its share. Affine functions modulo a small prime are grouped further
(`affine_sums`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dp_refimpl.fast.array_coins import Indices
from dp_refimpl.fast.frequency.affine_sums import AffineSums
from dp_refimpl.fast.frequency.label_arrays import LabelHashes
from dp_refimpl.requirements import require_integer
from dp_refimpl.shuffle.hpsdp import require_floats
from dp_spec.vocabulary.exceptions import DomainError

Floats = NDArray[np.float64]
CELLS = 1 << 22
"""Labels (functions times items) that are in memory at once."""


class Share(NamedTuple):
    """sum_t L_t(v) / (sum_u f_u L_t(u)) for every item, and the log-likelihood at f."""

    weights: Floats
    log_likelihood: float


@dataclass(frozen=True, eq=False)
class OwnFunctions:
    """Messages of users with a function each: affine functions, and their messages' labels, shape (n, m + 1).

    Items are the positions 0..items - 1. Raises `DomainError` for other arrays, and for items beyond the prime.
    """

    hashes: LabelHashes
    sent: Indices
    items: int

    def __post_init__(self) -> None:
        _ = self._sums

    @property
    def messages(self) -> int:
        """n (m + 1)."""
        return int(self.sent.size)

    def share(self, f: Floats, inside: float, outside: float) -> Share:
        """O(n (m + 1) + P^2) time where that is less than O(n (d + h)), `CELLS` labels at once."""
        if not self._sums.quick:
            return summed_share(self._blocks(), f, inside, outside)
        everywhere, level, gain, whole = 0.0, 0.0, inside - outside, outside * float(f.sum())

        def weigh(sums: Floats) -> Floats:
            nonlocal everywhere, level
            chance = whole + gain * sums
            ratio = quotients(np.ones(len(chance), np.int64), chance)
            everywhere += outside * float(ratio.sum())
            level += float(np.log(chance).sum())
            return gain * ratio

        return Share(self._sums.added(f, weigh) + everywhere, level)

    def support(self) -> Indices:
        """How many messages support each item, shape (items,): `AffineSums.support`."""
        return self._sums.support()

    @cached_property
    def _sums(self) -> AffineSums:
        return AffineSums(self.hashes, self.sent, self.items)

    def _blocks(self) -> Iterator[tuple[Indices, Indices]]:
        h, positions = self.hashes.labels, np.arange(self.items)
        for part in blocks(len(self.sent), self.items):
            sent = self.sent[part]
            labels = self.hashes.part(part).values(np.broadcast_to(positions, (len(sent), self.items)))
            cells = (sent + np.arange(len(sent))[:, None] * h).reshape(-1)
            yield labels, np.bincount(cells, minlength=len(sent) * h).reshape(len(sent), h)


class RefinedArray(NamedTuple):
    """The histogram, the number of steps, and the log-likelihood before the last of them."""

    histogram: Floats
    steps: int
    log_likelihood: float


def em_array(
    messages: OwnFunctions, start: Floats, inside: float, outside: float, steps: int, least_gain: float | None = None
) -> RefinedArray:
    """`em.em` in floats. With `least_gain` the last step is the first after which the likelihood has gained no more.

    Raises `DomainError` for a start that is no histogram (sum 1 up to 1e-9), for likelihoods that are not finite
    numbers >= 0, and for a start under which a message is impossible.
    """
    require_floats("start", start)
    if len(start) != messages.items or float(start.min()) < 0 or abs(float(start.sum()) - 1) > 1e-9:
        raise DomainError("start", start, f"{messages.items} numbers >= 0 with sum 1")
    for name, number in (("inside", inside), ("outside", outside), ("least_gain", least_gain)):
        if number is not None and not (isfinite(number) and number >= 0):
            raise DomainError(name, number, "a finite number >= 0")
    require_integer("steps", steps, 1)
    total, f, before, made = messages.messages, start, -np.inf, 0
    while made < steps:
        weights, level = messages.share(f, inside, outside)
        if made and least_gain is not None and level - before <= least_gain:
            break
        f, before, made = f * weights / total, level, made + 1
    return RefinedArray(f, made, float(before))


def starting_array(estimates: Floats) -> Floats:
    """Start `vector`: negative entries set to 0, normalized. Raises `DomainError` where none is positive."""
    require_floats("estimates", estimates)
    kept = np.maximum(estimates, 0)
    if not kept.any():
        raise DomainError("estimates", estimates, "at least one positive number")
    histogram: Floats = kept / kept.sum()
    return histogram


def summed_share(parts: Iterator[tuple[Indices, Indices]], f: Floats, inside: float, outside: float) -> Share:
    """The shares of blocks of functions: labels of the items, shape (b, d), and counts of messages, shape (b, h)."""
    weights, everywhere, level, gain = np.zeros(len(f)), 0.0, 0.0, inside - outside
    for labels, counts in parts:
        rows, h = counts.shape
        cells = labels + np.arange(rows)[:, None] * h
        sums = np.bincount(cells.reshape(-1), np.broadcast_to(f, cells.shape).reshape(-1), minlength=rows * h)
        chance = outside * f.sum() + gain * sums
        ratio = quotients(counts.reshape(-1), chance)
        everywhere += outside * ratio.sum()
        weights += gain * ratio[cells].sum(axis=0)
        level += log_sum(counts.reshape(-1), chance)
    return Share(weights + everywhere, level)


def quotients(counts: Indices, chances: Floats) -> Floats:
    """counts / chances, 0 where there are no messages. Raises `DomainError` where there are some of chance 0."""
    some = counts > 0
    if (chances[some] <= 0).any():
        raise DomainError("start", 0.0, "a histogram under which every message is possible")
    ratios = np.zeros(len(counts))
    np.divide(counts, chances, out=ratios, where=some)
    return ratios


def log_sum(counts: Indices, chances: Floats) -> float:
    """The sum of counts ln(chances)."""
    some = counts > 0
    return float(counts[some] @ np.log(chances[some]))


def blocks(rows: int, width: int) -> Iterator[slice]:
    """Slices of rows with at most `CELLS` entries, one row at least."""
    size = max(1, CELLS // width)
    return (slice(start, min(start + size, rows)) for start in range(0, rows, size))
