"""What single outputs show of the events that are watched."""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

import numpy as np

from dp_audit.judge.bets.watches import Family, Watch
from dp_spec.vocabulary.items import Item

REMEMBERED = 1 << 16
Places = np.ndarray[tuple[int, ...], np.dtype[np.int64]]
_Flags = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]


@dataclass(frozen=True)
class Features:
    """Of an output on an item: which events hold, those that pairs watch as bits and the first of them (-1: none),
    whether it can occur on this item at all, and where the watched counts are among all."""

    held: frozenset[int]
    bits: bytes
    first: int
    possible: bool
    places: Places


class Outputs:
    """The outputs that were seen on the inputs of a family.

    `places`: where the counts of every watch begin when all stand in a row, and how many there are. `pairs`: the watch
    of pairs on an input that begin after so many reports, and where its counts begin.
    """

    def __init__(self, family: Family) -> None:
        self.family = family
        self.places: list[int] = list(accumulate((watch.most + 1 for watch in family.watches), initial=0))
        self.pairs: dict[tuple[Item, int], tuple[int, Watch]] = {}
        self._seen: dict[tuple[Item, Hashable], Features] = {}
        self._holding: dict[tuple[int, Hashable], frozenset[int]] = {}
        self._of_item: dict[Item, list[tuple[int, Watch]]] = {x: [] for x in family.inputs}
        for start, watch in zip(self.places, family.watches, strict=False):
            if watch.pairs:
                self.pairs[watch.item, watch.offset] = start, watch
            else:
                self._of_item[watch.item].append((start, watch))

    def look(self, item: Item, output: Hashable) -> Features:
        """Return what an output shows on an item."""
        features = self._seen.get((item, output))
        if features is None:
            features = self._look_closely(item, self.family.oracle.view_of(output))
            if len(self._seen) < REMEMBERED:
                self._seen[item, output] = features
        return features

    def _look_closely(self, item: Item, view: Hashable) -> Features:
        oracle = self.family.oracle
        possible = oracle.possible_on(item, view)
        held = self._true_events(item, view) if possible else frozenset[int]()
        if oracle.lists_outputs:
            possible = bool(held)
        possible = possible and all((i in held) == value for i, value in self._certain[item])
        number = len(self.family.events(item))
        holds = np.zeros(number, bool)
        holds[list(held)] = True
        starts, chosen, missing, begins = self._layout[item]
        places = starts + np.add.reduceat(holds[chosen] ^ missing, begins, dtype=np.int64) if len(starts) else starts
        watched = held & self.pairs[item, 0][1].held_set if (item, 0) in self.pairs else frozenset[int]()
        bits = sum(1 << i for i in watched)
        return Features(held, bits.to_bytes(number // 8 + 1, "little"), min(watched, default=-1), possible, places)

    def _true_events(self, item: Item, view: Hashable) -> frozenset[int]:
        """Return the events that hold; events with the same names are the same sets of outputs at all inputs."""
        key = self._kinds[item], view
        events = self._holding.get(key)
        if events is None:
            events = frozenset(i for i, event in enumerate(self.family.events(item)) if event.holds(view))
            if len(self._holding) < REMEMBERED:
                self._holding[key] = events
        return events

    @cached_property
    def _kinds(self) -> dict[Item, int]:
        """Return for each input a number that inputs with the same names of events share."""
        numbers: dict[tuple[str, ...], int] = {}
        names = {x: tuple(event.name for event in self.family.events(x)) for x in self.family.inputs}
        return {x: numbers.setdefault(own, len(numbers)) for x, own in names.items()}

    @cached_property
    def _layout(self) -> dict[Item, tuple[Places, Places, _Flags, Places]]:
        """Of every input: where the counts of each watch begin, the events of all watches in a row, which of them
        should be missing, and where those of each watch begin."""
        layout = {}
        for x, watches in self._of_item.items():
            chosen = [i for _, watch in watches for i in (*watch.events, *watch.missing)]
            missing = [i >= len(watch.events) for _, watch in watches for i in range(watch.size)]
            begins = list(accumulate((watch.size for _, watch in watches), initial=0))[:-1]
            starts = np.array([start for start, _ in watches], np.int64)
            layout[x] = starts, np.array(chosen, np.int64), np.array(missing, bool), np.array(begins, np.int64)
        return layout

    @cached_property
    def _certain(self) -> dict[Item, list[tuple[int, bool]]]:
        """Return for every input the events that always hold, or never."""
        events: dict[Item, list[tuple[int, bool]]] = {x: [] for x in self.family.inputs}
        for (x, i), value in self.family.certain.items():
            events[x].append((i, value))
        return events
