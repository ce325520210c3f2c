"""The generated data sets of source 004 (M9): numbers of records by word, the most frequent word first.

The source does not say how counts are rounded. Here they are the largest remainders of the exact frequencies, so that
they add up to the number of records; equal remainders go to the earlier words.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import lcm

import numpy as np

from dp_refimpl.fast.array_coins import Indices
from dp_refimpl.requirements import require_integer
from dp_spec.vocabulary.exceptions import DomainError

RATIO = Fraction(10, 13)
"""x = 1.3^-1 of the exponential data."""


def harmonic(position: int) -> Fraction:
    """1/x, x = 1, 2, ..."""
    return Fraction(1, position)


def exponential(position: int) -> Fraction:
    """1.3^-i, i = 1, 2, ... (the reading `i1`; frequencies are the same from i = 0)."""
    return RATIO**position


def even(position: int) -> Fraction:
    """The same for all words."""
    return Fraction(1)


WEIGHTS: Mapping[str, Callable[[int], Fraction]] = {"harmonic": harmonic, "exponential": exponential, "even": even}


def largest_remainder(weights: Sequence[Fraction], total: int) -> tuple[int, ...]:
    """Integers near total * weight / (sum of the weights) that add up to the total: rounded down, then the words with
    the largest remainders get one more, the earlier of equal ones first.

    Raises `DomainError` unless weights are numbers >= 0, not all of them 0, and the total is an integer >= 0.
    """
    if any(w < 0 for w in weights) or not sum(weights):
        raise DomainError("weights", tuple(weights), "numbers >= 0, not all of them 0")
    require_integer("total", total, 0)
    scale = lcm(*(w.denominator for w in weights))
    numbers = [w.numerator * (scale // w.denominator) for w in weights]
    whole = sum(numbers)
    parts = [divmod(total * number, whole) for number in numbers]
    counts = [floor for floor, _ in parts]
    order = sorted(range(len(parts)), key=lambda x: (-parts[x][1], x))
    for x in order[: total - sum(counts)]:
        counts[x] += 1
    return tuple(counts)


@lru_cache(maxsize=8)
def counts(name: str, words: int, records: int) -> tuple[int, ...]:
    """The data set of a name. Raises `DomainError` for another name, and unless words >= 1 and records >= 1."""
    if name not in WEIGHTS:
        raise DomainError("data", name, ", ".join(WEIGHTS))
    for what, number in (("words", words), ("records", records)):
        require_integer(what, number, 1)
    return largest_remainder([WEIGHTS[name](position) for position in range(1, words + 1)], records)


def as_array(data: Sequence[int]) -> Indices:
    """Counts for the sampler."""
    return np.array(data, np.int64)
