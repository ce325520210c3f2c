"""The reports of an unmodified run beside the oracle: which events held for them, with which probabilities."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from flint import arb, fmpq

from dp_audit.exact_numbers import PRECISIONS
from dp_audit.judge.rare_counts import Booleans, Integers
from dp_audit.observation.unmodified_run import Draws, UnmodifiedRun, raised
from dp_audit.oracles.base import Number, Oracle
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.precision import precision

MOST_EVENTS = 300


@dataclass(frozen=True)
class WatchedEvent:
    """An event: its name, whether it holds for each report (by code), its probability on each input."""

    name: str
    holds: Booleans
    chances: tuple[Number, ...]


@dataclass(frozen=True)
class Observation:
    """An unmodified run with its oracle, on the inputs of the run."""

    run: UnmodifiedRun
    oracle: Oracle

    @property
    def inputs(self) -> tuple[Item, ...]:
        """Return those that were used."""
        return self.run.inputs

    @cached_property
    def events(self) -> tuple[WatchedEvent, ...]:
        """Return the oracle's events, which have one name at all inputs; of very many the likeliest of each input."""
        with precision(PRECISIONS[0]):
            by_input = [{event.name: event for event in self.oracle.events(x)} for x in self.inputs]
            names = list(dict.fromkeys(name for events in by_input for name in events))
            if len(names) > MOST_EVENTS:
                each = max(1, MOST_EVENTS // len(by_input))
                likely = [sorted(events, key=lambda name: -float(arb(events[name].probability))) for events in by_input]
                names = list(dict.fromkeys(name for some in likely for name in some[:each]))
            watched = []
            for name in names:
                event = next(events[name] for events in by_input if name in events)
                holds = np.array([not raised(y) and bool(event.holds(y)) for y in self.run.reports], bool)
                chances = [events[name].probability if name in events else fmpq(0) for events in by_input]
                watched.append(WatchedEvent(name, holds, tuple(chances)))
        return tuple(watched)

    @cached_property
    def telling(self) -> tuple[int, ...]:
        """For every input the event that is likeliest on it in comparison with all inputs."""
        chances = np.array([[float(arb(p)) for p in event.chances] for event in self.events])
        return tuple(int(i) for i in np.argmax(chances / np.maximum(chances.mean(axis=1, keepdims=True), 1e-300), 0))

    def tells(self, items: Integers, codes: Integers) -> Booleans:
        """Return whether the telling event of the item held holds for the report."""
        table = np.array([self.events[i].holds for i in self.telling])
        return np.asarray(table[items, codes])

    @property
    def told(self) -> tuple[Number, ...]:
        """Return the probability of the telling event, by input."""
        return tuple(self.events[event].chances[x] for x, event in enumerate(self.telling))

    @cached_property
    def alike(self) -> tuple[Number, ...]:
        """By input the probability that two reports are the same; or that the telling event holds for both or none."""
        with precision(PRECISIONS[0]):
            if self.compares_reports:
                return tuple(
                    sum((arb(event.chances[x]) ** 2 for event in self.events), arb(0)) for x in range(len(self.inputs))
                )
            return tuple(arb(p) ** 2 + (1 - arb(p)) ** 2 for p in self.told)

    @property
    def compares_reports(self) -> bool:
        """Whether the events are all single reports."""
        return self.oracle.lists_outputs and len(self.events) < MOST_EVENTS

    def draws(self, *phases: str) -> Iterator[Draws]:
        """Give those of some phases, in their order."""
        return (draws for draws in self.run.draws if draws.phase in phases)

    def items_of(self, draws: Draws) -> Integers:
        """Return the item of each of these reports, as an index."""
        numbers = draws.item + draws.step * np.arange(len(draws.codes), dtype=np.int64)
        return np.asarray(numbers % len(self.inputs))

    def flat(self, *phases: str) -> tuple[Integers, Integers]:
        """Return the items and the codes of all reports of some phases."""
        chosen = list(self.draws(*phases))
        if not chosen:
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        return np.concatenate([self.items_of(d) for d in chosen]), _codes([c for d in chosen for c in d.codes])

    def impossible(self, item: int, code: int) -> bool:
        """Return whether the mechanism never answers this on this input (no exception, either)."""
        report = self.run.reports[code]
        if raised(report):
            return True
        if self.oracle.lists_outputs:
            return report not in self._outputs[item]
        return not self.oracle.possible_on(self.inputs[item], report)

    def possible(self, code: int) -> bool:
        """Return whether some input of the run can lead to a report."""
        return any(not self.impossible(item, code) for item in range(len(self.inputs)))

    @cached_property
    def _outputs(self) -> tuple[frozenset[Hashable], ...]:
        """Return by input what the mechanism can answer."""
        with precision(PRECISIONS[0]):
            return tuple(frozenset(self.oracle.law(x)) for x in self.inputs)


def _codes(codes: Sequence[int]) -> Integers:
    return np.array(codes, np.int64)
