"""Evidence against an oracle, collected from reports in any order, and when it suffices.

The weighted wealths of the components about single reports sum to a martingale under the oracle's law, in whatever
order inputs take turns: a report multiplies each by a factor of conditional mean 1. Those about pairs of reports sum to
one with respect to the completed pairs, likewise those about the pairs that begin one report later. The three start at
their parts' shares of 1 in all, and each is compared with 1 / level on its own: a correct implementation is alarmed
about with probability <= level, at any number of reports and of looks. The same budget pays for intervals: a
component's interval holds the factors f (true mean = f times the oracle's) at which its own weighted wealth is below
1 / level, and the probability that any of them ever misses its truth is <= level; for a correct implementation an alarm
is one of these misses.
"""

import math
from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from flint import arb, ctx, fmpq

from dp_audit.figures import PRECISIONS
from dp_audit.samples.bets import Bets, Sample, factors, wealth
from dp_audit.samples.family import Component, Family, Watch
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.scalar import Ordering, compare

REMEMBERED = 1 << 16
OFFSETS = (0, 1)
"""Where pairs of successive reports begin."""
NEAR = 1.0
"""Natural logarithm of the margin at which floats stop screening and balls decide."""


@dataclass(frozen=True)
class _Seen:
    """Of an output: which events hold, whether it can occur on this item at all, and the watched counts."""

    held: frozenset[int]
    possible: bool
    values: tuple[int, ...]


class Evidence:
    """The counts of a family's watches, and what they prove. Not for several threads."""

    def __init__(self, family: Family) -> None:
        self.family = family
        self.reports: dict[Item, int] = dict.fromkeys(family.inputs, 0)
        self.counts: list[list[int]] = [[0] * (watch.most + 1) for watch in family.watches]
        self.impossible: dict[tuple[Item, Hashable], int] = {}
        self._seen: dict[tuple[Item, Hashable], _Seen] = {}
        self._waiting: dict[tuple[Item, int], list[Hashable]] = {}
        self._skipped: dict[tuple[Item, int], int] = {}
        self._of_item: dict[Item, tuple[list[Watch], list[list[int]]]] = {x: ([], []) for x in family.inputs}
        self._pairs_of_item: dict[tuple[Item, int], tuple[list[Watch], list[list[int]]]] = {
            (x, offset): ([], []) for x in family.inputs for offset in OFFSETS
        }
        for watch, counts in zip(family.watches, self.counts, strict=True):
            watches, tables = (
                self._pairs_of_item[watch.item, watch.offset] if watch.pairs else self._of_item[watch.item]
            )
            watches.append(watch)
            tables.append(counts)

    def add(self, item: Item, output: Hashable, times: int = 1) -> None:
        """Reports on an item that were all this output. Raises `DomainError` for an unknown item or times < 0."""
        if item not in self.reports:
            raise DomainError("input", item, "an input of the audit")
        if isinstance(times, bool) or not isinstance(times, int) or times < 0:
            raise DomainError("times", times, "an integer >= 0")
        output = self.family.oracle.seen(output)
        seen = self._look(item, output)
        if times and not seen.possible:
            self.impossible[item, output] = self.impossible.get((item, output), 0) + times
        self.reports[item] += times
        for counts, value in zip(self._of_item[item][1], seen.values, strict=True):
            counts[value] += times

    def add_in_order(self, item: Item, outputs: Iterable[Hashable]) -> None:
        """Successive reports on an item; also their pairs are counted: first and second, third and fourth, ..., and
        (the part `shifted`) second and third, ..."""
        given = [self.family.oracle.seen(output) for output in outputs]
        for output, times in Counter(given).items():
            self.add(item, output, times)
        for offset in OFFSETS:
            self._add_pairs(item, offset, given)

    def _add_pairs(self, item: Item, offset: int, given: list[Hashable]) -> None:
        skip = min(len(given), offset - self._skipped.get((item, offset), 0))
        self._skipped[item, offset] = self._skipped.get((item, offset), 0) + skip
        ready = self._waiting.pop((item, offset), []) + given[skip:]
        if len(ready) % 2:
            self._waiting[item, offset] = [ready.pop()]
        for (one, two), times in Counter(zip(ready[::2], ready[1::2], strict=True)).items():
            first, second = self._look(item, one), self._look(item, two)
            for watch, counts in zip(*self._pairs_of_item[item, offset], strict=True):
                counts[sum(i in first.held and i in second.held for i in watch.events)] += times

    def _look(self, item: Item, output: Hashable) -> "_Seen":
        found = self._seen.get((item, output))
        if found is None:
            oracle, events = self.family.oracle, self.family.events(item)
            possible = oracle.possible_on(item, output)
            held = frozenset(i for i, event in enumerate(events) if event.holds(output)) if possible else frozenset()
            if oracle.lists_outputs:
                possible = bool(held)
            certain = ((i, value) for (x, i), value in self.family.certain.items() if x == item)
            possible = possible and all((i in held) == value for i, value in certain)
            values = tuple(sum(i in held for i in watch.events) for watch in self._of_item[item][0])
            found = _Seen(held, possible, values)
            if len(self._seen) < REMEMBERED:
                self._seen[item, output] = found
        return found

    def seems_enough(self) -> bool:
        """Whether floats see an alarm near. They only save time while reports are read: `alarm` decides."""
        if self.impossible:
            return True
        if not self._screen:
            return False
        logs = np.concatenate([start + factors @ self._flat(part) for part, start, factors in self._screen])
        top = float(np.max(logs))
        return top + math.log(np.exp(logs - top).sum()) > -_log(self.family.level) - NEAR

    def _flat(self, watches: tuple[int, ...]) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
        return np.array([times for index in watches for times in self.counts[index]], dtype=np.float64)

    @cached_property
    def _screen(self) -> list[tuple[tuple[int, ...], Any, Any]]:
        """For every component its watches, the logarithms of its weights, and those of the factors of every count."""
        found = []
        for component in self.family.components:
            sizes = np.array([int(b.p) / int(b.q) for b in component.bets.sizes])
            weights = np.array([_log(component.weight * w) for w in component.bets.weights])
            gains = [
                value - float(self.family.mean(self.family.watches[index]))
                for index in component.watches
                for value in range(len(self.counts[index]))
            ]
            found.append((component.watches, weights, np.log1p(np.outer(sizes, gains))))
        return found

    def samples(self, component: Component, step: int = 0) -> list[Sample]:
        """The counts of a component's watches with their means."""
        chosen = [(self.family.watches[i], self.counts[i]) for i in component.watches]
        return [(counts, self.family.mean(watch, step)) for watch, counts in chosen]

    def wealth(self, component: Component, step: int = 0) -> arb:
        """The weighted wealth of a component, as a ball at precision `PRECISIONS[step]`."""
        with ctx.workprec(PRECISIONS[step]):
            return arb(component.weight * wealth(component.bets, self.samples(component, step)))

    def alarm(self, parts: tuple[str, ...]) -> Ordering:
        """The wealth of some parts against 1 / level: GREATER and EQUAL are alarms, UNDECIDED if no precision tells."""
        chosen = [c for c in self.family.components if c.part in parts]
        for step in range(len(PRECISIONS)):
            with ctx.workprec(PRECISIONS[step]):
                total = sum((self.wealth(c, step) for c in chosen), arb(0))
                order = compare(total, self.family.threshold)
            if order is not Ordering.UNDECIDED:
                break
        return order

    def strongest(self, parts: tuple[str, ...]) -> Component:
        """A component with the largest wealth, as far as its ball tells. Raises `ValueError` for empty parts."""
        return max((c for c in self.family.components if c.part in parts), key=lambda c: self.wealth(c).mid().fmpq())

    def interval(self, component: Component) -> tuple[fmpq, fmpq]:
        """The factors f for which "the true means are f times the oracle's" is not refuted (see the module)."""
        samples = self.samples(component)
        with ctx.workprec(PRECISIONS[0]):
            return factors(component.bets, samples, self.family.threshold / component.weight)

    def probability(self, component: Component) -> tuple[fmpq, fmpq]:
        """The interval of the probability of the event of a component of the part `single`."""
        counts = self.counts[component.watches[0]]
        return _probability(component.bets, (counts[0], counts[1]), self.family.threshold / component.weight)


@lru_cache(maxsize=1 << 16)
def _probability(bets: Bets, counts: tuple[int, int], threshold: fmpq) -> tuple[fmpq, fmpq]:
    with ctx.workprec(PRECISIONS[0]):
        return factors(bets, [(counts, arb(1))], threshold, fmpq(1))


def _log(number: fmpq) -> float:
    return math.log(int(number.p)) - math.log(int(number.q))
