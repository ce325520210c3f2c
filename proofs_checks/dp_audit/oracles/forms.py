"""Forms of reports: which reports there are, which items one supports, and what is watched where they are many."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

from flint import arb, fmpq

from dp_audit.oracles.additive import LISTED, both, digits, is_tuple
from dp_audit.oracles.base import Event, Number, Ones, exact_sum
from dp_refimpl.frequency.hadamard import hadamard_entry
from dp_spec.vocabulary.precision import precision

USUAL_BITS = 64
"""The precision at which it is chosen which numbers of set bits are usual."""


@dataclass(frozen=True)
class Form(ABC):
    """The form of reports on d items; `word` is what is said of an item that is supported."""

    d: int
    word: ClassVar[str] = "supports"

    @property
    @abstractmethod
    def reports(self) -> int:
        """The number of possible reports."""

    @property
    def listed(self) -> bool:
        """Whether all single reports are watched."""
        return self.reports <= LISTED

    @abstractmethod
    def possible(self, output: Hashable) -> bool:
        """Return whether an output is a report."""

    @abstractmethod
    def supports(self, report: Any, item: int) -> bool:
        """Return whether a report counts for the item; an impossible one does not."""

    def supporting(self, item: int) -> Callable[[Hashable], bool]:
        """Return the test of the event that a report supports the item."""
        return lambda report: self.supports(report, item)

    def agreement(self, held: int, item: int) -> int:
        """Return by how much a report on `held` is one on `item`: 1 or 0."""
        return int(held == item)

    def watched(self, held: int, p: Number, q: Number) -> tuple[Event, ...]:
        """Return the events watched beside the support of every item, for the report of a user who holds `held`:
        none."""
        return ()


class Items(Form):
    """A report is an item, and supports it."""

    listed = True

    @property
    def reports(self) -> int:
        """The number of possible reports, d."""
        return self.d

    def possible(self, output: Hashable) -> bool:
        """Return whether the output is an item."""
        return output in range(self.d)

    def supports(self, report: Any, item: int) -> bool:
        """Return whether the report is the item."""
        return bool(report == item)


@dataclass(frozen=True)
class Vector(Form):
    """A report is d independent entries, 1 or `low`; a 1 supports the item: p for the item held, q for the others."""

    low: int = 0
    listed = False
    word = "bit"

    @property
    def reports(self) -> int:
        """The number of possible reports, 2^d."""
        return int(2**self.d)

    def possible(self, output: Hashable) -> bool:
        """Return whether the output is a tuple of d entries, each 1 or `low`."""
        return isinstance(output, tuple) and len(output) == self.d and all(entry in (self.low, 1) for entry in output)

    def supports(self, report: Any, item: int) -> bool:
        """Return whether the entry of the item is 1."""
        return isinstance(report, tuple) and len(report) == self.d and bool(report[item] == 1)

    def watched(self, held: int, p: Number, q: Number) -> tuple[Event, ...]:
        """Return the events that two neighboring entries are both 1, and that about the mean number of entries is (a
        coin that some of them share would change one of these)."""
        return (*self.pairs([held], p, q), self._usual(p, q))

    def pairs(self, ones: Collection[int], p: Number, q: Number) -> list[Event]:
        """Return the events that two neighboring entries are both 1; p is the chance where `ones` are held."""
        chance = [p if x in ones else q for x in range(self.d)]
        tests = [self.supporting(x) for x in range(self.d)]
        return [
            Event(f"bits {x}, {y}", both(tests[x], tests[y]), chance[x] * chance[y], ones=Ones((x, y), 2, 2))
            for x, y in pairwise(range(self.d))
        ]

    def _usual(self, p: Number, q: Number) -> Event:
        """Return the event that the number of ones is at most a standard deviation from its mean; some number is, and
        some is not."""
        with precision(USUAL_BITS):  # the same event at any precision
            a, b = float(arb(p)), float(arb(q))
        mean, deviation = a + (self.d - 1) * b, math.sqrt(a * (1 - a) + (self.d - 1) * b * (1 - b))
        low = max(min(math.ceil(mean - deviation), round(mean)), 0)
        high = max(min(math.floor(mean + deviation), self.d), low)
        low += (low, high) == (0, self.d)
        chance = exact_sum([self._ones(k, p, q) for k in range(low, high + 1)])

        def usual(report: Hashable) -> bool:
            return self.possible(report) and low <= number_of_ones(report) <= high

        return Event(f"{low} to {high} bits", usual, chance, ones=Ones(tuple(range(self.d)), low, high))

    def _ones(self, k: int, p: Number, q: Number) -> Number:
        """Return the probability of k ones, with or without the one of the item held."""
        others, probability = self.d - 1, exact_sum([])
        if k:
            probability = probability + p * math.comb(others, k - 1) * q ** (k - 1) * (1 - q) ** (others - k + 1)
        if k <= others:
            probability = probability + (1 - p) * math.comb(others, k) * q**k * (1 - q) ** (others - k)
        return probability


def number_of_ones(report: Hashable) -> int:
    """Return how many entries of a vector are 1."""
    return report.count(1) if isinstance(report, tuple) else 0


@dataclass(frozen=True)
class Subsets(Form):
    """A report is a set of k items, uniform given whether it has the item held; it supports its items."""

    k: int
    listed = False
    word = "item"

    @property
    def reports(self) -> int:
        """The number of possible reports, d choose k."""
        return math.comb(self.d, self.k)

    def possible(self, output: Hashable) -> bool:
        """Return whether the output is a set of k items."""
        return isinstance(output, frozenset) and len(output) == self.k and all(x in range(self.d) for x in output)

    def supports(self, report: Any, item: int) -> bool:
        """Return whether the item is in the set."""
        return isinstance(report, frozenset) and len(report) == self.k and item in report

    def watched(self, held: int, p: Number, q: Number) -> tuple[Event, ...]:
        """Return the events that two neighboring items are in the set, if k > 1."""
        return tuple(
            Event(f"items {x}, {y}", both(self.supporting(x), self.supporting(y)), self._together(held in (x, y), p))
            for x, y in pairwise(range(self.d))
            if self.k > 1
        )

    def _together(self, held: bool, p: Number) -> Number:
        """Return the probability that two items are in the set, with the item held among them or not."""
        k, others = self.k, self.d - 1
        if held:
            return p * fmpq(k - 1, others)
        return p * fmpq((k - 1) * (k - 2), others * (others - 1)) + (1 - p) * fmpq(k * (k - 1), others * (others - 1))


@dataclass(frozen=True)
class Coefficients(Form):
    """A report is (index, sign), the index uniform; it supports the items with that sign in their column of H.

    H is the matrix of Sylvester, of size a power of two; item x has the column first + x. Columns are orthogonal.
    """

    first: int = 0
    word = "agrees with"

    @property
    def indices(self) -> int:
        """The number of indices D, the smallest power of two >= d + first."""
        return power_of_two(self.d + self.first)

    @property
    def reports(self) -> int:
        """The number of possible reports, 2D."""
        return 2 * self.indices

    def possible(self, output: Hashable) -> bool:
        """Return whether the output is a pair of an index and a sign."""
        return is_tuple(output, range(self.indices), (-1, 1))

    def supports(self, report: Any, item: int) -> bool:
        """Return whether the sign is that of the item's column at the index."""
        return self.possible(report) and bool(report[1] == hadamard_entry(report[0], self.first + item))

    def watched(self, held: int, p: Number, q: Number) -> tuple[Event, ...]:
        """Return the events of the digits of the index."""
        return digits(lambda report: report[0], self.indices, self.possible)


@dataclass(frozen=True)
class SignedCells(Form):
    """The items are d / 2 cells with a sign each: 2 cell + 1 for +1, 2 cell for -1. A report is a vector of signs, one
    for every cell, and supports the items with that sign in their cell."""

    @property
    def vector(self) -> Vector:
        """The form of a report as a vector of entries."""
        return Vector(self.d // 2, low=-1)

    @property
    def reports(self) -> int:
        """The number of possible reports, 2^(d / 2)."""
        return self.vector.reports

    def possible(self, output: Hashable) -> bool:
        """Return whether the output is a vector of d / 2 signs."""
        return self.vector.possible(output)

    def supports(self, report: Any, item: int) -> bool:
        """Return whether the sign in the item's cell is the item's."""
        return self.possible(report) and bool(report[item // 2] == (1 if item % 2 else -1))

    def agreement(self, held: int, item: int) -> int:
        """Return the product of the two items' signs if they share a cell, else 0."""
        return (1 if held == item else -1) if held // 2 == item // 2 else 0

    def watched(self, held: int, p: Number, q: Number) -> tuple[Event, ...]:
        """Return the events that two neighboring entries are both 1."""
        return tuple(self.vector.pairs([held // 2], p if held % 2 else 1 - p, q))


def power_of_two(least: int) -> int:
    """Return the smallest power of two >= least (>= 1)."""
    return 1 << (least - 1).bit_length()
