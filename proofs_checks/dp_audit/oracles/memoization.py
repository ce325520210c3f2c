"""Mechanisms that keep something for every value: what is kept, and the laws of several reports of one client."""

from abc import abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

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


class Memoized(Oracle):
    """A mechanism that draws something once for a value and keeps it; every report on the value is drawn from that."""

    def apart(self, items: Sequence[Item]) -> bool:
        """Return whether what is kept for those of these values that differ is independent, as is stated."""
        return True

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

    def joint(self, items: Sequence[Item]) -> Callable[[Sequence[Hashable]], Number]:
        """Return the probability of reports of one client that is used for `items` in turn: equal items share what is
        kept."""
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

    def apart(self, items: Sequence[Item]) -> bool:
        """Return whether they are one value: what a client keeps for all of them is part of the report."""
        return len({*items}) < 2

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
