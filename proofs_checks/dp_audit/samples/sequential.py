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
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate, chain

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
NEAR = 2.0**-6
"""Natural logarithm of the margin at which floats stop screening and balls decide: far more than what rounding does to
the logarithms of a billion reports. An alarm that they overlooked would be raised at the next look."""
SQUARE = 1 << 9
"""Different outputs up to which all pairs of them are compared."""
FEW = 8
"""Components that are asked first whether they suffice for an alarm."""
_Floats = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
_Places = np.ndarray[tuple[int, ...], np.dtype[np.int64]]


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
        known: dict[Hashable, int] = {}
        codes = np.array([known.setdefault(output, len(known)) for output in outputs], np.int64)
        self.add_coded([(item, output) for output in known], codes)

    def add_coded(self, pairs: Sequence[tuple[Item, Hashable]], codes: _Places) -> None:
        """Successive reports, each an index into some (input, output) pairs; on every input as `add_in_order`.

        Raises `DomainError` for an unknown input.
        """
        times = np.bincount(codes, minlength=len(pairs))
        present = np.flatnonzero(times).tolist()
        for code in present:
            self.add(*pairs[code], int(times[code]))
        numbers = {item: i for i, item in enumerate(self.reports)}
        inputs = np.zeros(len(pairs), np.int16 if len(numbers) < 1 << 15 else np.int64)  # sorted by radix
        inputs[present] = [numbers[pairs[code][0]] for code in present]
        of_code = inputs[codes]
        ordered = codes[np.argsort(of_code, kind="stable")] if len(numbers) > 1 else codes
        ends = np.cumsum(np.bincount(of_code, minlength=len(numbers))).tolist()
        used: dict[Item, list[int]] = {}
        for code in present:
            used.setdefault(pairs[code][0], []).append(code)
        for item, chosen in used.items():
            end = ends[numbers[item]]
            outputs = [pairs[code][1] for code in chosen]
            places = np.searchsorted(chosen, ordered[end - int(times[chosen].sum()) : end])
            for offset in OFFSETS:
                self._add_pairs(item, offset, outputs, places)

    def _add_pairs(self, item: Item, offset: int, outputs: Sequence[Hashable], given: _Places) -> None:
        """Successive reports on an item, as indices into outputs."""
        waiting = self._waiting.pop((item, offset), None)
        known = list(outputs)
        if waiting is not None:
            given, known = np.append(len(known), given), [*known, waiting[0]]
        skip = min(len(given), offset - self._skipped.get((item, offset), 0))
        self._skipped[item, offset] = self._skipped.get((item, offset), 0) + skip
        given = given[skip:]
        if len(given) % 2:
            self._waiting[item, offset] = [known[given[-1]]]
            given = given[:-1]
        for watch, counts in zip(*self._pairs_of_item[item, offset], strict=True):
            held = [self._look(item, output).held for output in known]
            same = _coincidences(held, watch, given[::2], given[1::2])
            for value, times in enumerate(same.tolist()):
                counts[value] += times

    def _look(self, item: Item, output: Hashable) -> "_Seen":
        found = self._seen.get((item, output))
        if found is None:
            oracle, events = self.family.oracle, self.family.events(item)
            shown = oracle.seen(output)
            possible = oracle.possible_on(item, shown)
            held = frozenset(i for i, event in enumerate(events) if event.holds(shown)) if possible else frozenset()
            if oracle.lists_outputs:
                possible = bool(held)
            certain = ((i, value) for (x, i), value in self.family.certain.items() if x == item)
            possible = possible and all((i in held) == value for i, value in certain)
            values = tuple(
                sum(i in held for i in watch.events) + sum(i not in held for i in watch.missing)
                for watch in self._of_item[item][0]
            )
            found = _Seen(held, possible, values)
            if len(self._seen) < REMEMBERED:
                self._seen[item, output] = found
        return found

    def seems_enough(self) -> bool:
        """Whether floats see an alarm near. They only save time while reports are read: `alarm` decides."""
        return bool(self.impossible) or self.log_evidence() > self.enough - NEAR

    @cached_property
    def enough(self) -> float:
        """About the natural logarithm of the evidence that is an alarm."""
        return -_log(self.family.level)

    def log_evidence(self) -> float:
        """About the natural logarithm of the whole evidence, in floats: -infinity without any bets."""
        if not self._screen:
            return -math.inf
        logs = self._logs()
        top = float(logs.max())
        return top + math.log(np.exp(logs - top).sum())

    def _logs(self) -> _Floats:
        """About the logarithm of the weighted wealth of every component."""
        flat = np.fromiter(chain.from_iterable(self.counts), np.float64, self._places[-1])
        found = np.full(len(self.family.components), -math.inf)
        for start, places, gains, members in self._screen:
            logs = start + flat[places] @ gains
            top = logs.max(axis=1)
            found[members] = top + np.log(np.exp(logs - top[:, None]).sum(axis=1))
        return found

    @cached_property
    def _places(self) -> list[int]:
        """Where the counts of every watch begin when all stand in a row, and how many there are."""
        return [0, *accumulate(len(counts) for counts in self.counts)]

    @cached_property
    def _screen(self) -> list[tuple[_Floats, _Places, _Floats, _Places]]:
        """For components of the same bets, weight and means: the logarithms of the weights, the places of the counts of
        each component, the logarithms of the factors of every count, and the components by index."""
        means = [float(self.family.mean(watch)) for watch in self.family.watches]
        alike: dict[tuple[int, fmpq, tuple[float, ...]], tuple[Component, list[list[int]], list[int]]] = {}
        for index, component in enumerate(self.family.components):
            values = [(i, value) for i in component.watches for value in range(len(self.counts[i]))]
            key = id(component.bets), component.weight, tuple(value - means[i] for i, value in values)
            places = [self._places[i] + value for i, value in values]
            _, together, members = alike.setdefault(key, (component, [], []))
            together.append(places)
            members.append(index)
        found = []
        for (_, weight, gains), (component, together, members) in alike.items():
            sizes = [int(b.p) / int(b.q) for b in component.bets.sizes]
            start = np.array([_log(weight * w) for w in component.bets.weights])
            found.append((start, np.array(together), np.log1p(np.outer(gains, sizes)), np.array(members)))
        return found

    def samples(self, component: Component, step: int = 0) -> list[Sample]:
        """The counts of a component's watches with their means; those with the same means (balls, for all that is known
        of them) in one."""
        found: dict[Hashable, tuple[list[int], arb]] = {}
        for i in component.watches:
            counts, mean = self.counts[i], self.family.mean(self.family.watches[i], step)
            key = len(counts), mean.mid().man_exp(), mean.rad().man_exp()
            known, _ = found.setdefault(key, ([0] * len(counts), mean))
            for value, times in enumerate(counts):
                known[value] += times
        return list(found.values())

    def wealth(self, component: Component, step: int = 0) -> arb:
        """The weighted wealth of a component, as a ball at precision `PRECISIONS[step]`."""
        with ctx.workprec(PRECISIONS[step]):
            return arb(component.weight * wealth(component.bets, self.samples(component, step)))

    def alarm(self, parts: tuple[str, ...]) -> Ordering:
        """The wealth of some parts against 1 / level: GREATER and EQUAL are alarms, UNDECIDED if no precision tells."""
        some = self._largest(parts)
        order = self._order(some[:FEW], 1)  # the others are never negative: if these suffice, all do
        if order in (Ordering.GREATER, Ordering.EQUAL):
            return order
        return self._order(some, len(PRECISIONS))

    def _order(self, components: Sequence[Component], steps: int) -> Ordering:
        order = Ordering.UNDECIDED
        for step, bits in enumerate(PRECISIONS[:steps]):
            with ctx.workprec(bits):
                total = sum((self.wealth(component, step) for component in components), arb(0))
                order = compare(total, self.family.threshold)
            if order is not Ordering.UNDECIDED:
                break
        return order

    def _largest(self, parts: tuple[str, ...]) -> list[Component]:
        """The components of some parts, the largest first, as floats see it."""
        logs = self._logs()
        chosen = [i for i, component in enumerate(self.family.components) if component.part in parts]
        return [self.family.components[i] for i in sorted(chosen, key=lambda i: -logs[i])]

    def strongest(self, parts: tuple[str, ...]) -> Component:
        """A component with the largest wealth, as floats see it. Raises `ValueError` for parts without any."""
        found = self._largest(parts)
        if not found:
            raise ValueError(parts)
        return found[0]

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


def _coincidences(held: Sequence[frozenset[int]], watch: Watch, first: _Places, second: _Places) -> _Places:
    """How many pairs hold 0, 1, ... of the watched events both times, given what every index holds."""
    table = np.array([[i in events for i in watch.events] for events in held], dtype=bool)
    if watch.most == 1:  # one event at most
        one = np.where(table.any(axis=1), table.argmax(axis=1), -1)
        values = ((one[first] == one[second]) & (one[first] >= 0)).astype(np.int64)
    elif len(held) <= SQUARE:
        both = table.astype(np.int64) @ table.T.astype(np.int64)
        values = both[first, second]
    else:
        values = (table[first] & table[second]).sum(axis=1)
    return np.bincount(values, minlength=watch.most + 1)


def _log(number: fmpq) -> float:
    return math.log(int(number.p)) - math.log(int(number.q))
