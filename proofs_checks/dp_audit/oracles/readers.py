"""Readers of parameters: each takes a name and a value, or its text, and raises `DomainError` for what it does not
allow. What is read is a value: tuples, integers, exact fractions."""

import json
import re
from collections.abc import Callable
from fractions import Fraction
from math import isfinite
from typing import Any, TypeVar, cast

from flint import fmpq

from dp_audit.oracles.base import integer
from dp_spec.vocabulary.exceptions import DomainError

T = TypeVar("T")
Reader = Callable[[str, object], T]
_NUMBER = re.compile(r"[+-]?[0-9]+(?:/[0-9]+|(?:\.[0-9]+)?(?:e[+-]?[0-9]{1,3})?)")
"""Text of a rational number; `Fraction` reads more: 1e9999999 exhausts memory."""
_RATIONAL = 'a finite number, or text as "0.7" or "2/3"'


def rational(name: str, value: object) -> fmpq:
    """Return the rational number of an exact number, a double (its exact value), or text as "0.7" or "2/3"."""
    if isinstance(value, fmpq):
        return value
    number = isinstance(value, int | Fraction) and not isinstance(value, bool)
    double = isinstance(value, float) and isfinite(value)
    text = isinstance(value, str) and _NUMBER.fullmatch(value.strip())
    if not (number or double or text):
        raise DomainError(name, value, _RATIONAL)
    try:
        exact = Fraction(cast(Any, value))
    except (ValueError, ZeroDivisionError):
        raise DomainError(name, value, _RATIONAL) from None
    return fmpq(exact.numerator, exact.denominator)


def as_fraction(number: fmpq) -> Fraction:
    """Return a rational number as a share of a budget."""
    return Fraction(int(number.p), int(number.q))


def several(each: Reader[T], least: int = 0) -> Reader[tuple[T, ...]]:
    """Return the reader of `least` or more of what `each` reads: a list, a tuple, or text as "0, 1" or "[[0], [1,
    2]]"."""

    def read(name: str, value: object) -> tuple[T, ...]:
        listed = _parts(value)
        if listed is None or len(listed) < least:
            raise DomainError(name, value, f'a list of {least} or more, or text as "0, 1" or "[[0], [1, 2]]"')
        return tuple(each(name, part) for part in listed)

    return read


def _parts(value: Any) -> list[object] | tuple[object, ...] | None:
    """Return the parts of a list, of a tuple or of text; None for anything else."""
    if not isinstance(value, str):
        return value if isinstance(value, list | tuple) else None
    inner = value.strip().removeprefix("[").removesuffix("]")
    if "[" not in inner and '"' not in inner:
        return [part.strip() for part in inner.split(",")] if inner.strip() else []
    try:
        return _parts(json.loads(value) if value.lstrip().startswith("[") else None)
    except ValueError:
        return None


def flag(name: str, value: object) -> bool:
    """Return the truth value of true or false, also as text."""
    boolean = {"true": True, "false": False}.get(value.lower()) if isinstance(value, str) else value
    if not isinstance(boolean, bool):
        raise DomainError(name, value, "true or false")
    return boolean


def matrix(name: str, value: object) -> tuple[tuple[fmpq, ...], ...]:
    """Return two or more rows of equally many (two or more) numbers."""
    rows = several(several(rational, 2), 2)(name, value)
    if len({len(row) for row in rows}) != 1:
        raise DomainError(name, value, 'rows of equally many numbers, or text as "[[0, 1], [1, 0]]"')
    return rows


def square(name: str, value: object) -> tuple[tuple[fmpq, ...], ...]:
    """Return a square matrix."""
    rows = matrix(name, value)
    if len(rows) != len(rows[0]):
        raise DomainError(name, value, "as many rows as columns")
    return rows


signed: Reader[int] = integer(-(2**63), 2**63)
"""The reader of integers of either sign."""
integers: Reader[tuple[int, ...]] = several(integer(0))
"""The reader of integers >= 0."""
tables: Reader[tuple[tuple[int, ...], ...]] = several(integers, 1)
"""The reader of one or more lists of integers >= 0."""
rationals: Reader[tuple[fmpq, ...]] = several(rational)
"""The reader of a list of rational numbers."""
