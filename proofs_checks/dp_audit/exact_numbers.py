"""Exact numbers and balls in reports: judged against zero and a tolerance by rising precision, and printed."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from flint import arb, fmpq

from dp_audit.oracles.base import Number
from dp_audit.outcome import TOLERANCE, Verdict
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.scalar import Ordering, compare

T = TypeVar("T")
PRECISIONS = (128, 256, 512, 1024, 4096)


@dataclass(frozen=True)
class Deviation:
    """A deviation (>= 0) of the target from the oracle, with what shows it."""

    size: Number
    witness: dict[str, str] = field(default_factory=dict)


def judge(compute: Callable[[], T], size: Callable[[T], Number], tolerance: fmpq = TOLERANCE) -> tuple[T, Verdict]:
    """Compute with rising precision until the size is decided against 0 and the tolerance.

    `conforms` is exactly zero, `rounding` at most the tolerance, `fault` larger; `undecided` if no precision decides.
    """
    for bits in PRECISIONS:
        with precision(bits):
            quantity = compute()
            order = compare(size(quantity), tolerance)
            zero = compare(size(quantity), 0) is Ordering.EQUAL
        if order is not Ordering.UNDECIDED:
            within = Verdict.CONFORMS if zero else Verdict.ROUNDING
            return quantity, Verdict.FAULT if order is Ordering.GREATER else within
    return quantity, Verdict.UNDECIDED


def order_of(numbers: Callable[[], tuple[Number, Number]]) -> Ordering:
    """Return the order of two numbers, computed with rising precision until it is known; `UNDECIDED` if none tells."""
    for bits in PRECISIONS:
        with precision(bits):
            order = compare(*numbers())
        if order is not Ordering.UNDECIDED:
            break
    return order


def absolute(number: Number) -> Number:
    """Return the absolute value."""
    return abs(number) if isinstance(number, arb) else fmpq(abs(number.p), number.q)


def largest(deviations: Sequence[Deviation]) -> Deviation:
    """Return one whose upper end is largest: if it is below a bound, all are."""
    return max(deviations, key=lambda deviation: ends(deviation.size)[1])


def worst(deviations: Iterable[tuple[Number, T]], witness: Callable[[T], dict[str, str]]) -> Deviation:
    """Return the largest of some deviations, each with what its witness is made of."""
    size, where = max(deviations, key=lambda pair: ends(pair[0])[1])
    return Deviation(size, witness(where))


def ends(number: Number) -> tuple[fmpq, fmpq]:
    """Return the rational lower and upper end of an exact number or a ball."""
    if isinstance(number, arb):
        return number.lower().fmpq(), number.upper().fmpq()
    return number, number


def figure(number: Number) -> str:
    """Return a text for machines: an exact rational, or an enclosure "[a, b]"."""
    low, high = ends(number)
    return str(low) if low == high else f"[{low}, {high}]"


def short(number: Number, digits: int = 6) -> str:
    """Return a text for people: so many significant digits, or fewer."""
    low, high = ends(number)
    middle = (low + high) / 2
    try:
        return f"{int(middle.p) / int(middle.q):.{digits}g}"
    except OverflowError:
        with precision(64):
            return str(arb(middle).str(digits, radius=False))


def told_apart(first: Number, second: Number, digits: int = 6) -> tuple[str, str]:
    """Return texts for people of two numbers with so many digits, or as many as tell them apart if 17 do."""
    pairs = [(short(first, n), short(second, n)) for n in range(digits, 18)]
    return next((pair for pair in pairs if pair[0] != pair[1]), pairs[0])
