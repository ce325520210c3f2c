"""Ranks of words by their numbers, the largest first, and how ties are ranked; rank deviations (source 004, M8)."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, get_args

from dp_refimpl.fast.array_coins import Indices
from dp_spec.vocabulary.exceptions import DomainError

Ties = Literal["ordinal", "competition", "average"]
TIES: tuple[Ties, ...] = get_args(Ties)
"""By the order of words; the smallest rank of those that are equal; the average of their ranks."""


@dataclass(frozen=True)
class Place:
    """Where a word is among all: how many are above it, equal to it (itself not counted), and equal and before it."""

    above: int
    equal: int
    before: int

    def rank(self, ties: Ties) -> Fraction:
        """The rank, from 1. Raises `DomainError` for another rule."""
        if ties == "ordinal":
            return Fraction(1 + self.above + self.before)
        if ties == "competition":
            return Fraction(1 + self.above)
        if ties == "average":
            return 1 + self.above + Fraction(self.equal, 2)
        raise DomainError("ties", ties, ", ".join(TIES))


def places(values: Indices, of: Sequence[int]) -> list[Place]:
    """Where some words (positions) are among the numbers of all words."""
    found = []
    for x in of:
        same = values == values[x]
        found.append(Place(int((values > values[x]).sum()), int(same.sum()) - 1, int(same[:x].sum())))
    return found


def rank_deviation(true: Place, estimated: Place, ties: Ties) -> Fraction:
    """|er(d) - ar(d)| of one repetition, both ranks by the same rule."""
    return abs(estimated.rank(ties) - true.rank(ties))
