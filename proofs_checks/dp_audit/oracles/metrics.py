"""Distances that declared maps speak of: of data sets, of numbers and vectors, and of laws.

A distance is an exact number: itself, or where that is irrational one that grows with it (the square of the Euclidean
distance; the largest ratio of two laws, whose logarithm is the divergence). What is declared is raised to the same
scale and compared there, so that every comparison is exact.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb, fmpq

from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.names import require_name
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.real import Real
from dp_spec.vocabulary.scalar import Ordering, compare

Scaled = fmpq | Real
"""A distance in the scale of its metric."""
BITS = 128


@dataclass(frozen=True)
class Metric:
    """A distance by name, with what it is in words.

    `scaled(x, y)` is the distance of two values in its own scale, None where it is infinite; it raises `DomainError`
    for values that have no such distance. `raised(d)` is the number d >= 0 in that scale, `lowered` the way back (a
    ball of `BITS` bits where it is irrational). `size` is the magnitude of a value, beside which the rounding of its
    doubles is judged. `of_laws`: values are laws, lists of pairs (output, probability).
    """

    name: str
    words: str
    scaled: Callable[[Any, Any], Scaled | None]
    raised: Callable[[fmpq], Scaled] = lambda distance: distance
    lowered: Callable[[Any], fmpq | arb] = lambda distance: distance
    size: Callable[[Any], fmpq] = lambda value: fmpq(1)
    of_laws: bool = False


# --- data sets --------------------------------------------------------------------------------------------------------


def _symmetric(x: Hashable, y: Hashable) -> fmpq:
    left, right = Counter(_rows(x)), Counter(_rows(y))
    return fmpq((left - right).total() + (right - left).total())


def _insert_delete(x: Hashable, y: Hashable) -> fmpq:
    """Return the number of insertions and deletions that make one list of the other: what no longest common
    subsequence has."""
    left, right = _rows(x), _rows(y)
    common = [0] * (len(right) + 1)
    for a in left:
        before = 0
        for i, b in enumerate(right, 1):
            before, common[i] = common[i], before + 1 if a == b else max(common[i], common[i - 1])
    return fmpq(len(left) + len(right) - 2 * common[-1])


def _change_one(x: Hashable, y: Hashable) -> fmpq | None:
    left, right = Counter(_rows(x)), Counter(_rows(y))
    return fmpq((left - right).total()) if left.total() == right.total() else None


def _hamming(x: Hashable, y: Hashable) -> fmpq | None:
    left, right = _rows(x), _rows(y)
    return fmpq(sum(a != b for a, b in zip(left, right, strict=True))) if len(left) == len(right) else None


def _discrete(x: Hashable, y: Hashable) -> fmpq:
    return fmpq(x != y)


def _rows(value: Hashable) -> tuple[Hashable, ...]:
    if not isinstance(value, tuple):
        raise DomainError("data set", value, "a list of records")
    return value


# --- numbers ----------------------------------------------------------------------------------------------------------


def _absolute(x: Hashable, y: Hashable) -> fmpq | None:
    left, right = _number(x), _number(y)
    if left is None or right is None:
        return fmpq(0) if x == y else None
    return _modulus(left - right)


def _number(value: Hashable) -> fmpq | None:
    """Return a number, None for one that is not finite. Raises `DomainError` for anything else."""
    if isinstance(value, int | fmpq):
        return fmpq(value)
    if isinstance(value, tuple) and len(value) == 2 and value[0] == "float":
        return None
    raise DomainError("output", value, "a number")


def _differences(x: Hashable, y: Hashable) -> list[fmpq] | None:
    """Return the absolute differences of two vectors; None where one of them is infinite."""
    left, right = _rows(x), _rows(y)
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
    numbers = [_number(part) for part in _rows(value)] if is_vector else [_number(value)]
    return _largest([_modulus(number) for number in numbers if number is not None])


def _largest(numbers: Sequence[fmpq]) -> fmpq:
    return max(numbers, default=fmpq(0))


def _modulus(number: fmpq) -> fmpq:
    return max(number, -number)


def _total(numbers: Sequence[fmpq]) -> fmpq:
    return sum(numbers, fmpq(0))


# --- laws -------------------------------------------------------------------------------------------------------------


def law_of(value: Hashable) -> Mapping[Hashable, fmpq]:
    """Return the probabilities of a law by output, of its pairs (output, probability).

    Raises `DomainError` for anything else, negative or repeated ones.
    """
    law: dict[Hashable, fmpq] = {}
    for pair in _rows(value):
        output, probability = pair if isinstance(pair, tuple) and len(pair) == 2 else (None, None)
        number = None if probability is None else _number(probability)
        if number is None or compare(number, 0) is Ordering.LESS or output in law:
            raise DomainError("law", value, "pairs (output, probability >= 0), every output once")
        law[output] = number
    return law


def _largest_ratio(x: Hashable, y: Hashable) -> fmpq | None:
    left, right = law_of(x), law_of(y)
    ratios = [fmpq(1)]
    for output in {**left, **right}:
        p, q = left.get(output, fmpq(0)), right.get(output, fmpq(0))
        if (p == 0) != (q == 0):
            return None
        ratios += [p / q, q / p] if p != 0 else []
    return max(ratios)


def _hockey_stick(epsilon: fmpq) -> Callable[[Hashable, Hashable], Scaled]:
    """Return the larger one of the two hockey-stick divergences at epsilon."""
    factor = Real.power(None, Fraction(int(epsilon.p), int(epsilon.q)))

    def scaled(x: Hashable, y: Hashable) -> Scaled:
        left, right = law_of(x), law_of(y)
        return max(_excess(left, right, factor), _excess(right, left, factor))

    return scaled


def _excess(left: Mapping[Hashable, fmpq], right: Mapping[Hashable, fmpq], factor: Real) -> Real:
    surplus = [p - factor * right.get(output, fmpq(0)) for output, p in left.items()]
    return sum((part for part in surplus if part.sign() > 0), Real.lift(0))


def _exponential(epsilon: fmpq) -> Real:
    return Real.power(None, Fraction(int(epsilon.p), int(epsilon.q)))


def _logarithm(ratio: fmpq) -> fmpq | arb:
    if ratio == 1:
        return fmpq(0)
    with precision(BITS):
        return arb(ratio).log()


# --- by name ----------------------------------------------------------------------------------------------------------

_DATA = (
    Metric("symmetric", "records that only one of two multisets has", _symmetric),
    Metric("insert-delete", "insertions and deletions of records that make one list of the other", _insert_delete),
    Metric("change-one", "records to change in one of two multisets of equal size", _change_one),
    Metric("Hamming", "places where two lists of equal length differ", _hamming),
    Metric("discrete", "0 for equal values, else 1", _discrete),
)
_NUMBERS = (
    Metric("absolute", "difference of two numbers", _absolute, size=_size),
    Metric("L1", "sum of the differences of two vectors", _norm(_total), size=_size),
    Metric(
        "L2",
        "Euclidean distance of two vectors",
        _norm(lambda differences: _total([difference**2 for difference in differences])),
        raised=lambda distance: distance**2,
        lowered=lambda square: Real.power(square, Fraction(1, 2)).enclosure(BITS) if square != 0 else square,
        size=_size,
    ),
    Metric("Linf", "largest difference of two vectors", _norm(_largest), size=_size),
)
MAX_DIVERGENCE = Metric(
    "max-divergence",
    "the logarithm of the largest ratio of probabilities of an output, either way: the epsilon of pure privacy",
    _largest_ratio,
    raised=_exponential,
    lowered=_logarithm,
    of_laws=True,
)
METRICS: Mapping[str, Metric] = {metric.name: metric for metric in (*_DATA, *_NUMBERS, MAX_DIVERGENCE)}
HOCKEY_STICK = "hockey-stick"


def metric(parameter: str, name: str) -> Metric:
    """Return the metric of a name; `hockey-stick EPSILON` is the delta of two laws at a rational epsilon >= 0.

    Raises `DomainError`, which names the parameter.
    """
    word, _, number = name.partition(" ")
    if word != HOCKEY_STICK:
        return METRICS[require_name(parameter, name, [*METRICS, f"{HOCKEY_STICK} EPSILON"])]
    try:
        epsilon = Fraction(number)
    except (ValueError, ZeroDivisionError):
        epsilon = Fraction(-1)
    if epsilon < 0:
        raise DomainError(parameter, name, f"{HOCKEY_STICK} and a rational epsilon >= 0, as in '{HOCKEY_STICK} 1/2'")
    exact = fmpq(epsilon.numerator, epsilon.denominator)
    words = f"the delta of two laws at epsilon = {epsilon}, either way"
    return Metric(name, words, _hockey_stick(exact), lowered=lambda delta: delta.enclosure(BITS), of_laws=True)
