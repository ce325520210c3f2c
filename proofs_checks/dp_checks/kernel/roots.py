"""Sturm's theorem: the number of real roots of a polynomial in one variable on a ray, exactly."""

from fractions import Fraction
from itertools import pairwise

from dp_checks.kernel.polynomial import Polynomial

Dense = list[Fraction]
"""Coefficients, highest power first; no leading zero."""


def roots_above(polynomial: Polynomial, variable: str, low: Fraction) -> int:
    """The number of different real roots in (low, infinity) of a polynomial in `variable` that is not zero.

    Raises `ValueError` for a polynomial in another variable.
    """
    dense = _dense(polynomial, variable)
    while len(dense) > 1 and not _value(dense, low):
        dense = _without_root(dense, low)  # Sturm's theorem wants an end of the ray that is no root
    chain = _sturm_chain(dense)
    at_low = _variations([_value(p, low) for p in chain])
    at_infinity = _variations([p[0] for p in chain])
    return at_low - at_infinity


def _dense(polynomial: Polynomial, variable: str) -> Dense:
    degrees: dict[int, Fraction] = {}
    for monomial, coefficient in polynomial.items():
        if any(name != variable for name, _ in monomial):
            raise ValueError(f"not a polynomial in {variable} alone")
        degrees[monomial[0][1] if monomial else 0] = coefficient
    if not degrees:
        raise ValueError("the zero polynomial")
    return [degrees.get(k, Fraction(0)) for k in range(max(degrees), -1, -1)]


def _sturm_chain(p: Dense) -> list[Dense]:
    degree = len(p) - 1
    chain = [p, [c * (degree - i) for i, c in enumerate(p[:-1])]] if degree else [p]
    while len(chain[-1]) > 1:
        remainder = _remainder(chain[-2], chain[-1])
        if not remainder:
            break
        chain.append([-c for c in remainder])
    return chain


def _remainder(a: Dense, b: Dense) -> Dense:
    rest = list(a)
    while len(rest) >= len(b):
        factor = rest[0] / b[0]
        for i, c in enumerate(b):
            rest[i] -= factor * c
        rest.pop(0)
    while rest and not rest[0]:
        rest.pop(0)
    return rest


def _without_root(p: Dense, x: Fraction) -> Dense:
    """p / (variable - x) for a root x (Horner's scheme)."""
    quotient = [p[0]]
    for c in p[1:-1]:
        quotient.append(quotient[-1] * x + c)
    return quotient


def _value(p: Dense, x: Fraction) -> Fraction:
    total = Fraction(0)
    for c in p:
        total = total * x + c
    return total


def _variations(numbers: list[Fraction]) -> int:
    signs = [x > 0 for x in numbers if x]
    return sum(a != b for a, b in pairwise(signs))
