"""Oracles of libraries that document a post-processing of their estimates: normalized, or made consistent.

The law and the privacy are those of the mechanism. Expectation and variance are those of the post-processed estimates,
by enumeration of all lists of reports: they say what the documented server does, not that it is unbiased.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, ClassVar

from flint import arb, fmpq

from dp_audit.oracles.base import Number, Oracle, exact_sum, multiplied, part
from dp_audit.oracles.multidimensional import Multidimensional
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.precision import kept_by_precision
from dp_spec.vocabulary.scalar import Ordering, compare


@dataclass(frozen=True)
class Normalized(Oracle):
    """`mechanism` with estimates clipped at 0 and then normalized to sum 1, separately in each group of estimands.

    `groups` are the numbers of estimands of the attributes. A group whose estimates are all <= 0 stays 0.
    """

    mechanism: Oracle
    groups: tuple[int, ...]

    @classmethod
    def of(cls, mechanism: Oracle) -> Oracle:
        """Return the post-processed oracle; the mechanism itself if it specifies no estimator."""
        parts = mechanism.parts if isinstance(mechanism, Multidimensional) else (mechanism,)
        expectations = [own.expected_estimate([own.inputs[0]]) for own in parts]
        if mechanism.expected_estimate([mechanism.inputs[0]]) is None:
            return mechanism
        return cls(mechanism, tuple(len(estimates) for estimates in expectations if estimates is not None))

    inputs: ClassVar[Any] = part("mechanism", "inputs")
    outside: ClassVar[Any] = part("mechanism", "outside")
    comparison: ClassVar[Any] = part("mechanism", "comparison")
    privacy: ClassVar[Any] = part("mechanism", "privacy")
    law: ClassVar[Any] = part("mechanism", "law")
    possible: ClassVar[Any] = part("mechanism", "possible")
    possible_on: ClassVar[Any] = part("mechanism", "possible_on")
    events: ClassVar[Any] = part("mechanism", "events")
    lists_outputs: ClassVar[Any] = part("mechanism", "lists_outputs")
    independent: ClassVar[Any] = part("mechanism", "independent")

    def estimate(self, reports: Sequence[Hashable]) -> tuple[Number, ...]:
        """Return the mechanism's estimates, clipped and normalized."""
        return self._normalized(tuple(reports))

    @kept_by_precision(1 << 16)
    def _normalized(self, reports: tuple[Hashable, ...]) -> tuple[Number, ...]:
        raw = self.mechanism.estimate(reports)
        assert raw is not None
        estimates: list[Number] = []
        for size in self.groups:
            clipped = [_clip(number) for number in raw[len(estimates) : len(estimates) + size]]
            total = exact_sum(clipped)
            none = all(compare(number, 0) is Ordering.EQUAL for number in clipped)
            estimates += [number if none else number / total for number in clipped]
        return tuple(estimates)

    def expected_estimate(self, data: Sequence[Item]) -> tuple[Number, ...]:
        """Return the expectation of the estimates over all lists of reports."""
        return self._moments(data)[0]

    def variance(self, data: Sequence[Item]) -> tuple[Number, ...]:
        """Return the variance of the estimates over all lists of reports."""
        first, second = self._moments(data)
        return tuple(b - a * a for a, b in zip(first, second, strict=True))

    def bias(self, data: Sequence[Item]) -> tuple[Number, ...]:
        """Return what the post-processing costs: expected estimates less those of the mechanism's own estimator."""
        own = self.mechanism.expected_estimate(data)
        assert own is not None
        return tuple(a - b for a, b in zip(self.expected_estimate(data), own, strict=True))

    def _moments(self, data: Sequence[Item]) -> tuple[tuple[Number, ...], tuple[Number, ...]]:
        first: list[Number] = [fmpq(0)] * sum(self.groups)
        second: list[Number] = [fmpq(0)] * sum(self.groups)
        for entries in product(*(self.law(item).items() for item in data)):
            weight = multiplied(probability for _, probability in entries)
            for j, estimate in enumerate(self.estimate([report for report, _ in entries])):
                first[j] = first[j] + weight * estimate
                second[j] = second[j] + weight * estimate * estimate
        return tuple(first), tuple(second)


@dataclass(frozen=True)
class Consistent(Normalized):
    """`mechanism` with estimates of each group made consistent with their sum, 1: the leaves of a tree of one level.

    Hay et al. (2010, Theorem 3 and 4) take the root for a number that is as noisy as the leaves; least squares then add
    the same part of what is missing, 1 of d + 1, to each of d leaves.
    """

    def estimate(self, reports: Sequence[Hashable]) -> tuple[Number, ...]:
        """Return the mechanism's estimates, shifted."""
        raw = self.mechanism.estimate(reports)
        assert raw is not None
        estimates: list[Number] = []
        for size in self.groups:
            part = raw[len(estimates) : len(estimates) + size]
            added = (1 - exact_sum(part)) / (size + 1)
            estimates += [number + added for number in part]
        return tuple(estimates)


def _clip(number: Number) -> Number:
    if isinstance(number, arb):
        return number.max(arb(0))
    return number if compare(number, 0) is Ordering.GREATER else fmpq(0)


def specified(oracle: Oracle) -> Oracle:
    """Return the mechanism itself, whose estimates are post-processed."""
    return oracle.mechanism if isinstance(oracle, Normalized | Consistent) else oracle
