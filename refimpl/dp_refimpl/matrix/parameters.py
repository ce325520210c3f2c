"""What all matrix mechanisms share: typed parameters, the values they compute with, sizes, ranges, padding."""

from collections.abc import Sequence
from enum import Enum
from fractions import Fraction
from functools import reduce
from math import isfinite
from typing import Any, Protocol, Self, TypeVar

from flint import fmpq, fmpz

from dp_refimpl.matrix.linear_forms import LinearForm
from dp_refimpl.requirements import require_integer
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.real import Real
from dp_spec.vocabulary.scalar import at_most

Scale = fmpq | Real
"""The scale of a noise variable in units of 1 / epsilon."""


class Neighbors(Enum):
    """Which data sets differ by one person: one v_i changes by 1, or one decreases and another increases by 1."""

    ADD_REMOVE = "addremove"
    REPLACE = "replace"


class Root(Enum):
    """Whether a tree's noisy total is released: levels 0..h, or 0..h - 1 without it."""

    RELEASED = "root"
    OMITTED = "noroot"


class Linear(Protocol):
    """What a program computes with: ints, `fmpq`, floats, `LinearForm`; they are scaled by integers alone.

    A quotient of ints is no int: `divisible` turns them into `fmpq` where a program divides.
    """

    def __add__(self, other: Self, /) -> Self: ...
    def __sub__(self, other: Self, /) -> Self: ...
    def __mul__(self, other: int, /) -> Self: ...
    def __truediv__(self, other: int, /) -> Any: ...


T = TypeVar("T", bound=Linear)


def require_values(name: str, values: Sequence[T], count: int) -> list[T]:
    """The values; raises `DomainError` unless these are `count` finite numbers or linear forms.

    Integers mix with numbers of one other kind; what else cannot be added is refused, too.
    """
    if not isinstance(values, Sequence) or isinstance(values, str | bytes):
        raise DomainError(name, values, f"a sequence of {count} values")
    if len(values) != count:
        raise DomainError(name, f"{len(values)} values", f"{count} values")
    for value in values:
        if isinstance(value, bool) or not isinstance(value, int | float | fmpq | LinearForm | Fraction):
            raise DomainError(name, value, "numbers or linear forms")
        if isinstance(value, float) and not isfinite(value):
            raise DomainError(name, value, "finite numbers")
    kinds = {type(value) for value in values if not isinstance(value, int)}
    if len(kinds) > 1 or (LinearForm in kinds and any(isinstance(value, int) for value in values)):
        raise DomainError(name, values, "numbers of one kind, or linear forms alone")
    return list(values)


def divisible(values: Sequence[T]) -> list[T]:
    """The values as numbers of a field: ints as `fmpq`, others as they are."""
    numbers: list[Any] = [fmpq(value) if isinstance(value, int) else value for value in values]
    return numbers


def total(values: Sequence[T]) -> T:
    """The sum of one or more values."""
    return reduce(lambda a, b: a + b, values)


def largest(numbers: Sequence[fmpq]) -> fmpq:
    """The largest of some numbers >= 0; 0 if there are none."""
    return reduce(lambda a, b: b if at_most(a, b) else a, numbers, fmpq(0))


def require_kind(name: str, value: object, kind: type[Enum]) -> None:
    """Raise `DomainError` unless the value is a member of the enumeration."""
    if not isinstance(value, kind):
        raise DomainError(name, value, " or ".join(str(member) for member in kind))


def tree_height(size: int, branching: int = 2) -> int:
    """h with size = branching^h. Raises `DomainError` for other sizes; the message names the next one (see `pad`)."""
    require_integer("branching", branching, 2)
    require_integer("size", size, 1)
    height, reached = 0, 1
    while reached < size:
        height, reached = height + 1, reached * branching
    if reached != size:
        allowed = f"a power of {branching}, for example {reached // branching} or {reached} (pad the data with zeros)"
        raise DomainError("size", size, allowed)
    return height


def pad(data: Sequence[T], zero: T, branching: int = 2) -> list[T]:
    """The data followed by so many zeros that their number is a power of `branching`.

    Raises `DomainError` for empty data.
    """
    require_integer("branching", branching, 2)
    size = require_integer("size", len(data), 1)
    padded = 1
    while padded < size:
        padded *= branching
    return [*data, *[zero] * (padded - size)]


def require_range(first: int, last: int, size: int) -> int:
    """The length of the range of leaves first..last, 1 <= first <= last <= size; raises `DomainError` otherwise."""
    for name, value in (("first", first), ("last", last)):
        require_integer(name, value, 1, size)
    require_integer("last", last, first, size, note=": a range is not reversed")
    return last - first + 1


def require_scale(scale: object) -> Scale:
    """The scale; raises `DomainError` unless it is an exact number >= 0."""
    if isinstance(scale, int | fmpz) and not isinstance(scale, bool):
        scale = fmpq(scale)
    if not isinstance(scale, fmpq | Real) or not at_most(0, scale):
        raise DomainError("scale", scale, "an exact number >= 0")
    return scale
