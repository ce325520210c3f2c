"""What the variances of hashed reports are made of: who else is counted, and how often items share a label.

kappa is the share of the public functions that give an item the label of the one that is estimated. `drawn`: k public
functions, each drawn from a family of which any three items have independent, uniform labels (any two, for the mean of
kappa); then kappa has the mean 1/m and the variance below, and those of different items are uncorrelated. For any other
family there are the moments of `Shared`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic

from dp_spec.vocabulary.scalar import S

Records = Sequence[tuple[int, S]]
"""For every item its number of records and its kappa with the item that is estimated, which has kappa 1 with itself."""


@dataclass(frozen=True)
class Shared(Generic[S]):
    """Moments of kappa for functions drawn from a family: of all items, the one that is estimated among them.

    `pairs[i]`: the chance that a function of the family gives item i the label of the one that is estimated;
    `triples[i][j]`: that it gives it to both i and j. `weight`: 1/k for k independent functions, (N - k) / (k (N - 1))
    for k different ones of N that are equally likely.
    """

    pairs: Sequence[S]
    triples: Sequence[Sequence[S]]
    weight: S

    def square(self, i: int) -> S:
        """The mean of kappa_i^2."""
        return self.pairs[i] ** 2 + self.covariance(i, i)

    def covariance(self, i: int, j: int) -> S:
        """Of kappa_i and kappa_j."""
        return self.weight * (self.triples[i][j] - self.pairs[i] * self.pairs[j])

    def variance(self, numbers: Sequence[int]) -> S:
        """Of the sum of numbers of records, each times its kappa."""
        zero, items = self.weight * 0, range(len(numbers))
        return sum((numbers[i] * numbers[j] * self.covariance(i, j) for i in items for j in items), zero)


def shares(records: Records[S], zero: S) -> tuple[int, S, S]:
    """n, and the averages over all records of kappa and of kappa^2 (kappa1, kappa2 of no record of the item itself: one
    of its own is like one of an item with kappa 1)."""
    n = users(records)
    first, second = (summed([(number, kappa**j) for number, kappa in records], zero) / n for j in (1, 2))
    return n, first, second


def users(records: Records[S]) -> int:
    """n, the number of records."""
    return sum(number for number, _ in records)


def summed(records: Records[S], zero: S) -> S:
    """The sum of numbers of records, each times the number beside it."""
    return sum((number * value for number, value in records), zero)


def kappa_variance(m: int, k: int, one: S) -> S:
    """(1/m) (1 - 1/m) / k, of the share of k drawn functions to m labels."""
    return one * (m - 1) / (m * m * k)
