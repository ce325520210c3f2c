"""Counts of the events of reports that are rows of bits: of many reports at once.

The arrays have one row for each bit, or event, and one column for each report.
"""

from collections.abc import Sequence
from itertools import accumulate, pairwise

import numpy as np

from dp_audit.judge.bets.watches import Family, Watch
from dp_audit.oracles.base import Ones
from dp_spec.vocabulary.items import Item

Bits = np.ndarray[tuple[int, ...], np.dtype[np.uint8]]
Flags = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]
Places = np.ndarray[tuple[int, ...], np.dtype[np.int64]]


def row_width(family: Family) -> int:
    """Return how many bits every report has, 0 where this module does not apply: then the events are the same numbers
    of set bits at all inputs, and none is certain."""
    ones = {tuple(event.ones for event in family.events(x)) for x in family.inputs}
    return 0 if family.certain or len(ones) > 1 or None in next(iter(ones)) else family.oracle.row_width


class BitCounts:
    """The counts of a family's watches on single reports: `places` says where those of each begin among all."""

    def __init__(self, family: Family, places: Sequence[int]) -> None:
        self._events = [e.ones for e in family.events(family.inputs[0]) if e.ones is not None]
        self._single: dict[Item, tuple[Places, Places, Flags]] = {}
        self._several: dict[Item, list[tuple[int, Watch]]] = {}
        for x in family.inputs:
            mine = [
                (start, watch)
                for start, watch in zip(places, family.watches, strict=False)
                if watch.item == x and not watch.pairs
            ]
            alone = [(start, watch) for start, watch in mine if watch.size == 1]
            self._single[x] = (
                np.array([start for start, _ in alone], np.int64),
                np.array([(*watch.events, *watch.missing)[0] for _, watch in alone], np.int64),
                np.array([bool(watch.missing) for _, watch in alone], bool),
            )
            self._several[x] = [(start, watch) for start, watch in mine if watch.size > 1]

    def held(self, bits: Bits) -> Flags:
        """Return which events hold for each of these reports."""
        flags = np.empty((len(self._events), bits.shape[1]), bool)
        for row, event in zip(flags, self._events, strict=True):
            row[:] = _holds(event, bits)
        return flags

    def add(self, flat: Places, item: Item, held: Flags) -> None:
        """Count these reports on an input, of which is known what holds."""
        starts, chosen, missing = self._single[item]
        number = held.shape[1]
        times = np.count_nonzero(held, axis=1)[chosen]
        times = np.where(missing, number - times, times)
        flat[starts + 1] += times
        flat[starts] += number - times
        for start, watch in self._several[item]:
            counts = together(held[list(watch.events)]) + together(~held[list(watch.missing)])
            flat[start : start + watch.most + 1] += np.bincount(counts, minlength=watch.most + 1)


def together(held: Flags) -> Places:
    """Return for each report how many of some events hold."""
    counts: Places = held.sum(axis=0, dtype=np.uint8 if len(held) < 1 << 8 else np.int32).astype(np.int64)
    return counts


def _holds(event: Ones, bits: Bits) -> Flags:
    flags: Flags
    if len(event.places) == 1 and (event.low, event.high) == (1, 1):
        flags = bits[event.places[0]].view(bool)
        return flags
    mine = bits if event.places == tuple(range(len(bits))) else bits[list(event.places)]
    number = mine.sum(axis=0, dtype=np.uint8 if len(mine) < 1 << 8 else np.int32)
    flags = (event.low <= number) & (number <= event.high)
    return flags


def of_inputs(inputs: Places, number: int) -> tuple[Places, list[tuple[int, int]]]:
    """Return the order that puts reports on the same input together, each in their order; and where those of each input
    (0 .. number-1) begin and end then."""
    small = inputs.astype(np.int16) if number < 1 << 15 else inputs  # sorted by radix
    lengths = np.bincount(inputs, minlength=number).tolist()
    begins = list(accumulate(lengths, initial=0))
    return np.argsort(small, kind="stable"), list(pairwise(begins))
