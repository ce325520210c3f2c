"""Choosing one of many candidates by scores in floats: the exponential mechanism, and the maximum."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from dp_refimpl.fast.synthesis.record_arrays import Floats
from dp_refimpl.matrix.noise import require_epsilon
from dp_refimpl.requirements import require_integer, require_word
from dp_refimpl.synthesis.selection import Ties
from dp_spec.vocabulary.budget import Epsilon
from dp_spec.vocabulary.exceptions import DomainError


class ArraySelection(Protocol):
    """A way to choose one of many candidates; a candidate of score -inf is never chosen."""

    def split(self, parts: int) -> "ArraySelection":
        """The same with so many times less budget, for each of so many choices."""
        ...

    def law(self, scores: Floats, sensitivity: float) -> Floats:
        """The probability of each candidate."""
        ...

    def choose(self, scores: Floats, sensitivity: float, generator: np.random.Generator) -> int:
        """The index of a candidate."""
        ...


@dataclass(frozen=True)
class ExponentialArray:
    """`selection.RealExponentialMechanism` in floats, which round what it decides exactly (source 003, Definition 4).

    `parts` is what epsilon is divided by. Raises `DomainError` unless epsilon > 0 and parts >= 1.
    """

    epsilon: Epsilon
    parts: int = 1

    def __post_init__(self) -> None:
        require_epsilon(self.epsilon)
        require_integer("parts", self.parts, 1)

    def split(self, parts: int) -> "ExponentialArray":
        """The mechanism of epsilon / parts."""
        return ExponentialArray(self.epsilon, self.parts * parts)

    def law(self, scores: Floats, sensitivity: float) -> Floats:
        """The probability of each candidate. Raises `DomainError` without candidates, and unless sensitivity > 0."""
        weights = self._weights(scores, sensitivity)
        law: Floats = weights / weights.sum()
        return law

    def choose(self, scores: Floats, sensitivity: float, generator: np.random.Generator) -> int:
        """The candidate in whose part of the sum of all weights a uniform number falls. Raises as `law`."""
        edges = self._weights(scores, sensitivity)
        np.cumsum(edges, out=edges)
        return int(np.searchsorted(edges, generator.random() * edges[-1], side="right"))

    def _weights(self, scores: Floats, sensitivity: float) -> Floats:
        """The weights, divided by the largest."""
        if not isinstance(sensitivity, float | int) or not 0 < sensitivity < np.inf:
            raise DomainError("sensitivity", sensitivity, "a float > 0, finite: at n = 1 that of an entropy is 0")
        rate = require_epsilon(self.epsilon) / (2 * self.parts * sensitivity)
        weights: Floats = scores - _largest(scores)
        weights *= rate
        return np.exp(weights, out=weights)


@dataclass(frozen=True)
class MaximumArray:
    """A candidate of largest score, as in NoPrivacy. Equal scores that rounding tells apart are not equal here.

    Raises `DomainError` for an unknown rule.
    """

    ties: Ties = "uniform"

    def __post_init__(self) -> None:
        require_word("ties", self.ties, Ties)

    def split(self, parts: int) -> "MaximumArray":
        """The same."""
        return self

    def law(self, scores: Floats, sensitivity: float) -> Floats:
        """The probability of each candidate. Raises `DomainError` without candidates."""
        best, probabilities = self._best(scores), np.zeros(len(scores))
        probabilities[best] = 1 / len(best)
        return probabilities

    def choose(self, scores: Floats, sensitivity: float, generator: np.random.Generator) -> int:
        """The index of a maximizer. Raises `DomainError` without candidates."""
        return int(generator.choice(self._best(scores)))

    def _best(self, scores: Floats) -> NDArray[np.intp]:
        best = np.flatnonzero(scores == _largest(scores))
        return best[:1] if self.ties == "first" else best


def _largest(scores: Floats) -> float:
    largest = float(scores.max(initial=-np.inf))
    if not -np.inf < largest < np.inf:
        raise DomainError("scores", scores, "at least one candidate, of a finite score")
    return largest
