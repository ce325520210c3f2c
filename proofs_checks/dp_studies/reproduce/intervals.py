"""Intervals around simulated means that are rigorous: from moments of a law, or for any law in a range.

* W, the sum of independent D over the runs, E D = 0, has |W| < t but for a probability E W^2j / t^2j, for any j.
* Absolute values: with an independent copy X' of X, Jensen's inequality and | |X| - |X'| | <= |X - X'|, applied to the
  even powers that symmetric independent terms leave, the sum of |X| - E|X| has no larger even moments than the sum of
  X - X', whose cumulants are those of X twice, the odd ones 0.
* Squares: `dp_studies.reproduce.squared_errors`.
* The mean of n independent Y >= 0 is at most r with probability at most (e^(ur) E e^(-uY))^n for any u > 0 (Markov). If
  f has a negative third derivative on x >= 0, and W >= 0 has E W = 1 and E W^2 = c, then E f(W) is at most
  (1 - 1/c) f(0) + f(c) / c, its value if W is c times a bit: the quadratic function that is f at 0 and touches f at c
  has the same expectation for both laws, and f minus it is x (x - c)^2 / 6 times a third derivative. Such functions
  are e^(-ux), for W = Y, and (1 + 2ux)^(-1/2), the expectation of e^(-uY) given W if Y is W times the square of a
  standard normal variable.
* Numbers in a range. For independent X >= 0 with E X <= mean and any 0 <= a <= 1 the product of
  1 + a (X / mean - 1) is >= 0 with expectation <= 1, and so is the average over some a: it is >= 1 / level with at most
  that probability (Markov), so that a mean for which it is that large is excluded, and so are smaller ones, for which
  it is larger. Upper ends: the same for the range minus X. Floats propose an end, balls confirm it or it moves out.
* Medians. Each of n independent X is at most a median of their law with probability at least 1/2, and so fewer than r
  of them are with at most the probability of fewer than r heads in n throws of a coin; the same from above.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import comb, factorial, log

import numpy as np
from flint import arb, arb_series, fmpq

from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.scalar import Ordering, compare
from dp_studies.reproduce.numbers import ball, ball_order
from dp_studies.reproduce.squared_errors import (
    MOMENTS,
    PRECISION,
    Group,
    Sums,
    even_moments,
    largest_positive,
    to_all_moments,
)

SHARES = tuple(Fraction(2) ** -j for j in range(10))
"""The a that are averaged over."""
RATES = tuple(fmpq(2) ** k * fmpq(a, 4) for k in range(-4, 14) for a in range(4, 8))
"""The u that are tried: any one gives a valid bound, the best is taken."""
_STEPS = 60


def centered(cumulants: arb_series, center: arb) -> arb_series:
    """The cumulants of F - center."""
    return cumulants - arb_series([0, center], prec=to_all_moments())


def deviation(cumulants: arb_series, runs: int, level: Fraction) -> arb:
    """t / runs: how far the mean of so many independent D is from E D = 0, but for a probability <= level."""
    with precision(PRECISION):
        return least_tail(moments(cumulants * runs), ball(level)) / runs


def absolute_deviation(cumulants: arb_series, runs: int, level: Fraction) -> arb:
    """The same for the mean of |D - a|, whatever a is."""
    both = [2 * cumulants[j] if j % 2 == 0 else arb(0) for j in range(to_all_moments())]
    return deviation(arb_series(both, prec=to_all_moments()), runs, level)


def moments(cumulants: arb_series) -> list[arb]:
    """E D^2j for j = 0..J."""
    series = cumulants.exp()
    return [series[2 * j] * factorial(2 * j) for j in range(MOMENTS + 1)]


def least_tail(even: Sequence[arb], level: arb) -> arb:
    """A t with P(|D| >= t) <= level, from E D^2j."""
    return min(((even[j] / level).root(2 * j) for j in range(1, MOMENTS + 1)), key=ball_order)


def mean_square(cumulants: arb_series, mean: arb, runs: int, level: Fraction) -> tuple[arb, arb | None]:
    """Where E D^2 is (D of any mean), given its simulated mean; each end with the level."""
    with precision(PRECISION):
        second = moments(cumulants)[1]
        exact = even_moments(cumulants, second)
        sums = Sums([Group(1, exact, exact)], 1, runs, arb(runs), ball(level))
        return sums.spread().expectation(mean)


Transform = Callable[[arb], arb]
"""A bound on E e^(-uY) for u > 0."""


def two_moments(second: arb) -> Transform:
    """Of Y >= 0 with E Y = 1 and this E Y^2."""
    return lambda u: (second - 1 + (-u * second).exp()) / second


def mixed_normal(second: arb) -> Transform:
    """Of Y = W X^2, X standard normal, W >= 0 independent of it with E W = 1 and this E W^2."""
    return lambda u: (second - 1 + 1 / (1 + 2 * u * second).sqrt()) / second


def least_ratio(transform: Transform, runs: int, level: Fraction) -> arb | None:
    """r: the mean of so many independent Y is below r E Y with probability <= level; None if no r > 0 is known."""
    with precision(PRECISION):
        bounds = [(ball(level).log() / runs - transform(arb(u)).log()) / arb(u) for u in RATES]
        return largest_positive(bounds)


def absolute_mean(cumulants: arb_series) -> tuple[arb, arb]:
    """E|D| is between (E D^2)^(3/2) / (E D^4)^(1/2) (Hoelder) and (E D^2)^(1/2) (Jensen)."""
    with precision(PRECISION):
        _, second, fourth, *_ = moments(cumulants)
        return second * (second / fourth).sqrt(), second.sqrt()


def lower_mean(values: Sequence[Fraction], level: Fraction) -> Fraction:
    """The expectation of independent values >= 0 is at least this, but for a probability <= level."""
    counted = Counter(values)
    if not any(values):
        return Fraction(0)
    end = Fraction(_proposed(counted, level))
    while end > 0 and not _excluded(counted, end, level):
        end = end * 4095 / 4096 if end > Fraction(sum(values), 10**6 * len(values)) else Fraction(0)
    return end


def upper_mean(values: Sequence[Fraction], most: Fraction, level: Fraction) -> Fraction:
    """The expectation of independent values in 0..most is at most this, but for a probability <= level."""
    return most - lower_mean([most - x for x in values], level)


def median_interval(values: Sequence[Fraction], level: Fraction) -> tuple[Fraction, Fraction] | tuple[None, None]:
    """Values that no median of the law of independent values is below, or above, each but for a probability <= level.

    Nothing where there are too few values.
    """
    n, r, below = len(values), 0, 1
    while r < n and below <= level * 2**n:
        r += 1
        below += comb(n, r)
    return (sorted(values)[r - 1], sorted(values)[n - r]) if r else (None, None)


def _proposed(counted: Counter[Fraction], level: Fraction) -> float:
    """About the largest mean that is excluded: bisected, as the average falls when the mean grows."""
    values, times = (np.array([*column], np.float64)[:, None] for column in (counted, counted.values()))
    shares, wanted = np.array([float(a) for a in SHARES]), log(len(SHARES) / level)
    low, high = 0.0, sum(float(x) * number for x, number in counted.items()) / counted.total()
    # Logarithms, as products of many factors overflow; that of a factor 0 is -inf.
    with np.errstate(all="ignore"):
        for _ in range(_STEPS):
            mean = (low + high) / 2
            logs = (times * np.log(1 + shares * (values / mean - 1))).sum(axis=0)
            low, high = (mean, high) if np.nansum(np.exp(logs - wanted)) >= 1 else (low, mean)
    return low


def _excluded(counted: Counter[Fraction], mean: Fraction, level: Fraction) -> bool:
    with precision(128):
        values = [(ball(x), times) for x, times in counted.items()]
        total = arb(0)
        for a in SHARES:
            rest, slope = ball(1 - a), ball(a / mean)
            product = arb(1)
            for x, times in values:
                product *= (rest + slope * x) ** times
            total += product
        return compare(total * ball(level), len(SHARES)) is Ordering.GREATER
