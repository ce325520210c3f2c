"""Logarithms of rational numbers > 0: combinations of those of primes, with integers. These are independent over Q,
since factorizations are unique: a combination is 0 only if its coefficients are. Other signs are enclosed.
"""

from collections.abc import Mapping
from fractions import Fraction
from math import prod

from dp_kernel.formulas.terms import Interval, log
from dp_kernel.meter import pay, remembered, require
from dp_kernel.numbers.polynomial import LOG, Bound, Polynomial, Ratio, is_nonnegative, lift, variable, variables_of

PRECISIONS = (64, 512)
"""Bits of the enclosures of a combination, until one shows its sign."""


@remembered
def logarithm(x: Fraction) -> Ratio:
    """log x in logarithms of primes."""
    require(x > 0, f"the logarithm of {x}")
    total = lift(0)
    for number, sign in ((x.numerator, 1), (x.denominator, -1)):
        prime = 2
        while number > 1:
            pay(1)
            if prime * prime > number:
                prime = number
            while number % prime == 0:
                total, number = total + sign * variable(f"{LOG}{prime}]"), number // prime
            prime += 1
    return total


def is_at_least_zero(value: Ratio | Fraction | int, bounds: Mapping[str, Bound], *, strictly: bool = False) -> bool:
    """Whether a number is shown to be >= 0 (> 0): where only logarithms vary, by enclosures."""
    if not isinstance(value, Ratio):
        return value > 0 if strictly else value >= 0
    names = variables_of(value)
    if not names or not all(name.startswith(LOG) for name in names):
        return is_nonnegative(value, bounds, strictly=strictly)
    for bits in PRECISIONS:
        at = {name: log(Fraction(name[len(LOG) : -1]), bits) for name in names}
        ends = [_enclosed(part, at) for part in (value.num, value.den)]
        if all(end.low > 0 or end.high < 0 for end in ends):
            return (ends[0].low > 0) == (ends[1].low > 0)
    return False


def _enclosed(part: Polynomial, at: Mapping[str, Interval]) -> Interval:
    total = Interval.of(0)
    for powers, factor in part.items():
        total = total + prod((at[name] ** power for name, power in powers), start=Interval.of(factor))
    return total
