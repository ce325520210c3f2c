"""Distances that declared maps speak of: of data sets, of numbers and vectors.

A distance is an exact number: itself, or where that is irrational one that grows with it (the square of the Euclidean
distance; the largest ratio of two laws, whose logarithm is the divergence). What is declared is raised to the same
scale and compared there, so that every comparison is exact. Where no such scale is known a distance is a ball.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb, fmpq

from dp_audit.exact_numbers import ends
from dp_audit.oracles.values import number_of, rows_of
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.real import Real
from dp_spec.vocabulary.scalar import Ordering, compare

Scaled = fmpq | Real | arb
"""A distance in the scale of its metric."""
BITS = 128


@dataclass(frozen=True)
class Metric:
    """A distance by name, with what it is in words.

    `scaled(x, y)` is the distance of two values in its own scale, None where it is infinite; it raises `DomainError`
    for values that have no such distance. `raised(d)` is the number d >= 0 in that scale, `lowered` the way back (a
    ball of `BITS` bits where it is irrational). `size` is the magnitude of a value, beside which the rounding of its
    doubles is judged. Values of one class, as `class_of` tells them, are at distance 0, and at the same distance from
    every other one. `empty` (None: there is none) is the value of a partition that is not there. `of_laws`: values are
    laws (`dp_audit.oracles.laws`), whose sums are `totals`.
    """

    name: str
    words: str
    scaled: Callable[[Any, Any], Scaled | None]
    raised: Callable[[fmpq], Scaled] = lambda distance: distance
    lowered: Callable[[Any], fmpq | arb] = lambda distance: distance
    size: Callable[[Any], fmpq] = lambda value: fmpq(1)
    class_of: Callable[[Any], Hashable] = lambda value: value
    empty: Hashable | None = None
    totals: Callable[[Any], Sequence[fmpq]] = lambda value: ()
    of_laws: bool = False


def root(square: fmpq | arb) -> fmpq | arb:
    """Return the square root."""
    if isinstance(square, arb):
        return square.sqrt()
    return square if square == 0 else Real.power(square, Fraction(1, 2)).enclosure(BITS)


def farther(left: Scaled | None, right: Scaled | None) -> bool:
    """Return whether the left distance is larger, of balls whether its upper end is; None is infinite."""
    if left is None or right is None:
        return left is None and right is not None
    if isinstance(left, arb) or isinstance(right, arb):
        with precision(BITS):
            upper = [ends(side.enclosure(BITS) if isinstance(side, Real) else side)[1] for side in (left, right)]
        return compare(*upper) is Ordering.GREATER
    return compare(left, right) is Ordering.GREATER


# --- data sets --------------------------------------------------------------------------------------------------------


def _symmetric(x: Hashable, y: Hashable) -> fmpq:
    left, right = Counter(rows_of(x)), Counter(rows_of(y))
    return fmpq((left - right).total() + (right - left).total())


def _insert_delete(x: Hashable, y: Hashable) -> fmpq:
    """Return the number of insertions and deletions that make one list of the other: what no longest common
    subsequence has."""
    left, right = rows_of(x), rows_of(y)
    common = [0] * (len(right) + 1)
    for a in left:
        before = 0
        for i, b in enumerate(right, 1):
            before, common[i] = common[i], before + 1 if a == b else max(common[i], common[i - 1])
    return fmpq(len(left) + len(right) - 2 * common[-1])


def _change_one(x: Hashable, y: Hashable) -> fmpq | None:
    left, right = Counter(rows_of(x)), Counter(rows_of(y))
    return fmpq((left - right).total()) if left.total() == right.total() else None


def _hamming(x: Hashable, y: Hashable) -> fmpq | None:
    left, right = rows_of(x), rows_of(y)
    return fmpq(sum(a != b for a, b in zip(left, right, strict=True))) if len(left) == len(right) else None


def _multiset(value: Hashable) -> Hashable:
    return frozenset(Counter(rows_of(value)).items())


def _discrete(x: Hashable, y: Hashable) -> fmpq:
    return fmpq(x != y)


# --- numbers ----------------------------------------------------------------------------------------------------------


def _absolute(x: Hashable, y: Hashable) -> fmpq | None:
    left, right = number_of(x), number_of(y)
    if left is None or right is None:
        return fmpq(0) if x == y else None
    return _modulus(left - right)


def _differences(x: Hashable, y: Hashable) -> list[fmpq] | None:
    """Return the absolute differences of two vectors; None where one of them is infinite."""
    left, right = rows_of(x), rows_of(y)
    if len(left) != len(right):
        return None
    differences = [_absolute(a, b) for a, b in zip(left, right, strict=True)]
    finite = [difference for difference in differences if difference is not None]
    return finite if len(finite) == len(differences) else None


def _norm(of: Callable[[Sequence[fmpq]], fmpq]) -> Callable[[Hashable, Hashable], fmpq | None]:
    def scaled(x: Hashable, y: Hashable) -> fmpq | None:
        differences = _differences(x, y)
        return None if differences is None else of(differences)

    return scaled


def _size(value: Hashable) -> fmpq:
    """Return the largest modulus of a number, or of a number of a vector."""
    is_vector = isinstance(value, tuple) and value[:1] != ("float",)
    numbers = [number_of(part) for part in rows_of(value)] if is_vector else [number_of(value)]
    return _largest([_modulus(number) for number in numbers if number is not None])


def _places(numbers: Sequence[fmpq]) -> fmpq:
    return fmpq(sum(number != 0 for number in numbers))


def _largest(numbers: Sequence[fmpq]) -> fmpq:
    return max(numbers, default=fmpq(0))


def _modulus(number: fmpq) -> fmpq:
    return max(number, -number)


def _total(numbers: Sequence[fmpq]) -> fmpq:
    return sum(numbers, fmpq(0))


# --- by name ---------------------------------------------------------------------------------------------------------

DATA = (
    Metric("symmetric", "records that only one of two multisets has", _symmetric, class_of=_multiset, empty=()),
    Metric(
        "insert-delete", "insertions and deletions of records that make one list of the other", _insert_delete, empty=()
    ),
    Metric(
        "change-one",
        "records to change in one of two multisets of equal size",
        _change_one,
        class_of=_multiset,
        empty=(),
    ),
    Metric("Hamming", "places where two lists of equal length differ", _hamming, empty=()),
    Metric("discrete", "0 for equal values, else 1", _discrete),
)
NUMBERS = (
    Metric("absolute", "difference of two numbers", _absolute, size=_size, empty=0),
    Metric("L0", "places where two vectors differ", _norm(_places), size=lambda value: fmpq(0)),
    Metric("L1", "sum of the differences of two vectors", _norm(_total), size=_size),
    Metric(
        "L2",
        "Euclidean distance of two vectors",
        _norm(lambda differences: _total([difference**2 for difference in differences])),
        raised=lambda distance: distance**2,
        lowered=root,
        size=_size,
    ),
    Metric("Linf", "largest difference of two vectors", _norm(_largest), size=_size),
)
