"""Variances of the count-mean sketch's estimate f'(d) of a number of records (source 004), generic in the numbers.

c is c_epsilon, k and m are the numbers of rows and columns, n that of the records; `own` is f(d), `squared` the sum of
f(d')^2 over all d' != d. For functions that are drawn, every record uses the same ones.
"""

from typing import TypeVar

from dp_spec.vocabulary.scalar import Scalar

T = TypeVar("T", bound=Scalar)


def variance_fixed(c: T, m: T | int, n: T | int, collisions: T | int) -> T:
    """For fixed functions; `collisions` is the sum of f(d') kappa(d, d') (1 - kappa(d, d')) over all d' != d."""
    return (m / (m - 1)) ** 2 * (n * (c**2 - 1) / 4 + collisions)


def variance_random(c: T, k: T | int, m: T | int, n: T | int, own: T | int, squared: T | int) -> T:
    """For k independent functions whose values at any three items are independent and uniform."""
    return (m / (m - 1)) ** 2 * n * (c**2 - 1) / 4 + ((n - own) * (1 - 1 / k) + squared / k) / (m - 1)
