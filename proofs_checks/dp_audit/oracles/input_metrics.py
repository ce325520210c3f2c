"""Distances of inputs, at which numbers are declared: an irrational one is a rational number just above it.

What is declared at a larger distance holds at a smaller one, so nobody is accused by that.
"""

from collections.abc import Hashable
from dataclasses import replace
from math import isqrt

from flint import fmpq

from dp_audit.oracles.distances import Metric
from dp_audit.oracles.metrics import metric
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.scalar import Ordering, compare

EXTRA = 64
"""Bits after the point of a root that is irrational."""


def input_metric(parameter: str, name: str) -> Metric:
    """Return the metric of a name, whose `scaled` is the distance itself.

    Raises `DomainError`, as `metric`, and for divergences, which are no distances of inputs.
    """
    plain = metric(parameter, name)
    if plain.of_laws:
        raise DomainError(parameter, name, "a metric of data sets, numbers or vectors, not of laws")
    if compare(plain.raised(fmpq(2)), 2) is Ordering.EQUAL:
        return plain

    def scaled(x: Hashable, y: Hashable) -> fmpq | None:
        square = plain.scaled(x, y)
        assert square is None or isinstance(square, fmpq)
        return None if square is None else root_above(square)

    return replace(plain, scaled=scaled, raised=lambda distance: distance, lowered=lambda distance: distance)


def root_above(square: fmpq) -> fmpq:
    """Return the square root of a number >= 0, if it is rational, else one that is larger by at most 2^-64."""
    product, denominator = int(square.p) * int(square.q), int(square.q)
    root = isqrt(product)
    if root * root == product:
        return fmpq(root, denominator)
    return fmpq(isqrt(product << 2 * EXTRA) + 1, denominator << EXTRA)
