"""Mechanisms that keep something for every value: what is kept, and the laws of several reports of one client."""

from abc import abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from flint import fmpq

from dp_audit.oracles.base import Number, Oracle, exact_sum, multiplied
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.scalar import Ordering, compare

LASTING = "lasting epsilon"
"""The figure of a row about what is kept: the nominal budget of all reports on one value."""


@dataclass(frozen=True)
class Chain:
    """What is watched of the reports on one value: a symbol 0, 1, ... of each, drawn independently from what is kept.

    `kept` are the probabilities of the states that are kept, `emissions` for every state those of the symbols.
    """

    symbol: Callable[[Hashable], int]
    kept: tuple[Number, ...]
    emissions: tuple[tuple[Number, ...], ...]

    @property
    def symbols(self) -> tuple[Number, ...]:
        """The probabilities of the symbols of one report."""
        return tuple(
            exact_sum(p * law[s] for p, law in zip(self.kept, self.emissions, strict=True))
            for s in range(len(self.emissions[0]))
        )


Joint = Callable[[Sequence[Hashable]], Number]
"""The probability of reports of one client, in their order."""


class Memoized(Oracle):
    """A mechanism that draws something once for a value and keeps it; every report on the value is drawn from that."""

    def apart(self, items: Sequence[Item]) -> bool:
        """Return whether what is kept for those of these values that differ is independent, given what a client may
        keep for all of them."""
        return True

    @property
    def shares(self) -> bool:
        """Whether a client may keep a part of its reports for all values, or draw it for every value: `common`."""
        return False

    def common(self, report: Any) -> Hashable:
        """Return the part of a report that a client may keep for all values; its law is the same for all."""
        return None

    @abstractmethod
    def lasting_privacy(self) -> Number:
        """Return the nominal bound e^epsilon on everything that is ever reported about one value."""

    @abstractmethod
    def kept_law(self, item: Item) -> Mapping[Hashable, Number]:
        """Return the law of what is kept for an item."""

    @abstractmethod
    def report_law(self, kept: Hashable) -> Mapping[Hashable, Number]:
        """Return the law of a report, given what is kept."""

    @abstractmethod
    def chain(self, item: Item) -> Chain:
        """Return what is watched of the reports on an item, where these are too many to be listed."""

    def joints(self, items: Sequence[Item]) -> tuple[Joint, ...]:
        """Return the probabilities of reports of one client that is used for `items` in turn: one for every way in
        which what is kept for different values may depend on each other, none where that is not stated."""
        if not self.apart(items):
            return ()
        several = self.shares and len({*items}) > 1
        return (self.joint(items), self.joint_in_common(items)) if several else (self.joint(items),)

    def joint_in_common(self, items: Sequence[Item]) -> Joint:
        """Return the probability of reports of one client that keeps what is `common` for all values: reports on
        different values are independent given it."""
        values = tuple(dict.fromkeys(items))
        own = {x: self.joint([item for item in items if item == x]) for x in values}
        parts: dict[Hashable, Number] = {}
        for report, p in self.law(values[0]).items():
            part = self.common(report)
            parts[part] = parts.get(part, fmpq(0)) + p

        def chance(reports: Sequence[Hashable]) -> Number:
            told = {x: [y for item, y in zip(items, reports, strict=True) if item == x] for x in values}
            alone = multiplied(own[x](told[x]) for x in values)
            if compare(alone, 0) is Ordering.EQUAL:
                return fmpq(0)
            first, *others = {self.common(report) for report in reports}
            return fmpq(0) if others else alone / parts[first] ** (len(values) - 1)

        return chance

    def joint(self, items: Sequence[Item]) -> Joint:
        """Return the probability of reports of one client that is used for `items` in turn and draws everything for a
        value: equal items share what is kept."""
        rounds = {x: [(p, self.report_law(z)) for z, p in self.kept_law(x).items()] for x in dict.fromkeys(items)}

        def chance(reports: Sequence[Hashable]) -> Number:
            total: Number = fmpq(1)
            for x, states in rounds.items():
                own = [y for item, y in zip(items, reports, strict=True) if item == x]
                total = total * exact_sum(p * multiplied([law.get(y, fmpq(0)) for y in own]) for p, law in states)
            return total

        return chance

    def joint_law(self, items: Sequence[Item]) -> Mapping[Hashable, Number]:
        """Return the law of the tuple of these reports: all that are possible."""
        chance = self.joint(items)
        law = {reports: chance(reports) for reports in product(*(self.law(x) for x in items))}
        return {reports: p for reports, p in law.items() if compare(p, 0) is not Ordering.EQUAL}


class Permanent(Memoized):
    """A mechanism whose report is itself what is kept: a client reports the same on one value for ever."""

    def lasting_privacy(self) -> Number:
        """Return the bound e^epsilon of one report, which is all that is ever told."""
        return self.privacy()

    def kept_law(self, item: Item) -> Mapping[Hashable, Number]:
        """Return the law of one report, which is what is kept."""
        return self.law(item)

    def report_law(self, kept: Hashable) -> Mapping[Hashable, Number]:
        """Return the report that is kept, with probability 1."""
        return {kept: fmpq(1)}


def unchanging(symbol: Callable[[Hashable], int], chances: Sequence[Number]) -> Chain:
    """Return the chain of a report that is kept: every symbol is a state."""
    emissions = tuple(tuple(fmpq(s == z) for s in range(len(chances))) for z in range(len(chances)))
    return Chain(symbol, tuple(chances), emissions)
