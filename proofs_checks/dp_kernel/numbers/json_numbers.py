"""Numbers of a certificate, in lists and laws too: integers and fractions in plain digits, none rounded or endless."""

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from dp_kernel.meter import require

DIGITS = re.compile(r"-?[0-9]{1,150}(/[0-9]{1,150})?")
MAX_BITS, MAX_ITEM, MAX_FUNCTIONS = 512, 10**6, 512


def rational(value: Any) -> Fraction:
    """An integer, or a string such as "-3/2"; no float, no bool, no decimal point, no exponent."""
    if isinstance(value, str):
        require(DIGITS.fullmatch(value) is not None, f"not a fraction: {value!r}")
        return Fraction(value)
    return Fraction(integer(value))


def integer(value: Any, low: int | None = None, high: int | None = None) -> int:
    """An integer within bounds; True is none."""
    require(type(value) is int and value.bit_length() <= MAX_BITS, f"not an integer: {str(value)[:40]!r}")
    require((low is None or low <= value) and (high is None or value <= high), f"{value} is not in {low}..{high}")
    return int(value)


def items(value: Any) -> tuple[int, ...]:
    """A list of items (their numbers)."""
    require(isinstance(value, list | tuple), "items are listed")
    return tuple(integer(x, 0, MAX_ITEM) for x in value)


def label(value: Any) -> Any:
    """A datum of a report: a number, a text, null, or a list of data (a tuple here)."""
    if isinstance(value, list | tuple):
        return tuple(label(v) for v in value)
    require(value is None or type(value) in (int, str), f"no datum: {value!r}")
    return value


def functions(listed: Any, items: int, value: Callable[[Any], Any]) -> list[tuple[Fraction, tuple[Any, ...]]]:
    """A law on functions, [probability, values of all items] for each; a reader of values is given."""
    require(0 < len(listed) <= MAX_FUNCTIONS, f"1 to {MAX_FUNCTIONS} functions are listed")
    law = [(rational(p), tuple(map(value, image))) for p, image in listed]
    require(all(len(image) == items for _, image in law), "a function has a value for every item")
    require(all(p > 0 for p, _ in law) and sum(p for p, _ in law) == 1, "not a law on functions")
    return law
