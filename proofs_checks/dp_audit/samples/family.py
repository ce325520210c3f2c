"""What a sequential audit watches: counts of events, the bets on them, and the weight of each in the whole."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field

from flint import arb, ctx, fmpq

from dp_audit.figures import PRECISIONS
from dp_audit.oracles.base import Event, Oracle
from dp_audit.samples.bets import Bets, center, ladder
from dp_audit.subject import require_few
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.scalar import Ordering, compare

LEVEL = fmpq(1, 10**6)
FAULT = fmpq(1, 100)
SHARES = {"single": fmpq(449, 1000), "together": fmpq(9, 20), "pairs": fmpq(1, 20), "shifted": fmpq(1, 20)}
"""The parts of the mixture: single events at single inputs; equally probable events at all inputs together;
coincidences of successive reports (first and second, third and fourth, ...; second and third, ...). The rest, 1/1000 of
the error level, is for the row `seed` of an audit of a process."""


NEAR = fmpq(1, 2**128)
"""Bets are placed on probabilities this far from 0 and 1, at least."""


@dataclass(frozen=True)
class Watch:
    """A count watched at one input: how many of these events (indices into `Oracle.events`) hold for a report.

    `most` is the largest possible count: 1 if the events exclude each other. `pairs`: how many hold for both of two
    successive reports, sum of p^2 on average if reports are independent; the pairs begin after `offset` reports.
    """

    item: Item
    events: tuple[int, ...]
    most: int
    pairs: bool = False
    offset: int = 0


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

    @property
    def threshold(self) -> fmpq:
        """The wealth of the whole that is an alarm: 1 / level."""
        return 1 / self.level

    def events(self, item: Item, step: int = 0) -> tuple[Event, ...]:
        """The oracle's events of an input, their probabilities at precision `PRECISIONS[step]`."""
        key = item, step
        if key not in self._events:
            with ctx.workprec(PRECISIONS[step]):
                self._events[key] = self.oracle.events(item)
        return self._events[key]

    def mean(self, watch: Watch, step: int = 0) -> arb:
        """Mean of a watched count under the oracle's law, as a ball at precision `PRECISIONS[step]`."""
        events = self.events(watch.item, step)
        with ctx.workprec(PRECISIONS[step]):
            chosen = [arb(events[i].probability) for i in watch.events]
            return sum((p * p if watch.pairs else p for p in chosen), arb(0))

    def name(self, watch: Watch) -> str:
        """The watched events, for people."""
        events = self.events(watch.item)
        names = [events[i].name for i in watch.events[:4]] + ["..."] * (len(watch.events) > 4)
        return "the same event in two successive reports" if watch.pairs else ", ".join(names)


def family(oracle: Oracle, inputs: Iterable[Item] | None = None, level: fmpq = LEVEL, fault: fmpq = FAULT) -> Family:
    """The family that watches all events of the inputs (None: all) for relative faults >= `fault`, at an error level.

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
        Component(part, tuple(index[w] for w in group), _bets(empty, group), SHARES[part] / len(members))
        for part, members in groups.items()
        for group in members
    ]
    return Family(oracle, chosen, level, fault, watches, tuple(components), certain, empty._events)


def _groups(empty: Family, certain: Mapping[tuple[Item, int], bool]) -> dict[str, list[list[Watch]]]:
    """The watches of every component, by part."""
    single: list[list[Watch]] = []
    alike: dict[Hashable, list[Watch]] = {}
    pairs: dict[str, list[list[Watch]]] = {"pairs": [], "shifted": []}
    exclusive = empty.oracle.lists_outputs
    for x in empty.inputs:
        equal: dict[str, list[int]] = {}
        for i, event in enumerate(empty.events(x)):
            if (x, i) not in certain:
                single.append([Watch(x, (i,), 1)])
                equal.setdefault(f"{float(arb(event.probability)):.12g}", []).append(i)  # which bets, not who wins
        known = tuple(i for members in equal.values() for i in members)
        if known:
            for offset, part in enumerate(pairs.values()):
                part.append([Watch(x, known, 1 if exclusive else len(known), True, offset)])
        if exclusive and len(equal) in (1, 2):  # the largest is what is left of the other, or certain
            equal.pop(max(equal, key=lambda key: len(equal[key])))
        for key, members in equal.items():
            most = 1 if exclusive else len(members)
            alike.setdefault((key, len(members)), []).append(Watch(x, tuple(members), most))
    together = [group for group in alike.values() if len(group) > 1 or len(group[0].events) > 1]
    return {"single": single, "together": together, **pairs}


def _bets(empty: Family, group: list[Watch]) -> Bets:
    most = max(watch.most for watch in group)
    means = [center(empty.mean(watch)) for watch in group]
    # The bets need p nearly, and inside (0, 1), where the center of a ball next to 1 can be 1.
    p = sum(means, fmpq(0)) / (most * len(means))
    return ladder(min(max(p, NEAR), 1 - NEAR), empty.fault, most)


def _certainty(event: Event) -> bool | None:
    orders = compare(event.probability, 0), compare(event.probability, 1)
    if Ordering.UNDECIDED in orders:
        raise DomainError("event", event.name, "an event whose probability can be told from 0 and 1")
    return True if orders[1] is Ordering.EQUAL else False if orders[0] is Ordering.EQUAL else None


def _require(name: str, value: object, allowed: str) -> None:
    inside = isinstance(value, fmpq) and compare(value, 0) is Ordering.GREATER
    if not inside or compare(value, 1) not in ((Ordering.LESS, Ordering.EQUAL) if "]" in allowed else (Ordering.LESS,)):
        raise DomainError(name, value, f"a rational number (fmpq) {allowed}")
