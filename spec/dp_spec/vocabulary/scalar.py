"""Numbers: the operations every number field here offers, and the one place where numbers are ordered.

Formulas, coins and channels are generic in the field. Operators `<`, `<=`, `>`, `>=` are not part of `Scalar`, because
overlapping balls answer False to all of them; `compare` says `UNDECIDED` instead.
"""

from enum import Enum
from fractions import Fraction
from typing import Any, Protocol, Self

from flint import arb, fmpq, fmpz
from typing_extensions import TypeVar

from dp_spec.vocabulary.exceptions import DomainError, NotStochasticError, UndecidedError
from dp_spec.vocabulary.precision import current_bits
from dp_spec.vocabulary.ratfunc import RationalFunction
from dp_spec.vocabulary.real import Real


class Scalar(Protocol):
    """An element of a number field; `int` mixes in from both sides."""

    def __add__(self, other: Self | int, /) -> Self: ...
    def __radd__(self, other: int, /) -> Self: ...
    def __sub__(self, other: Self | int, /) -> Self: ...
    def __rsub__(self, other: int, /) -> Self: ...
    def __mul__(self, other: Self | int, /) -> Self: ...
    def __rmul__(self, other: int, /) -> Self: ...
    def __truediv__(self, other: Self | int, /) -> Self: ...
    def __rtruediv__(self, other: int, /) -> Self: ...
    def __pow__(self, other: int, /) -> Self: ...
    def __neg__(self) -> Self: ...


S = TypeVar("S", bound=Scalar, default=Real)
"""Numbers of one field; `Real` where nothing says which."""


class Ordering(Enum):
    """Outcome of a comparison; for rational functions it holds on the whole open domain of the field."""

    LESS = -1
    EQUAL = 0
    GREATER = 1
    UNDECIDED = 2


_RATIONAL = (fmpq, int)


def compare(left: object, right: object) -> Ordering:
    """Order two numbers of one field (ints mix with all).

    Raises `DomainError` for numbers that carry no exact or rigorous order (floats above all).
    """
    if type(left) is fmpq and (type(right) is int or type(right) is fmpq):  # nearly every call: worth a short cut
        return _ordering(left, right)
    for function in (left, right):
        if isinstance(function, RationalFunction):
            field = function.field
            return Ordering(field.sign(field.lift(left) - field.lift(right)))
    if isinstance(left, arb) or isinstance(right, arb):
        return _compare_balls(ball(left), ball(right))
    if isinstance(left, Real) or isinstance(right, Real):
        return Ordering((Real.lift(left) - Real.lift(right)).sign())
    return _ordering(_rational(left), _rational(right))


def at_most(left: object, right: object) -> bool:
    """Whether `left <= right`; raises `UndecidedError` where the field cannot tell."""
    if type(left) in _RATIONAL and type(right) in _RATIONAL:  # nearly every call, of millions
        return bool(left <= right)  # type: ignore[operator]
    order = compare(left, right)
    if order is Ordering.UNDECIDED:
        raise UndecidedError(f"cannot order {left} and {right}")
    return order is not Ordering.GREATER


def is_zero(number: object) -> bool:
    """Whether a number is exactly zero (a ball that merely contains 0 is not)."""
    return not number if type(number) is fmpq else compare(number, 0) is Ordering.EQUAL


def require_law(probabilities: "list[S] | tuple[S, ...]") -> None:
    """Raise `NotStochasticError` unless the numbers are >= 0 and sum to exactly 1 (balls: if they provably do not)."""
    if not probabilities:
        raise NotStochasticError("probabilities", probabilities, "at least one outcome")
    exact: list[Any] = [p for p in probabilities if type(p) is fmpq]
    if len(exact) == len(probabilities) and sum(exact) == 1 and min(exact) >= 0:  # nearly every call: a short cut
        return
    for probability in probabilities:
        if isinstance(probability, arb) and not probability.is_finite():
            raise NotStochasticError("probability", probability, "finite numbers >= 0")
        order = compare(probability, 0)
        if order is Ordering.LESS or (order is Ordering.UNDECIDED and not isinstance(probability, arb)):
            raise NotStochasticError("probability", probability, "numbers >= 0")
    total = sum(probabilities[1:], probabilities[0])
    if compare(total, 1) not in (Ordering.EQUAL, Ordering.UNDECIDED) or (
        compare(total, 1) is Ordering.UNDECIDED and not isinstance(total, arb)
    ):
        raise NotStochasticError("sum of probabilities", total, "exactly 1")


def _ordering(a: fmpq, b: fmpq | int) -> Ordering:
    return Ordering.LESS if a < b else Ordering.GREATER if a > b else Ordering.EQUAL


def _compare_balls(a: arb, b: arb) -> Ordering:
    if a < b:
        return Ordering.LESS
    if a > b:
        return Ordering.GREATER
    difference = a - b
    return Ordering.EQUAL if difference.is_exact() and difference == 0 else Ordering.UNDECIDED


def ball(number: object) -> arb:
    """A number as a ball of the current precision. Raises `DomainError` for what is no exact number or ball."""
    if isinstance(number, Real):
        return number.enclosure(current_bits())
    return number if isinstance(number, arb) else arb(_rational(number))


def _rational(number: object) -> fmpq:
    if isinstance(number, bool) or not isinstance(number, int | fmpz | fmpq | Fraction):
        raise DomainError("number", number, "an exact number or a ball (a float never decides)")
    return fmpq(number.numerator, number.denominator) if isinstance(number, Fraction) else fmpq(number)
