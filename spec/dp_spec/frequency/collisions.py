"""What the variances of hashed reports are made of: who else is counted, and how often items share a label.

kappa is the share of the public functions that give an item the label of the one that is estimated. `drawn`: k public
functions, each drawn from a family of which any three items have independent, uniform labels (any two, for the mean of
kappa); then kappa has the mean 1/m and the variance below, and those of different items are uncorrelated.
"""

from collections.abc import Sequence

from dp_spec.vocabulary.scalar import S

Records = Sequence[tuple[int, S]]
"""For every item its number of records and its kappa with the item that is estimated, which has kappa 1 with itself."""


def users(records: Records[S]) -> int:
    """n, the number of records."""
    return sum(number for number, _ in records)


def summed(records: Records[S], zero: S) -> S:
    """The sum of numbers of records, each times the number beside it."""
    return sum((number * value for number, value in records), zero)


def kappa_variance(m: int, k: int, one: S) -> S:
    """(1/m) (1 - 1/m) / k, of the share of k drawn functions to m labels."""
    return one * (m - 1) / (m * m * k)
