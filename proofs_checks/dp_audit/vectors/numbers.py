"""Numbers in conformance vectors: exact rationals, and fifty digits that are provably the rounded ones."""

from collections.abc import Callable
from typing import Any

from flint import fmpq, fmpz

from dp_audit.exact_numbers import absolute, ends
from dp_audit.oracles.base import Number
from dp_spec.vocabulary.exceptions import UndecidedError
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.scalar import is_zero

DIGITS = 50
_PRECISIONS = (256, 512, 1024, 4096)


def number(compute: Callable[[], Number]) -> dict[str, str]:
    """Return {"rational": "1/3", "decimal": "0.333..."}; without "rational" when the number is not known to be
    rational.

    `compute` is called at rising precision until fifty significant digits, rounded half up, are certain.
    """
    for bits in _PRECISIONS:
        with precision(bits):
            value = compute()
            text = _decimal(value)
        if text is not None:
            rational = {"rational": f"{value.p}/{value.q}"} if isinstance(value, fmpq) else {}
            return {**rational, "decimal": text}
    raise UndecidedError("fifty digits are not decided at 4096 bits")


def _decimal(value: Number) -> str | None:
    if is_zero(value):
        return "0"
    magnitude = _exponent(value)
    if magnitude is None:
        return None
    shift = DIGITS - 1 - magnitude
    power: Any = fmpq(10) ** shift
    digits = _floor(absolute(value) * power + fmpq(1, 2))
    if digits is None:
        return None
    if digits == 10**DIGITS:  # 9.99...95 rounds to 10.00...0
        digits, magnitude = digits // 10, magnitude + 1
    sign = "-" if ends(value)[1].p < 0 else ""
    return sign + _place(str(digits), magnitude)


def _exponent(value: Number) -> int | None:
    """Return the k with 10^k <= |value| < 10^(k+1), or None if the ball leaves it open."""
    low, _ = ends(absolute(value))
    if low.p == 0:
        return None
    k = len(str(low.p)) - len(str(low.q))
    return k if _floor(low / fmpq(10) ** k) else k - 1


def _floor(value: Number) -> int | None:
    if isinstance(value, fmpq):
        return int(value.p // value.q)
    unique: fmpz | None = value.floor().unique_fmpz()
    return None if unique is None else int(unique)


def _place(digits: str, magnitude: int) -> str:
    """Return the decimal point after the digit of 10^0, trailing zeros cut; plain notation, no exponent."""
    if magnitude >= 0:
        whole, fraction = digits[: magnitude + 1].ljust(magnitude + 1, "0"), digits[magnitude + 1 :]
    else:
        whole, fraction = "0", "0" * (-magnitude - 1) + digits
    fraction = fraction.rstrip("0")
    return f"{whole}.{fraction}" if fraction else whole
