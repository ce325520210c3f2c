"""What a sequential audit watches: counts of events, the bets on them, and the weight of each in the whole."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import log

from flint import arb, fmpq

from dp_audit.exact_numbers import PRECISIONS
from dp_audit.judge.bets.martingale import Bets, center, ladder, spread
from dp_audit.oracles.base import Event, Oracle
from dp_audit.oracles.reference import require_few
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.scalar import Ordering, compare

LEVEL = fmpq(1, 10**6)
FAULT = fmpq(1, 100)
SHARES = {
    "together": fmpq(39, 50),
    "row": fmpq(3, 25),
    "single": fmpq(59, 1000),
    "pairs": fmpq(1, 50),
    "shifted": fmpq(1, 50),
}
"""The parts of the mixture: equally probable events at all inputs together, and at one input together; single events at
single inputs; coincidences of successive reports (first and second, third and fourth, ...; second and third, ...). A
fault of the mechanism shows at all inputs alike, so this has most; a part that has the share w needs ln(1/w) more in
the logarithm of the evidence. The rest, 1/1000 of the error level, is for the row `seed` of an audit of a process."""
LIKELIEST = fmpq(19, 20)
"""Of the part `together`: for the events that are most, and of what is left again as much for the next ones, ..."""

STILL = 2.0**-10
"""Slopes up to this one are those of events that do not depend on the budget (see `_slope`)."""
NEAR = fmpq(1, 2**128)
"""Bets are placed on probabilities this far from 0 and 1, at least."""


@dataclass(frozen=True)
class Watch:
    """A count watched at one input: how many of these events (indices into `Oracle.events`) hold for a report, and how
    many of those that are `missing` do not.

    `most` is the largest possible count: 1 if the events exclude each other. `pairs`: how many hold for both of two
    successive reports, sum of p^2 on average if reports are independent; the pairs begin after `offset` reports.
    """

    item: Item
    events: tuple[int, ...]
    most: int
    pairs: bool = False
    offset: int = 0
    missing: tuple[int, ...] = ()

    @cached_property
    def held_set(self) -> frozenset[int]:
        """Return the events that should hold."""
        return frozenset(self.events)

    @property
    def size(self) -> int:
        """Return how many events are watched."""
        return len(self.events) + len(self.missing)


@dataclass(frozen=True)
class Component:
    """The same bets on the counts of some watches (by index), and their weight in the whole."""

    part: str
    watches: tuple[int, ...]
    bets: Bets
    weight: fmpq


@dataclass(frozen=True)
class Family:
    """All watches and components for some inputs of an oracle. The weights of the components sum to at most 1.

    `level` is the error level of all statements of the family together. `certain` lists the events of probability 0 or
    1 by input and index: they need no bets.
    """

    oracle: Oracle
    inputs: tuple[Item, ...]
    level: fmpq
    fault: fmpq
    watches: tuple[Watch, ...]
    components: tuple[Component, ...]
    certain: Mapping[tuple[Item, int], bool]
    _events: dict[tuple[Item, int], tuple[Event, ...]] = field(default_factory=dict, repr=False, compare=False)
    _means: dict[tuple[Watch, int], arb] = field(default_factory=dict, repr=False, compare=False)

    @property
    def threshold(self) -> fmpq:
        """Return the wealth of the whole that is an alarm, 1 / level."""
        return 1 / self.level

    def events(self, item: Item, step: int = 0) -> tuple[Event, ...]:
        """Return the oracle's events of an input, with probabilities at precision `PRECISIONS[step]`."""
        key = item, step
        if key not in self._events:
            with precision(PRECISIONS[step]):
                self._events[key] = self.oracle.events(item)
        return self._events[key]

    def mean(self, watch: Watch, step: int = 0) -> arb:
        """Return the mean of a watched count under the oracle's law, as a ball at precision `PRECISIONS[step]`."""
        key = watch, step
        if key not in self._means:
            events = self.events(watch.item, step)
            with precision(PRECISIONS[step]):
                chosen = [arb(events[i].probability) for i in watch.events]
                chosen += [1 - arb(events[i].probability) for i in watch.missing]
                self._means[key] = sum((p * p if watch.pairs else p for p in chosen), arb(0))
        return self._means[key]

    def name(self, watch: Watch) -> str:
        """Return the names of the watched events, for people."""
        events = self.events(watch.item)
        held, missing = watch.events[:4], watch.missing[: max(0, 4 - len(watch.events))]
        names = [events[i].name for i in held] + [f"not {events[i].name}" for i in missing] + ["..."] * (watch.size > 4)
        return "the same event in two successive reports" if watch.pairs else ", ".join(names)


def family(oracle: Oracle, inputs: Iterable[Item] | None = None, level: fmpq = LEVEL, fault: fmpq = FAULT) -> Family:
    """Return the family that watches all events of the inputs (None: all) for relative faults >= `fault`, at an error
    level.

    Raises `DomainError` for a level outside (0, 1), a fault outside (0, 1], inputs that are none of the oracle's or
    twice the same or more than `MAX_INPUTS`, or an event whose probability cannot be told from 0 and 1.
    """
    _require("level", level, "in (0, 1)")
    _require("fault", fault, "in (0, 1]")
    chosen = oracle.inputs if inputs is None else tuple(inputs)
    require_few(chosen)
    if not chosen or len(set(chosen)) < len(chosen) or not set(chosen) <= set(oracle.inputs):
        raise DomainError("inputs", chosen, "some inputs of the oracle, none twice")
    empty = Family(oracle, chosen, level, fault, (), (), {})
    certain = {
        (x, i): value
        for x in chosen
        for i, event in enumerate(empty.events(x))
        if (value := _certainty(event)) is not None
    }
    groups = _groups(empty, certain)
    watches = tuple(dict.fromkeys(watch for part in groups.values() for group in part for watch in group))
    index = {watch: i for i, watch in enumerate(watches)}
    components = [
        Component(part, tuple(index[w] for w in group), _bets(empty, part, group), weight)
        for part, members in groups.items()
        for group, weight in zip(members, _weights(empty, part, members), strict=True)
    ]
    return Family(oracle, chosen, level, fault, watches, tuple(components), certain, empty._events)


def _groups(empty: Family, certain: Mapping[tuple[Item, int], bool]) -> dict[str, list[list[Watch]]]:
    """Return the watches of every component, by part."""
    single: list[list[Watch]] = []
    rows: list[list[Watch]] = []
    alike: dict[Hashable, list[Watch]] = {}
    pairs: dict[str, list[list[Watch]]] = {"pairs": [], "shifted": []}
    exclusive = empty.oracle.lists_outputs
    for x in empty.inputs:
        uncertain = [i for i, _ in enumerate(empty.events(x)) if (x, i) not in certain]
        single += [[Watch(x, (i,), 1)] for i in uncertain]
        if uncertain:
            for offset, part in enumerate(pairs.values()):
                part.append([Watch(x, tuple(uncertain), 1 if exclusive else len(uncertain), True, offset)])
        bits = [i for i in uncertain if i < empty.oracle.independent]
        for key, members in (*_independent(empty, x, bits), *_alike(empty, x, uncertain[len(bits) :])):
            alike.setdefault(key, []).extend(members)
            rows.append(members)
    together = [group for group in alike.values() if len(group) > 1 or group[0].size > 1]
    return {"together": together, "row": rows, "single": single, **pairs}


_Alike = list[tuple[Hashable, list[Watch]]]
"""Watches of an input that get the same bets, with what they have in common with those of other inputs."""


def _independent(empty: Family, x: Item, events: Sequence[int]) -> _Alike:
    """Return the watches of equally probable events that are independent: each a count of its own, as if it were a
    report. The wealth is the product over them, the likelihood ratio of all of them: its mean is 1 because the law is a
    product."""
    equal, turned = _equal(empty, x, events)
    watches: _Alike = [((key, "bits"), [Watch(x, (i,), 1) for i in members]) for key, members in equal.items()]
    for key, (held, missing) in turned.items():
        both = [Watch(x, (i,), 1) for i in held] + [Watch(x, (), 1, missing=(i,)) for i in missing]
        watches.append(((key, "turned bits"), both))
    return watches


def _alike(empty: Family, x: Item, events: Sequence[int]) -> _Alike:
    """Return the watches of equally probable events of other kinds, in one count. Those that do not exclude each other
    are also taken together with the complements of events that are as improbable."""
    equal, turned = _equal(empty, x, events)
    if empty.oracle.lists_outputs:
        if len(equal) in (1, 2):  # the largest is what is left of the other, or certain; the same one at all inputs
            equal.pop(max(equal, key=lambda key: (len(equal[key]), -float(key))))
        return [((key, len(members)), [Watch(x, tuple(members), 1)]) for key, members in equal.items()]
    watches: _Alike = [
        ((key, len(members)), [Watch(x, tuple(members), len(members))]) for key, members in equal.items()
    ]
    for key, (held, missing) in turned.items():
        size = len(held) + len(missing)
        watches.append(((key, size, "turned"), [Watch(x, tuple(held), size, missing=tuple(missing))]))
    return watches


def _equal(
    empty: Family, x: Item, events: Sequence[int]
) -> tuple[dict[str, list[int]], dict[str, tuple[list[int], list[int]]]]:
    """Return the events by probability, and by the smaller one of theirs and their complement's where both occur."""
    equal: dict[str, list[int]] = {}
    turned: dict[str, tuple[list[int], list[int]]] = {}
    for i in events:  # floats say which bets are made, not who wins
        p = float(arb(empty.events(x)[i].probability))
        equal.setdefault(f"{p:.12g}", []).append(i)
        turned.setdefault(f"{min(p, 1 - p):.12g}", ([], []))[p > 0.5].append(i)
    return equal, {key: both for key, both in turned.items() if all(both)}


def _bets(empty: Family, part: str, group: Sequence[Watch]) -> Bets:
    p = _probability(empty, group)
    most = max(watch.most for watch in group)
    if part in ("together", "row"):
        return spread(p, empty.fault, most, fmpq(round(abs(_slope(empty, group[0])) * 2**10), 2**10))
    return ladder(p, empty.fault, most)


def _probability(empty: Family, group: Sequence[Watch]) -> fmpq:
    most = max(watch.most for watch in group)
    means = [center(empty.mean(watch)) for watch in group]
    # The bets need p nearly, and inside (0, 1), where the center of a ball next to 1 can be 1.
    p = sum(means, fmpq(0)) / (most * len(means))
    return min(max(p, NEAR), 1 - NEAR)


def _slope(empty: Family, watch: Watch) -> float:
    """Return about d ln(p / (1 - p)) / dt of a watched event if the law is tempered: proportional to its (1 + t)-th
    power.

    This is what a budget that is off by the part t does to randomized response and to bits of their own.
    """
    events = [float(arb(event.probability)) for event in empty.events(watch.item)]
    chosen = events[watch.events[0]] if watch.events else 1 - events[watch.missing[0]]
    if not 0 < chosen < 1:
        return 0.0
    if not empty.oracle.lists_outputs:
        return log(chosen / (1 - chosen))
    rest = [p for i, p in enumerate(events) if i not in watch.events and p > 0]
    return log(chosen) - sum(p * log(p) for p in rest) / sum(rest) if rest else 0.0


def _weights(empty: Family, part: str, members: Sequence[Sequence[Watch]]) -> list[fmpq]:
    """Return even weights, but in the part `together`, and in the part `row` at every input: there bits that are
    independent come first; those that are at all inputs, then those that are most, then those that vary most and depend
    on the budget."""
    if part not in ("together", "row"):
        return [SHARES[part] / len(members) for _ in members]

    def rank(i: int) -> tuple[bool, bool, int, float]:
        group, p = members[i], float(arb(_probability(empty, members[i])))
        varying = p * (1 - p) if abs(_slope(empty, group[0])) > STILL else 0.0
        size, first = sum(watch.size for watch in group), (*group[0].events, *group[0].missing)[0]
        return {watch.item for watch in group} == set(empty.inputs), first < empty.oracle.independent, size, varying

    kinds: dict[Item, list[int]] = {}
    for i, group in enumerate(members):
        kinds.setdefault(group[0].item if part == "row" else 0, []).append(i)
    weights: dict[int, fmpq] = {}
    for chosen in kinds.values():
        left = SHARES[part] / len(kinds)
        for number, i in enumerate(sorted(chosen, key=rank, reverse=True), 1):
            weights[i] = left if number == len(chosen) else left * LIKELIEST
            left -= weights[i]
    return [weights[i] for i in range(len(members))]


def _certainty(event: Event) -> bool | None:
    orders = compare(event.probability, 0), compare(event.probability, 1)
    if Ordering.UNDECIDED in orders:
        raise DomainError("event", event.name, "an event whose probability can be told from 0 and 1")
    return True if orders[1] is Ordering.EQUAL else False if orders[0] is Ordering.EQUAL else None


def _require(name: str, value: object, allowed: str) -> None:
    inside = isinstance(value, fmpq) and compare(value, 0) is Ordering.GREATER
    if not inside or compare(value, 1) not in ((Ordering.LESS, Ordering.EQUAL) if "]" in allowed else (Ordering.LESS,)):
        raise DomainError(name, value, f"a rational number (fmpq) {allowed}")
