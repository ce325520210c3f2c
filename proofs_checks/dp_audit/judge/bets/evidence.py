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
from functools import cached_property, lru_cache
from itertools import pairwise

import numpy as np
from flint import arb, fmpq

from dp_audit.exact_numbers import PRECISIONS
from dp_audit.judge.bets.bit_counts import BitCounts, Bits, of_inputs, row_width, together
from dp_audit.judge.bets.martingale import Bets, Sample, factors, logarithm, wealth
from dp_audit.judge.bets.output_events import Features, Outputs, Places
from dp_audit.judge.bets.watches import Component, Family
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.integers import is_integer
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.scalar import Ordering, compare

OFFSETS = (0, 1)
"""Where pairs of successive reports begin."""
NEAR = 2.0**-6
"""Natural logarithm of the margin at which floats stop screening and balls decide: far more than what rounding does to
the logarithms of a billion reports. An alarm that they overlooked would be raised at the next look."""
MOST = 1 << 50
"""Reports on an input."""
FEW = 8
"""Components that are asked first whether they suffice for an alarm."""
Held = frozenset[int]
_Floats = np.ndarray[tuple[int, ...], np.dtype[np.float64]]

_ONES = np.array([byte.bit_count() for byte in range(256)], np.int64)


class Evidence:
    """The counts of a family's watches, and what they prove. Not for several threads."""

    def __init__(self, family: Family) -> None:
        self.family = family
        self.reports: dict[Item, int] = dict.fromkeys(family.inputs, 0)
        self.impossible: dict[tuple[Item, Hashable], int] = {}
        self._outputs = Outputs(family)
        self._places, self._pairs = self._outputs.places, self._outputs.pairs
        self._flat: Places = np.zeros(self._places[-1], np.int64)
        self._counts: list[list[int]] | None = None
        self._numbers = {item: i for i, item in enumerate(family.inputs)}
        self._most = max((watch.most for _, watch in self._pairs.values()), default=1)
        self._waiting: dict[tuple[Item, int], Held | None] = {}

    @property
    def counts(self) -> list[list[int]]:
        """Return how often each watch had the values 0, 1, ..."""
        if self._counts is None:
            flat = self._flat.tolist()
            self._counts = [flat[a:b] for a, b in pairwise(self._places)]
        return self._counts

    def add(self, item: Item, output: Hashable, times: int = 1) -> None:
        """Add reports on an item that were all this output. Raises `DomainError` for an unknown item, or times that are
        negative or more than `MOST` in all."""
        if item not in self.reports:
            raise DomainError("input", item, "an input of the audit")
        if not is_integer(times, 0, MOST - self.reports[item]):
            raise DomainError("times", times, f"an integer >= 0, at most {MOST} in all")
        features = self._noted(item, output, times)
        self.reports[item] += times
        self._flat[features.places] += times
        self._counts = None

    def add_in_order(self, item: Item, outputs: Iterable[Hashable]) -> None:
        """Add successive reports on an item, and count their pairs: first and second, third and fourth, ..., and (the
        part `shifted`) second and third, ..."""
        code_of: dict[Hashable, int] = {}
        codes = np.array([code_of.setdefault(output, len(code_of)) for output in outputs], np.int64)
        self.add_coded([(item, output) for output in code_of], codes)

    def add_coded(self, pairs: Sequence[tuple[Item, Hashable]], codes: Places) -> None:
        """Add successive reports, each an index into some (input, output) pairs; on every input as `add_in_order`.

        Raises `DomainError` for an unknown input.
        """
        if not len(codes):
            return
        times = np.bincount(codes, minlength=len(pairs))
        present = np.flatnonzero(times)
        chosen = [pairs[code] for code in present.tolist()]
        for item, _ in chosen:
            if item not in self.reports:
                raise DomainError("input", item, "an input of the audit")
        times = times[present]
        features = [self._noted(*pair, number) for pair, number in zip(chosen, times.tolist(), strict=True)]
        inputs = np.array([self._numbers[item] for item, _ in chosen])
        for item, more in zip(self.reports, np.bincount(inputs, times, len(self._numbers)).tolist(), strict=True):
            self.reports[item] += int(more)
        places = np.concatenate([one.places for one in features])
        each = np.repeat(times, [len(one.places) for one in features])
        self._flat += np.bincount(places, each, len(self._flat)).astype(np.int64)  # exact: less than 2^53
        self._counts = None
        new = np.zeros(len(pairs), np.int64)
        new[present] = np.arange(len(present))
        self._add_pairs(features, inputs, new[codes])

    @cached_property
    def row_width(self) -> int:
        """Return how many bits a report must have for `add_bits`; 0 if it takes none."""
        return row_width(self.family)

    def add_bits(self, inputs: Places, bits: Bits) -> None:
        """Add successive reports that are rows of `row_width` bits: the number of each one's input among those of the
        family, and an array of bytes 0 and 1 with a row for each bit; on every input as `add_in_order`."""
        order, spans = of_inputs(inputs, len(self._numbers))
        ordered = np.take(bits, order, axis=1)
        held = self._bits.held(ordered)
        for item, (start, stop) in zip(self._numbers, spans, strict=True):
            if start == stop:
                continue
            mine = held[:, start:stop]
            self.reports[item] += stop - start
            self._bits.add(self._flat, item, mine)
            if (item, 0) in self._pairs:
                _, watch = self._pairs[item, 0]
                watched = mine if len(watch.events) == len(mine) else mine[list(watch.events)]
                both = together(watched[:, :-1] & watched[:, 1:])
                pairs = np.array([np.bincount(both[i::2], minlength=watch.most + 1) for i in OFFSETS])
                first, last = (frozenset(np.flatnonzero(mine[:, i]).tolist()) for i in (0, -1))
                self._extend_pairs(item, stop - start, pairs, first, last)
        self._counts = None

    @cached_property
    def _bits(self) -> BitCounts:
        return BitCounts(self.family, self._places)

    def _add_pairs(self, features: Sequence[Features], inputs: Places, codes: Places) -> None:
        """Add the pairs of successive reports: indices into outputs, which were seen on inputs (by number)."""
        small = inputs.astype(np.int16) if len(self._numbers) < 1 << 15 else inputs  # sorted by radix
        ordered = codes[np.argsort(small[codes], kind="stable")]
        of_input = inputs[ordered]
        lengths = np.bincount(of_input, minlength=len(self._numbers))
        starts = np.cumsum(lengths) - lengths
        odd = (np.arange(len(ordered)) - starts[of_input]) % 2
        key = (2 * of_input + odd)[:-1] * (self._most + 1) + self._coincidences(features, ordered)
        inside = of_input[:-1] == of_input[1:]
        pairs = np.bincount(key[inside], minlength=2 * len(self._numbers) * (self._most + 1))
        pairs = pairs.reshape(len(self._numbers), 2, self._most + 1)
        ends = zip(self._numbers.items(), starts.tolist(), lengths.tolist(), strict=True)
        for (item, number), start, length in ends:
            if length:
                first, last = features[ordered[start]], features[ordered[start + length - 1]]
                self._extend_pairs(item, length, pairs[number], first.held, last.held)

    def _extend_pairs(self, item: Item, length: int, pairs: Places, first: Held, last: Held) -> None:
        """Count the pairs of so many more reports on an input. `pairs`: how often successive ones have 0, 1, ... events
        in common, where the pairs begin with the first and with the second one; `first`, `last`: what holds for these
        reports."""
        for offset in OFFSETS:
            if (item, offset) in self._pairs:
                begin = self._begin(item, offset, first)
                place, watch = self._pairs[item, offset]
                self._flat[place : place + watch.most + 1] += pairs[begin, : watch.most + 1]
                self._waiting[item, offset] = last if (length - begin) % 2 else None

    def _begin(self, item: Item, offset: int, first: Held) -> int:
        """Return whether the pairs among the next reports begin at their first (0) or second one: the first one
        completes a pair if another report waits for it, and belongs to none if so many are to be skipped."""
        waiting = self._waiting.get((item, offset))
        if waiting is not None:
            place, watch = self._pairs[item, offset]
            self._flat[place + len(waiting & first & watch.held_set)] += 1
            return 1
        return 0 if (item, offset) in self._waiting else offset

    def _coincidences(self, features: Sequence[Features], ordered: Places) -> Places:
        """Return for each two successive outputs how many watched events hold for both."""
        if self._most == 1:  # one event at most
            one = np.array([output.first for output in features])[ordered]
            same: Places = ((one[:-1] == one[1:]) & (one[:-1] >= 0)).astype(np.int64)
            return same
        width = max(len(output.bits) for output in features)
        bits = np.frombuffer(b"".join(output.bits.ljust(width, b"\0") for output in features), np.uint8)
        rows = bits.reshape(len(features), width)[ordered]
        both: Places = _ONES[rows[:-1] & rows[1:]].sum(axis=1)
        return both

    def _noted(self, item: Item, output: Hashable, times: int) -> Features:
        """Return what an output shows; remember it if it is impossible."""
        features = self._outputs.look(item, output)
        if times and not features.possible:
            view = self.family.oracle.view_of(output)
            self.impossible[item, view] = self.impossible.get((item, view), 0) + times
        return features

    def seems_enough(self) -> bool:
        """Return whether floats see an alarm near. They only save time while reports are read: `alarm` decides."""
        return bool(self.impossible) or self.log_evidence() > self.enough - NEAR

    @cached_property
    def enough(self) -> float:
        """Return about the natural logarithm of the evidence that is an alarm."""
        return -logarithm(self.family.level)

    def log_evidence(self) -> float:
        """Return about the natural logarithm of the whole evidence; -infinity without any bets."""
        if not self._screen:
            return -math.inf
        logs = self._logs()
        top = float(logs.max())
        return top + math.log(np.exp(logs - top).sum())

    def _logs(self) -> _Floats:
        """Return about the logarithm of the weighted wealth of every component."""
        flat = self._flat.astype(np.float64)
        log_wealth = np.full(len(self.family.components), -math.inf)
        for start, places, gains, members in self._screen:
            logs = start + flat[places] @ gains
            top = logs.max(axis=1)
            log_wealth[members] = top + np.log(np.exp(logs - top[:, None]).sum(axis=1))
        return log_wealth

    @cached_property
    def _screen(self) -> list[tuple[_Floats, Places, _Floats, Places]]:
        """For components of the same bets, weight and means: the logarithms of the weights, the places of the counts of
        each component, the logarithms of the factors of every count, and the components by index."""
        means = [float(self.family.mean(watch)) for watch in self.family.watches]
        alike: dict[tuple[int, fmpq, tuple[float, ...]], tuple[Component, list[list[int]], list[int]]] = {}
        for index, component in enumerate(self.family.components):
            values = [(i, value) for i in component.watches for value in range(self.family.watches[i].most + 1)]
            key = id(component.bets), component.weight, tuple(value - means[i] for i, value in values)
            places = [self._places[i] + value for i, value in values]
            _, together, members = alike.setdefault(key, (component, [], []))
            together.append(places)
            members.append(index)
        groups = []
        for (_, weight, gains), (component, together, members) in alike.items():
            sizes = [int(b.p) / int(b.q) for b in component.bets.sizes]
            start = np.array([logarithm(weight * w) for w in component.bets.weights])
            groups.append((start, np.array(together), np.log1p(np.outer(gains, sizes)), np.array(members)))
        return groups

    def samples(self, component: Component, step: int = 0) -> list[Sample]:
        """Return the counts of a component's watches with their means; those with the same means (balls, for all that
        is known of them) in one."""
        samples: dict[Hashable, tuple[list[int], arb]] = {}
        for i in component.watches:
            counts, mean = self.counts[i], self.family.mean(self.family.watches[i], step)
            key = len(counts), mean.mid().man_exp(), mean.rad().man_exp()
            total, _ = samples.setdefault(key, ([0] * len(counts), mean))
            for value, times in enumerate(counts):
                total[value] += times
        return list(samples.values())

    def wealth(self, component: Component, step: int = 0) -> arb:
        """Return the weighted wealth of a component, as a ball at precision `PRECISIONS[step]`."""
        with precision(PRECISIONS[step]):
            return arb(component.weight * wealth(component.bets, self.samples(component, step)))

    def alarm(self, parts: tuple[str, ...]) -> Ordering:
        """Return the wealth of some parts against 1 / level: GREATER and EQUAL are alarms, UNDECIDED if no precision
        tells."""
        some = self._largest(parts)
        order = self._order(some[:FEW], 1)  # the others are never negative: if these suffice, all do
        if order in (Ordering.GREATER, Ordering.EQUAL):
            return order
        return self._order(some, len(PRECISIONS))

    def _order(self, components: Sequence[Component], steps: int) -> Ordering:
        order = Ordering.UNDECIDED
        for step, bits in enumerate(PRECISIONS[:steps]):
            with precision(bits):
                total = sum((self.wealth(component, step) for component in components), arb(0))
                order = compare(total, self.family.threshold)
            if order is not Ordering.UNDECIDED:
                break
        return order

    def _largest(self, parts: tuple[str, ...]) -> list[Component]:
        """Return the components of some parts, those with the largest wealth (in floats) first."""
        logs = self._logs()
        chosen = [i for i, component in enumerate(self.family.components) if component.part in parts]
        return [self.family.components[i] for i in sorted(chosen, key=lambda i: -logs[i])]

    def strongest(self, parts: tuple[str, ...]) -> Component:
        """Return a component whose wealth in floats is largest. Raises `ValueError` for parts without any."""
        components = self._largest(parts)
        if not components:
            raise ValueError(parts)
        return components[0]

    def interval(self, component: Component) -> tuple[fmpq, fmpq]:
        """Return the factors f for which "the true means are f times the oracle's" is not refuted (see the module)."""
        samples = self.samples(component)
        with precision(PRECISIONS[0]):
            return factors(component.bets, samples, self.family.threshold / component.weight)

    def probability(self, component: Component) -> tuple[fmpq, fmpq]:
        """Return an interval that holds the probability of the event of a component of the part `single`."""
        counts = self.counts[component.watches[0]]
        return _probability(component.bets, (counts[0], counts[1]), self.family.threshold / component.weight)


@lru_cache(maxsize=1 << 16)
def _probability(bets: Bets, counts: tuple[int, int], threshold: fmpq) -> tuple[fmpq, fmpq]:
    with precision(PRECISIONS[0]):
        return factors(bets, [(counts, arb(1))], threshold, fmpq(1))
