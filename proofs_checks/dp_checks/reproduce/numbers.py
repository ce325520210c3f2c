"""Balls as decimals that are certainly right, and whether a number is in an interval."""

from flint import arb, ctx, fmpq

from dp_spec.vocabulary.exceptions import DomainError, UndecidedError
from dp_spec.vocabulary.scalar import Ordering, compare

BITS = 256
"""Precision of the balls."""


def decimal(ball: arb, digits: int = 12) -> str:
    """A number > 0 correctly rounded to so many digits.

    Raises `UndecidedError` where the ball is too wide to tell, `DomainError` for a number that is not positive.
    """
    if compare(ball, 0) is not Ordering.GREATER:
        raise DomainError("number", ball, "a number > 0")
    with ctx.workprec(BITS + 64):
        guess = (ball.log() / arb(10).log()).mid().floor().unique_fmpz()
        assert guess is not None
        exponent = int(guess)
        scaled = (ball * arb(10) ** (digits - 1 - exponent) + fmpq(1, 2)).floor().unique_fmpz()
    if scaled is None:
        raise UndecidedError(f"the digits of {ball} are not certain: raise the precision")
    text = str(scaled)
    return f"{text[0]}.{text[1:digits]}e{exponent + len(text) - digits:+d}"


def outwards(ends: tuple[arb | None, arb | None]) -> list[str | None]:
    """The ends of an interval of numbers > 0 as decimals rounded outwards."""
    low, high = ends
    with ctx.workprec(BITS):
        less, more = 1 - fmpq(1, 10**11), 1 + fmpq(1, 10**11)
        return [
            None if low is None else decimal(low.lower() * less),
            None if high is None else decimal(high.upper() * more),
        ]


def contains(ends: tuple[arb, arb | None], value: arb) -> bool:
    """Whether a number is in an interval. Raises `UndecidedError` where balls cannot tell."""
    orders = [compare(ends[0], value), compare(value, ends[1]) if ends[1] is not None else Ordering.LESS]
    if Ordering.UNDECIDED in orders:
        raise UndecidedError(f"cannot order {value} and {ends}: raise the precision")
    return Ordering.GREATER not in orders
