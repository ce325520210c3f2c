"""A reader as the fuzzing sees it: bytes go in, and nothing but its documented errors may come out."""

import json
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from flint import arb, fmpq, fmpz

from dp_spec.vocabulary.exceptions import DomainError


class Misread(Exception):
    """A reader returned something else than what is written; no reader raises this by itself."""


class Reader(NamedTuple):
    """What it is called, valid inputs, the call, the errors it documents, and how often it is chosen."""

    name: str
    seeds: tuple[bytes, ...]
    read: Callable[[bytes], object]
    allowed: tuple[type[BaseException], ...] = (DomainError,)
    share: int = 10


ODD: tuple[Any, ...] = (
    *(float("nan"), float("inf"), -0.0, 1j, Fraction(1, 3), Fraction(-1), Fraction(10**30), Decimal("0.1")),
    *(Decimal("NaN"), fmpq(1, 2), fmpz(3), arb(1), arb("nan"), np.float64(0.5), np.int64(2), np.array([1, 2])),
    *(np.bool_(True), b"1", bytearray(b"1"), (1, 2), frozenset({1}), {1, 2}, range(3), range(10**12)),
    *(iter(()), object, object(), ...),
)
"""Values that JSON does not have, as {"odd": n}."""


def text_of(data: bytes) -> str:
    """As the command line hands it on."""
    return data.decode("utf-8", "surrogateescape")


def value_of(data: bytes) -> Any:
    """A value of Python: what the JSON text says, with the odd ones; the text itself where it is no JSON."""
    try:
        return _with_odd(json.loads(data))
    except (ValueError, RecursionError):
        return text_of(data)


def _with_odd(value: Any) -> Any:
    if isinstance(value, list):
        return [_with_odd(part) for part in value]
    if isinstance(value, dict):
        if list(value) == ["odd"] and type(value["odd"]) is int:
            return ODD[value["odd"] % len(ODD)]
        return {name: _with_odd(part) for name, part in value.items()}
    return value


def seeds_of(*values: Any) -> tuple[bytes, ...]:
    """Values as the texts that `value_of` reads."""
    return tuple(json.dumps(value).encode() for value in values)
