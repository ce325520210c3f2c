"""What the variances of hashed reports are made of: who else is counted, and how often items share a label."""

from collections.abc import Sequence

from dp_spec.vocabulary.scalar import S

Records = Sequence[tuple[int, S]]
"""For every item its number of records and its kappa with the item that is estimated, which has kappa 1 with itself:
kappa is the share of the public functions that give an item the label of the one that is estimated."""


def shares(records: Records[S], zero: S) -> tuple[int, S, S]:
    """n, and the averages over all records of kappa and of kappa^2 (kappa1, kappa2 of no record of the item itself: one
    of its own is like one of an item with kappa 1)."""
    n = sum(number for number, _ in records)
    first, second = (sum((number * kappa**j for number, kappa in records), zero) / n for j in (1, 2))
    return n, first, second
