"""The one error of the kernel; the work of checking one certificate, counted in units that depend on nothing else, and
bounded.

A unit is an operation on small numbers, a node that is looked at, or a byte of a file: a microsecond, or five at most,
and 200 bytes, of which 64 stay. Work is paid for before it is done: `for x in paid(product(...), *numbers)`.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeVar

T = TypeVar("T")
DEFAULT = 8_000_000
"""Units for a certificate that declares none."""


class Rejected(ValueError):
    """The certificate is malformed, or its evidence does not establish its verdict."""


def require(condition: bool, reason: str) -> None:
    """Raise `Rejected` unless the condition holds."""
    if not condition:
        raise Rejected(reason)


class OutOfWorkError(Rejected):
    """More work than is allowed."""


@dataclass(slots=True)
class Meter:
    """Units that may be spent, and that are; the cards that were applied."""

    limit: int
    spent: int = 0
    cards: set[str] = field(default_factory=set)


_METER: ContextVar[Meter | None] = ContextVar("_METER", default=None)
_REMEMBERED: list[Callable[[], None]] = []


@contextmanager
def limited(limit: int = DEFAULT) -> Iterator[Meter]:
    """Within it, work beyond the limit raises `OutOfWorkError`; nothing is remembered from before."""
    for forget in _REMEMBERED:
        forget()
    meter = Meter(limit)
    token = _METER.set(meter)
    try:
        yield meter
    finally:
        _METER.reset(token)


def pay(times: int, *numbers: Any) -> None:
    """Pay for that many operations on numbers, where work is limited: units, if there are none."""
    meter = _METER.get()
    if meter is None:
        return
    meter.spent += times * _cost(*numbers) if numbers else times
    if meter.spent > meter.limit:
        raise OutOfWorkError(
            f"more than {meter.limit} units of work: a certificate that needs more declares them in its field 'work' "
            "and is checked with --work"
        )


def paid(things: Iterable[T], *numbers: Any) -> Iterator[T]:
    """The things, each of them paid for like one operation on the numbers."""
    units = _cost(*numbers)
    for thing in things:
        pay(units)
        yield thing


def applied(card: str) -> None:
    """Note that a theorem taken on trust was applied (see `dp_kernel.cards`)."""
    meter = _METER.get()
    if meter is not None:
        meter.cards.add(card)


def price(a: int, b: int) -> int:
    """Units of an operation on two numbers of so many bits."""
    return 1 + (a + b >> 9) + (a * b >> 18)


def _cost(*numbers: Any) -> int:
    """Units of an operation on numbers; polynomials pay for themselves."""
    bits = [x.numerator.bit_length() + x.denominator.bit_length() for x in numbers if type(x) in (Fraction, int)]
    total = sum(bits)
    return len(numbers) + (1 if total < 512 else price(max(bits), total - max(bits)))


def remembered(function: Callable[..., T]) -> Callable[..., T]:
    """A function that is computed once for the same arguments, as long as one certificate is checked."""
    cached = lru_cache(maxsize=512)(function)
    _REMEMBERED.append(cached.cache_clear)
    return cached
